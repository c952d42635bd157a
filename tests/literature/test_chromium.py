"""Boxes of text from a real browser, and what is kept of them."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from l3s import numbers_of

from stupidos.errors import CorpusError, ExtraError
from stupidos.literature import chromium as chromium_module
from stupidos.literature.page_layout import _stored_boxes
from stupidos.literature.tokens import pieces
from stupidos.page import Page
from stupidos.render import read

HTML = """<html><head><title>Ferry</title><style>p { width: 300px; font: 16px/20px monospace }</style></head>
<body><h1>Ferry</h1><p>It runs again, at nine and at noon, and it is never late at all these days.</p>
<div style="display: none">Hidden</div><script>document.body.textContent = 'Gone'</script></body></html>"""


def text_numbers(page: Page) -> list[int]:
    split = pieces(page)
    return [number for numbers in numbers_of(split) for number in numbers]


def test_texts_are_marked_with_the_numbers_of_their_tokens() -> None:
    page = read(HTML)
    numbers = text_numbers(page)
    assert all(f"n={number}>" in chromium_module._with_numbered_texts(page.source) for number in numbers)


@pytest.mark.parametrize(
    "html", ["", "<p>", "text", "<!-- <p>x -->", "<textarea>x</textarea>", "a<b", "<p title='>'>x"]
)
def test_marks_change_nothing_else(html: str) -> None:
    marked = chromium_module._with_numbered_texts(html)
    for number in range(9):
        marked = marked.replace(f"<{chromium_module._TEXT_TAG} n={number}>", "")
    assert marked.replace(f"</{chromium_module._TEXT_TAG}>", "") == html


def test_scripts_and_frames_are_taken_out() -> None:
    html = (
        "<script>x()</script><iframe src=x></iframe><meta http-equiv=refresh content=0>One<style>p {}</style>"
    )
    marked = chromium_module._with_numbered_texts(html)
    assert "script>" not in marked
    assert "<meta" not in marked
    assert "<iframe" not in marked
    assert "<style>p {}</style>" in marked


def test_a_missing_browser_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("selenium")
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(ExtraError, match="apt-get install chromium"), chromium_module.browser():
        pass


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"source": "x", "boxes": {"1": [[1]]}}', '{"source": 1, "boxes": []}', "[" * 200_000],
)
def test_a_broken_file_of_boxes_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.boxes.json"
    path.write_text(text)
    with pytest.raises(CorpusError, match=r"a\.boxes\.json: holds no boxes"):
        _stored_boxes(path)


@pytest.mark.parametrize(
    "tag",
    ["<img src=a.gif alt=Boat>", "<IMG alt='x' SRC = 'a.gif'>", '<img/src="a"srcset="b 2x">',
     "<body background=a.gif>", "<video poster=a.png src=b.mp4></video>", "<link rel=stylesheet href=a.css>"],
)  # fmt: skip
def test_no_resource_is_asked_for(tag: str) -> None:
    marked = chromium_module._with_numbered_texts(f"<p>One {tag} two")
    assert not re.search(r"[\s/\"'](src|srcset|background|poster|href)\s*=", marked, re.IGNORECASE)
    assert ("alt=Boat" in marked) == ("alt=Boat" in tag)


@pytest.fixture(scope="module")
def chromium() -> Iterator[chromium_module.Browser]:
    with chromium_module.browser() as browser:
        yield browser


@pytest.mark.browser
def test_a_real_browser_wraps_the_paragraph(chromium: chromium_module.Browser) -> None:
    page = read(HTML)
    boxes = chromium.boxes(page.source)
    shown = [boxes.get(number) for number in text_numbers(page)]
    heading, paragraph, hidden = shown[:3]
    assert heading is not None
    assert paragraph is not None
    assert len(heading) == 1
    assert len(paragraph) == 3  # 77 characters of a monospaced font, about 30 a line
    assert hidden is None
    assert {box[3] for box in paragraph} <= {18.0, 19.0, 20.0, 17.0}
    assert heading[0][1] < paragraph[0][1] < paragraph[1][1]


@pytest.mark.browser
def test_a_layout_does_not_change_when_images_fail(chromium: chromium_module.Browser) -> None:
    images = [f"<img src=http://127.0.0.1:9/{at}.gif alt='{'a' * at}'>" for at in range(200)]
    page = f"<p>Tea {''.join(images)} and rum<p>Below"
    boxes = chromium.boxes(page)
    driver = chromium._driver
    left = driver.execute_script("return Array.from(document.images).filter(one => !one.complete).length")
    assert left == 0
    assert boxes == chromium.boxes(page)


@pytest.mark.browser
def test_nothing_leaves_the_machine(chromium: chromium_module.Browser) -> None:
    asked: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Silent."""

    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    try:
        boxes = chromium.boxes(
            f'<link rel=stylesheet href="{address}/css"><style>@import url({address}/import)</style>'
            f'<body style="background: url({address}/back)"><img src="{address}/img"><p>Text</p>'
            f'<img src="file:///etc/hostname"><video src="{address}/video"></video>'
        )
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []
    assert len(boxes) == 1
