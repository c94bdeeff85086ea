"""Assistants, and what each is granted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import Function, command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import people
from calward.faces.cli.talk import Talk
from calward.model.grant import Invite, Level, Say

if TYPE_CHECKING:
    from calward.operations.usecases.people import Token

days_option = click.option(
    "--days", type=click.IntRange(1, 3650), help="Until the token expires; default: never."
)


@group()
def assistant(talk: Talk) -> None:
    """List, add and revoke assistants."""
    _list(talk)


@command("list")
def listed(talk: Talk) -> None:
    """The assistants, and what each was granted."""
    _list(talk)


@command()
@click.argument("name")
@click.option("--preset", help="Rights on every calendar; default: what each calendar offers.")
@days_option
def add(talk: Talk, name: str, preset: str | None, days: int | None) -> None:
    """Add an assistant and make its token, which is shown this once.

    PRESET is none, availability, reader, careful or helper.
    """
    answer: Token = talk.ask("assistant_add", {"name": name, "preset": preset, "days": days})
    talk.show(answer, partial(people.assistant, config=talk.wiring.mcp_config(name)))


@command()
@click.argument("name")
@yes_option
def revoke(talk: Talk, name: str, yes: bool) -> None:
    """End an assistant: its tokens stop working at once, its open requests are void. NAME may be an id."""
    talk.agree([line(f"The assistant {name}, for good.")], "revoke", yes=yes)
    talk.show(talk.ask("assistant_revoke", {"name": name}), partial(people.member, "Revoked"))


@command()
@click.argument("name")
def confirm(talk: Talk, name: str) -> None:
    """Let NAME in on this machine again, after the store was put back from a copy."""
    talk.show(talk.ask("assistant_confirm", {"name": name}), partial(people.member, "Confirmed"))


@command()
@click.argument("name")
def show(talk: Talk, name: str) -> None:
    """What NAME was granted, switch by switch."""
    talk.show(talk.ask("grant_list", {"assistant": name}), people.grants)


@command()
@click.argument("name")
@click.option("--read-only/--read-write", default=None, help="Whether it changes nothing, whatever is granted.")
@click.option(
    "--writes-an-hour", type=click.IntRange(0, 10_000), help="Changes within an hour that ask nobody."
)
def limit(talk: Talk, name: str, read_only: bool | None, writes_an_hour: int | None) -> None:
    """Set what NAME may at most, on every calendar."""
    if read_only is None and writes_an_hour is None:
        raise InvalidInput("Say what to set: --read-only, --read-write or --writes-an-hour.")
    asked = {"name": name, "read_only": read_only, "writes_an_hour": writes_an_hour}
    talk.show(talk.ask("assistant_limit", asked), people.limited)


def switches(function: Function) -> Function:
    """One option for every switch of a grant."""
    levels = click.Choice([level.name.lower() for level in Level])
    says = click.Choice([say.value for say in Say])
    for name, kind, words in reversed(
        (
            ("own-level", levels, "What it sees of events it made."),
            ("others-level", levels, "What it sees of all other events."),
            ("read-private", says, "Seeing more of others' events than that."),
            ("create", says, "New events."),
            ("own-update", says, "Changing events it made."),
            ("own-delete", says, "Deleting events it made."),
            ("others-update", says, "Changing other events."),
            ("others-delete", says, "Deleting other events."),
            ("invite", click.Choice([invite.value for invite in Invite]), "Whom it may name as attendee."),
        )
    ):
        function = click.option(f"--{name}", type=kind, help=words)(function)
    listed = "An address or a domain for invite listed; may be given several times."
    return click.option("--invite-list", multiple=True, metavar="WHO", help=listed)(function)


@command()
@click.argument("assistant")
@click.argument("calendar")
@click.option("--preset", help="none, availability, reader, careful or helper.")
@switches
def grant(
    talk: Talk, assistant: str, calendar: str, invite_list: tuple[str, ...], **rights: str | None
) -> None:
    """Set what ASSISTANT sees and does on CALENDAR: a preset, single switches, or both."""
    if not any(rights.values()) and not invite_list:
        raise InvalidInput(
            "Say what to grant: --preset, or a switch as --create; calward grant --help lists all."
        )
    asked = {"assistant": assistant, "calendar": calendar, "invite_list": invite_list or None, **rights}
    talk.show(talk.ask("grant_set", asked), people.granted)


def _list(talk: Talk) -> None:
    talk.show(talk.ask("assistant_list"), people.assistants)


for one in (listed, show, add, limit, confirm, revoke):
    assistant.add_command(one)
