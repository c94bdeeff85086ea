"""The journal, and taking back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calward.faces.cli.command import command, yes_option
from calward.faces.cli.paper import Line, line
from calward.faces.cli.rendering import changes
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.usecases.status import History, HistoryEntry

MOST = 1000
MOST_SHOWN = 5


@command()
@click.option("--limit", type=click.IntRange(1, MOST), help="How many, newest first; default 50.")
@click.option("--event", metavar="ID", help="One event only.")
@click.option("--who", metavar="NAME", help="What one person or assistant did.")
@click.option("--since", metavar="WHEN", help="From then on.")
def history(talk: Talk, limit: int | None, event: str | None, who: str | None, since: str | None) -> None:
    """What was changed, when and by whom; newest first. The id at the end undoes it."""
    asked = {"limit": limit, "event": event, "who": who, "since": since}
    talk.show(talk.ask("history", asked), changes.history)


@command()
@click.argument("change", required=False)
@yes_option
def undo(talk: Talk, change: str | None, yes: bool) -> None:
    """Take back CHANGE, an id from the history; default: your own last one, or the last you approved."""
    if not yes:
        change, words = _about(talk, change)
        talk.agree(words, "undo", yes=False)
    talk.show(talk.ask("calendar_undo", {"change": change}), changes.undone)


def _about(talk: Talk, change: str | None) -> tuple[str | None, list[Line]]:
    """The change to ask about, and its rows in words: what is shown is what will be taken back."""
    journal: History = talk.ask("history", {"limit": MOST})
    if change is None:
        change = next((one.id for one in journal.changes if _own(one, talk.owner.name)), None)
    rows = [changes.entry(one) for one in journal.changes if one.id == change]
    more = [line(f"and {len(rows) - MOST_SHOWN} more")] if len(rows) > MOST_SHOWN else []
    return change, rows[:MOST_SHOWN] + more


def _own(one: HistoryEntry, name: str) -> bool:
    """Whether the operation would choose it by itself: what a person did or approved, and has not undone."""
    return not one.undone and one.operation != "calendar_undo" and bool(one.by == name or one.approval)
