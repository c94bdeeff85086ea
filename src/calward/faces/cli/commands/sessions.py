"""Where the person is signed in."""

from __future__ import annotations

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import people
from calward.faces.cli.talk import Talk


@group()
def sessions(talk: Talk) -> None:
    """Where you are signed in, and sign out there."""
    _list(talk)


@command("list")
def listed(talk: Talk) -> None:
    """Where you are signed in with your password."""
    _list(talk)


@command()
@click.argument("id", required=False)
@click.option("--all", "everywhere", is_flag=True, help="All of them.")
def end(talk: Talk, id: str | None, everywhere: bool) -> None:
    """Sign out: end one session, or all."""
    if (id is None) is not everywhere:
        raise InvalidInput("Name one session by its id, or say --all.")
    talk.show(talk.ask("session_end", {"id": id}), people.sessions_ended)


def _list(talk: Talk) -> None:
    talk.show(talk.ask("session_list"), people.sessions)


for one in (listed, end):
    sessions.add_command(one)
