"""The calendars one sees, and new ones."""

from __future__ import annotations

from pydantic import Field

from calward.errors import InvalidInput, NotAllowed
from calward.guard.presets import PRESETS, preset_of
from calward.model.calendar import Calendar
from calward.model.ids import CalendarId
from calward.model.principal import Person
from calward.operations.changes import AddCalendar, SetAlarms
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
    alarms: bool | None = Field(None, description="The alarms of its events are reminders; told to its owner")


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
                    alarms=seen.calendar.alarms if _is_asked_by_owner(ctx, seen.calendar) else None,
                )
                for seen in ctx.view.calendars.seen()
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
    if any(seen.calendar.name == new.name for seen in ctx.view.calendars.seen()):
        raise InvalidInput(f"There is a calendar named {new.name!r} already.")
    calendar = CalendarId(ctx.new_id())
    return Draft(
        CalendarAdded(id=calendar, name=new.name),
        (AddCalendar(calendar, new.name, ctx.person.member, new.offer),),
    )


class Alarms(Arguments):
    calendar: str = Field(description="Name or id of a calendar of one's own")
    on: bool


class AlarmsSet(Written):
    calendar: str | None = None
    on: bool | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def calendar_alarms(ctx: Context, asked: Alarms) -> Draft[AlarmsSet]:
    """Have the alarms of a calendar's events be reminders of yours, or not. Nothing in the events changes."""
    calendar = ctx.view.calendars.named(asked.calendar)
    if not _is_asked_by_owner(ctx, calendar):
        raise NotAllowed(f"{calendar.name!r} is another member's; only they choose what they are reminded of.")
    return Draft(AlarmsSet(calendar=calendar.name, on=asked.on), (SetAlarms(calendar.id, asked.on),))


def _is_asked_by_owner(ctx: Context, calendar: Calendar) -> bool:
    return isinstance(ctx.principal, Person) and calendar.member == ctx.person.member
