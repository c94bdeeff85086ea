"""Calendars: list, and add."""

from __future__ import annotations

import click

from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import standing
from calward.faces.cli.talk import Talk


@group()
def calendars(talk: Talk) -> None:
    """List calendars, and add one."""
    talk.show(talk.ask("calendars"), standing.calendars)


@command()
@click.argument("name")
@click.option("--offer", metavar="PRESET", help="What a new assistant gets on it; default: none.")
def add(talk: Talk, name: str, offer: str | None) -> None:
    """Add a calendar that lives only here.

    PRESET is none, availability, reader, careful or helper.
    """
    talk.show(talk.ask("calendar_add", {"name": name, "offer": offer}), standing.calendar_added)


calendars.add_command(add)
