"""The members of the household, and what they share with each other."""

from __future__ import annotations

from functools import partial

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import people
from calward.faces.cli.talk import Talk
from calward.model.principal import Role
from calward.model.share import Share

ROLES = [role.value for role in Role if role is not Role.OWNER]

nickname_option = click.option(
    "--nickname", "nicknames", multiple=True, metavar="NAME", help="Also called so; repeatable."
)
address_option = click.option(
    "--address", "addresses", multiple=True, metavar="EMAIL", help="Invited there; repeatable."
)


@group()
def members(talk: Talk) -> None:
    """List, add, invite and remove members of the household."""
    talk.show(talk.ask("member_list"), people.members)


@command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), help="Default: adult.")
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
@click.option("--rename", metavar="NAME", help="Called so from now on.")
@click.option("--role", type=click.Choice(ROLES), help="Another role.")
@nickname_option
@address_option
def edit(talk: Talk, name: str, nicknames: tuple[str, ...], addresses: tuple[str, ...], **other: str) -> None:
    """Change a member; nicknames and addresses are set anew, what is not named stays. NAME may be an id."""
    asked = {"nicknames": nicknames or None, "addresses": addresses or None, **other}
    if not any(asked.values()):
        raise InvalidInput("Say what to change: --rename, --role, --nickname or --address.")
    asked["name"] = name
    talk.show(talk.ask("member_edit", asked), partial(people.member, "Changed"))


@command()
@click.argument("name")
def invite(talk: Talk, name: str) -> None:
    """Make a one-time code with which a member chooses a password on the pages. NAME may be an id."""
    talk.show(talk.ask("member_invite", {"name": name}), people.invited)


@command()
@click.argument("name")
@click.option("--lose-unsent", is_flag=True, help="Also if changes are lost that no server got yet.")
@yes_option
def remove(talk: Talk, name: str, lose_unsent: bool, yes: bool) -> None:
    """Remove a member, their assistants and accounts; their calendars are shown to nobody any more."""
    talk.agree([line(f"The member {name}, for good.")], "remove", yes=yes)
    talk.show(talk.ask("member_remove", {"name": name, "lose_unsent": lose_unsent or None}), people.left)


for one in (add, edit, invite, remove):
    members.add_command(one)


@command()
@click.argument("calendar", required=False)
@click.argument("member", required=False)
@click.argument("share", required=False, type=click.Choice([*(share.value for share in Share), "by_role"]))
def share(talk: Talk, calendar: str | None, member: str | None, share: str | None) -> None:
    """Set what MEMBER sees of CALENDAR, which is yours; alone it lists what you share.

    By role, adults see details of each other's calendars, children and guests see when time is taken. With
    write they also change it without you being asked.
    """
    if share is None:
        if calendar is not None:
            raise InvalidInput("Say the calendar, the member and what they see, or nothing to list it.")
        talk.show(talk.ask("share_list"), people.shares)
    else:
        asked = {"calendar": calendar, "member": member, "share": share}
        talk.show(talk.ask("calendar_share", asked), people.shared)
