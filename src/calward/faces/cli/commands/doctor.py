"""Looks for what is wrong, and says how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, yes_option
from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.vault import counted
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.usecases.accounts import AccountView, ServerView

UNWELL = 1
LOOK = {"delivery": "calward channels log", "note": "calward vault", "vault": "calward vault"}
"""Where to look for work of a kind that is given up."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``fix`` is what to do; empty where all is well."""

    what: str
    says: str
    fix: str = ""


@command()
@click.option(
    "--write-checks", metavar="ACCOUNT", help="Try what its server does with writes, on a calendar of its own."
)
@yes_option
def doctor(talk: Talk, write_checks: str | None, yes: bool) -> None:
    """Look for what is wrong, and say how to mend it. The exit code is 1 where something is.

    Looking writes nothing. With --write-checks a calendar named "Calward scratch" is made on the account's
    server, an event without attendees is written and deleted in it, and it is removed again.
    """
    found = list(_look(talk)) if write_checks is None else _try_writes(talk, write_checks, yes=yes)
    if talk.as_json:
        talk.paper.put_json({"findings": [asdict(one) for one in found]})
    else:
        talk.paper.put(each for one in found for each in _lines(one))
    if any(one.fix for one in found):
        raise click.exceptions.Exit(UNWELL)


def _try_writes(talk: Talk, named: str, *, yes: bool) -> list[Finding]:
    account = next((one for one in talk.ask("account_list").accounts if named in (one.id, one.name)), None)
    if account is None:
        raise InvalidInput("There is no account of that name; list them with: calward accounts")
    made = f'This makes a calendar "Calward scratch" on {account.name}, writes an event in it and removes both.'
    talk.agree([line(made)], "write", yes=yes)
    # What a server does in its own way is worked around, so it is told and is nothing to mend.
    return [
        Finding(one.what, one.says if one.well else f"{one.says} (worked around)")
        for one in talk.wiring.write_checks(account.id)
    ]


def _look(talk: Talk) -> Iterator[Finding]:
    status = talk.ask("calendar_status")
    yield Finding("Store", f"opens; {len(status.calendars)} calendars, times in {status.zone}")
    for notice in talk.wiring.notices():
        yield Finding("Environment", notice, "Mend the variable, and start Calward again.")
    accounts = talk.ask("account_list").accounts
    if not accounts:
        yield Finding("Accounts", "none is connected; calendars live only here")
    for account in accounts:
        if account.error:
            again = f"{account.url} --user {account.username}"
            if account.kind != "caldav":
                again = f'feed --name "{account.name}"'
            yield Finding(account.name, account.error, f"calward connect {again}")
        else:
            said = f"connected as {account.username}" if account.username else "a feed, read as it is"
            yield Finding(account.name, said)
        yield from _server(account)
    for one in status.calendars:
        if not one.account:
            continue
        if one.error:
            yield Finding(
                one.name, one.error, f'It is tried again by itself; at once with: calward sync "{one.name}"'
            )
        elif one.last_sync is None:
            yield Finding(one.name, "was never synced", f'calward sync "{one.name}"')
        else:
            sent = f"; {one.unpushed} not yet sent" if one.unpushed else ""
            yield Finding(one.name, f"synced{sent}")
        if one.conflicts:
            yield Finding(one.name, f"{one.conflicts} changed on both sides", "Choose: calward conflicts")
    for one in status.failing or ():
        what = f"a {one.kind} of {one.at} is given up: {one.error}"
        yield Finding("Later", what, LOOK.get(one.kind, "calward schedule --status all"))
    yield from _vault(talk)
    journal = talk.ask("journal_verify")
    if journal.whole:
        yield Finding("Journal", f"holds; {journal.rows} changes, each chained to the one before it")
    else:
        yield Finding(
            "Journal",
            f"was altered at or before the change {journal.broken_at}",
            "Somebody wrote into the database. Keep a copy of it, and restore a backup from before.",
        )
    if status.lockdown:
        yield Finding("Lockdown", "text from outside is kept from assistants")
    if status.held:
        yield Finding("Held", f"a sync holds {status.held} for you", "calward held")


def _vault(talk: Talk) -> Iterator[Finding]:
    vault = talk.ask("vault_show")
    if vault.folder is None:
        return
    if vault.problem:
        yield Finding(
            "Vault", vault.problem, "See that its folder is there and can be read, or: calward vault off"
        )
    else:
        yield Finding("Vault", f"{counted(vault.notes, 'note')}, {vault.reminders} with a reminder")
    if vault.problems:
        wrong = counted(len(vault.problems) + vault.more, "reminder")
        yield Finding("Vault", f"{wrong} in notes cannot be followed", "See which: calward vault")


def _server(account: AccountView) -> Iterator[Finding]:
    """What the server can do, by what it showed when it was looked over; and what is new or gone on it."""
    server = account.server
    if server.seen is not None:
        yield Finding(account.name, "; ".join(_abilities(server)))
    for quirk in server.quirks:
        yield Finding(account.name, f"differs: {quirk}")
    new = [one.name for one in account.calendars if one.new and one.events]
    if new:
        more = f'calward accounts choose "{account.name}" --calendar "{new[0]}"'
        yield Finding(account.name, f"has {', '.join(new)} since, not mirrored yet. To mirror it: {more}")
    for one in account.calendars:
        if one.gone and one.mirrored_as:
            let_go = f'calward accounts choose "{account.name}" --forget "{one.mirrored_as}"'
            yield Finding(account.name, f"no longer has {one.name}; all of it is kept here", let_go)


def _abilities(server: ServerView) -> Iterator[str]:
    yield {
        True: "says what is new",
        False: "says only that something is new" if server.ctag else "has to be listed to see what is new",
        None: "does not say how it tells what is new",
    }[server.lists_changes]
    yield {
        True: "sends invitations itself",
        False: "sends no invitations",
        None: "does not say whether it sends invitations",
    }[server.schedules]
    if server.multiget is False:
        yield "sends events one by one"
    if server.strong_etags is not None:
        yield (
            "names every version of an event"
            if server.strong_etags
            else "does not name every version of an event"
        )
    if server.max_size is not None:
        yield f"takes events of up to {server.max_size // 1024} KB"


def _lines(one: Finding) -> Iterator[Line]:
    yield line(Cell("✗" if one.fix else "✓", "red" if one.fix else "green"), Cell(one.what, "bold"), one.says)
    if one.fix:
        yield line("Fix:", one.fix, indent=1)
