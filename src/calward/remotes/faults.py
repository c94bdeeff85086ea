"""Faults on demand: everything a server or the network is known to do to a client, by name."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

from calward.dav.errors import (
    BadAnswer,
    BadSyncToken,
    ConnectionLost,
    DavError,
    Locked,
    NoSpace,
    NotCalDav,
    ServerTrouble,
    SignInRefused,
    Throttled,
    TimedOut,
    Unreachable,
)


class Fault(StrEnum):
    """Before: nothing was done. After: it was done and the answer got lost. The rest bend the answer."""

    UNREACHABLE = "unreachable"
    RESET = "reset"
    HANG = "hang"
    SERVER_ERROR = "server_error"
    THROTTLED = "throttled"
    SIGNED_OUT = "signed_out"
    WEB_PAGE = "web_page"
    TRUNCATED = "truncated"
    FULL = "full"
    LOCKED = "locked"
    TOKEN_REFUSED = "token_refused"

    ANSWER_LOST = "answer_lost"
    ANSWER_LATE = "answer_late"
    ERROR_AFTER = "error_after"

    NO_ETAG = "no_etag"
    STALE_ETAG = "stale_etag"
    WEAK_ETAG = "weak_etag"
    REWRITTEN = "rewritten"
    TWICE = "twice"
    PARTIAL = "partial"
    """A list that lacks every second row and does not say so."""
    EMPTY = "empty"
    """A list without any row, and no error."""
    TOKEN_HIDDEN = "token_hidden"
    """A bad token answered with all there is, naming no deletion."""


class Faults:
    """What goes wrong next, for each method of a remote; in the order asked for, each once."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[Fault]] = {}

    def add(self, method: str, *faults: Fault) -> None:
        self._queues.setdefault(method, deque()).extend(faults)

    def clear(self) -> None:
        self._queues.clear()

    def next(self, method: str) -> Fault | None:
        queue = self._queues.get(method)
        return queue.popleft() if queue else None


def error_before(fault: Fault | None, host: str, *, writes: bool) -> DavError | None:
    """The error of a fault that strikes before anything is done; None where it is another kind."""
    match fault:
        case Fault.UNREACHABLE:
            return Unreachable(f"Nothing takes connections at {host}.", host=host)
        case Fault.RESET:
            return ConnectionLost(f"{host} broke off the connection.", host=host, in_doubt=writes)
        case Fault.HANG:
            return TimedOut(f"{host} was silent for 10 s.", host=host, in_doubt=writes)
        case Fault.SERVER_ERROR:
            return ServerTrouble(f"{host} has trouble of its own.", host=host, in_doubt=writes)
        case Fault.THROTTLED:
            return Throttled(f"{host} asks us to come back in 30 s.", host=host, retry_after=30.0)
        case Fault.SIGNED_OUT:
            return SignInRefused(f"{host} did not accept the name and password.", host=host)
        case Fault.WEB_PAGE:
            return NotCalDav(f"{host} answered with a web page.", host=host)
        case Fault.TRUNCATED:
            return BadAnswer(f"{host} sent a list that is cut off.", host=host)
        case Fault.FULL:
            return NoSpace(f"The account on {host} has no space left.", host=host)
        case Fault.LOCKED:
            return Locked(f"Another program holds a lock on {host}.", host=host)
        case Fault.TOKEN_REFUSED:
            return BadSyncToken(f"{host} no longer knows our place in its list of changes.", host=host)
        case _:
            return None


def error_after(fault: Fault | None, host: str) -> DavError | None:
    """The error of a fault that strikes after the work was done."""
    match fault:
        case Fault.ANSWER_LOST:
            return ConnectionLost(f"{host} broke off the connection.", host=host, in_doubt=True)
        case Fault.ANSWER_LATE:
            return TimedOut(f"{host} was silent for 10 s.", host=host, in_doubt=True)
        case Fault.ERROR_AFTER:
            return ServerTrouble(f"{host} has trouble of its own.", host=host, in_doubt=True)
        case _:
            return None
