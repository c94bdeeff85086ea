"""The vault: your folder of Markdown notes, and the reminders in it."""

from __future__ import annotations

from pathlib import Path

import click

from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import later as later_words
from calward.faces.cli.rendering import vault as words
from calward.faces.cli.talk import Talk


@group()
def vault(talk: Talk) -> None:
    """Your folder of notes: how it stands, and which assistants reach what of it."""
    talk.show(talk.ask("vault_show"), words.status)


@command("set")
@click.argument("folder", type=click.Path(path_type=Path))
def set_vault(talk: Talk, folder: Path) -> None:
    """Have the reminders in the notes of FOLDER be yours."""
    talk.show(talk.ask("vault_set", {"folder": str(folder.expanduser().absolute())}), words.written)
    if talk.wiring.service.is_stale():
        click.echo("calward: The service may not write there yet: calward service install", err=True)


@command()
def off(talk: Talk) -> None:
    """Have no vault any more. The notes stay as they are."""
    talk.show(talk.ask("vault_set"), words.written)


@command()
@click.argument("assistant")
@click.argument("folder", default=".")
def allow(talk: Talk, assistant: str, folder: str) -> None:
    """Let ASSISTANT ask to write reminders into the notes of FOLDER, or of all the vault."""
    _grant(talk, assistant, folder, on=True)


@command()
@click.argument("assistant")
@click.argument("folder", default=".")
def deny(talk: Talk, assistant: str, folder: str) -> None:
    """Take what ASSISTANT was allowed of FOLDER, or of all the vault."""
    _grant(talk, assistant, folder, on=False)


@command()
def show(talk: Talk) -> None:
    """How the vault stands, and which notes have a reminder that cannot be followed."""
    talk.show(talk.ask("vault_show"), words.status)


@command()
@click.option("--all", "everything", is_flag=True, help="Also those that are over.")
def reminders(talk: Talk, everything: bool) -> None:
    """The reminders in notes that are to come."""
    answer = talk.ask("reminder_list", {"state": "all" if everything else "open"})
    noted = tuple(one for one in answer.reminders if one.note)
    talk.show(answer.model_copy(update={"reminders": noted}), later_words.reminders)


def _grant(talk: Talk, assistant: str, folder: str, *, on: bool) -> None:
    asked = {"assistant": assistant, "folder": folder, "on": on}
    talk.show(talk.ask("vault_grant", asked), words.written)


for one in (set_vault, off, allow, deny, show, reminders):
    vault.add_command(one)
