"""How things stand: calendars, status, settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from calward.faces.cli.paper import BLANK, Cell, Line, line
from calward.faces.cli.rendering.days import moment_words
from calward.faces.cli.wiring import Setting

if TYPE_CHECKING:
    from calward.operations.usecases.calendars import AlarmsSet, CalendarAdded, CalendarsView
    from calward.operations.usecases.status import CalendarStatus, Status


def calendars(answer: CalendarsView) -> Iterator[Line]:
    for one in answer.calendars:
        yield line(
            Cell(one.name, "bold"),
            "local" if one.local else "on a server",
            "" if one.writable else "read-only",
            "alarms on" if one.alarms else "",
            Cell(one.id, "dim"),
        )


def calendar_added(answer: CalendarAdded) -> Iterator[Line]:
    yield line(f"Added the calendar {answer.name}.", Cell(answer.id or "", "dim"))


def alarms_set(answer: AlarmsSet) -> Iterator[Line]:
    yield line(
        f"The alarms of {answer.calendar} are reminders of yours."
        if answer.on
        else f"The alarms of {answer.calendar} are left to other programs."
    )


def status(answer: Status) -> Iterator[Line]:
    yield line(f"Calward {answer.version}", moment_words(answer.now), answer.zone)
    for one in answer.calendars:
        yield line(Cell(one.name, "bold"), *_counts(one), indent=1)
        if one.error:
            yield line(Cell(one.error, "red"), indent=2)
    yield BLANK
    yield line(answer.message)
    if answer.pending_approvals:
        yield line("Decide with: calward approvals")
    if answer.failing:
        yield line(f"{len(answer.failing)} given up after failing: calward doctor")
    if answer.held:
        yield line(f"A sync holds {answer.held} for you: calward held")


def settings(found: Sequence[Setting], *, origin: bool) -> Iterator[Line]:
    """TOML, as it could stand in the settings file; with their origins as comments."""
    for one in found:
        value = f'"{one.value}"' if isinstance(one.value, str) else str(one.value)
        yield line(f"{one.name} = {value}", Cell(f"# {one.origin}" if origin else "", "dim"))


def _counts(one: CalendarStatus) -> Iterator[str]:
    if one.events is not None:
        yield f"{one.events} event{'s' if one.events != 1 else ''}"
    if one.account:
        yield f"on {one.account}"
        yield f"synced {moment_words(one.last_sync)}" if one.last_sync else "never synced"
    if one.unpushed and one.account:
        yield f"{one.unpushed} not yet sent"
    if one.conflicts:
        yield f"{one.conflicts} changed on both sides"
