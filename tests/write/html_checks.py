"""What HTML we write may hold, checked by the parser of the standard library."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ELEMENTS = frozenset(
    "article h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tr td th pre code "
    "blockquote figure figcaption hr aside div section "
    "a strong em del ins sub sup kbd mark q ruby rt img br span input".split()
)
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "ol": {"start", "reversed"},
    "li": {"id", "value"},
    "input": {"type", "disabled", "checked"},
    "sup": {"id"},
    "article": {"id", "lang"},
    **{tag: {"class"} for tag in ("code", "aside", "section", "div", "span", "p")},
}
WITHOUT_VALUE = frozenset(("reversed", "checked", "disabled"))
CLASSES = re.compile(r"language-[\w.+#-]+|callout [a-zA-Z]+|callout-title|footnotes|math")
HARMFUL = frozenset("script style svg math iframe object embed form input link meta base template".split())
VOID = frozenset(("img", "br", "hr", "input"))
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
SCHEMES = re.compile(r"(?:https?|ftps?|mailto|tel|sms|xmpp|ircs?|news|magnet|geo|doi|urn):", re.IGNORECASE)
DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp)[;,]", re.IGNORECASE)


class Harmless(HTMLParser):
    """Fails on what may run a script in HTML that others made of our Markdown."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in HARMFUL, tag
        for name, value in attrs:
            assert not name.startswith(("on", "style", "srcdoc", "formaction")), (tag, name)
            if name in ("href", "src"):
                read = re.sub("[\0-\x20]", "", value or "").lower()
                assert not read.startswith(("javascript:", "vbscript:", "data:")), value


class Checker(HTMLParser):
    """Fails on anything that is not listed above, and on tags that do not match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: list[str] = []
        self.identities: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES.get(tag, ()), (tag, name)
            assert (value is None) == (name in WITHOUT_VALUE), (tag, name)
            if value is None:
                continue
            if name == "class":
                assert CLASSES.fullmatch(value), value
            elif name in ("href", "src"):
                check_target(value, image=name == "src")
                self.targets.append(value)
            elif name == "type":
                assert value == "checkbox"
                assert ("disabled", None) in attrs
            elif name in ("start", "value"):
                assert value.isdigit(), value
            elif name == "id":
                self.identities.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def check_target(target: str, image: bool = False) -> None:
    """Fail on a target that a browser reads as one of a scheme that is not listed."""
    read = re.sub("[\0-\x20]", "", target)
    assert not SCHEME.match(read) or SCHEMES.match(read) or (image and DATA.match(read)), target


def checked(fragment: str) -> Checker:
    """The fragment, read; an AssertionError if it holds what it may not."""
    checker = Checker()
    checker.feed(fragment)
    checker.close()
    assert not checker.open
    assert len(checker.identities) == len(set(checker.identities))
    return checker
