"""Looks for what is wrong, and says how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import click

from calward.faces.cli.command import command
from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.talk import Talk

UNWELL = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``fix`` is what to do; empty where all is well."""

    what: str
    says: str
    fix: str = ""


@command()
def doctor(talk: Talk) -> None:
    """Look for what is wrong, and say how to mend it. The exit code is 1 where something is."""
    found = list(_look(talk))
    if talk.as_json:
        talk.paper.put_json({"findings": [asdict(one) for one in found]})
    else:
        talk.paper.put(each for one in found for each in _lines(one))
    if any(one.fix for one in found):
        raise click.exceptions.Exit(UNWELL)


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
            yield Finding(
                account.name, account.error, f"calward connect {account.url} --user {account.username}"
            )
        else:
            yield Finding(account.name, f"connected as {account.username}")
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
            yield Finding(
                one.name, f"{one.conflicts} changed on both sides", "Look at them: calward call conflict_list"
            )
    if status.held:
        yield Finding("Held", f"a sync holds {status.held} for you", "calward held")


def _lines(one: Finding) -> Iterator[Line]:
    yield line(Cell("✗" if one.fix else "✓", "red" if one.fix else "green"), Cell(one.what, "bold"), one.says)
    if one.fix:
        yield line("Fix:", one.fix, indent=1)
