"""Names that other calendar tools use for our operations, with their own fields: data, each a shape to read.

They answer when called and are not listed. UIDs go in and out only here, among the events that the caller sees.
What our operation needs to be exact (the scope of a change to a series, a request id) may be given as well.
"""

from __future__ import annotations

from calward.operations.operation import Operation
from calward.operations.reshaping import Alias, Each, Fixed, Inside, Shape, ToldFlat, Uid, operation_of
from calward.operations.usecases.creating import calendar_create
from calward.operations.usecases.listing import calendar_availability, calendar_details, calendar_list
from calward.operations.usecases.searching import calendar_search

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
WINDOW = {"startDate": "from", "endDate": "to", "start": "from", "end": "to"}
TIME = {"start": "start", "end": "end", "allDay": "all_day"}

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
        takes={
            "title": "title",
            "startTime": "start",
            "endTime": "end",
            "allDay": "all_day",
            "request_id": "request_id",
        },
        gives={"uid": Uid("event.id"), "title": "event.title", "created": Fixed(True)},
        told=ToldFlat,
    ),
)
ALIASES: tuple[Operation, ...] = tuple(map(operation_of, SHAPES))
