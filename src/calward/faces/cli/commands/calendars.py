"""Calendars: list, add, and choose whether their alarms are told."""

from __future__ import annotations

import click

from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import standing
from calward.faces.cli.talk import Talk


@group()
def calendars(talk: Talk) -> None:
    """List calendars, add one, and choose which are to remind you."""
    talk.show(talk.ask("calendars"), standing.calendars)


@command()
@click.argument("name")
@click.option("--offer", metavar="PRESET", help="What a new assistant gets on it; default: none.")
def add(talk: Talk, name: str, offer: str | None) -> None:
    """Add a calendar that lives only here.

    PRESET is none, availability, reader, careful or helper.
    """
    talk.show(talk.ask("calendar_add", {"name": name, "offer": offer}), standing.calendar_added)


@command()
@click.argument("name")
@click.argument("switch", type=click.Choice(("on", "off")))
def alarms(talk: Talk, name: str, switch: str) -> None:
    """Have the alarms of the events in the calendar NAME be reminders of yours: on or off."""
    talk.show(talk.ask("calendar_alarms", {"calendar": name, "on": switch == "on"}), standing.alarms_set)


calendars.add_command(add)
calendars.add_command(alarms)
