"""What waits for the person, and what they decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calward.errors import NotFound
from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.commands.passphrase import choose
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import approvals as words
from calward.faces.cli.secret_line import has_terminal
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.usecases.status import ApprovalsView, Decided

UNGUARDED = (
    "An assistant is connected on this machine, and what runs under your account can approve as you do.",
    "Choose a password that approving asks for: calward passphrase",
)
REFUSED = 1
"""The exit code where a decision was taken, and the change could not be carried out any more."""

all_option = click.option("--all", "everything", is_flag=True, help="Also what was decided or expired.")


@group()
@all_option
def approvals(talk: Talk, everything: bool) -> None:
    """What waits for you, and your decisions."""
    _list(talk, everything=everything)


@command("list")
@all_option
def listed(talk: Talk, everything: bool) -> None:
    """What waits for your decision."""
    _list(talk, everything=everything)


@command()
@click.argument("id")
def show(talk: Talk, id: str) -> None:
    """One request: what exactly would be done."""
    talk.show(_one(talk, id), words.approvals)


@command()
@click.argument("id")
@click.option("--with-details", is_flag=True, help="A look at events shows all of them: notes, places, people.")
@yes_option
def approve(talk: Talk, id: str, with_details: bool, yes: bool) -> None:
    """Agree to a request; it is carried out at once."""
    talk.agree(words.approvals(_one(talk, id)), "approve", yes=yes)
    _offer_a_password(talk, yes=yes)
    _decide(talk, id, approve=True, with_details=with_details)


@command()
@click.argument("id")
def deny(talk: Talk, id: str) -> None:
    """Refuse a request; nothing is changed."""
    _decide(talk, id, approve=False)


def _list(talk: Talk, *, everything: bool) -> None:
    talk.show(talk.ask("approval_list", {"state": "all" if everything else "pending"}), words.approvals)


def _one(talk: Talk, ident: str) -> ApprovalsView:
    found: ApprovalsView = talk.ask("approval_list", {"id": ident})
    if not found.approvals:
        raise NotFound("There is no request with that id; list them with: calward approvals list --all")
    return found


def _offer_a_password(talk: Talk, *, yes: bool) -> None:
    """Where an assistant of this machine could type this command as well as the person."""
    if not talk.entrance.is_shared() or talk.entrance.has_password(talk.owner):
        return
    talk.aside.put(line(words) for words in UNGUARDED)
    if not yes and has_terminal() and click.confirm("Choose one now?", err=True):
        choose(talk)


def _decide(talk: Talk, ident: str, *, approve: bool, with_details: bool = False) -> None:
    asked = {"id": ident, "approve": approve, "with_details": with_details or None}
    answer: Decided = talk.ask("approval_decide", asked)
    talk.show(answer, words.decided)
    if answer.state != ("approved" if approve else "denied"):
        raise click.exceptions.Exit(REFUSED)


for one in (listed, show, approve, deny):
    approvals.add_command(one)
