"""Plain-text dumps cut into segments."""

import textwrap

import pytest

from stupidos.page import Kind
from stupidos.render import dump, packed
from stupidos.render.dump import segments

LYNX = """\
                              The Morning Paper

   [1]Home | [2]News | [3]Sport

   [logo.gif]

Rain in the north

   It rained all day in the north, and the rivers that were already high
   rose by another [4]two metres before the evening. Nobody was hurt, said
   the mayor [5][12], but three bridges are closed.

  What to do

     * Stay at home if you can, and if you cannot, take the long road over
       the hills
          + or the train
     * Read the paper
    1. First
    2. Second
   ____________________ (BUTTON) Search
     __________________________________________________________________

   The Morning Paper
   12 Mill Lane

References

   Visible links:
   1. http://example.org/
   2. http://example.org/news
   3. http://example.org/sport
   4. http://example.org/rain
   5. http://example.org/#12

   Hidden links:
   6. http://example.org/hidden
"""
WRAPPED = (
    "This paragraph was wrapped by hand at some sixty columns, as\n"
    "people used to do in letters, and it goes on for a third line\n"
    "to make that plain.\n"
)


def shown(text):
    return [(segment.kind.value, segment.text) for segment in segments(text)]


def texts(text):
    return [segment.text for segment in segments(text)]


def test_a_lynx_dump_is_read_as_the_page_it_was():
    assert shown(LYNX) == [
        ("h", "The Morning Paper"),
        ("p", "Home | News | Sport"),
        ("h", "Rain in the north"),
        (
            "p",
            "It rained all day in the north, and the rivers that were already high rose by another two "
            "metres before the evening. Nobody was hurt, said the mayor [12], but three bridges are closed.",
        ),
        ("h", "What to do"),
        ("l", "Stay at home if you can, and if you cannot, take the long road over the hills"),
        ("l", "or the train"),
        ("l", "Read the paper"),
        ("l", "1. First"),
        ("l", "2. Second"),
        ("p", "Search"),
        ("p", "The Morning Paper"),
        ("p", "12 Mill Lane"),
    ]


def test_line_ends_do_not_matter():
    assert shown(LYNX.replace("\n", "\r\n")) == shown(LYNX)
    assert shown(LYNX.replace("\n", "\r")) == shown(LYNX)


def test_levels_of_headings_and_lists_come_from_the_indent():
    found = {segment.text: segment.level for segment in segments(LYNX)}
    assert found["The Morning Paper"] in (0, 1)
    assert (found["Rain in the north"], found["What to do"]) == (2, 3)
    assert (found["Read the paper"], found["or the train"]) == (1, 2)


@pytest.mark.parametrize("between", ["\x85\b", "\u2028\b", "\r\0\n", "\rx\b\n", "\r\u200b\b\n", "\n\b"])
def test_control_characters_between_lines_do_not_move_offsets(between):
    (segment,) = segments(between + "It rained all day.")
    assert (between + "It rained all day.")[segment.start : segment.end].endswith(segment.text)


def test_offsets_point_into_the_dump():
    crlf = LYNX.replace("\n", "\r\n")
    found = {segment.text: crlf[segment.start : segment.end] for segment in segments(crlf)}
    assert found["Rain in the north"] == "Rain in the north"
    assert found["Read the paper"] == "* Read the paper"
    assert found["or the train"] == "+ or the train"


@pytest.mark.parametrize(
    "end",
    [
        "References\n\n   1. http://example.org/\n   2. mailto:a@example.org\n",
        "References\n\n   Visible links:\n   1. http://example.org/\n\n   Hidden links:\n   2. file:///x\n",
        "Verweise\n\n   1. http://example.org/a%20b\n",
        "   Visible links\n   1. http://example.org/\n",
        "References\n\n   1. http://example.org/#GREEN LINKS\n   2. http://example.org/\n",
        "References\n\n   1. javascript: go('a', 'b')\n   2. sms:?body=Hi, look here\n",
        "References\n\n   1. http://example.org/\n\n[USEMAP]\nfile://localhost/x#map\n   1. http://example.org/\n",
    ],
)
def test_the_list_of_links_at_the_end_is_removed(end):
    assert texts(f"   See [1]this.\n\n{end}") == ["See this."]


def test_a_bibliography_is_no_list_of_links():
    text = "Shown before.[1]\n\nReferences\n\n   1. Doe, J.: On rain. London 1999.\n"
    assert "1. Doe, J.: On rain. London 1999." in texts(text)
    assert "Shown before.[1]" in texts(text)


def test_a_bibliography_of_titles_with_colons_is_no_list_of_links():
    text = "Shown before.\n\nReferences\n\n   1. Rain: a study of the north.\n   2. Fog: another.\n"
    assert "1. Rain: a study of the north." in texts(text)


def test_link_numbers_are_removed_when_the_list_was_cut_off():
    assert texts("   [1]Home [2]News [3]Sport\n   [4]Mail [5]Help [6]About\n") == [
        "Home News Sport",
        "Mail Help About",
    ]


def test_citations_stay():
    text = "It was shown[1] that rain is wet.[2] Others [3] doubt it.\n"
    assert texts(text) == [text.strip()]


def test_wrapped_lines_are_joined():
    assert texts(f"{WRAPPED}\n{WRAPPED}") == [" ".join(WRAPPED.split())] * 2


def test_a_line_that_was_not_filled_up_ends_its_segment():
    assert texts(f"{WRAPPED}Jane Doe\n12 Mill Lane\n\n{WRAPPED}")[1:3] == ["Jane Doe", "12 Mill Lane"]


def test_short_lines_that_go_on_in_lower_case_are_joined():
    assert texts("One line\nand its end.\n\nAnother.\n") == ["One line and its end.", "Another."]


def test_a_dump_without_blank_lines_has_a_segment_a_line():
    lines = ["Home", "about us", "A long line that says something. " * 9, "- item", "Contact", "imprint"]
    assert texts("\n".join(lines)) == ["Home", "about us", lines[2].strip(), "item", "Contact", "imprint"]


def test_chinese_lines_are_joined_without_a_blank():
    line = "我能吞下玻璃而不伤身体今天的天气很好我们去公园散步然后回家吃饭看书"
    assert texts(f"   {line}\n   {line}\n   {line}。\n\n   {line}\n   {line}。\n") == [
        line * 3 + "。",
        line * 2 + "。",
    ]


@pytest.mark.parametrize("bullet", ["*", "+", "-", "•", "·", "–", "▪", "o", "#", "@"])
def test_bullets_are_recognised_and_dropped(bullet):
    assert shown(f"   {bullet} one\n   {bullet} two\n") == [("l", "one"), ("l", "two")]


@pytest.mark.parametrize("number", ["1.", "12)", "(3)", "(a)", "b)"])
def test_numbers_of_items_are_recognised_and_kept(number):
    assert shown(f"   {number} one\n") == [("l", f"{number} one")]


@pytest.mark.parametrize(
    "text", ["o meu amigo", "#hash", "-5 degrees", "2001: a year", "1.5 litres", "e.g. this", "*"]
)
def test_what_only_resembles_a_bullet_is_none(text):
    assert [segment for segment in segments(text) if segment.kind is Kind.ITEM] == []


def test_a_wrapped_line_that_starts_with_a_dash_goes_on():
    text = (
        "   It was the best of times and the worst of times, said the old man\n"
        "   - or so they tell it in the village where he lived until he died -\n"
        "   and then he left.\n"
    )
    assert [kind for kind, _ in shown(text + "\n" + text)] == ["p", "p"]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Title\n=====\n\nText here.\n", 1),
        ("Title\n-----\n\nText here.\n", 2),
        ("### Title\n\nText here.\n", 3),
    ],
)
def test_underlined_and_hashed_lines_are_headings(text, level):
    assert (segments(text)[0].kind, segments(text)[0].level) == (Kind.HEADING, level)
    assert texts(text) == ["Title", "Text here."]


def test_a_short_line_above_a_paragraph_is_a_heading():
    assert shown(f"The weather\n\n{WRAPPED}")[0] == ("h", "The weather")


@pytest.mark.parametrize("line", ["It rained.", "Home | News", "and so on", "Why not,"])
def test_a_punctuated_or_low_line_is_no_heading(line):
    assert shown(f"{line}\n\n{WRAPPED}")[0][0] == "p"


def test_junk_of_terminals_and_boxes_is_gone():
    assert texts("┌──────┐\n│ Text │\n└──────┘\n\fB\bBo\bol\bld\bd\x07 \u200btype\n+----+\n") == [
        "Text",
        "Bold type",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "   ", "\f", "----\n====\n", "\0", "┌┐"])
def test_nothing_gives_nothing(text):
    assert segments(text) == []


def test_a_lone_surrogate_survives():
    assert texts("one \ud800 two") == ["one \ud800 two"]


@pytest.mark.parametrize(
    "unit",
    [
        "1. ",
        "a",
        "word ",
        "中\n",
        " ",
        "[1]",
        "[1]a\n",
        "* x\n",
        "_",
        "1. http://a\n",
        "[",
        "(",
        "a\b",
        "(BUTTON",
    ],
)
def test_no_text_is_lost_or_made_by_odd_input(unit):
    found = "".join(segment.text for segment in segments(unit * 2000))
    assert len(found) <= len(unit) * 2000
    assert ("中" in unit) == ("中" in found)


LISTED = "[1]Tea\n\nSee [2]this [3]one and [9] that.\n\nReferences\n\n" + "".join(
    f"   {number}. http://example.org/{number}\n" for number in range(1, 4)
)


@pytest.mark.parametrize(
    "text",
    [
        "News\n\n   It rained\n   all day.\n     * wet\n     * cold\n" * 3,
        "One\r\n\r\nTwo\rThree\x0bFour\u2028Five\n\n\n\nSix",
        "T\bTe\bea\tand milk\n\0\n\rMilk\r\0\nand\r\btea",
        LISTED,
        LISTED + "\n\n\n",
        "Tea\n" + "\n" * 40,
        "Milk\n\nReferences\n\n" + "\n" * 30 + "   1. http://example.org/\n",
        "[1]a [2]b [3]c [4]d [5]e [6]f\n\nand [7]so on",
        "All was quiet on the lake, and the ferry lay\nin the ice. Nobody expected it to sail before\n" * 5,
        "\n\n",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 30])
def test_a_dump_read_in_parts_has_the_same_segments(
    text: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list(dump.segments(text))
    monkeypatch.setattr(dump, "_PART", size)
    monkeypatch.setattr(packed, "_PACK", 2)
    found = dump.segments(text)
    same = [segment._replace(offsets=None) for segment in whole]
    assert [segment._replace(offsets=None) for segment in found] == same
    assert [found[at]._replace(offsets=None) for at in range(len(found))] == same
    assert [(one.start, one.end) for one in found] == [(one.start, one.end) for one in whole]


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_a_long_segment_has_the_same_words_in_stretches(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "  tea  and\u3000milk \xa0and water, which nobody  drinks  "
    whole = [segment.text for segment in segments(text)]
    monkeypatch.setattr(dump, "_LONG", size)
    assert [segment.text for segment in segments(text)] == whole


def test_a_dump_is_read_in_parts_from_a_quarter_million_characters_on() -> None:
    line = "Some words of tea.\n\n"
    lines = (1 << 18) // len(line)
    assert type(segments(line * lines)) is list
    assert type(segments(line * (lines + 2))) is packed.Packed


def test_segments_of_a_large_dump_are_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "one\n\ntwo\n\nthree\n\nfour\n\nfive\n"
    whole = segments(text)
    monkeypatch.setattr(dump, "_PART", 8)
    monkeypatch.setattr(packed, "_PACK", 2)
    found = segments(text)
    texts = [segment.text for segment in whole]
    assert [segment.text for segment in found[1:4]] == texts[1:4]
    assert [found[at].text for at in (-1, 0, 3, 1)] == ["five", "one", "four", "two"]
    assert found == list(found) != list(found)[1:]
    assert found != "one"
    with pytest.raises(IndexError):
        found[5]


@pytest.mark.parametrize("size", [0, 1, 3, 40, 1 << 18])
def test_a_list_of_links_may_begin_without_its_title(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    links = "   1. https://a.example/\n   Hidden links:\n   2. https://b.example/\n"
    text = f"Read [1]this and [2]that.\n\n{links}"
    monkeypatch.setattr(dump, "_PART", size)
    assert [segment.text for segment in segments(text)] == ["Read this and that."]


@pytest.mark.parametrize("behind", ["", "\n", "\n\n", "\n---\n"])
def test_the_last_line_of_a_dump_may_be_a_heading(behind: str) -> None:
    prose = "   It rained all day long, and nobody went out.\n\n" * 3
    *_, last = segments(f"{prose}The news of today{behind}")
    assert (last.kind, last.level, last.text) == (Kind.HEADING, 2, "The news of today")


@pytest.mark.parametrize(("indent", "level"), [(0, 2), (2, 3), (4, 4), (6, 5), (8, 0)])
def test_the_indent_of_a_heading_among_indented_paragraphs_tells_its_level(indent: int, level: int) -> None:
    prose = "   It rained all day long, and nobody went out.\n\n" * 3
    found = segments(f"{prose}{' ' * indent}The news of today\n\n{prose}")[3]
    assert (found.text, found.level) == ("The news of today", level)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("The news of today", True),
        ("the news of today", False),
        ("The news of today.", False),
        ("News | Sport", False),
        ("One two three four five six seven eight nine ten eleven twelve", True),
        ("One two three four five six seven eight nine ten eleven twelve more", False),
        ("X" * 80, True),
        ("X" * 81, False),
    ],
)
def test_a_heading_is_short_and_no_sentence(line: str, heading: bool) -> None:
    prose = "   It rained all day long, and nobody went out.\n\n" * 3
    found = segments(f"{line}\n\n{prose}")[0]
    assert (found.kind is Kind.HEADING) == heading


def test_lines_of_a_text_without_blank_lines_are_joined_only_if_they_are_wrapped() -> None:
    words = "Some words of tea and milk and rum that fill a line to its end and go on in the next one. "
    wrapped = "\n".join(textwrap.wrap(words * 4, 60))
    assert len(segments(wrapped)) == 1
    assert len(segments("\n".join(f"{number} short line" for number in range(20)))) == 20
    assert len(segments("one line\nand another")) == 2
    assert len(segments("one line\n\nand another")) == 2
    assert len(segments("one line\nand another\n\na third\nand the last")) == 2


def test_a_heading_stands_apart_from_the_text_above_and_below() -> None:
    prose = "   It rained all day long, and nobody went out.\n\n" * 3
    apart = segments(f"{prose}The news of today\n\n{prose}")
    below = segments(f"{prose}   It ended.\nThe news of today\n\n{prose}")
    above = segments(f"{prose}The news of today\n   It began.\n\n{prose}")
    for found, heading in ((apart, True), (below, False), (above, False)):
        (one,) = (segment for segment in found if segment.text == "The news of today")
        assert (one.kind is Kind.HEADING) == heading


@pytest.mark.parametrize(("columns", "flows"), [(dump._WIDEST + 55, True), (dump._WIDEST + 56, False)])
def test_the_next_word_of_a_script_without_blanks_is_one_character(columns: int, flows: bool) -> None:
    layout = dump._DumpLayout(width=60, indent=0, blanks=False)
    before = "x" * (columns - 1)
    assert dump._flows(before, "漢字の行", layout) is flows
