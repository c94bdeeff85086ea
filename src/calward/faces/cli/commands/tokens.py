"""Tokens: what opens the HTTP door."""

from __future__ import annotations

from functools import partial

import click

from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import people
from calward.faces.cli.talk import Talk


@group()
def token(talk: Talk) -> None:
    """List, add and revoke tokens."""
    _list(talk)


@command("list")
def listed(talk: Talk) -> None:
    """The tokens there are, without what opens them."""
    _list(talk)


@command()
@click.option("--assistant", metavar="NAME", help="Another token of an assistant; default: your own.")
@click.option("--days", type=click.IntRange(1, 3650), help="Until it expires; default: never.")
@click.option("--read-only", is_flag=True, help="It opens nothing but reading.")
def add(talk: Talk, assistant: str | None, days: int | None, read_only: bool) -> None:
    """Make a token, which is shown this once: your own for the HTTP door, or another for an assistant."""
    scope = "read" if read_only else None
    talk.show(talk.ask("token_add", {"assistant": assistant, "days": days, "scope": scope}), people.token)


@command()
@click.argument("id")
@yes_option
def revoke(talk: Talk, id: str, yes: bool) -> None:
    """End a token at once."""
    talk.agree([line(f"The token {id}, for good.")], "revoke", yes=yes)
    talk.show(talk.ask("token_revoke", {"id": id}), partial(people.token_ended, id))


def _list(talk: Talk) -> None:
    talk.show(talk.ask("token_list"), people.tokens)


for one in (listed, add, revoke):
    token.add_command(one)
