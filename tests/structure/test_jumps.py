"""Dropped stretches are jumped over: the tree is the one of a walk over all tokens."""

from __future__ import annotations

import random

import pytest

from stupidos.render import read
from stupidos.structure import build
from stupidos.structure.build import Builder


def random_page(seed: int) -> str:
    """A page of well-formed elements, some of them deep."""
    source = random.Random(seed)
    found: list[str] = []

    def element(depth: int) -> None:
        tag = source.choice(("div", "p", "ul", "ol", "pre", "section", "blockquote", "table"))
        inner = {"ul": "li", "ol": "li"}.get(tag)
        found.append(f"<{tag}>" + ("<tr><td>" if tag == "table" else ""))
        for number in range(source.randint(1, 5)):
            if inner:
                found.append(f"<{inner}>")
            found.append(
                f"word{number} <b>bold</b> and <a href=x>link</a> {source.choice(('keep', 'drop', 'drop'))}"
            )
            if depth < 5 and tag != "p" and source.random() < 0.5:
                element(depth + 1)
            if inner:
                found.append(f"</{inner}>")
        found.append(f"</{tag}>")

    for _ in range(12):
        element(0)
    return "".join(found)


@pytest.mark.parametrize("seed", range(40))
def test_a_jump_leads_to_the_tree_of_a_walk(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    page = read(random_page(seed), "html")
    flags = random.Random(seed)
    keep: list[int] = []
    while len(keep) < len(page.segments):
        keep += [flags.randint(0, 1)] * flags.randint(1, 12)
    keep = keep[: len(page.segments)]
    monkeypatch.setattr(build, "_BEHIND", 4)
    monkeypatch.setattr(build, "_WORTH_A_JUMP", 1)
    jumped = repr(Builder(page, keep).build())
    monkeypatch.setattr(build, "_WORTH_A_JUMP", 1 << 30)
    assert jumped == repr(Builder(page, keep).build())
