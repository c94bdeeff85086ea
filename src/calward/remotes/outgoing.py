"""Where requests may go at all: to public addresses, and to the local network only where a person said so.

A host name proves nothing: whoever owns it decides what it resolves to, and may decide anew for each question.
So a name is resolved once for every connection, each address is judged, and the connection is made to an
address that was judged, never to the name.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from calward.dav.addresses import is_homely, is_local, is_public, literal
from calward.dav.errors import LocalTarget

Resolve = Callable[[str, int], tuple[str, ...]]
"""A host and a port to addresses, in the order they should be tried. Raises ``OSError`` where there is none."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the requests of one account may go.

    ``typed`` is a place on the local network that a person wrote out as an address (host and port): that one is
    meant. ``local_network`` opens all of it: private and loopback addresses, whatever name leads there. What is
    nobody's to visit stays shut: link-local, where clouds keep their secrets, multicast, unspecified, reserved.
    """

    typed: tuple[str, int] | None = None
    local_network: bool = False


PUBLIC = Reach()


def reach_of(url: str, *, local_network: bool = False) -> Reach:
    """How far an account may go that a person connected with this address."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return Reach((host, port) if is_local(host) else None, local_network)


def resolve_by_system(host: str, port: int) -> tuple[str, ...]:
    """As the machine resolves names."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def addresses(host: str, port: int, reach: Reach, resolve: Resolve = resolve_by_system) -> tuple[str, ...]:
    """The addresses that a connection to a host may be made to, at least one.

    Raises ``LocalTarget`` where all of them are out of reach, or the host is a number in disguise, and what
    ``resolve`` raises.
    """
    plain = host.lower().strip("[]")
    spelled_out = literal(plain) is not None
    if DISGUISED.search(plain) and not spelled_out:
        raise LocalTarget(
            f"{host} is an address in an unusual spelling. Write it as four numbers from 0 to 255.", host=host
        )
    found = (plain,) if spelled_out else resolve(plain, port)
    local = reach.local_network or reach.typed == (plain, port)
    open_to = tuple(address for address in found if _may(address, local))
    if not open_to:
        raise LocalTarget(_words(plain, spelled_out), host=host)
    return open_to


DISGUISED = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$")
"""A host whose last part is a number is taken for an IPv4 address by most systems, however it is written: in
one number, octal, hexadecimal, with parts left out (URL Standard, "ends in a number")."""


def _may(text: str, local: bool) -> bool:
    address = literal(text)
    if address is None:
        return False
    return is_public(address) or (local and is_homely(address))


def _words(host: str, spelled_out: bool) -> str:
    if spelled_out:
        return f"{host} is an address of the local network, which this account may not reach."
    return (
        f"{host} is on your local network, which this account may not reach. If it is meant, connect it again "
        "with --local-network."
    )
