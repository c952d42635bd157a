"""Any page as HTML and TEI: only what is allowed, and well-formed."""

from __future__ import annotations

import warnings
from functools import cache
from xml.etree import ElementTree

import pytest
from generators import examples, pages
from html_checks import checked
from hypothesis import given
from hypothesis import strategies as st

from stupidos import Cleaner, DecodeError, Document
from stupidos.decode import DecodeWarning
from stupidos.write import Style, closing, opening, written

pytestmark = pytest.mark.fuzz


@cache
def cleaner(model: str | None) -> Cleaner:
    return Cleaner.load(model)


def extracted(data: bytes, model: str | None) -> Document | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        try:
            return cleaner(model).extract(data, url="https://example.org/a/")
        except DecodeError:
            return None


MODELS = st.sampled_from([None, "keep-all"])


@examples(120)
@given(pages(), MODELS, st.booleans())
def test_html_of_any_page_holds_only_what_is_allowed(data: bytes, model: str | None, dirty: bool) -> None:
    document = extracted(data, model)
    if document is not None:
        checked(written(document, Style("html", dirty)))


@examples(120)
@given(pages(), MODELS, st.booleans())
def test_tei_of_any_page_is_well_formed(data: bytes, model: str | None, dirty: bool) -> None:
    document = extracted(data, model)
    if document is not None:
        text = written(document, Style("tei", dirty))
        for count in (1, 2):
            ElementTree.fromstring((opening("tei", count) + text * count + closing("tei", count)).encode())
