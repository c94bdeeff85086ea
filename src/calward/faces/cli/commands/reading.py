"""Looking things up: the agenda and search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command
from calward.faces.cli.rendering import events
from calward.faces.cli.talk import Talk

WINDOWS: Mapping[str, tuple[str, str]] = {
    "": ("today", "today"),
    "week": ("today", "this week"),
}
"""Words of this command; all others are for the pipeline, which reads dates and words."""

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
    next week, december. Two dates, 2026-11-24 2026-11-27, are the first and the last day.
    """
    first, last = _window(when)
    asked = {"from": first, "to": to or last, "calendar": calendar}
    talk.show(talk.ask("calendar_list", asked), partial(events.agenda, full=full))


@command()
@click.argument("query", nargs=-1)
@click.option("--from", "first", metavar="DATE", help="From when on; dates, or words such as 'last week'.")
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


def _window(when: tuple[str, ...]) -> tuple[str, str]:
    """From and to. Words that begin with a digit are dates by themselves; all others make one phrase."""
    words = " ".join(when)
    if words in WINDOWS:
        return WINDOWS[words]
    if len(when) > 1 and all(one[:4].isdigit() for one in when):
        if len(when) > 2:
            raise InvalidInput("agenda takes one date, or two: the first and the last day.")
        return when[0], when[1]
    return words, words
