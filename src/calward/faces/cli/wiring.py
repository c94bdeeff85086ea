"""What the command line is handed from the wiring above it, as plain functions.

Faces do not know how an open Calward is put together; ``calward.__main__`` passes that in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calward.operations.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it is in force, and where it came from."""

    name: str
    value: str | int
    origin: str


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve; None is as set. ``demo``: make a demo calendar on the first start."""

    host: str | None = None
    port: int | None = None
    tls_cert: str | None = None
    tls_key: str | None = None
    proxy: str | None = None
    demo: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """One thing that was tried on a server; not ``well``: it has to be worked around."""

    what: str
    says: str
    well: bool


@dataclass(frozen=True, slots=True)
class Service:
    """Calward from the start of the machine. Raises ``Unsupported`` where the system starts nothing for users,
    but for ``status`` and ``is_stale``."""

    place: Callable[[], str]
    """The file that has it started."""
    text: Callable[[], str]
    """What is written into that file."""
    install: Callable[[], str]
    """What is left to do, in a sentence; empty where nothing is."""
    remove: Callable[[], bool]
    """Whether there was anything to remove."""
    status: Callable[[], tuple[bool, bool]]
    """Whether it is installed, and whether it runs."""
    is_stale: Callable[[], bool]
    """Whether it is installed as it would not be now: it was moved, or a vault was named."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """Each function may raise a ``CalwardError``, as ``SettingsError`` and ``StoreError``."""

    pipeline: Callable[[], AbstractContextManager[Pipeline]]
    """Opens the store; leaving the block closes it."""
    settings: Callable[[], Sequence[Setting]]
    """Opens and makes nothing."""
    serve: Callable[[Serving], None]
    """Serve until told to stop."""
    mcp: Callable[[str | None], None]
    """Speak MCP on the standard streams as the assistant of that name until they end."""
    mcp_config: Callable[[str | None], Mapping[str, Any]]
    """What an MCP client is configured with to start this installation as an assistant."""
    sync: Callable[[Sequence[str], Callable[[], None]], None]
    """Sync the calendars of these ids here and now, to the end; the function is called each second then."""
    send: Callable[[], None]
    """Send here and now what is due to channels."""
    service: Service
    notices: Callable[[], Sequence[str]]
    """What is wrong with how this machine is set up, in sentences; nothing is changed by looking."""
    write_checks: Callable[[str], Sequence[Tried]]
    """Try what the server of the account of this id does with writes, on a calendar made for that."""
