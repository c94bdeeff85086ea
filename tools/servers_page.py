"""Writes ``docs/servers.md``: what the tests found out about real servers, and what held on each of them.

    python -m tools.servers_page FOLDER           write the page
    python -m tools.servers_page --check FOLDER   say whether the page still tells the same; versions may differ

FOLDER holds what a run left there that was told to write down its findings (``CALWARD_FINDINGS``), from every
server.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from tests.system.facts import FACTS
from tests.system.findings import HOLDS
from tests.system.scenarios import SCENARIOS
from tests.system.servers import SERVERS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "servers.md"
NAMES = {"radicale": "Radicale", "xandikos": "Xandikos", "cyrus": "Cyrus", "davical": "DAViCal", "sogo": "SOGo"}
NOT_TRIED = "–"

TITLE = """\
# Calendar servers

Calward's tests start each of these servers and work with it as a person, an assistant and another client would.
This page is made from such a run by `tools/servers_page.py`; the tests of the project fail when it no longer
tells what they find. It says nothing about servers that are not on it.

"""

FACTS_HEAD = """
## What they do

Asked with plain requests, without Calward. Where a server departs from the standards, Calward works around it:
it looks before it writes where a precondition is ignored, fetches what it wrote where a server rewrites it, and
lists everything once a day where a bad sync token goes unnoticed.

"""

HELD_HEAD = """
## What held

Calward and another client change one calendar while something goes wrong on the way. At the end both sides are
equal, and nothing that anybody wrote is missing from both the calendar and the versions kept for a person to
decide on.

"""


@dataclass
class Found:
    """Kind → name → server → what was found."""

    kinds: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)

    def of(self, kind: str, name: str) -> Mapping[str, str]:
        return self.kinds.get(kind, {}).get(name, {})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="servers_page", description="Make docs/servers.md.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="only say whether the page still tells the same")
    chosen = parser.parse_args(arguments)
    found = read(chosen.folder)
    lacking = [name for name in SERVERS if name not in found.of("version", "version")]
    if lacking:
        print(f"nothing was found out about {', '.join(lacking)} in {chosen.folder}", file=sys.stderr)
        return 1
    new = page(found)
    if not chosen.check:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    differs = list(
        unified_diff(_without_versions(old), _without_versions(new), "docs/servers.md", "this run", lineterm="")
    )
    print("\n".join(differs), end="\n" if differs else "", file=sys.stderr)
    return 1 if differs else 0


def read(folder: Path) -> Found:
    found = Found()
    for file in sorted(folder.rglob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            found.kinds.setdefault(one["kind"], {}).setdefault(one["name"], {})[one["server"]] = one["found"]
    return found


def page(found: Found) -> str:
    return "".join(
        [
            TITLE,
            *_table("", [("version tried", found.of("version", "version"))]),
            FACTS_HEAD,
            *_table("", [(fact, found.of("fact", fact)) for fact in FACTS]),
            HELD_HEAD,
            *_table("", list(_held(found))),
        ]
    )


def _held(found: Found) -> Iterator[tuple[str, Mapping[str, str]]]:
    """A row for each scenario; those that differ in a number only are one."""
    alike: dict[str, list[str]] = {}
    for scenario in SCENARIOS:
        alike.setdefault(re.sub(r"\d+", "N", scenario.name), []).append(scenario.name)
    for names in alike.values():
        title = names[0] if len(names) == 1 else re.sub(r"at step \d+", f"at {len(names)} steps", names[0])
        told = {
            server: _together([found.of("scenario", one).get(server) for one in names]) for server in SERVERS
        }
        yield title, {server: said for server, said in told.items() if said}


def _together(said: Sequence[str | None]) -> str:
    if not any(said):
        return ""
    return HOLDS if all(one == HOLDS for one in said) else "fails"


def _table(corner: str, rows: Sequence[tuple[str, Mapping[str, str]]]) -> Iterator[str]:
    yield f"| {' | '.join([corner, *(NAMES[server] for server in SERVERS)])} |\n"
    yield f"|{'---|' * (len(SERVERS) + 1)}\n"
    for title, told in rows:
        yield f"| {' | '.join([title, *(told.get(server, NOT_TRIED) for server in SERVERS)])} |\n"


def _without_versions(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("| version tried")]


if __name__ == "__main__":
    sys.exit(main())
