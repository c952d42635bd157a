"""Attributes, read from the string as written; alternative texts and form controls."""

import pytest

from stupidos.page import _named
from stupidos.render import RenderOptions, render
from stupidos.render.attributes import _MAX_ATTRIBUTES, hides, number, values

ALT, CONTROLS = RenderOptions(alt=True), RenderOptions(controls=True)


def texts(html: str, options: RenderOptions) -> list[str]:
    return [segment.text for segment in render(html, options)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("", {}),
        (" a", {"a": ""}),
        (" A=B", {"a": "B"}),
        (' a="b c"', {"a": "b c"}),
        (" a='b \"c'", {"a": 'b "c'}),
        (" a = b", {"a": "b"}),
        ("\na\n=\n'b'", {"a": "b"}),
        (" a=b a=c", {"a": "b"}),
        (" a=/b/ c", {"a": "/b/", "c": ""}),
        ("/a/b", {"a": "", "b": ""}),
        (' a="b"c="d"', {"a": "b", "c": "d"}),
        (" ==a b", {"=": "a", "b": ""}),
        (" a='b", {"a": "b"}),
        (" a=", {"a": ""}),
        (" x:y-z_1=2", {"x:y-z_1": "2"}),
    ],
)
def test_names_and_values_are_read_as_the_standard_says(written: str, meant: dict[str, str]) -> None:
    assert values(written) == meant


def test_of_a_huge_attribute_the_beginning_is_read() -> None:
    assert hides(" hidden " + "x" * 10_000)
    assert not hides(" " + "x" * _MAX_ATTRIBUTES + " hidden")


@pytest.mark.parametrize(
    ("written", "meant"),
    [(" value=3", 3), (" value='-3'", -3), (" value=3px", 3), (" value=x", None), ("", None)],
)
def test_a_number_is_read_from_its_attribute(written: str, meant: int | None) -> None:
    assert number(written, "value") == meant


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ("", "div"),
        (' class="a b"', "div.a.b"),
        (" id=x class=a", "div#x.a"),
        (" CLASS='a'\nID=\"x\"", "div#x.a"),
        (' class=""', "div"),
        (' data-id=1 data-class="y"', "div"),
        (' title="what class=x means"', "div"),
        (" title='id=7' id=8", "div#8"),
        (' class="a"id="x"', "div#x.a"),
        (" class=a class=b", "div.a"),
    ],
)
def test_an_element_is_named_by_its_id_and_classes(attributes: str, name: str) -> None:
    assert _named("div", attributes) == name


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        ('<img alt="a cup">', ["a cup"]),
        ("<IMG SRC=x ALT='a &amp; b'>", ["a & b"]),
        ("<img alt=cup />", ["cup"]),
        ('<img alt="">', []),
        ("<img src=x>", []),
        ("<img data-alt=x>", []),
        ('<img src="x?alt=media">', []),
        ('<img title="alt=x">', []),
        ("<img alt=' \n '>", []),
    ],
)
def test_alternative_texts_can_be_asked_for(image: str, shown: list[str]) -> None:
    assert texts(image, ALT) == shown
    assert texts(image, RenderOptions()) == []


def test_an_alternative_text_is_part_of_the_paragraph_and_of_the_link() -> None:
    (segment,) = render('<p>no <a href=x><img alt="tea"></a>', ALT)
    assert (segment.text, segment.link_share) == ("no tea", 0.6)


@pytest.mark.parametrize(
    ("control", "shown"),
    [
        ("<button>Go</button>", ["Go"]),
        ("<input type=submit value='Send &amp; go'>", ["Send & go"]),
        ("<INPUT VALUE=x>", ["x"]),
        ("<input value=x><input value=y>", ["x y"]),
        ("<input type=hidden value=x>", []),
        ("<input type=checkbox value=x>", []),
        ("<input type='radio' value=x>", []),
        ("<input type=password value=x>", []),
        ("<input>", []),
        ("<input data-value=x>", []),
        ("<select><option>a<option>b</select>", ["a", "b"]),
        ("<select><optgroup label=x><option>a</select>", ["a"]),
        ("<textarea>a &lt; b</textarea>", ["a < b"]),
        ("<textarea>\n</textarea>", []),
    ],
)
def test_form_controls_can_be_asked_for(control: str, shown: list[str]) -> None:
    assert texts(control, CONTROLS) == shown
    assert texts(control, RenderOptions()) == []


def test_controls_stand_apart_from_the_text_around_them() -> None:
    assert texts("<p>Name<input value=Jo>and<textarea>tea</textarea>or", CONTROLS) == ["Name Jo and tea or"]


def test_a_name_begins_within_4096_characters() -> None:
    filler = " " * (_MAX_ATTRIBUTES - len(" id=x"))
    assert values(f"{filler} id=x") == {"id": "x"}
    assert values(f"{filler}  id=x") == {"id": ""}
    assert hides(f"{' ' * (_MAX_ATTRIBUTES - len(' hidden'))} hidden")
    assert not hides(f"{' ' * (_MAX_ATTRIBUTES - len(' hidden') + 1)} hidden")
