"""What a run of the tests finds out about real servers, written down for ``docs/servers.md``.

One line of JSON for each finding, in files of the folder that ``CALWARD_FINDINGS`` names; nothing is written
where it names none. ``tools/servers_page.py`` makes the page of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

FOLDER = os.environ.get("CALWARD_FINDINGS", "")
"""Read at the start: tests of the whole program clear its variables away."""
HOLDS, FAILS = "holds", "fails"


def note(server: str, kind: str, name: str, found: str) -> None:
    """Write down one finding."""
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        with (Path(FOLDER) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            print(json.dumps({"server": server, "kind": kind, "name": name, "found": found}), file=file)


@contextmanager
def finding(server: str, kind: str, name: str) -> Generator[None]:
    """What the block does holds, or fails."""
    found = FAILS
    try:
        yield
        found = HOLDS
    finally:
        note(server, kind, name, found)
