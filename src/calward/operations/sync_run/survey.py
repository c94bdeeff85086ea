"""An account looked over: calendars that came, went or changed on the server, and what the server is.

Done with a full listing, at most once for all calendars of an account. What is new is noticed and not mirrored,
unless the account was connected with all its calendars; what is gone from the server stays here, and its own
sync says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.dav.discovery import Discovery
from calward.dav.errors import (
    AnswerTooLarge,
    BadAnswer,
    LocalTarget,
    Missing,
    NotCalDav,
    NothingFound,
    NotPermitted,
    OtherPrincipal,
    UnsafeTarget,
)
from calward.dav.href import HrefKey, href_key
from calward.dav.status import host_of
from calward.model.ids import CalendarId, HouseholdId
from calward.operations import identity
from calward.operations.account_words import (
    AccountOptions,
    FoundCalendar,
    account_options,
    found_on,
    free_name,
)
from calward.operations.apply import mirrors
from calward.operations.mirror_changes import MirrorCalendar
from calward.operations.sync_run.ground import Tools
from calward.remotes.remote import Remote
from calward.store import accounts, calendars
from calward.store.accounts import AccountRow
from calward.store.calendars import CalendarRow
from calward.store.runs import RunRow

FRESH = timedelta(seconds=10)
"""Calendars that are asked to be synced together are looked over once."""
SKIPPED = (
    AnswerTooLarge,
    BadAnswer,
    LocalTarget,
    Missing,
    NotCalDav,
    NothingFound,
    NotPermitted,
    UnsafeTarget,
)
"""What a server says that can be synced but not looked over, as where one calendar is all it shows."""


def survey(tools: Tools, household: HouseholdId, account: AccountRow, remote: Remote) -> AccountRow:
    """Look the account over and remember what was found; the account as it is then.

    Raises what the network raises, and ``OtherPrincipal`` where all of it is somebody else's now; a server that
    cannot be looked over is left as it was known.
    """
    try:
        found = remote.discover()
    except SKIPPED:
        return account
    _check_principal(account, found)
    with tools.writing() as conn:
        known = accounts.get_account(conn, household, account.id)
        if known is None:
            return account
        now = tools.now()
        rows = calendars.list_calendars(conn, household)
        mirrored = {href_key(row.href) for row in rows if row.href}
        noticed = _notice(known, found, mirrored)
        _work_in(_Place(conn, household, known, now, tools), noticed, rows)
        accounts.set_survey(conn, household, account.id, options=noticed.options.plain(), surveyed_at=now)
        return replace(known, options=noticed.options.plain(), surveyed_at=now)


def is_due(tools: Tools, account: AccountRow, asked: Sequence[RunRow]) -> bool:
    """Whether a full run should look the account over: for the first time, since a day, or since somebody
    asked for it."""
    last, now = account.surveyed_at, tools.now()
    if last is None:
        return True
    if now - last < FRESH:
        return False
    return now - last >= tools.pace.full / 2 or any(run.asked_by and run.asked_at > last for run in asked)


def _check_principal(account: AccountRow, found: Discovery) -> None:
    known = account_options(account.options).principal
    if known and found.principal and href_key(known) != href_key(found.principal):
        raise OtherPrincipal(
            f"The name and password of {account.name!r} lead to somebody else's calendars than when it was "
            "connected, so nothing of it is synced. If that is meant, connect it anew with: calward connect",
            host=host_of(account.url),
        )


@dataclass(frozen=True, slots=True)
class _Noticed:
    """``before`` and ``now`` are the account's calendars by their place; ``fresh`` those that came."""

    options: AccountOptions
    before: dict[HrefKey, FoundCalendar]
    now: dict[HrefKey, FoundCalendar]
    fresh: tuple[FoundCalendar, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    conn: Connection
    household: HouseholdId
    account: AccountRow
    now: datetime
    tools: Tools


def _notice(account: AccountRow, discovery: Discovery, mirrored: set[HrefKey]) -> _Noticed:
    """What is gone is still named the next time, and for as long as it is mirrored here."""
    options = account_options(account.options)
    before = {href_key(one.url): one for one in options.found}
    now = {href_key(one.url): one for one in found_on(discovery)}
    looked = account.surveyed_at is not None or bool(before)
    for key, one in now.items():
        known = before.get(key)
        now[key] = replace(one, new=known.new if known else looked)
    fresh = tuple(one for key, one in now.items() if looked and key not in before)
    gone = [
        replace(one, gone=True)
        for key, one in before.items()
        if key not in now and (key in mirrored or not one.gone)
    ]
    options = replace(
        options,
        signs=discovery.signs if discovery.signs.headers else options.signs,
        offers=discovery.offers if discovery.offers.compliance else options.offers,
        found=(*now.values(), *gone),
        principal=options.principal or discovery.principal or "",
    )
    return _Noticed(options, before, now, fresh)


def _work_in(place: _Place, noticed: _Noticed, rows: Sequence[CalendarRow]) -> None:
    """Names, colours and rights as they are on the server now; new calendars where all are to be mirrored."""
    taken = {row.name for row in rows}
    for row in rows:
        if row.account_id != place.account.id or row.href is None:
            continue
        now = noticed.now.get(href_key(row.href))
        if now is not None:
            taken.add(_look(place, row, noticed.before.get(href_key(row.href)), now, taken - {row.name}))
    if noticed.options.follow:
        mirrored = {href_key(row.href) for row in rows if row.href}
        for one in noticed.fresh:
            if one.events and href_key(one.url) not in mirrored:
                taken.add(_mirror(place, one, taken))


def _look(
    place: _Place, row: CalendarRow, before: FoundCalendar | None, now: FoundCalendar, taken: set[str]
) -> str:
    """A calendar keeps the name it has here until the server's own changes."""
    renamed = before is not None and before.name != now.name
    name = free_name(now.name, taken, place.account.name) if renamed else row.name
    color = now.color or row.color
    if (name, color, now.writable) != (row.name, row.color, row.writable):
        calendars.set_look(place.conn, place.household, row.id, name=name, color=color, writable=now.writable)
    return name


def _mirror(place: _Place, found: FoundCalendar, taken: set[str]) -> str:
    """No assistant sees a calendar that nobody was asked about."""
    tools = place.tools
    owner = identity.principal_of(place.conn, place.household, "person", place.account.member_id)
    change = MirrorCalendar(
        calendar=CalendarId(tools.new_id()),
        account=place.account.id,
        member=place.account.member_id,
        url=found.url,
        name=free_name(found.name, taken, place.account.name),
        color=found.color,
        offer="none",
        writable=found.writable,
    )
    mirrors.carry_out(
        place.conn, identity.access(place.conn, owner, tools.epoch), change, place.now, tools.new_id
    )
    return change.name
