"""The annotation server: a few static files and a JSON interface on 127.0.0.1."""

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
from stupidos.annotate.journal import AnnotationEntry, NotSavedError, parse_entry
from stupidos.annotate.original import POLICY
from stupidos.annotate.request_checks import HEADERS, RequestChecks
from stupidos.annotate.session import Session
from stupidos.annotate.views import comparison_view, overview, page_view
from stupidos.assets import asset
from stupidos.errors import StupidosError

_MAX_DISCARDED_BYTES = 1 << 24  # bytes of an oversized body that are read and discarded
_MAX_BODY_BYTES = 1 << 20  # of a request; a change of 100,000 segments is smaller
_IDLE_TIMEOUT = 30  # seconds until an idle connection is closed

# Served without a token: they contain nothing of the pages.
_STATIC_FILES = {
    "/": ("annotate.html", "text/html"),
    "/base.css": ("base.css", "text/css"),
    "/annotate.css": ("annotate.css", "text/css"),
    "/annotate.js": ("annotate.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

_ORIGINAL = "/original/"  # then the ticket; the page is in the query

_JsonObject = dict[str, Any]
_Routes = dict[str, Callable[[Session, Any], _JsonObject]]
_CHANGE_FIELDS = frozenset({"page", "segments", "keep", "kind", "settles", "key"})
_FINISH_FIELDS = frozenset({"page", "keeps", "kinds", "key"})  # with the labels on the screen


def _parse_request(
    do: str, body: Any, fields: frozenset[str] = _CHANGE_FIELDS
) -> tuple[AnnotationEntry, str]:
    """The requested action, restricted to the allowed fields, and the version of the page it refers to."""
    try:
        version = body.pop("version", "")
        if not fields.issuperset(body) or not isinstance(version, str):
            raise ValueError("unknown field")
        return parse_entry({**body, "do": do}), version
    except (ValueError, TypeError) as error:
        raise _RefusedError(HTTPStatus.BAD_REQUEST, "malformed request") from error


def _change(session: Session, body: Any) -> _JsonObject:
    request, version = _parse_request("change", body)
    session.change(request, version)
    return _state(session, request.page)


def _finish(session: Session, body: Any) -> _JsonObject:
    has_labels = "keeps" in body
    request, version = _parse_request("finish", body, _FINISH_FIELDS)
    session.finish(request.page, request.key, version, request if has_labels else None)
    return overview(session)


def _undo(session: Session, body: Any) -> _JsonObject:
    name = session.undo(_parse_request("undo", body)[0].key)
    return {**overview(session), "page": name if name in session.project.raw_pages else ""}


def _retrain(session: Session, body: Any) -> _JsonObject:
    session.retrain()
    return overview(session)


def _state(session: Session, name: str) -> _JsonObject:
    return {"state": session.state(name), "undo": session.history.undo_page()}


_GET_ROUTES: _Routes = {
    "/api/overview": lambda session, query: overview(session),
    "/api/page": lambda session, query: page_view(session, query.get("name", "")),
    "/api/comparison": lambda session, query: comparison_view(session),
}
_POST_ROUTES: _Routes = {
    "/api/change": _change,
    "/api/finish": _finish,
    "/api/undo": _undo,
    "/api/retrain": _retrain,
}


class _RefusedError(Exception):
    """A rejected request, with its HTTP status."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Server(ThreadingHTTPServer):
    """Serves one session; `url` has the token in its fragment, which browsers do not send."""

    daemon_threads = True

    def __init__(self, session: Session, host: str = "127.0.0.1", port: int = 0) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise StupidosError(f"cannot listen on {host} port {port}: {error.strerror}") from error
        self.session = session
        self.checks = RequestChecks(secrets.token_urlsafe(24), host, self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log an unexpected error in one line; a closed connection is not an error."""
        error = sys.exception()
        if not isinstance(error, (ConnectionError, TimeoutError)):
            self.session.log(_error_line(error))

    @property
    def url(self) -> str:
        host = f"[{self.checks.host}]" if ":" in self.checks.host else self.checks.host
        return f"http://{host}:{self.checks.port}/#{self.checks.token}"


class _Handler(BaseHTTPRequestHandler):
    """One connection; every response has the security headers."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "stupidos", ""
    timeout = _IDLE_TIMEOUT
    policy = HEADERS["Content-Security-Policy"]

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        self._respond(self._post)

    def _get(self) -> tuple[str, bytes]:
        address = urlsplit(self.path)
        if address.path in _STATIC_FILES:
            name, kind = _STATIC_FILES[address.path]
            return kind, asset(name).encode()
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        if address.path.startswith(_ORIGINAL):
            return self._original(address.path.removeprefix(_ORIGINAL), query.get("name", ""))
        self._check(changes=False)
        if address.path == "/api/frame":
            ticket = self.server.checks.frame_ticket
            return "application/json", json.dumps({"address": _ORIGINAL + ticket}).encode()
        return self._json(_GET_ROUTES, address.path, query)

    def _original(self, ticket: str, name: str) -> tuple[str, bytes]:
        """A raw page for the sandboxed frame, with a policy of its own."""
        if not self.server.checks.allows_ticket(ticket):
            raise _RefusedError(HTTPStatus.UNAUTHORIZED, "open the address that stupidos annotate printed")
        html = self.server.session.original(name)
        self.policy = POLICY
        return "text/html", html.encode(errors="replace")

    def _post(self) -> tuple[str, bytes]:
        body = self._body()
        self._check(changes=True)
        if self.headers.get_content_type() != "application/json":
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected JSON")
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise _RefusedError(HTTPStatus.BAD_REQUEST, "malformed request")
        return self._json(_POST_ROUTES, urlsplit(self.path).path, content)

    def _json(self, routes: _Routes, path: str, request: Any) -> tuple[str, bytes]:
        if path not in routes:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "not found")
        answer = routes[path](self.server.session, request)
        # ensure_ascii: a lone surrogate of a broken page must not break the response
        return "application/json", json.dumps(answer, allow_nan=False).encode()

    def _check(self, changes: bool) -> None:
        checks, headers = self.server.checks, self.headers
        if not checks.allows_origin(headers["Origin"], headers["Host"], changes):
            raise _RefusedError(HTTPStatus.FORBIDDEN, "request from another site")
        if not checks.allows_token(headers["Authorization"]):
            raise _RefusedError(HTTPStatus.UNAUTHORIZED, "open the address that stupidos annotate printed")

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length[:10]) > _MAX_BODY_BYTES:
            self.close_connection = True
            left = min(int(length[:10]), _MAX_DISCARDED_BYTES) if length.isdecimal() else 0
            while left > 0 and (chunk := self.rfile.read(min(left, _MAX_BODY_BYTES))):
                left -= len(chunk)  # a browser that is still sending would not read the response
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large")
        return self.rfile.read(int(length))

    def _respond(self, handle: Callable[[], tuple[str, bytes]]) -> None:
        """Send the response of `handle`, or the error that it raised."""
        status, self.policy = HTTPStatus.OK, _Handler.policy
        try:
            if not self.server.checks.allows_host(self.headers["Host"]):
                self.close_connection = True
                raise _RefusedError(HTTPStatus.MISDIRECTED_REQUEST, "wrong host name")
            kind, body = handle()
        except _RefusedError as error:
            status, kind, body = error.status, *_error(str(error))
        except GoldError as error:
            status, kind, body = HTTPStatus.INSUFFICIENT_STORAGE, *_error(str(error), saved=True)
        except NotSavedError as error:
            status, kind, body = HTTPStatus.INSUFFICIENT_STORAGE, *_error(str(error))
        except StupidosError as error:
            status, kind, body = HTTPStatus.CONFLICT, *_error(str(error))
        except (ConnectionError, TimeoutError):  # the browser closed the connection
            raise
        except Exception as error:  # the annotator must see any error
            status, kind, body = HTTPStatus.INTERNAL_SERVER_ERROR, *_error(_error_line(error))
            self.server.session.log(_error_line(error))
        self.send_response(status)
        for name, value in (HEADERS | {"Content-Security-Policy": self.policy}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the URL may contain a token."""


def _error(message: str, saved: bool = False) -> tuple[str, bytes]:
    """An error for the browser; `saved` if the change is in the journal anyway."""
    return "application/json", json.dumps({"error": message, **({"saved": True} if saved else {})}).encode()


def _error_line(error: BaseException | None) -> str:
    """One line about an unexpected error or a failing disk."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(f"internal error: {type(error).__name__}: {error}".split())
