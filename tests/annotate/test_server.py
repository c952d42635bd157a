"""The server: who may ask, and what a stranger gets."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from annotation_samples import BY_LENGTH, HOSTILE

from stupidos.annotate.request_checks import HEADERS, RequestChecks
from stupidos.annotate.server import _MAX_BODY_BYTES, _STATIC_FILES, Server
from stupidos.annotate.session import Session
from stupidos.errors import CorpusError

CHANGE = {"page": "tea", "segments": [0], "keep": True, "key": "k"}


class Browser:
    """A client that says what it is told to say."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.host = f"127.0.0.1:{server.checks.port}"

    def ask(self, method: str, path: str, said: Any = None, **headers: str | None) -> tuple[int, Any]:
        own = {
            "Host": self.host,
            "Authorization": f"Bearer {self.server.checks.token}",
            "Origin": f"http://{self.host}" if method == "POST" else None,
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        body = said if isinstance(said, bytes) else json.dumps(said).encode() if said is not None else b""
        connection = HTTPConnection("127.0.0.1", self.server.checks.port, timeout=10)
        try:
            connection.putrequest(method, path, skip_host=True)
            for name, value in own.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            self.headers = answer.headers
            content = answer.read()
        finally:
            connection.close()
        kind = self.headers.get_content_type()
        return answer.status, json.loads(content) if kind == "application/json" else content.decode()


@pytest.fixture
def browser(open_session: Callable[..., Session]) -> Iterator[Browser]:
    server = Server(open_session())
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield Browser(server)
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_server_listens_on_loopback_and_its_token_is_in_the_fragment(browser: Browser) -> None:
    assert browser.server.server_address[0] == "127.0.0.1"
    assert browser.server.url == f"http://{browser.host}/#{browser.server.checks.token}"
    assert len(browser.server.checks.token) >= 32


@pytest.mark.parametrize("path", _STATIC_FILES)
def test_files_need_no_token_and_carry_the_policy(path: str, browser: Browser) -> None:
    status, text = browser.ask("GET", path, Authorization=None)
    assert status == 200
    assert text
    assert "default-src 'none'" in browser.headers["Content-Security-Policy"]
    assert "unsafe" not in browser.headers["Content-Security-Policy"]


def test_the_page_has_nothing_inline(browser: Browser) -> None:
    _, html = browser.ask("GET", "/")
    assert "<style" not in html
    assert "style=" not in html
    assert html.count("<script") == html.count('<script src="/')


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/overview"),
        ("GET", "/api/page?name=tea"),
        ("GET", "/api/comparison"),
        ("GET", "/api/frame"),
        ("POST", "/api/change"),
    ],
)
@pytest.mark.parametrize("token", [None, "", "Bearer ", "Bearer wrong", "Bearer \xfc"])
def test_without_the_token_nothing_is_told_or_done(
    method: str, path: str, token: str | None, browser: Browser
) -> None:
    status, told = browser.ask(method, path, CHANGE if method == "POST" else None, Authorization=token)
    assert status == 401
    assert list(told) == ["error"]
    assert browser.server.session.history.pages() == []


@pytest.mark.parametrize(
    "host", [None, "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost"]
)
def test_another_host_is_refused_even_the_files(host: str | None, browser: Browser) -> None:
    named = host and host.format(port=browser.server.checks.port)
    assert browser.ask("GET", "/", Host=named)[0] == 421
    assert browser.ask("POST", "/api/change", CHANGE, Host=named)[0] == 421
    assert browser.server.session.history.pages() == []


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_change_from_another_origin_is_refused(origin: str | None, browser: Browser) -> None:
    assert browser.ask("POST", "/api/change", CHANGE, Origin=origin)[0] == 403
    assert browser.server.session.history.pages() == []


def test_a_question_from_another_origin_is_refused(browser: Browser) -> None:
    assert browser.ask("GET", "/api/overview", Origin="https://evil.example")[0] == 403


def test_localhost_is_loopback_too(browser: Browser) -> None:
    host = f"localhost:{browser.server.checks.port}"
    assert browser.ask("POST", "/api/change", CHANGE, Host=host, Origin=f"http://{host}")[0] == 200


def test_every_answer_carries_every_header(browser: Browser) -> None:
    for path, token in (("/", "x"), ("/api/overview", "x"), ("/api/frame", None), ("/nothing", None)):
        browser.ask("GET", path, Authorization=token)
        assert {name: browser.headers[name] for name in HEADERS} == HEADERS


def frame_address(browser: Browser) -> str:
    status, told = browser.ask("GET", "/api/frame")
    assert status == 200
    address: str = told["address"]
    return address


def test_the_original_page_is_served_with_a_policy_of_its_own(browser: Browser) -> None:
    status, html = browser.ask("GET", f"{frame_address(browser)}?name=tea", Authorization=None)
    assert status == 200
    assert html.startswith("<!doctype html>")
    policy = browser.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "sandbox;" in policy
    assert "script" not in policy
    assert "allow-" not in policy
    assert "frame-ancestors 'self'" in policy
    others = {name: value for name, value in HEADERS.items() if name != "Content-Security-Policy"}
    assert {name: browser.headers[name] for name in others} == others


def test_a_connection_gets_the_usual_policy_after_an_original_page(browser: Browser) -> None:
    address, host = frame_address(browser), browser.host
    connection = HTTPConnection("127.0.0.1", browser.server.checks.port, timeout=10)
    try:
        policies = []
        for path in (f"{address}?name=tea", "/"):
            connection.request("GET", path, headers={"Host": host})
            answer = connection.getresponse()
            answer.read()
            policies.append(answer.headers["Content-Security-Policy"])
    finally:
        connection.close()
    assert policies[1] == HEADERS["Content-Security-Policy"] != policies[0]


@pytest.mark.parametrize("ticket", ["", "wrong", "{token}", "\u00fc"])
def test_without_the_ticket_no_original_page_is_served(ticket: str, browser: Browser) -> None:
    from urllib.parse import quote

    given = quote(ticket.format(token=browser.server.checks.token))
    status, told = browser.ask("GET", f"/original/{given}?name=tea")
    assert (status, list(told)) == (401, ["error"])


def test_there_is_no_original_of_a_page_that_does_not_exist(browser: Browser) -> None:
    status, told = browser.ask("GET", f"{frame_address(browser)}?name=../secret")
    assert (status, told["error"]) == (409, "there is no page '../secret'")


def test_a_change_is_answered_when_it_is_saved(browser: Browser) -> None:
    status, told = browser.ask("POST", "/api/change", CHANGE)
    assert (status, told) == (200, {"state": "started", "undo": "tea"})
    _, page = browser.ask("GET", "/api/page?name=tea")
    assert [row["keep"] for row in page["segments"]] == [True, True, False]
    assert [row["hand"] for row in page["segments"]] == [True, False, False]


def test_finishing_and_undoing_tell_the_overview(browser: Browser) -> None:
    status, told = browser.ask("POST", "/api/finish", {"page": "tea", "key": "1"})
    assert status == 200
    assert "tea" not in told["queue"]
    status, told = browser.ask("POST", "/api/undo", {"key": "2"})
    assert (status, told["page"]) == (200, "tea")
    assert "tea" in told["queue"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 100_000, 400),
        ({"page": 1, "segments": [0], "keep": True}, 400),
        ({**CHANGE, "segments": [0.5]}, 400),
        ({**CHANGE, "segments": 1}, 400),
        ({**CHANGE, "keep": "yes"}, 400),
        ({**CHANGE, "kind": "script"}, 400),
        ({**CHANGE, "texts": ["x"]}, 400),
        ({**CHANGE, "do": "finish"}, 400),
        ({**CHANGE, "page": "../secret"}, 409),
        ({**CHANGE, "segments": [99]}, 409),
        (b" " * (_MAX_BODY_BYTES + 1), 413),
    ],
)
def test_a_bad_request_changes_nothing(said: Any, status: int, browser: Browser) -> None:
    assert browser.ask("POST", "/api/change", said)[0] == status
    assert browser.server.session.history.pages() == []


def test_a_form_cannot_pretend_to_be_json(browser: Browser) -> None:
    assert browser.ask("POST", "/api/change", CHANGE, Content_Type="text/plain")[0] == 415


@pytest.mark.parametrize("path", ["/api/secret", "/../server.py", "/assets/annotate.js", "//etc/passwd"])
def test_nothing_else_is_served(path: str, browser: Browser) -> None:
    assert browser.ask("GET", path)[0] == 404


@pytest.mark.parametrize("text", [*HOSTILE, "\ud800"])
def test_text_of_a_page_travels_as_json(text: str, open_session: Callable[..., Session]) -> None:
    session = open_session({"x": "T\n" + text.replace("\ud800", "?")})
    server = Server(session)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        browser = Browser(server)
        _, page = browser.ask("GET", "/api/page?name=x")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert page["segments"][0]["text"] == text.replace("\ud800", "?")
    assert browser.headers["Content-Type"] == "application/json; charset=utf-8"
    assert browser.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("host", "right"),
    [("192.168.1.5:80", True), ("box.lan:80", True), ("[fe80::1]:80", True), ("evil.example:80", False)],
)
def test_a_server_for_others_takes_addresses_and_its_own_name_only(host: str, right: bool) -> None:
    assert RequestChecks("token", "box.lan", 80).allows_host(host) is right


def test_a_loopback_server_takes_no_other_address() -> None:
    assert not RequestChecks("token", "127.0.0.1", 80).allows_host("192.168.1.5:80")


def no_room(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_gold_that_cannot_be_written_is_no_success_however_often_it_is_asked(
    browser: Browser, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", no_room)
        for _ in range(2):
            status, told = browser.ask("POST", "/api/finish", {"page": "tea", "key": "1"})
            assert (status, told["saved"]) == (507, True)
            assert "tea.labels.json: No space left on device" in told["error"]
    assert browser.ask("POST", "/api/finish", {"page": "tea", "key": "1"})[0] == 200
    assert (gold / "tea.txt").exists()


def test_a_journal_that_cannot_be_written_is_no_success_and_the_label_is_not_shown(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_room)
        status, told = browser.ask("POST", "/api/change", CHANGE)
    assert status == 507
    assert list(told) == ["error"]
    assert told["error"].endswith("journal.jsonl: No space left on device")
    assert not browser.ask("GET", "/api/page?name=tea")[1]["segments"][0]["keep"]
    assert browser.ask("POST", "/api/change", CHANGE)[0] == 200


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ZeroDivisionError("two\nlines"), "internal error: ZeroDivisionError: two lines"),
        (KeyError("x"), "internal error: KeyError: 'x'"),
        (PermissionError(13, "Permission denied", "gold/tea.txt"), "gold/tea.txt: Permission denied"),
    ],
)
def test_an_error_nobody_foresaw_is_answered_in_one_line(
    error: Exception,
    line: str,
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    log: list[str] = []
    browser.server.session.log = log.append
    monkeypatch.setattr(Session, "page_labels", fails)
    assert browser.ask("GET", "/api/page?name=tea") == (500, {"error": line})
    assert log == [line]
    assert capfd.readouterr().err == ""


def test_a_page_that_vanishes_is_reported_in_words(browser: Browser) -> None:
    def gone() -> bytes:
        raise CorpusError("raw/tea.html: cannot be read: No such file or directory")

    browser.server.session.suggestions.replace(BY_LENGTH, "another")
    browser.server.session.project.raw_pages["tea"] = gone  # type: ignore[index]
    for method, path, said in (("GET", "/api/page?name=tea", None), ("POST", "/api/change", CHANGE)):
        status, told = browser.ask(method, path, said)
        assert (status, told["error"]) == (409, "raw/tea.html: cannot be read: No such file or directory")


def test_labels_of_two_browsers_at_once_are_all_kept(browser: Browser, gold: Path) -> None:
    def label(segment: int) -> list[int]:
        own = Browser(browser.server)
        said = {"page": "bees", "segments": [segment], "keep": True}
        return [own.ask("POST", "/api/change", {**said, "key": f"{segment} {i}"})[0] for i in range(5)]

    browser.ask("POST", "/api/finish", {"page": "bees", "key": "f"})
    with ThreadPoolExecutor(4) as threads:
        assert set(chain(*threads.map(label, range(4)))) == {200}
    assert (gold / "bees.txt").read_text().count("<p>") == 4
    assert (gold / "journal.jsonl").read_text().count('"change"') == 20


def test_a_page_is_finished_with_the_labels_on_the_screen_or_not_at_all(browser: Browser) -> None:
    finish = {"page": "tea", "key": "f", "kinds": "ppp"}
    browser.ask("POST", "/api/change", CHANGE)
    assert browser.ask("POST", "/api/finish", {**finish, "keeps": "010"})[0] == 409
    assert browser.ask("POST", "/api/finish", {**finish, "keeps": "110"})[0] == 200
