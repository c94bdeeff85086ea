"""Events as lines: an agenda by days, and one line for an event by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

from calward.faces.cli.paper import BLANK, Cell, Line, line
from calward.faces.cli.rendering.days import (
    ALL_DAY,
    clock_words,
    day_words,
    days_of,
    days_of_window,
    days_words,
    each_day,
    when_words,
)

if TYPE_CHECKING:
    from calward.operations.answers import EventView, Listed, PersonView
    from calward.operations.usecases.searching import Found

CLOCK_WIDTH = len("10:00–10:30")
NOTABLE = ("tentative", "cancelled")


def agenda(listed: Listed, *, full: bool = False) -> Iterator[Line]:
    """The days of a window with their events; one that lasts is told on each of its days."""
    first, last = days_of_window(listed.window)
    if not listed.events:
        yield line(
            f"Nothing on {day_words(first)}." if first == last else f"Nothing on {days_words(first, last)}."
        )
    else:
        yield line(f"{days_words(first, last)}, {listed.window.zone}")
        for day, events in sorted(_by_day(listed.events, first, last).items()):
            if first != last:
                yield BLANK
                yield line(Cell(day_words(day), "bold"))
            yield from _day(events, day, full=full)
    for flag in listed.flags or ():
        yield line(Cell(f"Not complete: {flag.detail}", "yellow"))


def _by_day(events: Iterable[EventView], first: date, last: date) -> dict[date, list[EventView]]:
    """The days of a window that hold something, each with its events by start."""
    days: dict[date, list[EventView]] = defaultdict(list)
    for event in events:
        begins, ends = days_of(event)
        for day in each_day(max(first, begins), min(last, ends)):
            days[day].append(event)
    return days


def _day(events: Iterable[EventView], day: date, *, full: bool) -> Iterator[Line]:
    """The events of a day, those of the whole day first."""
    timed = [(clock_words(event, day), event) for event in events]
    for clock, event in sorted(timed, key=lambda one: one[0] != ALL_DAY):
        yield line(Cell(clock, "cyan", CLOCK_WIDTH), *_cells(event, _part(event, day)), indent=1)
        yield from _more(event, full=full)


def found(answer: Found, *, full: bool = False) -> Iterator[Line]:
    """What a search found, and how much there is beyond it."""
    if not answer.events:
        yield line("Nothing found.")
    for event in answer.events:
        yield from alone(event, full=full)
    if answer.total > len(answer.events):
        yield BLANK
        yield line(f"{len(answer.events)} of {answer.total}; --limit shows more, --from and --to narrow it.")


def alone(event: EventView, *, full: bool = False) -> Iterator[Line]:
    """An event by itself, with its date."""
    yield line(Cell(when_words(event), "cyan"), *_cells(event))
    yield from _more(event, full=full)


def _cells(event: EventView, part: str = "") -> tuple[Cell, ...]:
    status = event.status if event.status in NOTABLE else ""
    return (
        Cell(event.title, "bold" if not status else "dim"),
        Cell(part),
        Cell(f"[{status}]" if status else "", "yellow"),
        Cell(f"({event.calendar})", "green"),
        Cell(event.id or "", "dim"),
    )


def _part(event: EventView, day: date) -> str:
    """Which day of a longer event this is."""
    first, last = days_of(event)
    return (
        f"day {(day - first).days + 1} of {(last - first).days + 1}" if first != last and event.all_day else ""
    )


def _more(event: EventView, *, full: bool) -> Iterator[Line]:
    texts = [f"at {event.location}"] if event.location else []
    if full:
        texts += _everything(event)
    texts += [f"! {flag.detail}" for flag in event.flags or ()]
    for text in texts:
        yield line(Cell("", width=CLOCK_WIDTH), Cell(text, "dim"), indent=1)


def _everything(event: EventView) -> Iterator[str]:
    if event.recurrence:
        yield f"repeats {event.recurrence.text}"
    for person in event.attendees or ():
        yield _person(person)
    if event.url:
        yield event.url
    yield from (event.notes or "").splitlines()


def _person(person: PersonView) -> str:
    known = f"{person.name} <{person.email}>" if person.name else person.email
    return f"organized by {known}" if person.organizer else f"with {known}, {person.partstat}"
