"""A person's phone: another client of the same calendar, in a process and an environment of its own.

``CALWARD_OTHER_CLIENT`` names the interpreter it runs on, which has what ``requirements-clients.lock`` holds.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.contract.caldav_servers import Address

SCRIPT = Path(__file__).parent / "other_client.py"
INTERPRETER = os.environ.get("CALWARD_OTHER_CLIENT", "")
WINDOW = ("2026-02-01T00:00:00+00:00", "2026-08-01T00:00:00+00:00")


class Shown(NamedTuple):
    """An occurrence as a client shows it: moments in UTC, or days, in ISO 8601; the end is exclusive."""

    start: str
    end: str
    title: str


@dataclass(frozen=True)
class Phone:
    """What the other client does; a calendar is named by its address."""

    process: subprocess.Popen[str]

    def adds(self, url: str, body: str) -> None:
        self._ask("add", url, body)

    def edits(self, url: str, uid: str, body: str) -> None:
        self._ask("edit", url, uid, body)

    def deletes(self, url: str, uid: str) -> None:
        self._ask("delete", url, uid)

    def moves(self, url: str, uid: str, to: str) -> None:
        self._ask("move", url, uid, to)

    def shows(self, url: str) -> list[Shown]:
        return [Shown(*one) for one in self._ask("occurrences", url, *WINDOW)]

    def _ask(self, *request: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        assert answer, "the other client ended; what it said is above"
        return json.loads(answer)


@contextmanager
def switched_on(address: Address) -> Generator[Phone]:
    if not INTERPRETER:
        pytest.skip("CALWARD_OTHER_CLIENT is not set; .ci/clients clients makes it and prints it")
    command = [INTERPRETER, "-I", str(SCRIPT), address.url, address.user, address.password]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Phone(process)
