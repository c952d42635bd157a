"""Which requests the annotation server accepts: checks of Host, Origin and token.

The Host check prevents DNS rebinding (another site's name that resolves to 127.0.0.1), the Origin
check keeps out scripts of other sites, the token keeps out other users of the machine.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from ipaddress import ip_address

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

# No external resources, nothing inline, no framing; the original page is shown in a frame.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-DNS-Prefetch-Control": "off",
}


@dataclass(frozen=True, slots=True)
class RequestChecks:
    """The request checks of one server."""

    token: str
    host: str  # as given to --host, 127.0.0.1 by default
    port: int

    def allows_host(self, host: str | None) -> bool:
        """Whether the Host header names this server."""
        name, _, port = (host or "").rpartition(":")
        if port != str(self.port):
            return False
        if self.host in _LOOPBACK:
            return name in _LOOPBACK
        return name in _LOOPBACK or name == self.host or _is_ip_address(name)

    def allows_origin(self, origin: str | None, host: str | None, changes: bool) -> bool:
        """Whether a page of this server sent the request; changes need an Origin header."""
        return not changes if origin is None else origin == f"http://{host}"

    @property
    def frame_ticket(self) -> str:
        """A secret for the addresses of frames, which cannot send the token in a header."""
        return hmac.new(self.token.encode(), b"frame", "sha256").hexdigest()

    def allows_ticket(self, given: str) -> bool:
        """Whether an address has the ticket, compared in constant time."""
        return hmac.compare_digest(given.encode(errors="replace"), self.frame_ticket.encode())

    def allows_token(self, authorization: str | None) -> bool:
        """Whether the request has the token, compared in constant time."""
        given = (authorization or "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def _is_ip_address(name: str) -> bool:
    """Whether a host is an IP address, which cannot be the name of another site.

    >>> _is_ip_address("192.168.1.5"), _is_ip_address("[fe80::1]"), _is_ip_address("evil.example")
    (True, True, False)
    """
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
