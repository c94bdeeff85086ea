"""A family for the store suites: plain rows, made by name."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy.engine import Connection

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
)
from calward.store.approvals_rows import ApprovalRow
from calward.store.assistants import AssistantRow, insert_assistant
from calward.store.calendars import CalendarRow, insert_calendar
from calward.store.digests import digest_of
from calward.store.journal import ChangeRow
from calward.store.objects import ObjectRow
from calward.store.people import HouseholdRow, MemberRow, insert_household, insert_member

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
    return CalendarRow(
        id=calendar,
        member_id=ANN,
        account_id=None,
        name=calendar.title(),
        color=None,
        offer="default",
        writable=True,
        href=None,
        sync_token=None,
        ctag=None,
        synced_at=None,
        listed_at=None,
        created_at=NOON,
    )


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
        "epoch": EPOCH,
        "made_at": NOON,
        "expires_at": NOON.replace(day=9),
    }
    return ApprovalRow(**(values | fields))  # type: ignore[arg-type]
