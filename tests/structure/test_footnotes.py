"""Footnotes as the programs that make pages write them."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import tree_of
from stupidos.write.markdown import markdown

TEXT = "Tea{} is hot."
NOTES = {  # the reference, and the definition below
    "GitHub": (
        '<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup>',
        '<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol>'
        '<li id="user-content-fn-1"><p>Or cold. '
        '<a href="#user-content-fnref-1" data-footnote-backref>↩</a></p>'
        "</ol></section>",
    ),
    "Pandoc": (
        '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
        '<section class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr><ol><li id="fn1">'
        '<p>Or cold.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></ol></section>',
    ),
    "kramdown": (
        '<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup>',
        '<div class="footnotes"><ol><li id="fn:1"><p>Or cold. '
        '<a href="#fnref:1" class="reversefootnote">&#8617;</a></p></ol></div>',
    ),
    "MediaWiki": (
        '<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">'
        "<span>&#91;</span>1<span>&#93;</span></a></sup>",
        '<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b>'
        '<a href="#cite_ref-1">^</a></b></span> <span class="reference-text">Or cold.</span></ol>',
    ),
    "Parsoid": (
        '<sup class="mw-ref" id="cite_ref-1"><a href="./Tea#cite_note-1"><span>[1]</span></a></sup>',
        '<ol class="mw-references"><li id="cite_note-1"><a href="./Tea#cite_ref-1"><span>↑ </span></a> '
        '<span class="mw-reference-text">Or cold.</span></ol>',
    ),
    "Sphinx": (
        '<a class="footnote-reference brackets" href="#id2" id="id1"><span class="fn-bracket">[</span>1'
        '<span class="fn-bracket">]</span></a>',
        '<aside class="footnote-list brackets"><aside class="footnote brackets" id="id2"><span class="label">'
        '<span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a>'
        '<span class="fn-bracket">]</span></span><p>Or cold.</p></aside></aside>',
    ),
    "docutils before 0.18": (
        '<a class="footnote-reference brackets" href="#f1" id="id1">1</a>',
        '<dl class="footnote brackets"><dt class="label" id="f1"><span class="brackets">'
        '<a class="fn-backref" href="#id1">1</a></span></dt><dd><p>Or cold.</p></dd></dl>',
    ),
    "Asciidoctor": (
        '<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1</a>]</sup>',
        '<div id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. '
        "Or cold.</div></div>",
    ),
    "WordPress": (
        '<sup data-fn="ab-12" class="fn"><a href="#ab-12" id="ab-12-link">1</a></sup>',
        '<ol class="wp-block-footnotes"><li id="ab-12">Or cold. <a href="#ab-12-link">↩︎</a></ol>',
    ),
    "LaTeXML": (
        '<span id="footnote1" class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span '
        'class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span '
        'class="ltx_tag ltx_tag_note">1</span>Or cold.</span></span></span>',
        "",
    ),
    "Word": (
        '<a style="mso-footnote-id:ftn1" href="#_ftn1" name="_ftnref1">'
        "<span class=MsoFootnoteReference>[1]</span></a>",
        '<div style="mso-element:footnote-list"><hr><div style="mso-element:footnote" id=ftn1>'
        '<p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1">[1]</a> Or cold.</p></div></div>',
    ),
    "Org": (
        '<sup><a id="fnr.1" class="footref" href="#fn.1">1</a></sup>',
        '<div id="footnotes"><h2 class="footnotes">Footnotes: </h2><div class="footdef"><sup>'
        '<a id="fn.1" class="footnum" href="#fnr.1">1</a></sup> '
        '<div class="footpara"><p>Or cold.</p></div></div></div>',
    ),
    "DocBook": (
        '<a href="#ftn.id1" class="footnote" id="id1"><sup class="footnote">[1]</sup></a>',
        '<div class="footnotes"><hr><div id="ftn.id1" class="footnote"><p><a href="#id1" class="para">'
        '<sup class="para">[1] </sup></a>Or cold.</p></div></div>',
    ),
    "Substack": (
        '<a id="footnote-anchor-1" href="#footnote-1" class="footnote-anchor">1</a>',
        '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a>'
        '<div class="footnote-content"><p>Or cold.</p></div></div>',
    ),
    "Tufte": (
        '<label for="sn-1" class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn-1">'
        '<span class="sidenote">Or cold.</span>',
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("program", NOTES)
def test_marks_and_notes_of_many_programs_find_each_other(program: str) -> None:
    reference, definition = NOTES[program]
    page = read(f"<p>{TEXT.format(reference)}</p>{definition}", "html")
    tree = tree_of(page, [1] * len(page.segments), url="https://example.org/wiki/Tea")
    assert markdown(tree) == "Tea[^1] is hot.\n\n[^1]: Or cold.\n"  # type: ignore[arg-type]


def test_each_term_of_a_list_is_a_note_of_its_own() -> None:
    marks = "".join(f'<a class="footnote-reference" href="#f{n}" id="id{n}">{n}</a> ' for n in (1, 2))
    notes = "".join(
        f'<dt class="label" id="f{n}"><a href="#id{n}">{n}</a></dt><dd><p>Note {n}.</p><p>More.</p></dd>'
        for n in (1, 2)
    )
    page = read(f'<p>Tea {marks}</p><dl class="footnote brackets">{notes}</dl><p>So.', "html")
    assert markdown(tree_of(page, [1] * len(page.segments))) == (  # type: ignore[arg-type]
        "Tea [^1] [^2]\n\nSo.\n\n[^1]: Note 1.\n\n    More.\n\n[^2]: Note 2.\n\n    More.\n"
    )


def test_a_list_of_terms_keeps_those_that_are_no_notes() -> None:
    page = read('<p>See <a href="#tea">1</a>.</p><dl><dt id="tea">Tea<dd>A drink.</dl>', "html")
    assert markdown(tree_of(page, [1] * len(page.segments))) == "See [1](#tea).\n\nTea\n: A drink.\n"  # type: ignore[arg-type]
