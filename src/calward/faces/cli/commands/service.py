"""Calward from the start of the machine."""

from __future__ import annotations

import click

from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.talk import Talk

NOT_RUNNING = 1
STALE = "It was installed before something changed; install it again: calward service install"


@group()
def service(talk: Talk) -> None:
    """Have Calward run from the start of the machine, so that reminders do not stop with a terminal."""
    _status(talk)


@command()
@click.option("--print", "only_print", is_flag=True, help="Print the file that would be written, and stop.")
@yes_option
def install(talk: Talk, only_print: bool, yes: bool) -> None:
    """Write a unit for systemd or an agent for launchd, and start it."""
    if only_print:
        click.echo(talk.wiring.service.text(), nl=False)
        return
    place = talk.wiring.service.place()
    talk.agree([line(f"This writes {place} and starts Calward, now and with the machine.")], "install", yes=yes)
    hint = talk.wiring.service.install()
    _tell(talk, {"installed": place, "hint": hint}, f"Installed {place}; Calward runs.", hint)


@command()
@yes_option
def remove(talk: Talk, yes: bool) -> None:
    """Stop it and take the file away; calendars and settings stay."""
    place = talk.wiring.service.place()
    talk.agree([line(f"This stops Calward and removes {place}.")], "remove", yes=yes)
    removed = talk.wiring.service.remove()
    _tell(talk, {"removed": removed}, f"Removed {place}." if removed else "It was not installed.")


@command()
def status(talk: Talk) -> None:
    """Whether it is installed and runs; the exit code is 1 where it does not run."""
    if not _status(talk):
        raise click.exceptions.Exit(NOT_RUNNING)


def _status(talk: Talk) -> bool:
    """Tell how it stands; whether it runs."""
    installed, runs = talk.wiring.service.status()
    words = (
        "Installed, and running." if runs else "Installed, but not running." if installed else "Not installed."
    )
    stale = talk.wiring.service.is_stale()
    _tell(talk, {"installed": installed, "runs": runs, "stale": stale}, words, STALE if stale else "")
    return runs


def _tell(talk: Talk, facts: dict[str, object], *words: str) -> None:
    if talk.as_json:
        talk.paper.put_json(facts)
    else:
        talk.paper.put(line(one) for one in words if one)


for one in (install, remove, status):
    service.add_command(one)
