"""From what is seen to what is shown: no field above the level, every moment with weekday, offset and zone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from calward.guard.trust import Trust, trust
from calward.language.describe import describe
from calward.model.grant import Level
from calward.model.ids import AssistantId
from calward.model.time import CalTime, Span
from calward.operations.answers import (
    EventView,
    FlagView,
    PersonView,
    RecurrenceView,
    Slot,
    Window,
)
from calward.operations.local_clock import LocalClock
from calward.operations.seen import Seen, SeenPerson
from calward.recurrence.rule import RuleError, parse_rule

BUSY_TITLE = "Busy"
UNTITLED = "(no title)"
TrustWord = Literal["own", "known", "external"]
WITHHELD = "(withheld)"
LOCKED_DOWN = FlagView(
    code="withheld",
    detail="A person keeps text from outside the household from assistants for now; they can read it.",
)


class Presenter:
    """Shows events to one caller, in one zone. ``assistants`` maps ids to names, ``known`` holds the
    household's addresses in lower case. ``locked_down`` keeps strangers' names back."""

    def __init__(
        self,
        zone: ZoneInfo,
        assistants: Mapping[AssistantId, str],
        known: frozenset[str],
        *,
        locked_down: bool = False,
    ) -> None:
        self._locked_down = locked_down
        self._zone = zone
        self._clock = LocalClock(zone)
        self._assistants = assistants
        self._known = known
        self._moments: dict[datetime, str] = {}
        self._trusted: dict[tuple[str, bool], TrustWord] = {}

    def events(self, seen: Iterable[Seen]) -> tuple[EventView, ...]:
        return tuple(map(self.event, seen))

    def event(self, seen: Seen) -> EventView:
        """One event, with no field that its level does not show."""
        start, end, weekday = self._times(seen)
        view = EventView(
            title=BUSY_TITLE,
            start=start,
            end=end,
            all_day=seen.all_day,
            weekday=weekday,
            zone=self._zone.key,
            calendar=seen.calendar.name,
        )
        if seen.level < Level.TITLES:
            return view
        view.id = seen.id
        view.recurrence_id = seen.key or None
        view.origin = "own" if seen.own else "other"
        if seen.withheld:
            view.title, view.trust, view.flags = WITHHELD, Trust.EXTERNAL.value, (LOCKED_DOWN,)
            return view
        view.title = seen.summary or UNTITLED
        view.trust = self._trust(seen.organizer, seen.alone)
        if seen.rrule:
            view.recurrence = _recurrence(seen)
        if seen.flags:
            view.flags = tuple(map(_flag, seen.flags))
        if seen.level >= Level.DETAILS:
            view.location = seen.location or None
            view.notes = seen.description or None
            view.url = seen.url or None
            view.status = seen.status.lower() or None
            view.attendees = tuple(map(self._person, seen.people)) if seen.people else None
            view.created_by = self._creator(seen)
            view.created_at = self.moment(seen.created_at)
            view.updated_at = self.moment(seen.updated_at)
            view.deleted_at = self.moment(seen.deleted_at) if seen.deleted_at else None
        return view

    def slot(self, seen: Seen) -> Slot:
        start, end, _ = self._times(seen)
        return Slot.model_construct(start=start, end=end, all_day=seen.all_day)

    def window(self, span: Span) -> Window:
        return Window(
            start=self.moment(span.start),
            end=self.moment(span.end),
            zone=self._zone.key,
        )

    def moment(self, moment: datetime) -> str:
        """An instant in the caller's zone, ISO 8601 with offset. Events of one import share theirs, so it is
        remembered."""
        if (said := self._moments.get(moment)) is None:
            said = self._moments[moment] = moment.astimezone(self._zone).isoformat(timespec="seconds")
        return said

    def _times(self, seen: Seen) -> tuple[str, str, str]:
        if seen.utc is not None:
            weekday, start = self._clock.at(seen.utc[0])
            return start, self._clock.at(seen.utc[1])[1], _WEEKDAYS[weekday]
        if seen.start.is_date:
            day = seen.start.wall.date()
            return day.isoformat(), seen.end.wall.date().isoformat(), weekday_name(day)
        first, last = (time.instant(self._zone).astimezone(self._zone) for time in (seen.start, seen.end))
        return first.isoformat(), last.isoformat(), _WEEKDAYS[first.weekday()]

    def _trust(self, organizer: str, alone: bool) -> TrustWord:
        """``trust`` as a word, remembered: a list has few organizers."""
        if (organizer, alone) not in self._trusted:
            found = trust(alone=alone, organizer=organizer, household=self._known)
            self._trusted[organizer, alone] = found.value
        return self._trusted[organizer, alone]

    def trust(self, seen: Seen) -> Trust:
        """Whose words the event holds."""
        return trust(alone=seen.alone, organizer=seen.organizer, household=self._known)

    def _person(self, person: SeenPerson) -> PersonView:
        """Somebody on an event; the name that a stranger is called by is a stranger's text too."""
        named = not self._locked_down or person.member is not None
        return PersonView(
            name=person.name if named else "",
            email=person.email,
            partstat=person.partstat.lower(),
            member=person.member,
            organizer=True if person.organizer else None,
        )

    def _creator(self, seen: Seen) -> str:
        if seen.maker is not None:
            return self._assistants.get(seen.maker, "an assistant")
        return seen.organizer.removeprefix("mailto:") or "person"


def weekday_name(day: date) -> str:
    return _WEEKDAYS[day.weekday()]


def span_words(start: CalTime, end: CalTime, zone: ZoneInfo) -> str:
    """When something is, for a person: ``Tue 3 Mar 2026 10:00–10:30``; an all-day event by its days."""
    if start.is_date:
        last = end.wall.date() - timedelta(days=1)
        first = start.wall.date()
        words = _day(first) if last <= first else f"{_day(first)} – {_day(last)}"
        return f"{words}, all day"
    begins, ends = (time.instant(zone).astimezone(zone) for time in (start, end))
    if begins.date() == ends.date():
        return f"{_day(begins.date())} {begins:%H:%M}–{ends:%H:%M}"
    return f"{_day(begins.date())} {begins:%H:%M} – {_day(ends.date())} {ends:%H:%M}"


def moment_words(time: CalTime, zone: ZoneInfo) -> str:
    """One moment for a person: ``Tue 3 Mar 2026 10:00``, or the day."""
    if time.is_date:
        return _day(time.wall.date())
    local = time.instant(zone).astimezone(zone)
    return f"{_day(local.date())} {local:%H:%M}"


def rule_words(rule: str, start: CalTime) -> str:
    """A recurrence rule for a person; one that cannot be read is only said to be one."""
    try:
        return describe(parse_rule(rule), start)
    except RuleError:
        return "by a rule that cannot be read"


def plain(text: str) -> str:
    """Text from an event made safe for a terminal or a preview: one line, no control or direction marks."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return "".join(map(_visible, text)).strip()


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _day(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()][:3]} {day.day} {day:%b} {day.year}"


def _visible(char: str) -> str:
    """The character itself, a space in place of a line break, nothing in place of what cannot be seen. Joiners
    stay: Persian and joined emoji are written with them (Unicode 17 §23.2)."""
    if char in "\r\n\t":
        return " "
    match unicodedata.category(char):
        case "Zl" | "Zp":
            return " "
        case "Cc" | "Cs":
            return ""
        case "Cf":
            return char if char in "\u200c\u200d" else ""
        case _:
            return char


def _recurrence(seen: Seen) -> RecurrenceView:
    """Remembered, since a list repeats few rules; the start's time of day matters only to some of them."""
    if _is_timed(seen.rrule):
        return _recurrence_at(seen.rrule, seen.start)
    return _recurrence_on(seen.rrule, seen.times.day)


@lru_cache(maxsize=1024)
def _is_timed(rule: str) -> bool:
    return any(part in rule.upper() for part in ("UNTIL", "HOUR", "MINUTE", "SECOND"))


@lru_cache(maxsize=4096)
def _recurrence_on(rule: str, day: date) -> RecurrenceView:
    return _recurrence_at(rule, CalTime.of_date(day))


@lru_cache(maxsize=4096)
def _recurrence_at(rule: str, start: CalTime) -> RecurrenceView:
    return RecurrenceView(text=rule_words(rule, start), rule=rule)


def _flag(flag: Mapping[str, str]) -> FlagView:
    return FlagView(code=flag["code"], detail=flag["detail"])
