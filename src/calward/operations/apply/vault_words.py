"""A note's word taken: what its block says becomes a reminder, and nothing else makes one of a note.

The file is the truth, so writing a note and finding it changed end here. What a block asks for is remembered
beside the note: as long as it asks for the same, its reminder stays what it is, fired or not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.errors import CalwardError, InvalidInput, NotFound
from calward.model.ids import EventUid, HouseholdId, MemberId, RecurrenceKey, ReminderId, is_event_id
from calward.model.note import Block, name_of
from calward.model.principal import Principal
from calward.model.reminder import LIVE, Kind, State, Void, due_moment, first_hour
from calward.model.time import CalTime
from calward.notes.editing import read_block
from calward.notes.vault import Head
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.following import arm, bind, place
from calward.operations.apply.telling import Notice, tell
from calward.operations.due import REMINDER
from calward.operations.recurring import checked, next_after
from calward.operations.seen import Seen
from calward.operations.show import plain
from calward.operations.view.anchors import named_by
from calward.operations.view.events import View
from calward.operations.view.found import load
from calward.store import due as due_rows
from calward.store import notes, reminders
from calward.store.columns import Instant
from calward.store.notes import NoteRow
from calward.store.reminders import ReminderRow

MOST_LIVE = 2000
"""Reminders in one vault that are to come."""
OTHER_WORD = "Its note says something else now."
NO_WORD = "Its note says nothing of it any more."
NO_NOTE = "Its note was removed."
DONE_THERE = "Its note says that it was sent."


@dataclass(slots=True)
class Words:
    """Takes the words of one member's notes, in one transaction. ``maker`` is who wrote them: the member, where
    nobody else is known to have. ``live`` counts the reminders in notes, once it is asked for."""

    conn: Connection
    household: HouseholdId
    maker: Principal
    eyes: Eyes
    now: datetime
    new_id: Callable[[], str]
    live: int | None = None

    @property
    def member(self) -> MemberId:
        return self.maker.member

    @property
    def zone(self) -> ZoneInfo:
        return self.eyes.zone(self.member)

    def gone(self, known: NoteRow) -> None:
        """There is no such note any more; of a reminder that was to come its member is told once."""
        if known.reminder_id is not None:
            self._end(known.reminder_id, State.CANCELLED, NO_NOTE, told=True)
        notes.drop_notes(self.conn, self.household, self.member, [known.path])

    def renamed(self, known: NoteRow, path: str, head: Head) -> NoteRow:
        """The same note has another path; the row that is to be written down."""
        notes.drop_notes(self.conn, self.household, self.member, [known.path])
        if known.reminder_id is not None:
            values = {"note": path, "message": _message(path)}
            every = tuple(State)
            reminders.set_all(self.conn, self.household, [known.reminder_id], expected=every, **values)
        return replace(known, path=path, mtime=head.stamp.mtime, size=head.stamp.size)

    def take(self, path: str, head: Head, known: NoteRow | None) -> NoteRow:
        """Take what a note says now; the row that is to be written down. ``known`` is what it said when it was
        last read."""
        seen = NoteRow(self.member, path, head.stamp.mtime, head.stamp.size, head.digest)
        try:
            block = read_block(head.data)
        except CalwardError as error:
            if known is None:
                return replace(seen, problem=error.message)
            # What it said last holds until it can be read again.
            last = replace(known, mtime=seen.mtime, size=seen.size, digest=seen.digest)
            return replace(last, problem=error.message)
        before = known.reminder_id if known else None
        if block is None:
            if before is not None:
                self._end(before, State.CANCELLED, NO_WORD, told=True)
            return seen
        same = known is not None and known.word == block.word
        again = known is not None and same and known.sent and not block.sent
        if before is not None:
            end = State.DONE if block.sent else State.CANCELLED
            if block.sent or not same:
                self._end(before, end, DONE_THERE if block.sent else OTHER_WORD)
        seen = replace(seen, word=block.word, sent=block.sent, reminder_id=before if same else None)
        if block.sent or (before is not None and same and not again):
            return seen
        return self._set(seen, block, again=again)

    def _set(self, seen: NoteRow, block: Block, *, again: bool) -> NoteRow:
        """A reminder of what a block asks for. Where it asks ``again``, after it was sent, only what is still
        to come is one."""
        if self.live is None:
            self.live = len(notes.live_in_notes(self.conn, self.household, self.member))
        try:
            if self.live >= MOST_LIVE:
                raise InvalidInput(f"{MOST_LIVE} reminders in notes are still to come; no more are followed.")
            row = self._row(ReminderId(self.new_id()), seen.path, block)
        except CalwardError as error:
            return replace(seen, word=None, problem=error.message)
        if again and row.fire_at is not None and row.fire_at <= self.now:
            return seen
        reminders.insert_reminder(self.conn, self.household, row)
        if row.fire_at is not None:
            arm(self.conn, self.household, row, row.fire_at, self.now)
        self.live += 1
        return replace(seen, reminder_id=row.id)

    def _row(self, ident: ReminderId, path: str, block: Block) -> ReminderRow:
        row = ReminderRow(
            id=ident,
            member_id=self.member,
            made_by_kind=self.maker.kind,
            made_by_id=self.maker.id,
            made_by_name=self.maker.name,
            kind=Kind.MOMENT,
            state=State.ARMED,
            message=_message(path),
            wanted=None,
            event_id=None,
            uid=None,
            key=RecurrenceKey(""),
            starts_at=None,
            offset=0,
            every=block.recurring,
            since=self.now,
            fire_at=None,
            made_at=self.now,
            note=path,
        )
        if block.due is not None:
            return self._repeating(row, block.due) if block.recurring else self._at_moment(row, block.due)
        if block.calendar_event is None:
            raise InvalidInput("reminder: it says neither due nor calendar_event.")
        return self._at_event(row._replace(offset=block.offset), block.calendar_event)

    def _at_moment(self, row: ReminderRow, due: str) -> ReminderRow:
        return row._replace(fire_at=moment_of(due, self.zone))

    def _repeating(self, row: ReminderRow, rule: str) -> ReminderRow:
        """A rule without a time of day means nine in the morning."""
        first = first_hour(self.now, self.zone)
        try:
            repeat = checked(rule, first, self.zone)
        except InvalidInput as error:
            raise InvalidInput(error.message.replace("repeat:", "due, which recurs:", 1)) from None
        at = next_after(repeat, first, self.zone, self.now)
        if at is None:
            raise InvalidInput("due: that never comes again.")
        return row._replace(fire_at=at, starts_at=first, repeat=repeat)

    def _at_event(self, row: ReminderRow, wanted: str) -> ReminderRow:
        """The next event of that title, as whoever wrote the note sees it; or the one of that id. Without one
        it waits."""
        view = self.eyes.view(self.maker.kind, self.maker.id)
        seen = self._meant(view, wanted, row) if view is not None else None
        kind = Kind.EVENT if seen is not None and wanted.startswith(seen.event) else Kind.TITLE
        asked = wanted if kind is Kind.TITLE else None
        waiting = row._replace(kind=kind, state=State.WAITING, wanted=asked)
        if view is None or seen is None:
            return waiting
        bound = waiting._replace(
            event_id=seen.event,
            uid=self._uid(seen),
            key=seen.key,
            starts_at=view.original_start(seen),
            every=row.every and seen.recurs,
        )
        found = place(self.conn, self.household, bound, self.eyes)
        return waiting if isinstance(found, Void) else bound._replace(**bind(found))

    def _meant(self, view: View, wanted: str, row: ReminderRow) -> Seen | None:
        if is_event_id(wanted):
            with suppress(NotFound):
                return view.find(wanted)
        found = named_by(view, wanted, self.now)
        offset = timedelta(seconds=row.offset)
        ahead = (one for one in found if due_moment(one.start, offset, self.zone) > self.now)
        return next(ahead, found[0] if found else None)

    def _uid(self, seen: Seen) -> EventUid | None:
        stored = load(self.conn, self.household, seen.event)
        return stored.uid if stored else None

    def _end(self, ident: ReminderId, state: State, reason: str, *, told: bool = False) -> None:
        """End a reminder that is still to come; one that is over is left as it is."""
        row = reminders.get_reminders(self.conn, self.household, [ident]).get(ident)
        if row is None or row.state not in LIVE:
            return
        values = {"state": state, "reason": reason, "ended_at": self.now}
        reminders.set_all(self.conn, self.household, [ident], expected=LIVE, **values)
        due_rows.disarm(self.conn, self.household, REMINDER, ident)
        self.live = None
        if told:
            body = {"message": row.message, "reason": reason}
            key = f"{REMINDER}-{ident}:void@{Instant.stored(self.now)}"
            notice = Notice(key, row.member_id, "void", ident, body)
            tell(self.conn, self.household, [notice], self.now)


def moment_of(due: str, zone: ZoneInfo) -> datetime:
    """A moment in ISO 8601; without an offset it is on the member's wall clock, and a day is nine o'clock."""
    try:
        found = datetime.fromisoformat(due)
    except ValueError:
        raise InvalidInput("due: write ISO 8601, as 2026-03-02T15:00:00+01:00.") from None
    if found.tzinfo is not None:
        return found
    if len(due) <= len("2026-03-02"):
        return first_hour(found.replace(tzinfo=zone), zone)
    return CalTime.of_zone(found, zone, zone.key).instant(zone)


def _message(path: str) -> str:
    return plain(name_of(path))
