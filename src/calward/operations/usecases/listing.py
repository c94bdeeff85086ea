"""What is on in a stretch of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from calward.errors import TooMuch
from calward.model.grant import Level
from calward.model.ids import AssistantId
from calward.model.principal import Assistant
from calward.operations.answers import Details, Listed, Slot, Window
from calward.operations.changes import GrantRead
from calward.operations.context import Context
from calward.operations.operation import Draft, operation
from calward.operations.seen import Seen
from calward.operations.shapes import Answer, Arguments, Receipt
from calward.operations.spans import Range, asked_span

MOST = 1000
"""Events in one answer; more is an error that says how to narrow, never a silent cut."""
SHOWN_MINUTES = 60
"""How long an approved look at others' events lasts."""


class AskedWindow(Arguments):
    range: Range | None = Field(None, description="Default today; from/to alone mean custom")
    from_: str | None = Field(None, alias="from", description="ISO 8601 or words: 2026-03-02, next monday 3pm")
    to: str | None = Field(None, description="A date includes that day")
    calendar: str | None = Field(None, description="Name or id; default all")


@operation()
def calendar_list(ctx: Context, asked: AskedWindow) -> Draft[Listed]:
    """Events of today, tomorrow, this week (now to Sunday) or a custom window, in order of start."""
    span = asked_span(ctx, asked.range, asked.from_, asked.to)
    seen = ctx.view.overlapping(span, calendar=asked.calendar, most=MOST + 1)
    _not_too_many(len(seen.rows))
    shown = [one for one in seen.rows if one.level >= Level.TITLES or _takes_time(one)]
    return Draft(
        Listed(
            window=ctx.view.presenter.window(span),
            events=ctx.view.presenter.events(shown),
            flags=seen.flags or None,
        )
    )


class AskedTime(Arguments):
    from_: str = Field(alias="from", description="ISO 8601 or words")
    to: str
    calendar: str | None = None


class Availability(Answer):
    window: Window
    busy: tuple[Slot, ...]


@operation()
def calendar_availability(ctx: Context, asked: AskedTime) -> Draft[Availability]:
    """When time is taken in a window: start, end, all-day; no titles. Free and cancelled ones are left out."""
    span = asked_span(ctx, Range.CUSTOM, asked.from_, asked.to)
    seen = ctx.view.overlapping(span, calendar=asked.calendar, most=MOST + 1)
    taken = list(filter(_takes_time, seen.rows))
    _not_too_many(len(seen.rows))
    presenter = ctx.view.presenter
    return Draft(Availability(window=presenter.window(span), busy=tuple(map(presenter.slot, taken))))


@operation()
def calendar_details(ctx: Context, asked: AskedTime) -> Draft[Details]:
    """Full details of events in a window. Your own come at once; for others' a person is asked, and what they
    agree to show is in the answer of the next call, for an hour."""
    span = asked_span(ctx, Range.CUSTOM, asked.from_, asked.to)
    seen = ctx.view.overlapping(span, calendar=asked.calendar, most=MOST + 1).rows
    _not_too_many(len(seen))
    opened = ctx.view.opened
    shown = ctx.view.presenter.events(
        [one for one in seen if one.level >= Level.DETAILS or one.event in opened]
    )
    window = ctx.view.presenter.window(span)
    hidden = [
        one
        for one in seen
        if one.level < Level.DETAILS
        and one.event not in opened
        and ctx.view.calendars.may_ask_for(one.calendar.id)
    ]
    if not hidden or not isinstance(ctx.principal, Assistant):
        return Draft(Details(window=window, events=shown))

    def answer(receipts: tuple[Receipt, ...]) -> Details:
        if receipts:
            return Details(window=window, events=shown, message=_open_now(len(hidden)))
        return Details(window=window, events=shown, need_approval=len(hidden), message=_needed(len(hidden)))

    return Draft(answer, tuple(_permits(ctx, ctx.principal.assistant, hidden)))


def _takes_time(seen: Seen) -> bool:
    """Whether it makes its time busy (RFC 5545 §3.8.2.7)."""
    return not seen.transparent and seen.status != "CANCELLED"


def _permits(ctx: Context, assistant: AssistantId, hidden: Sequence[Seen]) -> Iterator[GrantRead]:
    """One for each calendar, since each says for itself what is asked first, and how much a look shows."""
    for calendar in dict.fromkeys(one.calendar.id for one in hidden):
        events = dict.fromkeys(one.event for one in hidden if one.calendar.id == calendar)
        yield GrantRead(assistant, calendar, tuple(events), ctx.view.calendars.look(calendar), SHOWN_MINUTES)


def _needed(count: int) -> str:
    return f"{count} event{'s need' if count > 1 else ' needs'} approval to view."


def _open_now(count: int) -> str:
    return f"{count} more event{'s are' if count > 1 else ' is'} open to you now; ask again to view them."


def _not_too_many(count: int) -> None:
    if count > MOST:
        raise TooMuch(f"More than {MOST} events in that window; ask for a shorter one, or for one calendar.")
