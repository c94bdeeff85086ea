"""What a person, or a program, is told when the server is there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calward.bootstrap.binding import Bind
from calward.faces.http.api import PREFIX
from calward.faces.mcp.streamable import PATH


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a person is told when the server is there. ``first_run`` is the page and the one-time code with
    which the owner chooses a password, as long as there is none."""

    address: str
    mcp: str
    api: str
    stdio: Mapping[str, Any] | None = None
    first_run: tuple[str, str] | None = None


def welcome(bind: Bind, stdio: Mapping[str, Any] | None = None) -> Welcome:
    """Where it is."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(
        bind.host, f"[{bind.host}]" if ":" in bind.host else bind.host
    )
    address = f"{bind.scheme}://{shown}:{bind.port}"
    return Welcome(address, address + PATH, address + PREFIX, stdio)


def words(told: Welcome) -> str:
    """The same for a person: where it is, and how an assistant gets in."""
    here = "of this machine: calward mcp"
    if told.stdio:
        here = f"of this machine starts it with\n  {json.dumps(told.stdio)}"
    first = ""
    if told.first_run:
        page, code = told.first_run
        first = f"""

To approve in a browser, choose a password at {page}
with the one-time code {code}, which works for an hour."""
    return f"""\
Calward serves on {told.address} (Ctrl-C stops it).

An assistant {here}
An assistant over HTTP: {told.mcp} with the token from: calward assistant add NAME
Programs: {told.api} with your own token from: calward token add (see {PREFIX}/openapi.json){first}"""


def plain(told: Welcome) -> dict[str, Any]:
    """The same for a program."""
    said: dict[str, Any] = {"address": told.address, "mcp": told.mcp, "api": told.api, "stdio": told.stdio}
    if told.first_run:
        said["first_run"] = {"page": told.first_run[0], "code": told.first_run[1]}
    return said
