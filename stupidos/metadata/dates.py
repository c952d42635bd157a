"""Dates of all kinds to ISO 8601, as exact as they are written; absurd ones are dropped."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime
from functools import lru_cache

_EARLIEST = 1971  # year; 1970-01-01, 1900-01-01 and 0001-01-01 mean an unknown date
_RELEASED = "2026-12-31"  # the clock of a machine may be slow
_DAY = 24 * 60 * 60  # seconds
_LONGEST = 120  # characters of a text that may hold a date
_EPOCH = re.compile(r"1?[0-9]{9}(?:[0-9]{3})?")  # seconds or milliseconds, from 1973 on

_TIME = (
    r"(?:(?:\s*+T\s*+|,?\s++(?:T\s|at\s|-\s|um\s|à\s)?|,)([0-2]?[0-9]):([0-5][0-9])"
    r"(?::([0-5][0-9])(?:[.,][0-9]++)?+)?+\s*+(?:([AaPp])\.?[Mm]\.?)?+"
    r"\s*+(?:GMT(?=[+-]))?+(Z\b|UTC\b|GMT\b|[+-][0-2][0-9]:?(?:[0-5][0-9])?)?)?"
)
YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_ISO = re.compile(rf"(?<![0-9])([12][0-9]{{3}})([-/.])([01]?[0-9])\2([0-3]?[0-9])(?![0-9]){_TIME}")
_COMPACT = re.compile(r"([12][0-9]{3})([01][0-9])([0-3][0-9])(?:T?([0-2][0-9])([0-5][0-9])([0-5][0-9])?)?")
_PARTIAL = re.compile(r"([12][0-9]{3})(?:[-/]([01][0-9]))?")
_DAY_FIRST = re.compile(rf"(?<![0-9])([0-3]?[0-9])(\.\s?|[-/])([01]?[0-9])\2([12][0-9]{{3}})(?![0-9]){_TIME}")
_MONTH_FIRST = re.compile(r"(?<![0-9])([01]?[0-9])/([0-3]?[0-9])/([12][0-9]{3})(?![0-9])" + _TIME)
_EASTERN = re.compile(r"([12][0-9]{3})\s?[年년]\s?([01]?[0-9])\s?[月월]\s?([0-3]?[0-9])\s?[日일]" + _TIME)
_WORD = r"([^\W\d_]{3,30}+)"
_DAY_MONTH = re.compile(
    rf"(?<![0-9])([0-3]?[0-9])(?:st|nd|rd|th|er|º|ª|\.)?[\s/-]++(?:de\s|d')?{_WORD}\.?,?[\s/-]++"
    rf"(?:de\s|del\s)?([12][0-9]{{3}})(?![0-9]){_TIME}"
)
_LAST_CAPITAL = re.compile(r"^.*[a-zß-öø-ÿ](?=[A-Z][a-z]*+$)")
_MONTH_DAY = re.compile(
    # a name and a number may touch it, where the page lacks a blank: SmithMay 5, 202312 comments
    rf"(?<![^\W\d_]){_WORD}\.?\s++([0-3]?[0-9])(?:st|nd|rd|th)?,?\s++((?:19|20)[0-9]{{2}}){_TIME}"
)

# The names of each month in some thirty languages, as written in dates. A name that means different months in
# different languages (listopada) is left out.
_MONTH_NAMES = (
    "ene enero gen gener gennaio ianuarie jaanuar jan janeiro januar januara januari january január "
    "januára januári janv janvier janvāris janvārī jänner leden ledna oca ocak sausio siječnja sty "
    "styczeń stycznia tammikuu tammikuuta ιαν ιανουάριος ιανουαρίου січень січня янв январь января януари "
    "јануар јануара בינואר ינואר يناير",
    "feb febbraio feber febrer febrero februar februara februari februarie february február februára "
    "februāris februārī fev fevereiro fevrier févr février helmikuu helmikuuta lut lutego luty vasario "
    "veebruar veljače únor února şub şubat φεβ φεβρουάριος φεβρουαρίου лютий лютого фебруар фебруара фев "
    "февраль февраля февруари בפברואר פברואר فبراير",
    "březen března kovo maaliskuu maaliskuuta maart mar marca march marco marec maret mars mart marta "
    "martie marts martā marzec marzo març março mrt mrz márc március mär märts märz ožujka μάρτιος μαρ "
    "μαρτίου березень березня мар март марта במרץ מרץ مارس",
    "abr abril apr april aprila aprile aprilie aprill apríl apríla aprīlis aprīlī avr avril balandžio "
    "duben dubna huhtikuu huhtikuuta kwi kwiecień kwietnia nis nisan travnja ápr április απρ απρίλιος "
    "απριλίου апр апрель апреля април априла квітень квітня אפריל באפריל أبريل ابريل",
    "gegužės květen května mag maggio mai maig maijs maijā maio maj maja may mayo mayıs mei máj mája "
    "május svibnja toukokuu toukokuuta μάιος μαΐου μαϊ май мая мај маја травень травня במאי מאי مايو",
    "birželio cze czerwca czerwiec giu giugno haz haziran iunie juin jun juna june junho juni junio juny "
    "juuni jún júna június jūnijs jūnijā kesäkuu kesäkuuta lipnja červen června ιουν ιουνίου ιούνιος июн "
    "июнь июня червень червня юни јун јуна ביוני יוני يونيو",
    "heinäkuu heinäkuuta iulie juil juillet jul jula julho juli julio juliol july juuli júl júla július "
    "jūlijs jūlijā liepos lip lipca lipiec lug luglio srpnja tem temmuz července červenec ιουλ ιουλίου "
    "ιούλιος июл июль июля липень липня юли јул јула ביולי יולי يوليو",
    "ago agost agosto agustus aout août aug august augusta augusti augusts augustus augustā augusztus "
    "avgust avgusta ağu ağustos elokuu elokuuta kolovoza rugpjūčio sie sierpień sierpnia srpen srpna αυγ "
    "αυγούστου αύγουστος авг август августа серпень серпня אוגוסט באוגוסט أغسطس اغسطس",
    "eyl eylül rugsėjo rujna sep sept septembar september septembra septembre septembrie septembris "
    "septembrī septiembre set setembre setembro setiembre sett settembre syyskuu syyskuuta szept "
    "szeptember wrz wrzesień września září σεπ σεπτέμβριος σεπτεμβρίου вересень вересня сен сентябрь "
    "сентября септембар септембра септември בספטמבר ספטמבר سبتمبر",
    "eki ekim lokakuu lokakuuta oct october octobre octombrie octubre okt oktobar oktober oktobra "
    "oktobris oktobrī oktoober október októbra ott ottobre out outubro paź październik października "
    "spalio říjen října οκτ οκτωβρίου οκτώβριος жовтень жовтня окт октобар октобра октомври октябрь "
    "октября אוקטובר באוקטובר أكتوبر اكتوبر",
    "kas kasım lapkričio lis listopad listopadu marraskuu marraskuuta noiembrie nov novembar november "
    "novembra novembre novembris novembro novembrī noviembre studenog studenoga νοέμβριος νοε νοεμβρίου "
    "листопад листопада новембар новембра ноември ноя ноябрь ноября בנובמבר נובמבר نوفمبر",
    "ara aralık dec decembar december decembra decembre decembrie decembris decembrī des desember "
    "desembre detsember dez dezember dezembro dic dicembre diciembre déc décembre gru grudnia grudzień "
    "gruodžio joulukuu joulukuuta prosinca prosince prosinec δεκ δεκέμβριος δεκεμβρίου грудень грудня дек "
    "декабрь декабря декември децембар децембра בדצמבר דצמבר ديسمبر",
)

_MONTHS = {name: str(number) for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}


def parsed(text: str, language: str = "") -> str | None:
    """A date in ISO 8601, or None; 4/5/2023 is a date only where the language says how to read it.

    >>> parsed("2023-12-22T16:35:04.120Z"), parsed("Fri, 22 Dec 2023 10:00:00 GMT"), parsed("22. März 2023")
    ('2023-12-22T16:35:04Z', '2023-12-22T10:00:00Z', '2023-03-22')
    >>> parsed("December 5, 2023 3:05 PM"), parsed("2019-07"), parsed("1900-01-01"), parsed("2300-01-01")
    ('2023-12-05T15:05', '2019-07', None, None)
    >>> parsed("4/5/2023"), parsed("4/5/2023", "en-us"), parsed("4/5/2023", "fr"), parsed("13/5/2023")
    (None, '2023-04-05', '2023-05-04', '2023-05-13')
    """
    text = text.strip()[:_LONGEST]
    if _EPOCH.fullmatch(text):
        return _from_epoch(int(text))
    if whole := _COMPACT.fullmatch(text) or _PARTIAL.fullmatch(text):
        return composed(*whole.groups())
    return in_text(text, language)


def in_text(text: str, language: str = "") -> str | None:
    """The first complete date in a text, or None."""
    text = text[:_LONGEST]
    if not YEAR.search(text):
        return None
    if match := _ISO.search(text):
        year, _, month, day, *clock = match.groups()
        return composed(year, month, day, *clock)
    if match := _EASTERN.search(text):
        return composed(*match.groups())
    if match := _DAY_MONTH.search(text):
        day, month, year, *clock = match.groups()
        return composed(year, _month_number(month), day, *clock)
    if match := _MONTH_DAY.search(text):
        month, day, year, *clock = match.groups()
        return composed(year, _month_number(month), day, *clock)
    return _numeric(text, language)


def has_year(text: str) -> bool:
    """Whether a text may hold a complete date: it has a year."""
    return YEAR.search(text) is not None


def _month_number(word: str) -> str | None:
    """The number of a month by its name, which may follow another word without a blank: "SmithDec" is 12."""
    return _MONTHS.get(word.lower()) or _MONTHS.get(_LAST_CAPITAL.sub("", word).lower())


def _numeric(text: str, language: str) -> str | None:
    """A date in numbers with the year at the end; with points and dashes the day comes first."""
    match = _DAY_FIRST.search(text)
    day_first = None
    if match:
        day, mark, month, year, *clock = match.groups()
        day_first = composed(year, month, day, *clock)
        if mark != "/" or int(day) > 12:
            return day_first
    other = _MONTH_FIRST.search(text)
    month_first = None
    if other:
        month, day, year, *clock = other.groups()
        month_first = composed(year, month, day, *clock)
    if day_first is None or day_first == month_first or language == "en-us":
        return month_first
    return day_first if month_first is None or (language and not language.startswith("en")) else None


def composed(
    year: str,
    month: str | None = None,
    day: str | None = None,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    half: str | None = None,
    zone: str | None = None,
) -> str | None:
    """A date from its parts; None if there is no such date, or if no page can be from that day."""
    if not _EARLIEST <= int(year) <= int(_latest()[:4]):
        return None
    if month is None:
        return None if day is not None else year
    if not 1 <= int(month) <= 12:
        return None
    if day is None:
        return f"{year}-{int(month):02}"
    try:
        day_text = date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
    if day_text > _latest():
        return None
    return day_text + _clock_of(hour, minute, second, half, zone)


def _clock_of(
    hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None
) -> str:
    """The time of a date in ISO 8601, with its "T"; empty if there is none."""
    if hour is None or minute is None:
        return ""
    hours = int(hour)
    if half:
        hours = hours % 12 + (12 if half in "pP" else 0)
    if hours > 23:
        return ""
    return f"T{hours:02}:{minute}" + (f":{second}" if second else "") + _zone_of(zone)


def _zone_of(zone: str | None) -> str:
    """A time zone in ISO 8601.

    >>> _zone_of("+0100"), _zone_of("GMT"), _zone_of("-05"), _zone_of(None)
    ('+01:00', 'Z', '-05:00', '')
    """
    if not zone:
        return ""
    if zone[0] not in "+-":
        return "Z"
    digits = zone[1:].replace(":", "")
    return f"{zone[0]}{digits[:2]}:{digits[2:] or '00'}"


def _from_epoch(number: int) -> str | None:
    """The date of a Unix time in seconds or milliseconds.

    >>> _from_epoch(1703262904), _from_epoch(1703262904000), _from_epoch(100000000)
    ('2023-12-22T16:35:04Z', '2023-12-22T16:35:04Z', '1973-03-03T09:46:40Z')
    """
    seconds = number // 1000 if number >= 10**11 else number
    moment = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return moment if moment[:10] <= _latest() else None


def _latest() -> str:
    """The last day that a page can be of: tomorrow, as it is tomorrow elsewhere."""
    return _day_behind(int(time.time()) // _DAY)


@lru_cache(maxsize=2)
def _day_behind(days: int) -> str:
    return max(datetime.fromtimestamp((days + 1) * _DAY, UTC).date().isoformat(), _RELEASED)
