"""The annotation server: a few files and a small JSON interface on 127.0.0.1."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET, AF_INET6
from typing import Any
from urllib.parse import parse_qs, urlsplit

from stupidos.annotate.gold import GoldError
from stupidos.annotate.journal import Entry, NotSavedError, entry_of
from stupidos.annotate.request_checks import HEADERS, Guard
from stupidos.annotate.session import Session
from stupidos.annotate.views import overview, page_view
from stupidos.assets import asset
from stupidos.errors import StupidosError

MOST_UNREAD = 1 << 24  # bytes of a body that is too large which are waited for, and thrown away
MOST_BYTES = 1 << 20  # of a request's body; a change of 100,000 segments takes less
SECONDS = 30  # until a silent connection is dropped

# Files anybody may fetch: they hold nothing of the pages.
FILES = {
    "/": ("annotate.html", "text/html"),
    "/base.css": ("base.css", "text/css"),
    "/annotate.css": ("annotate.css", "text/css"),
    "/annotate.js": ("annotate.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

Answer = dict[str, Any]
Table = dict[str, Callable[[Session, Any], Answer]]
ASKED = frozenset({"page", "segments", "keep", "kind", "settles", "key"})
SEEN = frozenset({"page", "keeps", "kinds", "key"})  # the labels as they are shown when a page is finished


def _request(do: str, said: Any, fields: frozenset[str] = ASKED) -> tuple[Entry, str]:
    """What the browser wants, with nothing it has no business to say, and the version of the page it has."""
    try:
        version = said.pop("version", "")
        if not fields.issuperset(said) or not isinstance(version, str):
            raise ValueError("unknown field")
        return entry_of({**said, "do": do}), version
    except (ValueError, TypeError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the request makes no sense") from error


def _change(session: Session, said: Any) -> Answer:
    request, version = _request("change", said)
    session.change(request, version)
    return _state(session, request.page)


def _finish(session: Session, said: Any) -> Answer:
    shown = "keeps" in said
    request, version = _request("finish", said, SEEN)
    session.finish(request.page, request.key, version, request if shown else None)
    return overview(session)


def _undo(session: Session, said: Any) -> Answer:
    name = session.undo(_request("undo", said)[0].key)
    return {**overview(session), "page": name if name in session.project.documents else ""}


def _retrain(session: Session, said: Any) -> Answer:
    session.retrain()
    return overview(session)


def _state(session: Session, name: str) -> Answer:
    return {"state": session.state(name), "undo": session.history.undo_page()}


ASK: Table = {
    "/api/overview": lambda session, question: overview(session),
    "/api/page": lambda session, question: page_view(session, question.get("name", "")),
}
DO: Table = {
    "/api/change": _change,
    "/api/finish": _finish,
    "/api/undo": _undo,
    "/api/retrain": _retrain,
}


class RefusedError(Exception):
    """A request that is not carried out, with its status."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Server(ThreadingHTTPServer):
    """A session behind a guard; `url` holds the token in its fragment, which is never sent."""

    daemon_threads = True

    def __init__(self, session: Session, host: str = "127.0.0.1", port: int = 0) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            raise StupidosError(f"cannot listen on {host} port {port}: {error.strerror}") from error
        self.session = session
        self.guard = Guard(secrets.token_urlsafe(24), host, self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error; anything else is told in one line."""
        error = sys.exception()
        if not isinstance(error, (ConnectionError, TimeoutError)):
            self.session.tell(_internal(error))

    @property
    def url(self) -> str:
        host = f"[{self.guard.host}]" if ":" in self.guard.host else self.guard.host
        return f"http://{host}:{self.guard.port}/#{self.guard.token}"


class Handler(BaseHTTPRequestHandler):
    """One connection; every answer carries the headers of the guard."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "stupidos", ""
    timeout = SECONDS

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _get(self) -> tuple[str, bytes]:
        address = urlsplit(self.path)
        if address.path in FILES:
            name, kind = FILES[address.path]
            return kind, asset(name).encode()
        self._check(changes=False)
        question = {name: values[-1] for name, values in parse_qs(address.query).items()}
        return self._json(ASK, address.path, question)

    def _post(self) -> tuple[str, bytes]:
        body = self._body()
        self._check(changes=True)
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "JSON is expected")
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the request makes no sense")
        return self._json(DO, urlsplit(self.path).path, said)

    def _json(self, table: Table, path: str, said: Any) -> tuple[str, bytes]:
        if path not in table:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing here")
        answer = table[path](self.server.session, said)
        # ensure_ascii: a lone surrogate of a broken page must not break the answer
        return "application/json", json.dumps(answer, allow_nan=False).encode()

    def _check(self, changes: bool) -> None:
        guard, headers = self.server.guard, self.headers
        if not guard.right_origin(headers["Origin"], headers["Host"], changes):
            raise RefusedError(HTTPStatus.FORBIDDEN, "another site asked")
        if not guard.right_token(headers["Authorization"]):
            raise RefusedError(HTTPStatus.UNAUTHORIZED, "open the address that stupidos annotate printed")

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length[:10]) > MOST_BYTES:
            self.close_connection = True
            left = min(int(length[:10]), MOST_UNREAD) if length.isdecimal() else 0
            while left > 0 and (some := self.rfile.read(min(left, MOST_BYTES))):
                left -= len(some)  # a browser that is still sending would not hear why it is refused
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large")
        return self.rfile.read(int(length))

    def _answer(self, work: Callable[[], tuple[str, bytes]]) -> None:
        """Send what `work` gives, or why there is nothing to send."""
        status = HTTPStatus.OK
        try:
            if not self.server.guard.right_host(self.headers["Host"]):
                self.close_connection = True
                raise RefusedError(HTTPStatus.MISDIRECTED_REQUEST, "this is not the host you asked for")
            kind, body = work()
        except RefusedError as error:
            status, kind, body = error.status, *_error(str(error))
        except GoldError as error:
            status, kind, body = HTTPStatus.INSUFFICIENT_STORAGE, *_error(str(error), saved=True)
        except NotSavedError as error:
            status, kind, body = HTTPStatus.INSUFFICIENT_STORAGE, *_error(str(error))
        except StupidosError as error:
            status, kind, body = HTTPStatus.CONFLICT, *_error(str(error))
        except (ConnectionError, TimeoutError):  # the browser went away in the middle of a request
            raise
        except Exception as error:  # whatever it is, the annotator must see it
            status, kind, body = HTTPStatus.INTERNAL_SERVER_ERROR, *_error(_internal(error))
            self.server.session.tell(_internal(error))
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a token must not stand in a log, and people read the page."""


def _error(message: str, saved: bool = False) -> tuple[str, bytes]:
    """An error for the browser; `saved` where the change is in the journal all the same."""
    return "application/json", json.dumps({"error": message, **({"saved": True} if saved else {})}).encode()


def _internal(error: BaseException | None) -> str:
    """One line about an error that nobody foresaw, or about a disk that failed."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(f"internal error: {type(error).__name__}: {error}".split())
