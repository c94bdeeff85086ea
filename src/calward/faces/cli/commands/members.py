"""The members of the household."""

from __future__ import annotations

from functools import partial

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import people
from calward.faces.cli.talk import Talk
from calward.model.principal import Role

nickname_option = click.option(
    "--nickname", "nicknames", multiple=True, metavar="NAME", help="Also called so; repeatable."
)
address_option = click.option(
    "--address", "addresses", multiple=True, metavar="EMAIL", help="Invited there; repeatable."
)


@group()
def members(talk: Talk) -> None:
    """List, add and edit the members of the household."""
    talk.show(talk.ask("member_list"), people.members)


@command()
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), help="Default: adult.")
@nickname_option
@address_option
def add(
    talk: Talk, name: str, role: str | None, nicknames: tuple[str, ...], addresses: tuple[str, ...]
) -> None:
    """Add a member."""
    asked = {"name": name, "role": role, "nicknames": nicknames, "addresses": addresses}
    talk.show(talk.ask("member_add", asked), partial(people.member, "Added"))


@command()
@click.argument("name")
@nickname_option
@address_option
def edit(talk: Talk, name: str, nicknames: tuple[str, ...], addresses: tuple[str, ...]) -> None:
    """Set a member's nicknames or addresses anew; what is not named stays. NAME may be an id."""
    if not nicknames and not addresses:
        raise InvalidInput("Say what to change: --nickname or --address.")
    asked = {"name": name, "nicknames": nicknames or None, "addresses": addresses or None}
    talk.show(talk.ask("member_edit", asked), partial(people.member, "Changed"))


members.add_command(add)
members.add_command(edit)
