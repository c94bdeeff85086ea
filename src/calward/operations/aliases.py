"""Names that other calendar tools use for our operations, with their own fields: data, each a shape to read.

They answer when called and are not listed. UIDs go in and out only here, among the events that the caller sees.
"""

from __future__ import annotations

from calward.operations.operation import Operation
from calward.operations.reshaping import (
    Alias,
    ByUid,
    Each,
    Fixed,
    Given,
    Inside,
    Shape,
    ToldFlat,
    ToldWhether,
    Uid,
    operation_of,
)
from calward.operations.usecases.creating import calendar_create
from calward.operations.usecases.listing import calendar_availability, calendar_details, calendar_list
from calward.operations.usecases.reminders import reminder_list, reminder_set
from calward.operations.usecases.searching import calendar_search
from calward.operations.usecases.updating import calendar_delete, calendar_update

EVENT: Shape = {
    "id": "id",
    "title": "title",
    "startAt": "start",
    "endAt": "end",
    "allDay": "all_day",
    "location": "location",
    "notes": "notes",
    "attendeeUserIds": Each("attendees", "member"),
}
WRITABLE = {
    "title": "title",
    "startAt": "start",
    "endAt": "end",
    "allDay": "all_day",
    "location": "location",
    "notes": "notes",
    "attendeeUserIds": "attendees",
}
EXACT = {"scope": "scope", "request_id": "request_id"}
"""What our operation needs to be exact: which occurrences of a series, and that a retry is one."""
WINDOW = {"startDate": "from", "endDate": "to", "start": "from", "end": "to"}
TOLD = {"title": "title", "startTime": "start", "endTime": "end", "allDay": "all_day"}
TIME = {"start": "start", "end": "end", "allDay": "all_day"}
NOTED: Shape = {
    "id": "id",
    "filepath": "note",
    "due": "due",
    "calendar_event": "event.title",
    "waits_for": "waits_for",
    "offset": "offset",
    "recurring": "every_occurrence",
    "state": "state",
}

SHAPES: tuple[Alias, ...] = (
    Alias(
        "calendar.list",
        calendar_list,
        takes={"range": "range", "from": "from", "to": "to", "calendar": "calendar"},
        gives={"success": Fixed(True), "events": Each("events", EVENT)},
        fails={"success": Fixed(False), "events": Fixed([]), "error": "message"},
    ),
    Alias(
        "calendar.search",
        calendar_search,
        takes={"query": "query", "from": "from", "to": "to", "attendeeUserId": "attendee", "limit": "limit"},
        gives={"events": Each("events", EVENT), "total": "total"},
    ),
    Alias(
        "calendar.create",
        calendar_create,
        takes={**WRITABLE, "request_id": "request_id"},
        gives={"event": Inside("event", EVENT)},
    ),
    Alias(
        "calendar.update",
        calendar_update,
        takes={"eventId": "id", "patch": WRITABLE, **EXACT},
        gives={"event": Inside("event", EVENT)},
    ),
    Alias(
        "get_events_availability",
        calendar_availability,
        takes=WINDOW,
        gives={"slots": Each("busy", TIME)},
    ),
    Alias(
        "get_events_details",
        calendar_details,
        takes=WINDOW,
        gives={
            "events": Each("events", {"uid": Uid("id"), "title": "title", **TIME}),
            "userCreatedEventsRequiringApproval": "need_approval",
            "message": "message",
        },
        told=ToldFlat,
    ),
    Alias(
        "create_event",
        calendar_create,
        takes={**TOLD, "request_id": "request_id"},
        gives={"uid": Uid("event.id"), "title": "event.title", "created": Fixed(True)},
        told=ToldFlat,
    ),
    Alias(
        "update_event",
        calendar_update,
        takes={"uid": ByUid("id"), **TOLD, **EXACT},
        gives={"uid": Given("uid"), "updated": Fixed(True)},
        told=ToldFlat,
    ),
    Alias(
        "delete_event",
        calendar_delete,
        takes={"uid": ByUid("id"), **EXACT},
        gives={"uid": Given("uid"), "deleted": Fixed(True)},
        told=ToldFlat,
    ),
    Alias(
        "vault_set_reminder",
        reminder_set,
        takes={"filepath": "note", "due": "due", "calendar_event": "calendar_event", "offset": "offset"},
        needs=("filepath",),
        gives={"success": Fixed(True), "reminder": Inside("reminder", NOTED)},
        told=ToldWhether,
        fails={"success": Fixed(False), "error": "message"},
    ),
    Alias(
        "vault_list_reminders",
        reminder_list,
        takes={"state": "state"},
        gives={"success": Fixed(True), "reminders": Each("reminders", NOTED, having="note")},
        fails={"success": Fixed(False), "reminders": Fixed([]), "error": "message"},
    ),
)
ALIASES: tuple[Operation, ...] = tuple(map(operation_of, SHAPES))
