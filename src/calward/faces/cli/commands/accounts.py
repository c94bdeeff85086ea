"""Accounts on calendar servers: connect, list, choose calendars, remove."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group, yes_option
from calward.faces.cli.commands.syncing import sync_to_the_end
from calward.faces.cli.paper import line
from calward.faces.cli.rendering import accounts as rendering
from calward.faces.cli.talk import Talk

CHOICE = (
    click.option(
        "--calendar", "calendars", multiple=True, metavar="NAME", help="Mirror it; more than one may be."
    ),
    click.option("--all", "everything", is_flag=True, help="Mirror every calendar that holds events."),
    click.option("--offer", metavar="PRESET", help="What a new assistant gets on them; default: none."),
    click.option("--assistant", "assistants", multiple=True, metavar="NAME", help="Gets that right away."),
    click.option("--adopt", is_flag=True, help="A calendar of the same name that lives only here moves there."),
)


def choosing(function: Any) -> Any:
    """The options that say which calendars are mirrored, and who sees them."""
    for option in reversed(CHOICE):
        function = option(function)
    return function


@command()
@click.argument("server")
@click.argument("region", required=False)
@click.option("--host", metavar="HOST", help="Where a nextcloud, synology, radicale or baikal of yours runs.")
@click.option("--user", metavar="NAME", help="Asked for where it is not given.")
@click.option("--name", metavar="NAME", help="What to call the account.")
@click.option("--insecure-http", is_flag=True, help="Send the password over plain http, readable on the way.")
@click.option("--local-network", is_flag=True, help="Its name may lead to a machine of your local network.")
@choosing
def connect(
    talk: Talk,
    server: str,
    region: str | None,
    host: str | None,
    user: str | None,
    name: str | None,
    insecure_http: bool,
    local_network: bool,
    **choice: Any,
) -> None:
    """Connect an account on a calendar server, or a feed.

    SERVER is a name (icloud, fastmail, nextcloud, mailbox.org, posteo, synology, radicale, baikal, generic), a
    host or an address. The password is asked for and never shown; without a terminal, it is the first line of
    standard input.

    A feed is a calendar file that can only be read: an address with webcal:// or ending in .ics; or the word
    feed, which asks for an address that is secret. Public holidays are a feed too: holidays DE-BY.
    """
    if _is_feed(server):
        _connect_feed(talk, server, region, name, choice["offer"], insecure_http, local_network)
        return
    if region is not None:
        raise InvalidInput("One server at a time; a region belongs to holidays alone.")
    given = {
        "server": server,
        "host": host,
        "username": user or _ask_user(),
        "password": _ask_password(talk, server),
        "name": name,
        "insecure_http": insecure_http,
        "local_network": local_network,
    }
    found = talk.ask("account_connect", given)
    if not talk.as_json:
        talk.paper.put(rendering.connected(found))
    picked = tuple(choice["calendars"])
    if not picked and not choice["everything"] and sys.stdin.isatty() and not talk.as_json:
        picked = _pick(talk, found.calendars)
    if picked or choice["everything"]:
        _choose(talk, found.id, **(choice | {"calendars": picked}))
    elif talk.as_json:
        talk.show(found, rendering.connected)
    else:
        talk.paper.put(rendering.not_chosen(found))


def _is_feed(server: str) -> bool:
    lower = server.lower()
    return (
        lower in ("feed", "holidays") or lower.startswith("webcal") or lower.partition("?")[0].endswith(".ics")
    )


def _connect_feed(
    talk: Talk,
    server: str,
    region: str | None,
    name: str | None,
    offer: str | None,
    insecure_http: bool,
    local_network: bool,
) -> None:
    address = server
    if server.lower() == "holidays":
        if not region:
            raise InvalidInput("Name a country or a part of one: calward connect holidays DE-BY")
        address = f"holidays:{region}"
    elif server.lower() == "feed":
        address = _ask_secret(talk, "Address", "address")
    found = talk.ask(
        "feed_connect",
        {
            "address": address,
            "name": name,
            "offer": offer,
            "insecure_http": insecure_http,
            "local_network": local_network,
        },
    )
    talk.show(found, rendering.feed_connected)
    sync_to_the_end(talk, found.calendar, mode="full", quiet=talk.as_json)


@group()
def accounts(talk: Talk) -> None:
    """List accounts, choose their calendars, remove one."""
    talk.show(talk.ask("account_list"), rendering.accounts)


@command()
@click.argument("account")
@choosing
@click.option("--forget", multiple=True, metavar="NAME", help="Mirror it no longer; it stays on the server.")
@yes_option
def choose(talk: Talk, account: str, forget: tuple[str, ...], yes: bool, **choice: Any) -> None:
    """Choose which calendars of an account are mirrored here."""
    if forget:
        talk.agree(
            [line(f"This removes {', '.join(forget)} from here, not from the server.")], "forget", yes=yes
        )
    _choose(talk, account, forget=forget, **choice)


@command()
@click.argument("account")
@click.option("--lose-unsent", is_flag=True, help="Go on although changes made here were not sent yet.")
@yes_option
def remove(talk: Talk, account: str, lose_unsent: bool, yes: bool) -> None:
    """Remove an account and the mirrors of its calendars from here. The server keeps everything."""
    talk.agree(
        [line(f"This removes {account} and its calendars from here, not from the server.")], "remove", yes=yes
    )
    talk.show(talk.ask("account_remove", {"account": account, "lose_unsent": lose_unsent}), rendering.removed)


accounts.add_command(choose)
accounts.add_command(remove)


def _choose(
    talk: Talk,
    account: str,
    *,
    calendars: Sequence[str],
    everything: bool,
    offer: str | None,
    assistants: Sequence[str],
    adopt: bool,
    forget: Sequence[str] = (),
) -> None:
    chosen = talk.ask(
        "calendar_choose",
        {
            "account": account,
            "calendars": tuple(calendars),
            "all": everything,
            "offer": offer,
            "assistants": tuple(assistants),
            "adopt": adopt,
            "forget": tuple(forget),
        },
    )
    talk.show(chosen, rendering.chosen)
    for name in chosen.mirrored:
        sync_to_the_end(talk, name, mode="full", quiet=talk.as_json)


def _ask_user() -> str:
    if not sys.stdin.isatty():
        raise InvalidInput("There is no terminal to ask at; add --user NAME.")
    name: str = click.prompt("User", err=True)
    return name


def _ask_password(talk: Talk, server: str) -> str:
    from calward.operations.account_words import preset_named  # beside the question, not before help

    preset = preset_named(server.strip().lower())
    hint: Sequence[str] = ()
    if preset is not None and preset.password_hint:
        page = f"Make one at {preset.password_page}" if preset.password_page else ""
        hint = (preset.password_hint, page)
    return _ask_secret(talk, "Password", "password", *hint)


def _ask_secret(talk: Talk, prompt: str, what: str, *hint: str) -> str:
    """Asked for at the terminal and not shown; without one, the first line of standard input."""
    if sys.stdin.isatty():
        if hint:
            talk.aside.put([line(*hint)])
        typed: str = click.prompt(prompt, hide_input=True, err=True)
        return typed
    text = sys.stdin.readline().rstrip("\r\n")
    if not text:
        raise InvalidInput(f"There is no {what}: there is no terminal to ask at, and standard input is empty.")
    return text


def _pick(talk: Talk, found: Sequence[Any]) -> tuple[str, ...]:
    """Ask which to mirror, by number; those that are mirrored or hold no events are not offered."""
    offered = [one for one in found if one.events and one.mirrored_as is None]
    if not offered:
        return ()
    talk.aside.put(rendering.offered(offered))
    while True:
        text: str = click.prompt("Mirror which? Numbers, all or none", default="all", err=True)
        words = text.replace(",", " ").split()
        if words == ["none"]:
            return ()
        if words == ["all"]:
            return tuple(one.url for one in offered)
        if all(word.isdecimal() and 1 <= int(word) <= len(offered) for word in words) and words:
            return tuple(offered[int(word) - 1].url for word in words)
        talk.aside.put([line(f"Numbers from 1 to {len(offered)}, all or none.")])
