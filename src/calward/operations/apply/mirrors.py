"""Changes of accounts, mirrored calendars and what their syncs held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.errors import Conflict
from calward.ical.meaning import meaning
from calward.model.ids import AccountId, CalendarId, HouseholdId, Href
from calward.operations.account_words import account_options
from calward.operations.apply import alarms
from calward.operations.apply.following import lay_down
from calward.operations.apply.moves import back_to
from calward.operations.changes import digest_bytes
from calward.operations.due import arm_sync, disarm_sync
from calward.operations.held_kinds import AGREED, HeldKind
from calward.operations.identity import Access
from calward.operations.materialise import Source
from calward.operations.mirror_changes import (
    AddAccount,
    CloseConflict,
    DecideHeld,
    ForgetMirror,
    MirrorCalendar,
    MirrorChange,
    RemoveAccount,
    RequestRun,
)
from calward.operations.shapes import Receipt
from calward.store import accounts, calendars, conflicts, held, journal, objects, runs, sides
from calward.store.accounts import AccountRow
from calward.store.calendars import CalendarRow
from calward.store.held import HeldRow
from calward.store.objects import ObjectRow
from calward.store.runs import RunRow

FULL = "full"


def carry_out(
    conn: Connection, access: Access, change: MirrorChange, now: datetime, new_id: Callable[[], str]
) -> Receipt:
    """Write one such change. What it makes due is done by a worker, as soon as the transaction is over."""
    household = access.household.id
    match change:
        case AddAccount():
            accounts.put_account(conn, household, _account(change, now))
            if change.sealed is not None:
                accounts.put_secret(conn, household, change.account, change.sealed, change.key_id)
            for calendar in calendars.list_calendars(conn, household):
                if calendar.account_id == change.account:
                    arm_sync(conn, household, calendar.id, now, new_id)
        case RemoveAccount():
            for calendar in calendars.list_calendars(conn, household):
                if calendar.account_id == change.account:
                    _forget(conn, access, calendar.id)
            accounts.drop_account(conn, household, change.account)
        case MirrorCalendar():
            _mirror(conn, access, change, now)
            _chosen(conn, household, change)
            arm_sync(conn, household, change.calendar, now, new_id)
        case ForgetMirror():
            _forget(conn, access, change.calendar)
        case RequestRun():
            asker = f"{access.principal.kind}:{access.principal.id}"
            run = RunRow(change.run, change.mode, change.calendar, "asked", {}, None, now, asked_by=asker)
            runs.insert_run(conn, household, run)
            arm_sync(conn, household, change.calendar, now, new_id, full=change.mode == FULL)
        case DecideHeld():
            if _decide(conn, access, change, now):
                arm_sync(conn, household, change.calendar, now, new_id, full=True)
        case CloseConflict():
            if not conflicts.close_conflict(conn, household, change.conflict, now):
                raise Conflict("That was decided already.")
        case _:
            assert_never(change)
    return Receipt()


def _account(change: AddAccount, now: datetime) -> AccountRow:
    return AccountRow(
        id=change.account,
        member_id=change.member,
        name=change.name,
        kind=change.kind,
        url=change.url,
        username=change.username,
        options=change.options,
        state="ok",
        last_error=None,
        created_at=now,
        surveyed_at=now if change.options.get("found") else None,
    )


def _mirror(conn: Connection, access: Access, change: MirrorCalendar, now: datetime) -> None:
    household = access.household.id
    known = calendars.get_calendar(conn, household, change.calendar)
    if known is None:
        calendars.insert_calendar(conn, household, _calendar(change, now))
        return
    calendars.set_place(
        conn,
        household,
        change.calendar,
        account=change.account,
        href=Href(change.url) if change.url else None,
        writable=change.writable,
    )
    if known.account_id is None:
        sides.unpush_all(conn, household, change.calendar)


def _chosen(conn: Connection, household: HouseholdId, change: MirrorCalendar) -> None:
    """Note on the account that the calendar is no longer new, and whether those to come are mirrored too."""
    row = accounts.get_account(conn, household, AccountId(change.account))
    if row is None:
        return
    options = account_options(row.options)
    found = tuple(replace(one, new=one.new and one.url != change.url) for one in options.found)
    now = replace(options, follow=options.follow or change.follow, found=found)
    if now != options:
        accounts.set_options(conn, household, row.id, now.plain())


def _calendar(change: MirrorCalendar, now: datetime) -> CalendarRow:
    return CalendarRow(
        id=change.calendar,
        member_id=change.member,
        account_id=AccountId(change.account),
        name=change.name,
        color=change.color or None,
        offer=change.offer,
        writable=change.writable,
        href=Href(change.url) if change.url else None,
        sync_token=None,
        ctag=None,
        synced_at=None,
        listed_at=None,
        created_at=now,
    )


def _forget(conn: Connection, access: Access, calendar: CalendarId) -> None:
    disarm_sync(conn, access.household.id, calendar)
    alarms.leave(conn, access.household.id, calendar)
    calendars.drop_calendar(conn, access.household.id, calendar)


def _decide(conn: Connection, access: Access, change: DecideHeld, now: datetime) -> bool:
    """Carry a decision out, or leave that to the next sync; False where there is nothing to sync any more."""
    household = access.household.id
    rows = held.list_held(conn, household, calendar=change.calendar)
    row = next((one for one in rows if one.id == change.held), None)
    if row is None:
        raise Conflict("That was decided already, or settled by itself.")
    if row.kind == HeldKind.COLLECTION:
        _part(conn, access, row, agree=change.agree)
        return False
    if change.agree and row.kind in (HeldKind.HERE, HeldKind.THERE):
        held.move_held(
            conn,
            household,
            row.id,
            expected=held.OPEN,
            state=AGREED,
            at=now,
            by=access.person.member,
        )
        return True
    held.set_hrefs(conn, household, row.id, [], row.reason)
    _turn_back(conn, access, row, agree=change.agree, now=now)
    return True


def _part(conn: Connection, access: Access, row: HeldRow, *, agree: bool) -> None:
    """A calendar that its server no longer has is removed here too (``agree``), or lives only here now."""
    household, calendar = access.household.id, row.calendar_id
    if agree:
        _forget(conn, access, calendar)
        return
    disarm_sync(conn, household, calendar)
    for one in held.list_held(conn, household, states=(held.OPEN, AGREED), calendar=calendar):
        held.set_hrefs(conn, household, one.id, [], "")
    sides.forget_server(conn, household, calendar)
    calendars.keep_here(conn, household, calendar)


def _turn_back(conn: Connection, access: Access, row: HeldRow, *, agree: bool, now: datetime) -> None:
    """Undo what led to held work. An object that was removed on the server is sent anew; one that was deleted
    here lives again. One that the server refused is sent once more (``agree``) or gives way to what the server
    has; one that is older on the server gives way (``agree``) or is sent once more."""
    household = access.household.id
    sources = []
    for found in sides.objects_at(conn, household, row.calendar_id, row.hrefs).values():
        match HeldKind(row.kind):
            case HeldKind.HERE:
                state = sides.UNPUSHED if found.deleted_at is None else sides.CLEAN
                sides.set_base(conn, household, found.id, base=None, etag=None, push_state=state)
            case HeldKind.THERE if found.deleted_at is not None:
                state = sides.CLEAN if found.local == found.base else sides.UNPUSHED
                objects.unbury(conn, household, found.id, href=found.href, push_state=state, at=now)
                sources.append(Source(found.id, found.calendar_id, found.local))
            case HeldKind.PUSH if agree:
                sides.set_push_state(conn, household, found.id, sides.UNPUSHED)
            case HeldKind.OLDER if not agree and found.push_state == sides.HELD:
                sides.set_push_state(conn, household, found.id, sides.UNPUSHED)
            case HeldKind.OLDER if found.push_state == sides.HELD:
                sources.append(_as_there(conn, household, found, now))
            case HeldKind.PUSH if found.push_state == sides.REFUSED:
                sources.append(_as_there(conn, household, found, now))
            case _:
                continue
    if sources:
        lay_down(conn, access, sources, now)


def _as_there(conn: Connection, household: HouseholdId, found: ObjectRow, now: datetime) -> Source:
    """Give our version up for what the server has. Our bytes stay in the journal. An event that was only moved
    goes back to the calendar where the server has it."""
    if found.base is None:
        trace = sides.trace_of(conn, household, found.id)
        if trace is not None and trace.base is not None:
            back_to(conn, household, found, trace, now)
            return Source(found.id, trace.calendar_id, found.local)
        objects.bury(conn, household, found.id, expected=found.local_digest, push_state=sides.CLEAN, at=now)
        sides.set_push_state(conn, household, found.id, sides.CLEAN)
        return Source(found.id, found.calendar_id, None)
    journal.keep_bytes(conn, household, [found.local], now)
    sides.take(
        conn,
        household,
        found.id,
        uid=found.uid,
        local=found.base,
        digest=digest_bytes(found.base),
        meaning=meaning(found.base),
        etag=found.base_etag,
        at=now,
    )
    return Source(found.id, found.calendar_id, found.base)
