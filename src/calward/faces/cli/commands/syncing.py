"""Syncing now, and deciding what a sync held."""

from __future__ import annotations

import click

from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import accounts as rendering
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
def agree(talk: Talk, ident: str) -> None:
    """Have it carried out: delete what was deleted on the other side, or send again what was refused."""
    talk.show(talk.ask("held_decide", {"id": ident, "agree": True}), rendering.decided)


@command()
@click.argument("ident", metavar="ID")
def keep(talk: Talk, ident: str) -> None:
    """Have it as it was: nothing is deleted, and what is gone on one side comes back to it."""
    talk.show(talk.ask("held_decide", {"id": ident, "agree": False}), rendering.decided)


held.add_command(agree)
held.add_command(keep)
