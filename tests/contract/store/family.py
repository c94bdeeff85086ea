"""A family for the store suites: plain rows, made by name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.engine import Connection

from calward.guard.sight import Sight
from calward.model.grant import Level
from calward.model.ids import (
    ApprovalId,
    AssistantId,
    CalendarId,
    ChangeId,
    EventId,
    EventUid,
    HouseholdId,
    Href,
    MemberId,
    RecurrenceKey,
)
from calward.store.approvals import ApprovalRow
from calward.store.assistants import AssistantRow, insert_assistant
from calward.store.calendars import CalendarRow, insert_calendar, new_calendar
from calward.store.cut import Cut
from calward.store.digests import digest_of
from calward.store.indexed import ComponentIndex, OccurrenceIndex, PersonIndex, insert_index
from calward.store.journal import ChangeRow
from calward.store.objects import ObjectRow, insert_objects
from calward.store.origins import OriginRow, set_origin
from calward.store.people import HouseholdRow, MemberRow, insert_household, insert_member
from calward.store.search import normalise

HOME = HouseholdId(1)
AWAY = HouseholdId(2)
"""Another household with the same ids all over: what belongs to one must never show in the other."""
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
EPOCH = "e1"
ANN = MemberId("ann")
HELPER = AssistantId("helper")
OTHER = AssistantId("other")
FAMILY = CalendarId("family")
WORK = CalendarId("work")
SHARED = CalendarId("shared")


def settle_in(connection: Connection, home: HouseholdId) -> None:
    """Add one household: a member, two assistants, three calendars."""
    insert_household(connection, HouseholdRow(home, "The Larks", "Europe/Berlin", EPOCH, NOON))
    ann = MemberRow(ANN, "Ann", "owner", None, ["annie"], ["ann@example.com"], None, NOON)
    insert_member(connection, home, ann)
    for assistant in (HELPER, OTHER):
        insert_assistant(connection, home, AssistantRow(assistant, ANN, assistant, NOON))
    for calendar in (FAMILY, WORK, SHARED):
        insert_calendar(connection, home, a_calendar(calendar))


def a_calendar(calendar: CalendarId) -> CalendarRow:
    return new_calendar(calendar, member=ANN, name=calendar.title(), offer="default", at=NOON)


def an_object(event: str, calendar: CalendarId = FAMILY, data: bytes = b"BEGIN:VCALENDAR\r\n") -> ObjectRow:
    return ObjectRow(
        id=EventId(event),
        calendar_id=calendar,
        uid=EventUid(f"{event}@example.com"),
        href=Href(f"{event}.ics"),
        local_digest=digest_of(data),
        meaning="m1",
        base_etag=None,
        push_state="new",
        upload_id=None,
        created_at=NOON,
        updated_at=NOON,
        deleted_at=None,
        local=data,
        base=None,
    )


def a_change(change: str, batch: str | None = None, **fields: object) -> ChangeRow:
    values: dict[str, object] = {
        "id": ChangeId(change),
        "batch": ChangeId(batch or change),
        "at": NOON,
        "principal_kind": "assistant",
        "principal_id": HELPER,
        "principal_name": "Helper",
        "operation": "calendar_update",
        "kind": "edit",
        "event_id": EventId("dinner"),
        "calendar_id": FAMILY,
        "before_digest": None,
        "after_digest": None,
        "facts": {"lines": 2},
    }
    return ChangeRow(**(values | fields))  # type: ignore[arg-type]


def an_approval(approval: str, **fields: object) -> ApprovalRow:
    values: dict[str, object] = {
        "id": ApprovalId(approval),
        "state": "pending",
        "operation": "calendar_delete",
        "asked_by_kind": "assistant",
        "asked_by_id": HELPER,
        "asked_by_name": "Helper",
        "member_id": ANN,
        "risk": 3,
        "reasons": ["deletes"],
        "preview": {"title": "Dinner"},
        "changes": [{"kind": "DeleteObject", "event": "dinner"}],
        "digest": f"digest of {approval}",
        "sameness": f"sameness of {approval}",
        "epoch": EPOCH,
        "made_at": NOON,
        "expires_at": NOON.replace(day=9),
    }
    return ApprovalRow(**(values | fields))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Happening:
    """One event to be found: an object, a component, an occurrence unless ``lasting`` is None."""

    id: str
    calendar: CalendarId = FAMILY
    title: str = "Dinner"
    notes: str = ""
    location: str = ""
    people: str = ""
    start: int = 0
    lasting: int | None = 3600
    maker: AssistantId | None = None
    reach: Level = Level.DETAILS
    member: MemberId | None = None
    key: str = ""
    recurs: bool = False
    first_start: int | None = None
    last_end: int | None = None


def put(connection: Connection, home: HouseholdId, *happenings: Happening) -> None:
    """Write events into the tables they are read from."""
    insert_objects(connection, home, [an_object(each.id, each.calendar) for each in happenings])
    insert_index(connection, home, [_index(each) for each in happenings])
    for each in happenings:
        if each.maker is not None:
            set_origin(connection, home, OriginRow(EventId(each.id), each.maker, {}, each.reach, NOON))


def a_cut(
    *levels: tuple[CalendarId, Level, Level],
    assistant: AssistantId | None = HELPER,
    at: datetime = NOON,
    epoch: str = EPOCH,
) -> Cut:
    """Levels as (calendar, own, others)."""
    return Cut(tuple(Sight(*level) for level in levels), at, epoch, assistant)


def _index(each: Happening) -> ComponentIndex:
    texts = (each.title, each.notes, each.location, each.people)
    occurrence = (
        ()
        if each.lasting is None
        else (
            OccurrenceIndex(
                key=RecurrenceKey(each.key),
                kind="utc",
                wall_start="2026-03-02T10:00:00",
                wall_end="2026-03-02T11:00:00",
                tzid=None,
                utc_start=each.start,
                utc_end=each.start + each.lasting,
                tzdata="2026a",
            ),
        )
    )
    person = PersonIndex(each.member, "mailto:ann@example.com", "Ann", "REQ-PARTICIPANT", "ACCEPTED", False)
    return ComponentIndex(
        event_id=EventId(each.id),
        calendar_id=each.calendar,
        kind="VEVENT",
        key=RecurrenceKey(""),
        summary=each.title,
        location=each.location,
        description=each.notes,
        status="CONFIRMED",
        transparent=False,
        recurs=each.recurs,
        rrule="FREQ=WEEKLY" if each.recurs else "",
        organizer="mailto:ann@example.com",
        url="https://example.com/menu",
        first_start=each.start if each.first_start is None else each.first_start,
        last_end=each.last_end,
        flags=[],
        text=(normalise(texts[0]), normalise(texts[1]), normalise(texts[2]), normalise(texts[3])),
        people=(person,) if each.member else (),
        occurrences=occurrence,
    )
