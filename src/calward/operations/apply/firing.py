"""What is due, done: reminders and prompts that fire, and one report of all that was missed.

It is rows alone, so it happens in the transaction that takes them: what fired is written with the deliveries
that tell of it, or not at all. What is to go on is armed anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, assert_never
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.ids import EventId, HouseholdId, MemberId, RecurrenceKey, ReminderId
from calward.model.prompt import Deliver, PromptState
from calward.model.reminder import (
    PUNCTUAL,
    Fire,
    Kind,
    Miss,
    Move,
    State,
    Void,
    fate,
)
from calward.operations.apply import alarms
from calward.operations.apply import prompts as prompt_changes
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.following import MAKER_GONE, OVER, Placed, arm, bind, place, void
from calward.operations.apply.telling import Notice, tell
from calward.operations.apply.vault import have_marked
from calward.operations.due import MISSED, PROMPT, REMINDER, WHEN_MISSED, work_row
from calward.operations.recurring import next_after
from calward.store import due as due_rows
from calward.store import prompts, reminders
from calward.store.due import Taken
from calward.store.prompts import PromptRow, PromptRunRow
from calward.store.reminders import LaidStart, ReminderRow

GATHER = timedelta(seconds=5)
"""How long after the first missed reminder the report of all is made."""
MOST_REPORTED = 200
ZONED = ("utc", "zoned")


def fire(conn: Connection, work: Sequence[Taken], epoch: str, now: datetime) -> None:
    """Do what was taken in this same transaction."""
    for household in dict.fromkeys(one.household for one in work):
        eyes = Eyes(conn, household, epoch, now)
        for kind, do in ((REMINDER, _remind), (PROMPT, _prompt), (MISSED, _report)):
            of_kind = [one for one in work if one.kind == kind and one.household == household]
            if of_kind:
                do(conn, household, of_kind, eyes, now)


def _remind(conn: Connection, household: HouseholdId, work: Sequence[Taken], eyes: Eyes, now: datetime) -> None:
    rows = reminders.get_reminders(conn, household, [ReminderId(one.target) for one in work])
    follows = {row.event_id for row in rows.values() if row.event_id is not None}
    laid = reminders.laid_starts(conn, household, list(follows)) if follows else {}
    titles = _titles(rows.values(), eyes) if follows else {}
    grace = WHEN_MISSED[REMINDER].grace
    fired, notices = [], []
    for one in work:
        row = rows.get(ReminderId(one.target))
        if row is None or row.state != State.ARMED or row.fire_at is None:
            continue
        if not eyes.lives(row.made_by_kind, row.made_by_id):
            reminders.set_all(
                conn,
                household,
                [row.id],
                expected=(State.ARMED,),
                state=State.VOID,
                reason=MAKER_GONE,
                ended_at=now,
            )
            continue
        at = _now_due(conn, household, row, eyes, laid)
        match fate(at.due if isinstance(at, Placed) else at, now, grace):
            case Void(reason):
                void(conn, household, row, reason, now)
            case Move(due):
                if isinstance(at, Placed):
                    reminders.set_all(conn, household, [row.id], expected=(State.ARMED,), **bind(at))
                arm(conn, household, row, due, now)
            case Miss():
                _missed(conn, household, row, now)
                _go_on(conn, household, row, eyes, now)
            case Fire(late):
                title = titles.get((row.member_id, row.event_id, row.key))
                body = _body(row, title, late=late)
                notices.append(Notice(one.key, row.member_id, REMINDER, row.id, body))
                if row.every:
                    _go_on(conn, household, row, eyes, now)
                else:
                    fired.append(row.id)
            case other:
                assert_never(other)
    reminders.set_all(conn, household, fired, expected=(State.ARMED,), state=State.FIRED, fired_at=now)
    tell(conn, household, notices, now)
    have_marked(conn, household, rows.values(), now)
    alarmed = {row.event_id for row in rows.values() if row.kind == Kind.ALARM and row.event_id is not None}
    if alarmed:
        alarms.lay_again(conn, household, sorted(alarmed), eyes, now)


def _now_due(
    conn: Connection,
    household: HouseholdId,
    row: ReminderRow,
    eyes: Eyes,
    laid: dict[tuple[EventId, RecurrenceKey], LaidStart],
) -> datetime | Placed | Void:
    """When a reminder is due by its event as it is now. Where the laid-down occurrence says what the reminder
    was armed for, nothing has to be read."""
    if row.fire_at is None or row.kind == Kind.MOMENT or row.event_id is None:
        return row.fire_at or Void("")
    start = laid.get((row.event_id, row.key or RecurrenceKey("")))
    if start is not None and start.kind in ZONED and start.status != "CANCELLED":
        epoch = int(row.fire_at.timestamp()) - row.offset
        if start.utc_start == epoch:
            return row.fire_at
    if row.kind == Kind.ALARM:
        return alarms.due_now(conn, household, row, eyes)
    return place(conn, household, row, eyes)


def _body(row: ReminderRow, title: str | None, *, late: bool) -> dict[str, Any]:
    body: dict[str, Any] = {"message": row.message, "late": late}
    if row.fire_at is not None:
        body["due"] = row.fire_at.isoformat()
    if title:
        body["event"] = title
    if row.made_by_kind != "person":
        body["made_by"] = row.made_by_name
    return body


def _titles(rows: Any, eyes: Eyes) -> dict[tuple[MemberId, EventId | None, RecurrenceKey | None], str]:
    """The titles of what reminders follow, as the member each is for may see them now."""
    events: dict[MemberId, set[EventId]] = {}
    for row in rows:
        if row.event_id is not None:
            events.setdefault(row.member_id, set()).add(row.event_id)
    found: dict[tuple[MemberId, EventId | None, RecurrenceKey | None], str] = {}
    for member, wanted in events.items():
        view = eyes.of_member(member)
        said = view.titles(list(wanted)) if view else {}
        for row in rows:
            if row.member_id == member and row.event_id is not None:
                key = row.key or RecurrenceKey("")
                title = said.get((row.event_id, key)) or said.get((row.event_id, RecurrenceKey("")))
                if title:
                    found[member, row.event_id, row.key] = title
    return found


def _missed(conn: Connection, household: HouseholdId, row: ReminderRow, now: datetime) -> None:
    """Too late for this one. What goes on with the next occurrence leaves one behind that tells of it."""
    if row.every:
        left = row._replace(
            id=ReminderId(f"{row.id}-{int(row.fire_at.timestamp()) if row.fire_at else 0}"),
            kind=Kind.MOMENT,
            every=False,
            state=State.MISSED,
        )
        reminders.insert_reminder(conn, household, left)
    else:
        reminders.set_all(conn, household, [row.id], expected=(State.ARMED,), state=State.MISSED)
    report = work_row(MISSED, row.member_id, now + GATHER, now)
    due_rows.arm(conn, household, report)


def _go_on(conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes, now: datetime) -> None:
    """A reminder of every occurrence goes on with the next; what was missed in between is not made up for."""
    if not row.every or row.fire_at is None:
        return
    on = row._replace(since=max(row.fire_at, now - WHEN_MISSED[REMINDER].grace))
    if row.repeat is not None:
        _repeat(conn, household, on, row.repeat, eyes.zone(row.member_id), now)
        return
    found = place(conn, household, on, eyes)
    if isinstance(found, Void):
        void(conn, household, row, found.reason, now)
        return
    values = bind(found) | {"since": on.since, "fired_at": now}
    reminders.set_all(conn, household, [row.id], expected=(State.ARMED,), **values)
    arm(conn, household, row, found.due, now)


def _repeat(
    conn: Connection, household: HouseholdId, row: ReminderRow, repeat: str, zone: ZoneInfo, now: datetime
) -> None:
    """One that repeats by a rule of its own goes on by that."""
    at = next_after(repeat, row.starts_at or row.since, zone, row.since)
    if at is None:
        void(conn, household, row, OVER, now)
        return
    values = {"fire_at": at, "since": row.since, "fired_at": now}
    reminders.set_all(conn, household, [row.id], expected=(State.ARMED,), **values)
    arm(conn, household, row, at, now)


def _report(conn: Connection, household: HouseholdId, work: Sequence[Taken], eyes: Eyes, now: datetime) -> None:
    for one in work:
        member = MemberId(one.target)
        rows = reminders.missed(conn, household, member, MOST_REPORTED)
        if not rows:
            continue
        titles = _titles(rows, eyes)
        said = [_body(row, titles.get((member, row.event_id, row.key)), late=True) for row in rows]
        idents = [row.id for row in rows]
        reminders.set_all(conn, household, idents, expected=(State.MISSED,), ended_at=now)
        tell(conn, household, [Notice(one.key, member, MISSED, member, {"missed": said})], now)


def _prompt(conn: Connection, household: HouseholdId, work: Sequence[Taken], eyes: Eyes, now: datetime) -> None:
    for one in work:
        row = prompts.get_prompt(conn, household, int(one.target))
        if row is None or row.state != PromptState.PENDING:
            continue
        if not eyes.lives(row.made_by_kind, row.made_by_id):
            cancelled = {"state": PromptState.CANCELLED, "reason": MAKER_GONE}
            prompts.edit_prompt(conn, household, row.number, **cancelled)
        elif row.fire_at > now:
            prompt_changes.arm(conn, household, row.number, row.fire_at, now)
        else:
            _fire_prompt(conn, household, one.key, row, now)


def _fire_prompt(conn: Connection, household: HouseholdId, key: str, row: PromptRow, now: datetime) -> None:
    """The prompt goes to the person or their program; no model runs here. It carries who made it, whose rights
    are the most that anything done because of it may have."""
    run = PromptRunRow(key, row.number, row.fire_at, now, PromptState.RUNNING)
    prompts.begin_run(conn, household, run)
    body = {
        "number": row.number,
        "prompt": row.prompt,
        "made_by": row.made_by_name,
        "maker": row.made_by_kind,
        "due": row.fire_at.isoformat(),
        "late": now - row.fire_at > PUNCTUAL,
    }
    deliver = Deliver(row.deliver)
    notice = Notice(key, row.member_id, PROMPT, str(row.number), body, deliver)
    ways = tell(conn, household, [notice], now).get(key, 0)
    state = PromptState.RUNNING
    if deliver is Deliver.NOTIFY:
        state = PromptState.DONE
        prompts.end_run(conn, household, key, state=state, result="Told to the person.", at=now)
    elif not ways:
        state = PromptState.FAILED
        result = "There is no webhook to send it to."
        prompts.end_run(conn, household, key, state=state, result=result, at=now)
    again = next_after(row.repeat, row.starts_at, ZoneInfo(row.zone), now) if row.repeat else None
    if again is None:
        prompts.edit_prompt(conn, household, row.number, state=state)
        return
    prompts.edit_prompt(conn, household, row.number, fire_at=again)
    prompt_changes.arm(conn, household, row.number, again, now)
