"""Seven formats of the same verdicts."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

import stupidos
from stupidos import write
from stupidos.page import Kind, Page, Segment, Verdict
from stupidos.structure.node import Node
from stupidos.write import (
    FORMATS,
    About,
    Style,
    closing,
    opening,
    records,
    text_of,
    verdicts_of,
)
from stupidos.write.markdown import escaped, markdown
from stupidos.write.records import json_line, record
from stupidos.write.sentences import sentences
from stupidos.write.vertical import _tokens

TEI = "{http://www.tei-c.org/ns/1.0}"
ABOUT = About("a.html", "https://example.org/?a=1&b", 'The "title"', "utf-8", "web", "cafe", 0.91234)
VERDICTS = [
    Verdict(Segment("Home | News", Kind.PARAGRAPH), -3.5, False, "bar"),
    Verdict(Segment("A title", Kind.HEADING, 1), 2.0, True, "web"),
    Verdict(Segment("First line\nsecond < line."), 5.25, True, "web"),
    Verdict(Segment("milk", Kind.ITEM, 1), 1.0, True, "web"),
    Verdict(Segment("2. eggs", Kind.ITEM, 1), 1.0, True, "web"),
    Verdict(Segment("© 2024"), -1.0, False, "web"),
    Verdict(Segment("Section", Kind.HEADING, 2), 1.0, True, "web"),
]


class Judgement(NamedTuple):
    """Verdicts on segments of no page, as a document."""

    verdicts: Sequence[Verdict]
    metadata: About = About()
    url: str = ""
    id: str = ""
    title: str = ""

    @property
    def page(self) -> Page:
        return Page("", "", [verdict.segment for verdict in self.verdicts], markup=False)

    @property
    def kept(self) -> list[int]:
        return [int(verdict.keep) for verdict in self.verdicts]

    @property
    def kept_texts(self) -> list[tuple[str, Kind]]:
        return [verdict.segment[:2] for verdict in self.verdicts if verdict.keep]

    def about(self, confidence: bool = True, metadata: bool = True) -> About:
        return self.metadata


def written(verdicts: Sequence[Verdict], style: Style | str = "text", about: About = About()) -> str:
    return write.written(Judgement(verdicts, about), style)


def pieces(verdicts: Sequence[Verdict], style: Style, about: About = About()) -> Iterator[str]:
    return write.pieces(Judgement(verdicts, about), style)


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def test_text_has_blank_lines_between_segments_and_none_in_lists() -> None:
    assert written(VERDICTS) == "A title\n\nFirst line\nsecond < line.\n\nmilk\n2. eggs\n\nSection\n"


def test_cleaneval_marks_each_segment() -> None:
    text = written(VERDICTS, "cleaneval")
    assert text == "<h>A title\n\n<p>First line\nsecond < line.\n\n<l>milk\n\n<l>2. eggs\n\n<h>Section\n"


def test_markdown_writes_headings_items_and_breaks() -> None:
    text = written(VERDICTS, "markdown")
    assert text == "# A title\n\nFirst line\\\nsecond \\< line.\n\n- milk\n\n2. eggs\n\n## Section\n"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ('The "old"  pier', ' "The \\"old\\" pier"'),
        ("A\\B", ' "A\\\\B"'),
        ("a &lt; b", ' "a &amp;lt; b"'),
        (" ", ""),
    ],
)
def test_a_link_in_markdown_keeps_its_title(title: str, shown: str) -> None:
    link = Node("a", {"href": "x", "title": title}, ["pier"])
    assert "".join(markdown(Node("document", None, [Node("p", None, [link])]))) == f"[pier](x{shown})\n"


@pytest.mark.parametrize("format", FORMATS)
def test_an_empty_page_can_be_written(format: str) -> None:
    text = written([], format)
    assert text == "" or text.endswith("\n")


@pytest.mark.parametrize("format", FORMATS)
def test_dropped_segments_are_left_out_unless_asked_for(format: str) -> None:
    assert "Home" not in written(VERDICTS, format)
    assert "Home" in written(VERDICTS, Style(format, dirty=True))


@pytest.mark.parametrize("format", ["text", "cleaneval"])
def test_everything_is_shown_a_segment_a_line(format: str) -> None:
    lines = written(VERDICTS, Style(format, dirty=True)).splitlines()
    assert [line.split("\t")[0] for line in lines] == [["drop", "keep"][v.keep] for v in VERDICTS]
    assert lines[2].endswith("First line second < line.")


def test_a_record_has_its_fields_in_order() -> None:
    found = json.loads(written(VERDICTS, "jsonl", ABOUT))
    assert list(found) == [
        "id",
        "url",
        "title",
        "authors",
        "date",
        "modified",
        "site",
        "language",
        "language_source",
        "description",
        "image",
        "license",
        "categories",
        "tags",
        "text",
        "text_sha1",
        "encoding",
        "model",
        "model_sha256",
        "confidence",
        "expected_precision",
        "expected_recall",
        "truncated",
        "error",
    ]
    assert found["text"] == written(VERDICTS)
    assert (found["confidence"], found["error"]) == (0.9123, None)


def test_a_record_lists_kept_segments_when_asked() -> None:
    found = record(VERDICTS, ABOUT, Style("jsonl", segments=True))
    segments = found["segments"]
    assert isinstance(segments, list)
    assert [one["kind"] for one in segments] == ["h", "p", "l", "l", "h"]
    assert segments[0] == {
        "text": "A title",
        "kind": "h",
        "level": 1,
        "path": "",
        "start": 0,
        "end": 0,
        "link_share": 0.0,
        "score": 2.0,
        "keep": True,
        "reason": "web",
    }


def test_a_record_of_a_failed_page_says_why() -> None:
    found = record([], About("a.png", error="is a PNG image"))
    assert (found["text"], found["error"], found["url"]) == ("", "is a PNG image", None)


@pytest.mark.parametrize("text", ["a\nb", "a\u2028b", "a\x85b", "a\u2029b", "\ud800", "\x00", '"'])
def test_a_record_is_one_line_for_every_reader(text: str) -> None:
    line = json_line({"text": text})
    assert len(line.splitlines()) == 1
    assert json.loads(line.encode())["text"] == text.replace("\ud800", "\ufffd")


@pytest.mark.parametrize("score", [math.inf, -math.inf, math.nan])
def test_scores_that_json_cannot_say_are_null(score: float) -> None:
    verdicts = [Verdict(Segment("a"), score, True, "web")]
    found = json.loads(written(verdicts, Style("jsonl", segments=True)))
    assert found["segments"][0]["score"] is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# not a heading", r"\# not a heading"),
        ("#hashtag", "#hashtag"),
        ("- not an item", r"\- not an item"),
        ("3) three", r"3\) three"),
        ("1999 was", "1999 was"),
        ("> quoted", r"\> quoted"),
        ("a\n---", "a\\\n\\---"),
        ("_emphasis_ in snake_case", r"\_emphasis\_ in snake_case"),
        ("[link](x) `code` <b> \\", r"\[link\](x) \`code\` \<b> \\"),
        ("AT&T &amp; &copy;", r"AT&T \&amp; \&copy;"),
        ("~~struck~~ ~5", r"\~\~struck\~\~ ~5"),
    ],
)
def test_markdown_takes_text_literally(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_markdown_strikes_dropped_segments_through() -> None:
    assert written([VERDICTS[0]], Style("markdown", dirty=True)) == "~~Home | News~~\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("It's 3.14, ok.", ["It's", "3.14", "<g/>", ",", "ok", "<g/>", "."]),
        ("a<b & c", ["a", "<g/>", "&lt;", "<g/>", "b", "&amp;", "c"]),
        ("你好", ["你", "<g/>", "好"]),
        ("", []),
    ],
)
def test_vertical_has_a_token_a_line(text: str, lines: list[str]) -> None:
    assert list(_tokens(text)) == lines


def test_vertical_is_one_doc_with_its_attributes() -> None:
    lines = written(VERDICTS, "vertical", ABOUT).splitlines()
    assert lines[0].startswith(
        '<doc id="a.html" url="https://example.org/?a=1&amp;b" title="The &quot;title&quot;"'
    )
    assert lines[1:6] == ['<p type="h" level="1">', "<s>", "A", "title", "</s>"]
    assert lines[-1] == "</doc>"


def test_vertical_has_sentences_and_the_depth_of_items() -> None:
    item = Verdict(Segment("Boil it. Pour it.", Kind.ITEM, 2), 1.0, True, "")
    assert "".join(written([item], "vertical").split("\n")[1:-2]) == (
        '<p type="l" depth="2"><s>Boilit<g/>.</s><s>Pourit<g/>.</s></p>'
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rained. We stayed in.", 2),
        ("Mr. Smith and J. R. Wu met.", 1),
        ("Am 3. Mai kam sie, d.h. zu spät. Er ging.", 2),
        ("She asked: “Why?” He left.", 2),
        ("Wait... What? No!", 3),
        ("Das kostet ca. 5 Euro. Mehr nicht.", 2),
        ("It was 1990. The wall fell.", 2),
        ("Он ушёл. Она осталась.", 2),
        ("雨が降った。「寒い。」と言った！", 3),
        ("वह गया। वह आई।", 2),
        ("one line\nand another", 2),
        ("e.g. this one, vs. that", 1),
        ("", 0),
    ],
)
def test_sentences_end_where_a_reader_would_say(text: str, count: int) -> None:
    found = sentences(text)
    assert len(found) == count
    assert "".join("".join(found).split()) == "".join(text.split())


def test_vertical_is_well_formed() -> None:
    assert len(parsed(written(VERDICTS, "vertical", ABOUT)).findall("p")) == 5


def test_tei_has_divisions_lists_and_line_breaks() -> None:
    root = parsed(written(VERDICTS, "tei", ABOUT._replace(title="A title")))
    divisions = root.findall(f"{TEI}text/{TEI}body/{TEI}div")
    assert [[one.tag.removeprefix(TEI) for one in division] for division in divisions] == [
        ["head", "p", "list", "list", "div"]
    ]
    assert [(item.text, item.get("n")) for item in root.iter(f"{TEI}item")] == [("milk", None), ("eggs", "2")]
    assert len(list(root.iter(f"{TEI}lb"))) == 1
    assert root.findtext(f".//{TEI}titleStmt/{TEI}title") == "A title"


@pytest.mark.parametrize("pages", [1, 2])
def test_tei_of_any_number_of_pages_is_one_document(pages: int) -> None:
    text = opening("tei", pages) + written(VERDICTS, "tei", ABOUT) * pages + closing("tei", pages)
    assert len(list(parsed(text).iter(f"{TEI}TEI"))) == pages


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\ufffe", "\ud800"])
def test_tei_leaves_out_what_xml_forbids(character: str) -> None:
    text = written(verdicts_of([Segment(f"a{character}b")]), "tei", About(title=character))
    assert parsed(text).findtext(f".//{TEI}p[.='ab']") == "ab"


def test_a_page_nobody_judged_is_kept_at_even_odds() -> None:
    assert verdicts_of([Segment("Tea")]) == [Verdict(Segment("Tea"), 0.0, True, "")]


@pytest.mark.parametrize("first", Kind)
def test_the_first_segment_keeps_its_first_letter(first: Kind) -> None:
    assert text_of([Segment("Tea", first), Segment("milk", Kind.ITEM)]).startswith("Tea\n")


def test_a_list_ends_where_a_paragraph_begins() -> None:
    segments = [Segment("a", Kind.ITEM), Segment("b"), Segment("c", Kind.ITEM), Segment("d", Kind.ITEM)]
    assert text_of(segments) == "a\n\nb\n\nc\nd\n"
    assert written(verdicts_of(segments), "markdown") == "- a\n\nb\n\n- c\n- d\n"


@pytest.mark.parametrize("mark", ["¶", " ¶"])
def test_marks_that_link_to_a_heading_are_no_text(mark: str) -> None:
    link = f'<a class=headerlink href="#tea">{mark}</a>'
    page = f"<h2>Tea{link}</h2><p>See ¶ 5.<dl><dt>brew(){link}</dl>"
    assert stupidos.clean(page, model="keep-all") == "Tea\n\nSee ¶ 5.\n\nbrew()\n"
    assert json.loads(stupidos.clean(page, model="keep-all", format="jsonl"))["text"].startswith("Tea\n")



@pytest.mark.parametrize(("level", "marks"), [(0, "#"), (1, "#"), (2, "##"), (6, "######"), (7, "######")])
def test_markdown_headings_have_one_to_six_marks(level: int, marks: str) -> None:
    assert written(verdicts_of([Segment("Tea", Kind.HEADING, level)]), "markdown") == f"{marks} Tea\n"


@pytest.mark.parametrize(("mark", "indent"), [("", "  "), ("1. ", "   "), ("12. ", "    ")])
def test_markdown_items_are_indented_to_the_text_of_the_one_above(mark: str, indent: str) -> None:
    segments = [Segment(f"{mark}one\ntwo", Kind.ITEM, 1), Segment("three\nfour", Kind.ITEM, 2)]
    text = written(verdicts_of(segments), "markdown")
    assert text == f"{mark or '- '}one\\\n{indent}two\n{indent}- three\\\n{indent}  four\n"


def test_only_tei_has_a_frame_around_its_pages() -> None:
    assert {format for format in FORMATS if opening(format, 2) or closing(format, 2)} == {"tei"}
    assert (opening("tei", 1).count("<"), closing("tei", 1)) == (1, "")
    assert opening("tei", 0).endswith("</teiHeader>\n")
    assert closing("tei", 0) == closing("tei", 2) == "</teiCorpus>\n"


def test_tei_closes_a_list_before_what_follows() -> None:
    kinds = [Kind.ITEM, Kind.HEADING, Kind.HEADING, Kind.PARAGRAPH, Kind.HEADING, Kind.ITEM]
    lines = written(verdicts_of([Segment("x", kind) for kind in kinds]), "tei").partition("<body>\n")[2]
    assert lines.replace("\n", "").startswith(
        '<div><list rend="bulleted"><item>x</item></list></div><div><head rend="h1">x</head></div>'
        '<div><head rend="h1">x</head><p>x</p></div>'
        '<div><head rend="h1">x</head><list rend="bulleted"><item>x</item></list></div></body>'
    )


@pytest.mark.parametrize("style", [*map(Style, FORMATS), *(Style(name, dirty=True) for name in FORMATS)])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_large_page_in_pieces_is_the_same_page(
    style: Style, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = [*VERDICTS, Verdict(Segment("a\u2028b\ud800ä"), 1.0, True, "web")]
    whole = [written(some, style._replace(segments=True), ABOUT) for some in (verdicts, [])]
    monkeypatch.setattr(write, "PIECE_LINES", size)
    monkeypatch.setattr(records, "PIECE_LINES", size)
    found = [list(pieces(some, style._replace(segments=True), ABOUT)) for some in (verdicts, [])]
    assert ["".join(parts) for parts in found] == whole
    assert len(found[0]) > 1 or size == 7
    assert all(found[0])


def test_a_long_segment_is_written_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(VERDICTS)
    monkeypatch.setattr(write, "_MAX_PIECE", 4)
    parts = list(pieces(VERDICTS, Style()))
    assert "".join(parts) == whole
    assert max(map(len, parts)) == 4


def test_numbers_in_records_have_four_digits() -> None:
    found = record(
        [Verdict(Segment("Tea"), 1.23456, True, "m")], About(confidence=0.98765), Style(segments=True)
    )
    assert found["confidence"] == 0.9877
    assert found["segments"][0]["score"] == 1.2346  # type: ignore[index]


@pytest.mark.parametrize("text", ["~!a b", "a b~", "~", "~~a~~"])
@pytest.mark.parametrize(("before", "behind"), [("", ""), ("c~", "~d")])
def test_tildes_at_the_edge_of_struck_text_open_no_code_block(text: str, before: str, behind: str) -> None:
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("strikethrough")
    struck = Node("p", {}, [before, Node("del", {}, [text]), behind])
    read = parser.render(markdown(Node("document", {}, [struck, Node("p", {}, ["the rest"])])))
    assert read.replace("del>", "s>") == f"<p>{before}<s>{text}</s>{behind}</p>\n<p>the rest</p>\n"
