"""Writes ``docs/errors.md``: every code of the error tree with what it means.

Run it in the environment of ``./run check``: ``.venv/bin/python tools/error_codes.py``.

The meaning is the docstring of the class, up to its first full stop.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import calward
from calward.errors import CalwardError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "errors.md"

PREAMBLE = """\
# Errors

Every door answers with the same codes. The message beside a code says what happened, to what, and what to do;
it is for the reader and may change, the code does not. "Again" says whether the same call may work later. This
page is made by `tools/error_codes.py`.

| code | again | means |
|---|---|---|
"""


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page: the general codes in the order of ``calward.errors``, then each room's own."""
    rows = dict.fromkeys((kind.code, kind.retryable, meaning(kind)) for kind in kinds(CalwardError))
    return PREAMBLE + "".join(
        f"| `{code}` | {'yes' if again else 'no'} | {means} |\n" for code, again, means in rows
    )


def kinds(base: type[CalwardError]) -> Iterator[type[CalwardError]]:
    """The classes of our ``errors`` modules with a code of their own, ``base`` left out, breadth first."""
    for module in pkgutil.walk_packages(calward.__path__, "calward."):
        if module.name.endswith(".errors"):
            import_module(module.name)
    level = base.__subclasses__()
    while level:
        yield from (kind for kind in level if "code" in vars(kind) and is_ours(kind))
        level = [below for kind in level for below in kind.__subclasses__()]


def is_ours(kind: type) -> bool:
    return kind.__module__.startswith("calward.") and kind.__module__.endswith(".errors")


def meaning(kind: type[CalwardError]) -> str:
    text = " ".join((inspect.getdoc(kind) or "").replace("``", "`").split())
    return text.partition(". ")[0].rstrip(".") + "."


if __name__ == "__main__":
    main()
