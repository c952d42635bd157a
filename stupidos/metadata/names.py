"""Names of authors, out of what pages write in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LONGEST_FIELD = 300  # characters of a field that may hold names
_LONGEST_NAME = 70  # characters
_MOST_WORDS = 7
_MOST_AUTHORS = 40

# What precedes the names in a byline. Words that may also begin a name (Di, De, Von) must precede a capital.
_BY = (
    r"by|written by|words by|posted by|published by|reported by|story by|text by|authors?|from|byline|"
    r"von|text|autor(?:in|en|es|a|ka|zy|i)?|verfasst von|ein (?:beitrag|artikel|kommentar|gastbeitrag) von|"
    r"eine (?:analyse|kolumne|reportage|rezension) von|redaktion|"
    r"par|propos recueillis par|écrit par|publié par|auteure?s?|"
    r"por|escrito por|texto|publicado por|redacción|redação|"
    r"di|scritto da|a cura di|autore|autrice|testo|"
    r"door|geschreven door|auteurs?|av|af|skrevet av|skrivet av|forfatter|författare|journalist|tekst|"
    r"kirjoittaja|toimittaja|teksti|napsal|napsala|opracowała?|oprac|przygotowała?|pisze|redaktor|"
    r"de|scris de|szerző|írta|yazan|yazar|oleh|penulis|od|piše|autorius|autors|"
    r"автор[ыа]?|текст|подготовила?|авторка|журналист|"
    r"συντάκτης|γράφει|γράφουν|γράφει (?:ο|η)|του|της|επιμέλεια|"
    r"作者|記者|记者|文|撰文|責任編輯|责任编辑|編輯|筆者|執筆|기자|글|بقلم|كتب|כתב|מאת|bởi|tác giả|โดย"
)
# A capital, or a letter of a script without capitals
CAPITAL = r"[^\W\d_a-zß-öø-ÿа-яёґєіїα-ωά-ώšžčřąćęłńóśźżőűğışț]"
_PREFIX = re.compile(rf"(?i:{_BY})(?:\s*+[:：|/]\s*+|\s++(?={CAPITAL})|(?<=[文者])\s*+(?={CAPITAL}))")
# The first letters of what may be such a word: a look at them is cheaper than all alternatives
_STARTS = frozenset(re.split(r"[\s(\[?|]", one.strip("()?:"))[0][:4] for one in _BY.split("|")) - set("aiη")
_BETWEEN = re.compile(
    r"\s*+(?:[;|•·/、，・]|,(?!\s*+(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d|esq|rn|dds|mba)\b)|\n|"
    r"(?<=\s)(?:and|und|with|&|＆|och|og|и|та|και|ve)(?=\s)|\s-\s(?=by\s))\s*+",
    re.IGNORECASE,
)
_WEAK = re.compile(r"\s(?:et|y|e|en|i|a|ja|in|és)\s")  # also words of names: Ortega y Gasset
_TITLES = re.compile(r",?\s+(?:ph\.?\s?d\.?|m\.d\.|esq\.?|r\.?n\.?|mba|cfa|rd|dds)$", re.IGNORECASE)
_ASIDE = re.compile(r"\s*+[(\[<][^()\[\]<>]*+[)\]>]?")
_TAIL = re.compile(
    r"(?:\s++(?:[-–—@]\s)?(?i:the\s)?(?i:associated press|reuters|afp|dpa|ap|bloomberg|pa media)|"
    r"\s++(?:[-–—|@]\s(?=.*\b(?i:news|editor|writer|reporter|correspondent|staff)\b).*|for\s++(?:the\s)?[A-Z].*|in\s++[A-Z].*|(?:is|are|was)\s++(?:an?|the)\s.*|"
    r"(?:updated|published|posted|on)\b.*|\d{1,2}[./:]\d.*))$"
)
_ADDRESS = re.compile(r"https?:|www\.|@\w|^/")
_NOT_NAMES = re.compile(
    r"https?:|www\.|@|\.(?:com|org|net|de|co\.uk|ru|fr|html?)\b|[{}\[\]<>=\\_#%|]|\d{3}|\d:\d|\$|"
    r"\b(?:copyright|all rights|read more|follow|subscribe|share|comments?|minutes?|min read|posts? by|"
    r"updated|published|cookies?|image|photo(?:s|graphy)? by|view all|more from|click)\b",
    re.IGNORECASE,
)
_ROLES = frozenset(
    "editor writer reporter correspondent contributor columnist author producer journalist critic manager "
    "director analyst intern freelance redakteur redakteurin korrespondent korrespondentin journaliste "
    "rédacteur rédactrice correspondante redactor redactora corresponsal giornalista inviato journalisten "
    "redacteur фотограф корреспондент обозреватель редактор president professor ceo fellow assistant "
    "associate senior junior chief head staff deputy managing executive contributing special scientist vp "
    "lead news "
    "sports political science business technology features web digital content at large in and of the for "
    "engineer founder publisher".split()
)
_ROLE = re.compile(
    r"\b(?:editor|writer|reporter|correspondent|contributor|columnist|author|producer|journalist|critic|"
    r"manager|director|analyst|redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédact(?:eur|rice)|"
    r"correspondante?|redactora?|corresponsal|giornalista|redacteur|корреспондент|обозреватель|редактор|"
    r"president|professor|ceo|fellow|assistant|senior|chief|staff|scientist|engineer|founder|head of|vp)\b",
    re.IGNORECASE,
)
_LAST_WORDS = re.compile(  # Jane Smith Senior Writer, Post Staff
    r"(?:\s(?i:senior|staff|deputy|managing|contributing|special|chief|news|sports|freelance|web))*"
    r"\s(?i:staff|team|writers?|editors?|reporters?|correspondents?|contributors?|columnist|desk|news desk)$"
)
# Names of accounts, placeholders and news agencies
_NOBODY = frozenset(
    "admin administrator root webmaster web editor editors author authors guest unknown null none undefined "
    "anonymous test user wordpress staff by n/a na default system import superuser super-user redaktion "
    "redazione rédaction redacción redação redaktionen toimitus redakcja редакция editorial team newsroom "
    "moderator support info content publisher manager team member webteam false true nan 0 sponsored "
    "advertorial afp ap apa ansa belga dpa efe epa interfax ntb reuters ritzau sda sid tass tt upi xinhua "
    "bloomberg nachrichten news".split()
) | {"[object object]", "super user", "site admin", "web desk", "no author", "not available", "web editor",
                               "associated press", "the associated press", "deutsche presse-agentur",
                               "agence france-presse", "press association", "pa media"}  # fmt: skip


# Nearly all fields hold one plain name; words that need a closer look are those of bylines and roles.
PLAIN = re.compile(r"[A-Z][a-z'’-]{1,20}(?: [A-Z][A-Za-z'’-]{1,20}){1,2}")
_SUSPECT = (
    _ROLES | _NOBODY | {word for one in _BY.split("|") for word in one.split()}
    | set("press reuters bloomberg desk share comment comments follow subscribe copyright image photo "
          "updated published posted min minutes with und och et y".split())
)  # fmt: skip

_PUBLISHERS = frozenset(
    "the post times daily journal magazine blog media tribune herald review today online tv radio "
    "network studio studios labs lab inc corp company group mail star sun world life weekly guardian "
    "observer gazette chronicle express insider week report reports digest index hub zone guide house "
    "shop store club center centre school university college institute foundation society association "
    "museum library church city county state national international global american british business "
    "tech technology science sports health food travel games music art design books forum wiki "
    "community project software systems solutions services agency council government department office "
    "bank le la il der die das el los".split()
)


def authors(fields: Iterable[str], site: str = "") -> tuple[str, ...]:
    """The names in some fields, each once, in their order; the name of the site is left out.

    >>> authors(["By Jane Smith and Tom Doe, Staff Writer", "JANE SMITH", "https://example.org/tom"])
    ('Jane Smith', 'Tom Doe')
    >>> authors(["Von Anna-Lena Groß", "admin", "Автор: Иван Петров", "x" * 300])
    ('Anna-Lena Groß', 'Иван Петров')
    >>> authors(["Jane Smith", "Tea News"], "Tea News"), authors(["Jane Smith", "TeaNews"], "teanews.example")
    (('Jane Smith',), ('Jane Smith',))
    """
    names: dict[str, str] = {}
    sites: set[str] = set()
    for field in fields:
        sites = sites or {_key(site), _key(site.partition(".")[0])}  # a site may be called by its address
        for name in names_in(field) if _key(field) not in sites else ():
            if _key(_LAST_WORDS.sub("", name)) not in sites and len(names) < _MOST_AUTHORS:
                names.setdefault(_key(name), name)
    return tuple(names.values())


def names_in(field: str) -> Iterator[str]:
    """The names in one field."""
    if PLAIN.fullmatch(field) and _SUSPECT.isdisjoint(field.lower().split()):
        yield field
        return
    if len(field) > _LONGEST_FIELD or _ADDRESS.search(field):
        return
    field = _without_prefix(" ".join(field.split()))
    parts = _BETWEEN.split(_ASIDE.sub("", field))
    roles = [bool(number and _ROLE.search(part)) for number, part in enumerate(parts)]
    for number, part in enumerate(parts):
        if roles[number]:
            continue  # Jane Smith, senior editor
        if True in roles[:number] and True not in roles[number:]:
            return  # Jane Smith, senior editor, Harbour Post
        for name in _WEAK.split(part) if _two_names(part) else (part,):
            name = _cleaned(name)
            if is_name(name):
                yield name


def has_role(field: str) -> bool:
    """Whether a line begins with a name and what that person is.

    >>> has_role("Jane Smith, Senior Editor, Harbour Post"), has_role("Tea, Milk, Sugar"), has_role("Tom Doe")
    (True, False, False)
    """
    first, comma, rest = field.partition(", ")
    return (
        bool(comma)
        and PLAIN.fullmatch(first) is not None
        and _ROLE.search(rest.partition(",")[0]) is not None
    )


def is_person(name: str) -> bool:
    """Whether a name that is also the site's may be a person's: none of its words is typical of publishers.

    >>> is_person("Steph Miller"), is_person("Harbour Post"), is_person("Tea"), is_person("The Tea House")
    (True, False, False, False)
    """
    words = name.lower().split()
    return (
        len(words) == 2
        and PLAIN.fullmatch(name) is not None
        and _SUSPECT.isdisjoint(words)
        and (_PUBLISHERS.isdisjoint(words))
    )


def prefix(text: str) -> re.Match[str] | None:
    """What precedes the names in a byline, if the text is one.

    >>> prefix("By Eva Kern").group(), prefix(" " * 30 + "By Eva Kern"), prefix("")
    ('By ', None, None)
    """
    words = text[:20].split(None, 1)
    word = words[0].rstrip(":：|/").lower() if words else ""
    if word[:4] not in _STARTS and (word.isascii() or (word[:2] not in _STARTS and word[:1] not in _STARTS)):
        return None
    return _PREFIX.match(text)


def _without_prefix(text: str) -> str:
    """A byline without what precedes its names, which may be several words.

    >>> _without_prefix("Text: Von Eva Kern"), _without_prefix("Dean Kay"), _without_prefix("作者：王小明")
    ('Eva Kern', 'Dean Kay', '王小明')
    """
    for _ in range(3):
        match = prefix(text)
        if match is None:
            return text
        text = text[match.end() :]
    return text


def _cleaned(name: str) -> str:
    """A name without titles, places and whatever else follows it."""
    name = _TITLES.sub("", _TAIL.sub("", _without_prefix(name.strip())))
    if name.count(" ") > 1:
        short = _LAST_WORDS.sub("", name)
        name = short if " " in short else name
    name = name.strip(" \t\"'“”„«»*.,:;-–—|•·©®™‹›>")
    if name.isupper() and " " in name and name.isascii():
        name = name.title()
    return name


_DAY = re.compile(r"^\d|\s\d+(?:st|nd|rd|th)?\.?$")  # "12 March", "March 12"


def is_name(name: str) -> bool:
    """Whether a text may be somebody's name.

    >>> [is_name(one) for one in ("Jane Smith", "admin", "http://e.org", "Staff Writer", "1 May", "黃小明")]
    [True, False, False, False, False, True]
    """
    if not 2 <= len(name) <= _LONGEST_NAME or len(name.split()) > _MOST_WORDS:
        return False
    small = name.casefold()
    if small in _NOBODY or not any(map(str.isalpha, name)) or _ROLES.issuperset(small.split()):
        return False
    return not (_NOT_NAMES.search(name) or _DAY.search(name))


def _two_names(text: str) -> bool:
    """Whether a short word joins two names, each of two words at least."""
    parts = _WEAK.split(text)
    return len(parts) > 1 and all(" " in part.strip() for part in parts)


def _key(name: str) -> str:
    """A name for comparison."""
    return re.sub(r"\W", "", name).casefold().removeprefix("the")
