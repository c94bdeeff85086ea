"""Finding events by what they say and who is on them."""

from __future__ import annotations

from pydantic import Field

from calward.operations.answers import EventView, Window
from calward.operations.context import Context
from calward.operations.operation import Draft, operation
from calward.operations.shapes import Answer, Arguments
from calward.operations.spans import open_span


class Search(Arguments):
    query: str = Field(
        "", max_length=500, description="Words; all must occur. Empty with attendee: all of theirs"
    )
    from_: str | None = Field(None, alias="from", description="ISO 8601 or words")
    to: str | None = None
    attendee: str | None = Field(None, description="Member id or name, or e-mail address")
    calendar: str | None = None
    limit: int = Field(20, ge=1, le=100)


class Found(Answer):
    """``total`` counts all that match; ``events`` holds the first ``limit`` of them, by start."""

    window: Window | None = None
    events: tuple[EventView, ...]
    total: int


@operation()
def calendar_search(ctx: Context, search: Search) -> Draft[Found]:
    """Events by text in title, notes, location or people; each series once, unless a window is given."""
    span = None
    if search.from_ is not None or search.to is not None:
        span = open_span(ctx, search.from_, search.to)
    seen, total = ctx.view.search(
        search.query, span, attendee=search.attendee, calendar=search.calendar, limit=search.limit
    )
    presenter = ctx.view.presenter
    return Draft(
        Found(
            window=presenter.window(span) if span else None,
            events=presenter.events(seen),
            total=total,
        )
    )
