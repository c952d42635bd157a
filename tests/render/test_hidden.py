"""What a browser does not show, and when it is shown all the same."""

import pytest

from stupidos.render import RenderOptions, read, render

SHOWN = "The ferry did not run on Monday, as the lake was frozen. " * 5
ALL = RenderOptions(hidden=True)
HIDING = [
    "hidden",
    "HIDDEN",
    "Hidden",
    'hidden=""',
    "hidden=hidden",
    "class=x hidden",
    'class="x"hidden',
    "class=x\nhidden",
    'aria-hidden="true"',
    "aria-hidden=true",
    "ARIA-HIDDEN=TRUE",
    'style="display:none"',
    "style='color: red; display : none'",
    "style=display:none",
    'STYLE="DISPLAY:NONE"',
    'style="display: none !important"',
    'style="Display:None;"',
    'style="visibility:hidden"',
]
NOT_HIDING = [
    'class="hidden"',
    'class="overflow-hidden hidden md:block"',
    "aria-hidden=false",
    'aria-hidden="false"',
    'hidden="until-found"',
    "data-hidden",
    "data-hidden=true",
    'title="is hidden"',
    'title="style=display:none"',
    'data-style="display:none"',
    'style="display:block"',
    'style="background:none; display:inline"',
    'style="xdisplay:none"',
    'style="display:none-such"',
    'style="overflow:hidden"',
    'onclick="this.style.display:none"',
]


def texts(html: str, options: RenderOptions = RenderOptions()) -> list[str]:
    return [segment.text for segment in render(html, options)]


@pytest.mark.parametrize("attributes", HIDING)
@pytest.mark.parametrize("tag", ["p", "div", "li", "h2", "td", "pre", "span", "b", "my-card"])
def test_a_hidden_element_is_not_shown(tag: str, attributes: str) -> None:
    assert texts(f"<p>shown</p><{tag} {attributes}>secret</{tag}>") == ["shown"]


@pytest.mark.parametrize("attributes", HIDING)
def test_capitals_do_not_unhide(attributes: str) -> None:
    assert texts(f"<P>shown</P><DIV {attributes}>secret</DIV>") == ["shown"]


@pytest.mark.parametrize("attributes", NOT_HIDING)
@pytest.mark.parametrize("tag", ["p", "span", "li"])
def test_what_only_looks_hidden_is_shown(tag: str, attributes: str) -> None:
    assert texts(f"<div>shown</div><{tag} {attributes}>too</{tag}>")[-1].endswith("too")


@pytest.mark.parametrize(
    "attributes", ["hidden href=x", 'href=x style="display:none"', 'href="x" aria-hidden="true"']
)
def test_a_hidden_link_is_not_shown(attributes: str) -> None:
    assert texts(f"<p>shown <a {attributes}>secret</a>") == ["shown"]


def test_what_is_inside_a_hidden_element_is_hidden() -> None:
    assert texts("<p>shown</p><div hidden><p>a</p><ul><li>b</ul>c</div><p>too</p>") == ["shown", "too"]


def test_a_hidden_element_ends_where_the_one_around_it_ends() -> None:
    assert texts("<p>shown<section><div hidden>a</section>too") == ["shown", "too"]


def test_a_hidden_inline_element_leaves_no_gap() -> None:
    assert texts("<p>un<span hidden>x</span>even") == ["uneven"]


def test_equal_elements_inside_a_hidden_one_do_not_end_it() -> None:
    assert texts("<p>a<span hidden>b<span>c</span>d<SPAN>e</SPAN>f</span>g") == ["ag"]


def test_preformatted_text_can_be_hidden() -> None:
    assert texts("<pre hidden>a\n b</pre><p>shown   here") == ["shown here"]


@pytest.mark.parametrize("tag", ["noscript", "noframes", "NOSCRIPT"])
def test_a_fallback_is_not_shown_on_a_page_with_text(tag: str) -> None:
    assert texts(f"<p>{SHOWN}</p><{tag}>Switch it on<p>please</{tag}>") == [SHOWN.strip()]


@pytest.mark.parametrize("tag", ["noscript", "noframes"])
def test_a_fallback_is_shown_on_a_page_without_text(tag: str) -> None:
    assert texts(f"<{tag}>Switch it on<p>please</{tag}>") == ["Switch it on", "please"]


def test_a_page_of_which_all_is_hidden_is_shown() -> None:
    assert texts(f"<body style='display:none'><p>{SHOWN}</p><p>more</body>") == [SHOWN.strip(), "more"]
    assert texts("<my-app hidden><p>a</p><p>b</p></my-app>") == ["a", "b"]


def test_hidden_text_comes_to_the_fore_where_next_to_nothing_else_is() -> None:
    assert len(texts("<p>Loading</p><div hidden><p>" + f"{SHOWN}<p>" * 8 + "</div>")) == 9


def test_a_short_page_keeps_its_secrets() -> None:
    assert texts(f"<p>shown</p><div hidden>{SHOWN}</div>") == ["shown"]


@pytest.mark.parametrize("tag", ["p", "span", "noscript"])
def test_hidden_text_can_be_asked_for(tag: str) -> None:
    assert " ".join(texts(f"<div>{SHOWN}</div><{tag} hidden>secret</{tag}>", ALL)).endswith("secret")


@pytest.mark.parametrize("attributes", HIDING)
def test_the_title_does_not_hide(attributes: str) -> None:
    assert read(f"<title {attributes}>Tea</title><p>{SHOWN}", "html").title == "Tea"


@pytest.mark.parametrize(
    ("shown", "hidden", "all_text"),
    [
        (0, 10, True),
        (199, 900, True),
        (199, 801, False),  # together no more than 1,000 characters
        (199, 802, True),
        (200, 5000, False),
    ],
)
def test_hidden_text_shows_where_there_is_hardly_any_other(shown: int, hidden: int, all_text: bool) -> None:
    page = read(f"<p>{'x' * shown}</p><p hidden>{'y' * hidden}", "html")
    assert any("y" in segment.text for segment in page.segments) == all_text


@pytest.mark.parametrize(("visible", "segments"), [(199, 200), (200, 200), (201, 201)])
def test_two_hundred_visible_characters_are_enough_however_many_segments(visible: int, segments: int) -> None:
    page = read("<p>x</p>" * visible + f"<p hidden>{'y' * 5000}", "html")
    assert len(page.segments) == segments
