"""Who may talk to the annotation server: the right host, the right origin, the right token.

The Host check stops DNS rebinding (another site's name that leads to 127.0.0.1), the Origin
check stops other sites' scripts, the token stops other users of the machine.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from ipaddress import ip_address

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

# Nothing from elsewhere, nothing inline, nobody may frame it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """The checks of one server."""

    token: str
    host: str  # as given to --host, 127.0.0.1 by default
    port: int

    def right_host(self, host: str | None) -> bool:
        """Whether a request was meant for this server, by its own name."""
        name, _, port = (host or "").rpartition(":")
        if port != str(self.port):
            return False
        if self.host in LOOPBACK:
            return name in LOOPBACK
        return name in LOOPBACK or name == self.host or literal_address(name)

    def right_origin(self, origin: str | None, host: str | None, changes: bool) -> bool:
        """Whether a page of this server sent the request; a change must say so."""
        return not changes if origin is None else origin == f"http://{host}"

    def right_token(self, authorization: str | None) -> bool:
        """Whether the request knows the token, found out in constant time."""
        given = (authorization or "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def literal_address(name: str) -> bool:
    """Whether a host is an IP address, which no other site's name can pretend to be.

    >>> literal_address("192.168.1.5"), literal_address("[fe80::1]"), literal_address("evil.example")
    (True, True, False)
    """
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
