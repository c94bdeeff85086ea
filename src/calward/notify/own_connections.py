"""Connections that a library makes by itself, judged at the moment they are made.

A name that was judged before can lead elsewhere by the time a library looks it up again. The interpreter tells
its audit hooks each address before anything is sent to it, and a hook may refuse (PEP 578): so it is held to
that however the library got there, by a redirect as well.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from typing import Any

from calward.errors import RemoteError

Judge = Callable[[str, int], None]
"""``judge(address, port)`` raises ``RemoteError`` for an address that may not be reached."""
EVENTS = frozenset({"socket.connect", "socket.sendto"})


@dataclass
class Judged:
    """``refused`` is why the last connection that was refused was."""

    judge: Judge
    refused: RemoteError | None = None


@contextmanager
def judged(judge: Judge) -> Generator[Judged]:
    """Let this thread reach what ``judge`` lets it and nothing else; others go on as they were.

    A refused connection looks to the library like one that the other side refuses.
    """
    _listen()
    outer, _here.rule = _here.rule, Judged(judge)
    try:
        yield _here.rule
    finally:
        _here.rule = outer


class _Here(threading.local):
    rule: Judged | None = None


_here = _Here()


@cache
def _listen() -> None:
    """A hook stays for as long as the process lives, and hears of more than connections: only what needs it
    begins it."""
    sys.addaudithook(_heard)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in EVENTS or (rule := _here.rule) is None:
        return
    try:
        rule.judge(*_place(arguments[1]))
    except RemoteError as refused:
        rule.refused = refused
        raise ConnectionRefusedError("that address may not be reached") from None


def _place(address: Any) -> tuple[str, int]:
    """Raises ``ConnectionRefusedError`` for a file, and for a name, which would be looked up once more."""
    try:
        host, port, *_ = address
        return str(ip_address(host)), int(port)
    except ValueError:
        raise ConnectionRefusedError("only addresses of the network may be reached") from None
