"""Segments of dumps made in the paper's way."""

from __future__ import annotations

import segments

from stupidos.page import Kind
from stupidos.render import read

DUMP = """
   SOSHEADING Rain &
   shine

   It rained. It
   rained more.
     * SOSITEM one
     * SOSITEM two
       SOSITEM_not a mark
    1. SOSITEM three
"""


def test_the_segments_of_a_dump_become_those_of_a_page() -> None:
    page = read(segments.as_page(DUMP), "html")
    assert [(segment.kind, segment.text) for segment in page.segments] == [
        (Kind.HEADING, "Rain & shine"),
        (Kind.PARAGRAPH, "It rained. It rained more."),
        (Kind.ITEM, "one"),
        (Kind.ITEM, "two SOSITEM_not a mark"),
        (Kind.ITEM, "three"),
    ]


def test_scripts_and_images_are_deleted_and_breaks_are_paragraphs() -> None:
    source = b"<SCRIPT>if (a<b) x()</SCRIPT><P>Tea<IMG src=a><BR CLEAR=all>Rum<li class=x>Ale<link>"
    assert segments.prepared(source) == b"<P>Tea<p>Rum<li class=x>SOSITEM Ale<link>"
