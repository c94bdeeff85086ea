"""The journal, and taking back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from calward.faces.cli.command import command, yes_option
from calward.faces.cli.paper import Line, line
from calward.faces.cli.rendering import changes
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.usecases.status import History

MOST = 1000


@command()
@click.option("--limit", type=click.IntRange(1, MOST), help="How many, newest first; default 50.")
@click.option("--event", metavar="ID", help="One event only.")
def history(talk: Talk, limit: int | None, event: str | None) -> None:
    """What was changed, when and by whom; newest first. The id at the end undoes it."""
    talk.show(talk.ask("history", {"limit": limit, "event": event}), changes.history)


@command()
@click.argument("change", required=False)
@yes_option
def undo(talk: Talk, change: str | None, yes: bool) -> None:
    """Take back CHANGE, an id from the history; default: your own last one."""
    talk.agree(_about(talk, change), "undo", yes=yes)
    talk.show(talk.ask("calendar_undo", {"change": change}), changes.undone)


def _about(talk: Talk, change: str | None) -> Iterator[Line]:
    """The change in words, where the journal's newest part holds it."""
    if change is None:
        yield line("Your own last change, or the last you approved:")
        return
    journal: History = talk.ask("history", {"limit": MOST})
    yield from (changes.entry(one) for one in journal.changes if one.id == change)
