"""Where to serve, and that nobody on the way reads what is sent there."""

from __future__ import annotations

import errno
import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from calward.errors import Busy, SettingsError
from calward.faces.http.proxy import networks

BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Bind:
    """Where to serve and how it is kept from being overheard: by a certificate, or by a proxy in front."""

    host: str
    port: int
    tls_cert: str = ""
    tls_key: str = ""
    proxy: str = ""

    @property
    def scheme(self) -> str:
        return "https" if self.tls_cert else "http"


def check(bind: Bind) -> None:
    """Raises ``SettingsError`` where tokens and passwords would cross a network in the open."""
    if bool(bind.tls_cert) != bool(bind.tls_key):
        raise SettingsError("A certificate needs its key: give both --tls-cert and --tls-key.")
    for file in (bind.tls_cert, bind.tls_key):
        if file and not Path(file).is_file():
            raise SettingsError("The file of the certificate or of its key is not there.", hint=file)
    networks(bind.proxy)
    if not (bind.tls_cert or bind.proxy or _is_loopback(bind.host)):
        raise SettingsError(
            f"{bind.host} can be reached from other machines, and without TLS tokens and passwords could be "
            "read on the way. Give --tls-cert and --tls-key; or where a proxy in front speaks TLS, its address "
            "with --behind-proxy; or stay on 127.0.0.1."
        )


def listen(host: str, port: int) -> socket.socket:
    """A socket that accepts from now on: who connects before the server runs is answered when it does.

    Raises ``Busy`` where the port is taken, ``SettingsError`` for a bad address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By this protocol asyncio knows what it may have sent at once. Elsewhere the body of an answer would wait
    # until its head is acknowledged, which takes the other side 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Busy(
                f"Port {port} on {host} is taken, perhaps by another calward serve. Stop that one, "
                "or choose another port with --port."
            ) from None
        raise SettingsError(
            f"Cannot serve on {host}, port {port}: {error.strerror}. Choose another address with "
            "--host, or another port with --port."
        ) from None
    return listener


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
