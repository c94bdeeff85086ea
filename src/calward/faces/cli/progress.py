"""How far long work has come, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calward.operations.pipeline import Progress


@contextmanager
def progress_of(what: str) -> Iterator[Progress | None]:
    """A bar on standard error while the block runs; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    # rich takes a tenth of a second to import, which only a terminal needs.
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(what), total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
