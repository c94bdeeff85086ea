"""Writes ``THIRD_PARTY.md``: what Calward is installed and run with, and under which licence.

Names and versions come from ``requirements.lock``, licences from the metadata of the installed packages. Run it
in the environment of ``./run check`` after the locks have changed: ``.venv/bin/python tools/third_party.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
PAGE = ROOT / "THIRD_PARTY.md"

SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD License, Apache Software License": "BSD-3-Clause OR Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What older metadata says in classifiers → the SPDX expression for it."""

PREAMBLE = """\
# Third-party packages

Calward is installed together with the packages below, in these versions (`requirements.lock`). None of them is
copied into this repository; each comes with its own licence text. This page is made by `tools/third_party.py`.

| package | version | licence |
|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Package:
    """One row of the page."""

    name: str
    version: str
    licence: str


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.name}: {sum(1 for _ in locked())} packages")


def page() -> str:
    """The whole page, for the packages the lock names and this environment holds."""
    rows = (Package(name, version, licence(name)) for name, version in locked())
    return PREAMBLE + "".join(f"| {row.name} | {row.version} | {row.licence} |\n" for row in rows)


def locked() -> Iterator[tuple[str, str]]:
    """Name and version of each package in the lock, in its order (by name)."""
    for match in re.finditer(r"^([A-Za-z0-9._-]+)==(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE):
        yield match[1], match[2]


def licence(name: str) -> str:
    """The licence a package states: its SPDX expression, else its classifiers, else its short licence line.

    Raises ``SystemExit`` where it states none or is not installed: a page with holes is not written.
    """
    try:
        about = metadata(name)
    except PackageNotFoundError:
        raise SystemExit(f"{name} is not installed here; run ./run check first") from None
    stated = field(about, "License-Expression") or from_classifiers(about) or short_line(about)
    if not stated:
        raise SystemExit(f"{name} states no licence; look it up and teach this script where it is said")
    return SPDX.get(stated, stated)


def from_classifiers(about: PackageMetadata) -> str:
    lines = (line.split(" :: ") for line in about.get_all("Classifier", []) if line.startswith("License"))
    return ", ".join(parts[-1] for parts in lines)


def short_line(about: PackageMetadata) -> str:
    """The old free-text field, where it holds a name and not a whole licence."""
    text = field(about, "License").strip()
    return text if "\n" not in text else ""


def field(about: PackageMetadata, name: str) -> str:
    return next(iter(about.get_all(name, [])), "")


if __name__ == "__main__":
    main()
