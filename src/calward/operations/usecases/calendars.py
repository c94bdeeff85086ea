"""The calendars one sees, and new ones."""

from __future__ import annotations

from pydantic import Field

from calward.errors import InvalidInput
from calward.guard.presets import PRESETS, preset_of
from calward.model.ids import CalendarId
from calward.operations.changes import AddCalendar
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Written


class NoArguments(Arguments):
    pass


class CalendarView(Answer):
    id: str
    name: str
    shows: str = Field(description="What one sees of others' events: busy, titles or details")
    shows_own: str
    rights: str = Field(description="own: everything; else the name of the preset, or custom")
    writable: bool
    local: bool
    color: str | None = None


class CalendarsView(Answer):
    zone: str
    calendars: tuple[CalendarView, ...]


@operation()
def calendars(ctx: Context, _: NoArguments) -> Draft[CalendarsView]:
    """The calendars you can see, and what you may do on each."""
    return Draft(
        CalendarsView(
            zone=ctx.zone_name,
            calendars=tuple(
                CalendarView(
                    id=seen.calendar.id,
                    name=seen.calendar.name,
                    shows=seen.sight.others.name.lower(),
                    shows_own=seen.sight.own.name.lower(),
                    rights=preset_of(seen.rights) if seen.rights else "own",
                    writable=seen.calendar.writable,
                    local=seen.calendar.account is None,
                    color=seen.calendar.color,
                )
                for seen in ctx.view.calendars()
            ),
        )
    )


class NewCalendar(Arguments):
    name: str = Field(min_length=1, max_length=200)
    offer: str = Field("none", description="The preset a new assistant gets on it")


class CalendarAdded(Written):
    id: str | None = None
    name: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def calendar_add(ctx: Context, new: NewCalendar) -> Draft[CalendarAdded]:
    """Add a calendar that lives only here."""
    if new.offer not in PRESETS:
        raise InvalidInput(f"offer: there is no preset {new.offer!r}; the presets are {', '.join(PRESETS)}.")
    if any(seen.calendar.name == new.name for seen in ctx.view.calendars()):
        raise InvalidInput(f"There is a calendar named {new.name!r} already.")
    calendar = CalendarId(ctx.new_id())
    return Draft(
        CalendarAdded(id=calendar, name=new.name),
        (AddCalendar(calendar, new.name, ctx.person.member, new.offer),),
    )
