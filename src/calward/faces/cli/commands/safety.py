"""When something looks wrong: lock text from outside away from assistants, forget what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import safety as words
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.usecases.safety import LockdownState


@group()
def lockdown(talk: Talk) -> None:
    """Keep text from outside the household from assistants."""
    _status(talk)


@command()
def status(talk: Talk) -> None:
    """Whether the lockdown is on."""
    _status(talk)


@command("on")
def switch_on(talk: Talk) -> None:
    """Keep titles, notes, places and names from strangers from all assistants."""
    talk.show(talk.ask("lockdown_set", {"on": True}), words.lockdown)


@command("off")
def switch_off(talk: Talk) -> None:
    """Let assistants see them again, as far as they were granted."""
    talk.show(talk.ask("lockdown_set", {"on": False}), words.lockdown)


@command()
@click.option("--event", metavar="ID", help="One event; what it says now stays, unless it is deleted.")
@click.option("--before", metavar="WHEN", help="All that was done before then.")
@yes_option
def forget(talk: Talk, event: str | None, before: str | None, yes: bool) -> None:
    """Let go for good of earlier versions, deleted events and what was asked. The journal stays."""
    if (event is None) == (before is None):
        raise InvalidInput("Say what to forget: either --event or --before.")
    what = f"the past of {event}" if event else f"all that was done before {before}"
    talk.agree([line(f"Forget {what}: it can be undone and restored no more.")], "forget", yes=yes)
    talk.show(talk.ask("forget", {"event": event, "before": before}), words.forgotten)


def _status(talk: Talk) -> None:
    state: LockdownState = talk.ask("lockdown_status")
    talk.show(state, words.lockdown)


for one in (status, switch_on, switch_off):
    lockdown.add_command(one)
