"""Examples for the web model: pages rendered with their hidden text, beside their gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stupidos.errors import StupidosError
from stupidos.lab.corpus import Pair, content, gold_of
from stupidos.lab.examples import Example, Problem, flaw
from stupidos.page import Page
from stupidos.render import RenderOptions, read
from stupidos.render.columns import SegmentColumns, columns_of
from stupidos.render.segments import visible_segments

_WITH_HIDDEN = RenderOptions(hidden=True)  # as scorer.WebScorer expects its pages


def web_page(data: bytes) -> Page:
    """A page as the web model sees it."""
    return read(data, "auto", _WITH_HIDDEN)


def web_examples(pairs: Iterable[Pair]) -> Iterator[Example | Problem]:
    """One example a pair, rendered once; a pair that cannot be used becomes a Problem.

    As for the other models, gold must not be longer than the visible text.
    """
    for pair in pairs:
        try:
            page, gold = read(content(pair.raw), "auto", _WITH_HIDDEN), gold_of(pair.gold)
        except StupidosError as error:
            yield Problem(pair.name, str(error))
            continue
        visible = page._replace(segments=visible_segments(_on_page(page))) if page.markup else page
        reason = flaw(Example(pair.name, visible, gold))
        if reason:
            yield Problem(pair.name, reason)
        else:
            yield Example(pair.name, page, gold)


def _on_page(page: Page) -> SegmentColumns:
    """The segments of the page itself, without those added from its JSON-LD and description."""
    return columns_of([segment for segment in page.segments if segment.offsets is not None])


def with_hidden(example: Example) -> Example:
    """An example that was rendered for another model, rendered again as the web model expects it."""
    page = example.page
    if not page.markup:
        return example
    rendered = read(page.source, "html", _WITH_HIDDEN)
    return example._replace(page=rendered._replace(encoding=page.encoding))
