"""The table of tags."""

import pytest

from stupidos.render import RenderOptions, render
from stupidos.render.tags import INLINE, acts_under


@pytest.mark.parametrize("name", ["clipPath", "clippath", "CLIPPATH", "linearGradient", "stop", "o:p", "O:P"])
def test_names_of_svg_and_word_are_known(name: str) -> None:
    """An unknown name costs an exception and a call."""
    assert acts_under(RenderOptions())[name] == INLINE
    assert acts_under(RenderOptions(hidden=True))[name] == acts_under(RenderOptions())["/" + name] == 0


def test_such_tags_do_not_part_words() -> None:
    html = "<p>Tea<o:p></o:p>cup <linearGradient hidden>x</linearGradient>"
    assert [segment.text for segment in render(html)] == ["Teacup"]
