"""Events: new, changed, deleted, brought back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import Function, command, yes_option
from calward.faces.cli.event_text import event_lines
from calward.faces.cli.rendering.changes import written
from calward.faces.cli.talk import Talk

SCOPES = ("one", "this_and_future", "all")
REMOVABLE = ("location", "notes", "attendees", "recurrence", "alarms")

scope_option = click.option(
    "--scope", type=click.Choice(SCOPES), help="Which occurrences of a series; needed where there are several."
)
tell_option = click.option(
    "--tell", type=click.Choice(["everybody", "nobody"]), help="Whether the server may tell those invited."
)
request_option = click.option("--request-id", metavar="TEXT", help="Makes a retry safe: the same id acts once.")


def event_options(function: Function) -> Function:
    """What an event has beside title, start and end; the same to create and to change one."""
    options: tuple[Callable[[Function], Function], ...] = (
        click.option("--duration", type=int, metavar="MINUTES", help="Instead of an end."),
        click.option(
            "--all-day/--timed", default=None, help="Whole days, or hours; default: as the start says."
        ),
        click.option("--zone", metavar="ZONE", help="IANA time zone, as Europe/Berlin; default: yours."),
        click.option("--location", metavar="TEXT", help="Where."),
        click.option("--notes", metavar="TEXT", help="Any text."),
        click.option(
            "--with", "attendees", multiple=True, metavar="WHO", help="Invite a member or address; repeatable."
        ),
        click.option("--repeat", "recurrence", metavar="RRULE", help="As FREQ=WEEKLY;BYDAY=TU."),
        click.option(
            "--alarm", "alarms", multiple=True, type=int, metavar="MINUTES", help="Before it; repeatable."
        ),
        click.option("--calendar", metavar="NAME", help="The calendar it belongs to."),
        tell_option,
        request_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@command()
@click.argument("title")
@click.argument("start")
@click.argument("end", required=False)
@event_options
def new(talk: Talk, title: str, start: str, end: str | None, **options: object) -> None:
    """Create an event.

    START and END are dates or words: 2026-11-24T15:00, 'tuesday 3pm', tomorrow. A date alone makes it all-day,
    until the day END; without END it lasts an hour, or a day.
    """
    answer = talk.ask("calendar_create", {"title": title, "start": start, "end": end, **_given(options)})
    talk.show(answer, partial(written, "Created"))


@command()
@click.argument("id")
@click.option("--title", metavar="TEXT")
@click.option("--start", metavar="WHEN", help="A date or words; the length stays.")
@click.option("--end", metavar="WHEN", help="Exclusive.")
@event_options
@click.option(
    "--remove", multiple=True, type=click.Choice(REMOVABLE), help="Take this away from it; repeatable."
)
@scope_option
def edit(talk: Talk, id: str, remove: tuple[str, ...], **options: object) -> None:
    """Change an event. What is not named stays.

    A series needs its --scope; the id of one occurrence is in the agenda.
    """
    given = _given(options)
    if not remove and not given.keys() - {"scope", "tell", "request_id"}:
        raise InvalidInput("Say what to change, as --title or --start; calward edit --help lists all.")
    answer = talk.ask("calendar_update", {"id": id, **given}, nulls=remove)
    talk.show(answer, partial(written, "Changed"))


@command()
@click.argument("id")
@scope_option
@tell_option
@request_option
@yes_option
def delete(talk: Talk, id: str, scope: str | None, tell: str | None, request_id: str | None, yes: bool) -> None:
    """Delete an event, on its server too. Its bytes can be restored for 30 days."""
    talk.agree(event_lines(talk, id), "delete", yes=yes)
    asked = {"id": id, "scope": scope, "tell": tell, "request_id": request_id}
    talk.show(talk.ask("calendar_delete", asked), partial(written, "Deleted"))


@command()
@click.argument("id")
@request_option
def restore(talk: Talk, id: str, request_id: str | None) -> None:
    """Bring a deleted event back, with exactly the bytes it had."""
    talk.show(talk.ask("calendar_restore", {"id": id, "request_id": request_id}), partial(written, "Restored"))


@command()
@click.argument("id")
@click.argument("response", type=click.Choice(["accept", "decline", "tentative"]))
@scope_option
@request_option
def respond(talk: Talk, id: str, response: str, scope: str | None, request_id: str | None) -> None:
    """Answer an invitation. A series needs its --scope: one or all."""
    asked = {"id": id, "response": response, "scope": scope, "request_id": request_id}
    talk.show(talk.ask("calendar_respond", asked), partial(written, "Answered"))


def _given(options: dict[str, object]) -> dict[str, object]:
    """The options that were used; a list that may be repeated was, where it is not empty."""
    return {name: value for name, value in options.items() if value is not None and value != ()}
