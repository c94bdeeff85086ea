"""Looking things up: the agenda and search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command
from calward.faces.cli.rendering import events
from calward.faces.cli.rendering.days import days_of_window
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.operations.answers import Listed

RANGES = {(): "today", ("today",): "today", ("tomorrow",): "tomorrow"}
"""Words that name a window by themselves; others than these and ``week`` are read as dates by the pipeline."""

calendar_option = click.option("--calendar", metavar="NAME", help="One calendar instead of all.")
full_option = click.option("-l", "--long", "full", is_flag=True, help="Also notes, people and recurrence.")


@command()
@click.argument("when", nargs=-1)
@click.option("--to", metavar="DATE", help="The last day; default: what WHEN covers.")
@calendar_option
@full_option
def agenda(talk: Talk, when: tuple[str, ...], to: str | None, calendar: str | None, full: bool) -> None:
    """What is on.

    WHEN is today (the default), tomorrow, week (today to the end of Sunday), a date or words: 2026-11-24,
    friday, this weekend. Two dates, 2026-11-24 2026-11-27, are the first and the last day.
    """
    asked = {**_window(talk, when, to), "calendar": calendar}
    talk.show(talk.ask("calendar_list", asked), partial(events.agenda, full=full))


@command()
@click.argument("query", nargs=-1)
@click.option("--from", "first", metavar="DATE", help="From when on; dates, or words such as yesterday.")
@click.option("--to", metavar="DATE", help="Until when; a date includes that day.")
@click.option("--attendee", metavar="WHO", help="A member's name, or an e-mail address.")
@calendar_option
@click.option("--limit", type=click.IntRange(1, 100), help="How many to show; default 20.")
@full_option
def search(
    talk: Talk,
    query: tuple[str, ...],
    first: str | None,
    to: str | None,
    attendee: str | None,
    calendar: str | None,
    limit: int | None,
    full: bool,
) -> None:
    """Find events by words in title, notes, location or people.

    All words must occur. A series is found once, unless --from or --to asks for its occurrences.
    """
    asked = {
        "query": " ".join(query),
        "from": first,
        "to": to,
        "attendee": attendee,
        "calendar": calendar,
        "limit": limit,
    }
    talk.show(talk.ask("calendar_search", asked), partial(events.found, full=full))


def _window(talk: Talk, when: tuple[str, ...], to: str | None) -> dict[str, str]:
    """The window to ask for. Several words make one phrase, unless they are dates in digits."""
    if when in RANGES and to is None:
        return {"range": RANGES[when]}
    if when == ("week",):
        first, last = _week(talk)
    elif len(when) > 1 and all(one[:4].isdigit() for one in when):
        if len(when) > 2:
            raise InvalidInput("agenda takes one date, or two: the first and the last day.")
        first, last = when
    else:
        first = last = " ".join(when) or "today"
    return {"from": first, "to": to or last}


def _week(talk: Talk) -> tuple[str, str]:
    """Today and the end of the week: the range this_week begins now, and would leave out this morning."""
    listed: Listed = talk.ask("calendar_list", {"range": "this_week"})
    first, last = days_of_window(listed.window)
    return first.isoformat(), last.isoformat()
