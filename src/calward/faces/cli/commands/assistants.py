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
    return function


@command()
@click.argument("assistant")
@click.argument("calendar")
@click.option("--preset", help="none, availability, reader, careful or helper.")
@switches
def grant(talk: Talk, assistant: str, calendar: str, **rights: str | None) -> None:
    """Set what ASSISTANT sees and does on CALENDAR: a preset, single switches, or both."""
    if not any(rights.values()):
        raise InvalidInput(
            "Say what to grant: --preset, or a switch as --create; calward grant --help lists all."
        )
    asked = {"assistant": assistant, "calendar": calendar, **rights}
    talk.show(talk.ask("grant_set", asked), people.granted)


def _list(talk: Talk) -> None:
    talk.show(talk.ask("assistant_list"), people.assistants)


for one in (listed, add, revoke):
    assistant.add_command(one)
