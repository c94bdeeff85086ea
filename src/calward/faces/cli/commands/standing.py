"""How things stand, and the settings in force."""

from __future__ import annotations

from dataclasses import asdict

import click

from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import standing
from calward.faces.cli.talk import Talk


@command()
def status(talk: Talk) -> None:
    """Calendars, what waits to be sent, what waits for you."""
    talk.show(talk.ask("calendar_status"), standing.status)


@group()
def config(talk: Talk) -> None:
    """Show the settings."""
    _show(talk, origin=False)


@command()
@click.option("--origin", is_flag=True, help="Also where each comes from: environment, file or default.")
def show(talk: Talk, origin: bool) -> None:
    """The settings in force, as they could stand in the settings file."""
    _show(talk, origin=origin)


def _show(talk: Talk, *, origin: bool) -> None:
    settings = talk.wiring.settings()
    if talk.as_json:
        talk.paper.put_json({"settings": [asdict(one) for one in settings]})
    else:
        talk.paper.put(standing.settings(settings, origin=origin))


config.add_command(show)
