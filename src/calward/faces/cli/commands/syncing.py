"""Syncing now, and deciding what a sync left to a person."""

from __future__ import annotations

import click

from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.rendering import accounts as rendering
from calward.faces.cli.rendering import conflicts as words
from calward.faces.cli.talk import Talk

FAILED = 9
"""The exit code of a sync that failed: that of what went wrong at a server."""


@command()
@click.argument("calendar", required=False)
@click.option("--full", is_flag=True, help="List everything, whatever the server says has changed.")
def sync(talk: Talk, calendar: str | None, full: bool) -> None:
    """Sync with the calendar servers now: one calendar, or all."""
    sync_to_the_end(talk, calendar, mode="full" if full else "incremental")


def sync_to_the_end(talk: Talk, calendar: str | None, *, mode: str, quiet: bool = False) -> None:
    """Sync, say how it went unless ``quiet``, and end the command with a code of its own where it failed."""
    asked = talk.ask("calendar_sync", {"calendar": calendar, "mode": mode})
    places = {one.name: one.id for one in talk.ask("calendars").calendars}

    def tick() -> None:
        if not talk.as_json:
            for one in asked.runs:
                talk.aside.put(
                    rendering.progress(one.calendar, talk.ask("calendar_status", {"run": one.run}).run)
                )

    talk.wiring.sync([places[one.calendar] for one in asked.runs], tick)
    ended = [(one.calendar, talk.ask("calendar_status", {"run": one.run}).run) for one in asked.runs]
    if quiet:
        pass
    elif talk.as_json:
        runs = [{"calendar": name} | run.model_dump(mode="json", exclude_none=True) for name, run in ended]
        talk.paper.put_json({"runs": runs})
    else:
        talk.paper.put([each for name, run in ended for each in rendering.ended(name, run)])
    if any(run.state == "failed" for _, run in ended):
        raise click.exceptions.Exit(FAILED)


@group()
def held(talk: Talk) -> None:
    """What a sync holds for you, and your decisions."""
    talk.show(talk.ask("held_list"), rendering.held)


@command()
@click.argument("ident", metavar="ID")
@yes_option
def accept(talk: Talk, ident: str, yes: bool) -> None:
    """Have all of it done: deleted as on the other side, or sent again where it was refused."""
    _decide(talk, ident, "accept", yes=yes)


@command()
@click.argument("ident", metavar="ID")
@yes_option
def restore(talk: Talk, ident: str, yes: bool) -> None:
    """Have all of it as it was: nothing is deleted, and what is gone on one side comes back to it."""
    _decide(talk, ident, "restore", yes=yes)


def _decide(talk: Talk, ident: str, decision: str, *, yes: bool) -> None:
    found = [one for one in talk.ask("held_list").held if one.id == ident]
    talk.agree(rendering.held_work(found), decision, yes=yes)
    talk.show(talk.ask("held_decide", {"id": ident, "decision": decision}), rendering.decided)


held.add_command(accept)
held.add_command(restore)


@group()
def conflicts(talk: Talk) -> None:
    """Events that were changed here and on the server, with both versions."""
    talk.show(talk.ask("conflict_list"), words.conflicts)


@command()
@click.argument("which", type=click.Choice(["server", "ours", "both"]))
@click.argument("ident", metavar="ID")
@yes_option
def keep(talk: Talk, which: str, ident: str, yes: bool) -> None:
    """Keep the server's version, ours, or both: ours then is an event of its own, with nobody invited."""
    found = [one for one in talk.ask("conflict_list").conflicts if one.id == ident]
    talk.agree([each for one in found for each in words.conflict(one)], f"keep {which}", yes=yes)
    talk.show(talk.ask("conflict_resolve", {"id": ident, "keep": which}), words.resolved)


conflicts.add_command(keep)
