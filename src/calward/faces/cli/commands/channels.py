"""Channels: how messages reach you besides the inbox."""

from __future__ import annotations

import sys

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import channels as rendering
from calward.faces.cli.talk import Talk

UNSENT = 1

shows_option = click.option(
    "--shows",
    type=click.Choice(("title", "hint")),
    help="Titles and messages (title), or only that there is something (hint).",
)
quiet_option = click.option(
    "--quiet", metavar="HH:MM-HH:MM", help="No messages then, on your clock; they come at the end."
)
local_option = click.option(
    "--local-network", is_flag=True, help="The address may lead to a machine of your local network."
)


@group()
def channels(talk: Talk) -> None:
    """The channels that messages reach you by; add, change, test or remove one."""
    talk.show(talk.ask("channel_list"), rendering.channels)


@command()
@click.argument("name")
@click.option("--webhook", is_flag=True, help="A program of yours, which gets signed JSON.")
@shows_option
@quiet_option
@local_option
def add(
    talk: Talk, name: str, webhook: bool, shows: str | None, quiet: str | None, local_network: bool
) -> None:
    """Add a channel, or give one another address.

    The address is a URL of Apprise (mailtos://…, ntfys://…, tgram://…), or a webhook's. It is secret, so it is
    asked for; without a terminal, it is the first line of standard input.
    """
    asked = {
        "name": name,
        "kind": "webhook" if webhook else "apprise",
        "url": _ask_address(),
        "shows": shows,
        "quiet": quiet,
        "local_network": local_network,
    }
    talk.show(talk.ask("channel_set", asked), rendering.written)


@command()
@click.argument("name")
@shows_option
@quiet_option
@click.option("--no-quiet", is_flag=True, help="No quiet hours any more.")
def edit(talk: Talk, name: str, shows: str | None, quiet: str | None, no_quiet: bool) -> None:
    """Change what a channel shows, and when."""
    if quiet and no_quiet:
        raise InvalidInput("Give either --quiet or --no-quiet.")
    asked = {"name": name, "shows": shows, "quiet": "" if no_quiet else quiet}
    talk.show(talk.ask("channel_set", asked), rendering.written)


@command()
@click.argument("name")
@yes_option
def remove(talk: Talk, name: str, yes: bool) -> None:
    """Remove a channel and its address."""
    talk.agree([line(f"The channel {name}, and what is on its way there.")], "remove", yes=yes)
    talk.show(talk.ask("channel_remove", {"name": name}), rendering.written)


@command()
@click.argument("name")
def test(talk: Talk, name: str) -> None:
    """Send a test message now, quiet hours or not. The exit code is 1 where it did not arrive."""
    key = talk.ask("channel_test", {"name": name}).key
    talk.wiring.send()
    log = talk.ask("channel_log", {"limit": 500})
    found = next(one for one in log.sent if one.key == key)
    talk.show(found, rendering.tested)
    if found.state != "sent":
        raise click.exceptions.Exit(UNSENT)


@command()
@click.option("--limit", type=click.IntRange(1, 500), default=20, help="How many, the newest first.")
def log(talk: Talk, limit: int) -> None:
    """What went to your channels, and what became of it there."""
    talk.show(talk.ask("channel_log", {"limit": limit}), rendering.log)


def _ask_address() -> str:
    if sys.stdin.isatty():
        typed: str = click.prompt("Address", hide_input=True, err=True)
        return typed
    text = sys.stdin.readline().rstrip("\r\n")
    if not text:
        raise InvalidInput("There is no address: there is no terminal to ask at, and standard input is empty.")
    return text


for one in (add, edit, remove, test, log):
    channels.add_command(one)
