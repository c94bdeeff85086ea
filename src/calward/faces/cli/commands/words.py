"""Sentences: what they were understood to say, and events made of them."""

from __future__ import annotations

import json
import sys
from functools import partial
from zoneinfo import ZoneInfoNotFoundError

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import Function, command, yes_option
from calward.faces.cli.rendering.changes import written
from calward.faces.cli.rendering.readings import (
    INTENT_WORDS,
    readings,
    readings_as_data,
    wish_lines,
    wish_words,
)
from calward.faces.cli.sentences import SentenceReader
from calward.faces.cli.talk import Talk
from calward.faces.cli.wished_event import Wish, is_wished, wished_event
from calward.language.intents import Intent
from calward.language.understand import Reading

COMMANDS = {
    Intent.FIND: "calward agenda or calward search",
    Intent.CHANGE: "calward edit",
    Intent.DELETE: "calward delete",
    Intent.AVAILABILITY: "calward agenda",
}
"""What does it, where a sentence wishes for something else than a new event."""


def reading_options(function: Function) -> Function:
    """How the words are meant."""
    zone = click.option("--zone", metavar="ZONE", help="IANA time zone the times are in; default: yours.")
    locale = click.option(
        "--locale", metavar="TAG", help="Language and customs, as en-GB or de; default: English."
    )
    return zone(locale(function))


@command("understand")
@click.argument("text", nargs=-1)
@click.option("--jsonl", is_flag=True, help="Read JSON lines on standard input, and answer each with one.")
@reading_options
def understand_text(
    talk: Talk, text: tuple[str, ...], jsonl: bool, zone: str | None, locale: str | None
) -> None:
    """Show how a sentence is read. Nothing is changed.

    With --jsonl each line is {id, text, now, zone, locale, task}, where task is time or sentence; no store is
    opened for it.
    """
    if jsonl:
        if text or zone or locale:
            raise InvalidInput("--jsonl takes text, zone and locale from its lines; leave them out.")
        _answer_lines()
        return
    if not text:
        raise InvalidInput("Say the text to understand, or --jsonl to read lines from standard input.")
    reader = SentenceReader(talk, zone, locale)
    found = [(one, reader.otherwise(one)) for one in reader.readings(" ".join(text))]
    if talk.as_json:
        talk.paper.put_json(readings_as_data(found))
    else:
        talk.paper.put(readings(found))


@command()
@click.argument("text", nargs=-1, required=True)
@click.option("--calendar", metavar="NAME", help="The calendar it belongs to.")
@reading_options
@yes_option
def add(
    talk: Talk, text: tuple[str, ...], calendar: str | None, zone: str | None, locale: str | None, yes: bool
) -> None:
    """Create an event from a sentence, as: add Dinner with Sam Friday 7pm at Luigi's.

    It is shown how the sentence was read; where that is not sure, you are asked first. Members of the household
    and people of events around now are invited where both they and you have an address; before anybody from
    outside is, you are asked.
    """
    reader = SentenceReader(talk, zone, locale)
    reading = _only_event(reader.readings(" ".join(text)))
    wish = wished_event(reading, reader.conventions, reader.guests)
    shown = list(wish_lines(wish, reading, () if wish.is_sure else reader.otherwise(reading)))
    if wish.is_sure or yes:
        # The answer stays alone on standard output for a program.
        (talk.aside if talk.as_json else talk.paper).put(shown)
    elif not sys.stdin.isatty():
        raise InvalidInput(_unsure(wish))
    else:
        talk.agree(shown, "create", yes=False)
    answer = talk.ask("calendar_create", wish.arguments() | {"calendar": calendar})
    talk.show(answer, partial(written, "Created"))


def _answer_lines() -> None:
    # Only these lines need it; it stands apart from the store for them.
    from calward.language.jsonl import answer

    for number, text in enumerate(sys.stdin, 1):
        if not text.strip():
            continue
        try:
            told = answer(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError, ZoneInfoNotFoundError) as error:
            raise InvalidInput(
                f"Line {number} is no JSON object with id, text, now (ISO 8601) and an IANA zone."
            ) from error
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        sys.stdout.flush()  # so that a program may wait for each answer


def _only_event(found: tuple[Reading, ...]) -> Reading:
    """The one new event of a sentence. Raises ``InvalidInput`` that says what was understood instead."""
    if len(found) > 1:
        wishes = ", then ".join(INTENT_WORDS[one.intent] for one in found)
        raise InvalidInput(f"That is more than one wish: {wishes}. Say one at a time.")
    (reading,) = found
    if is_wished(reading):
        return reading
    if reading.intent is Intent.NONE:
        raise InvalidInput(
            "That does not read as an event; say what and when, as in: Dinner with Sam Friday 7pm."
        )
    does = COMMANDS.get(reading.intent)
    way = f"that is done with: {does}" if does else "the command line has no command for that yet"
    raise InvalidInput(f"That reads as {INTENT_WORDS[reading.intent]}, not as a new event; {way}.")


def _unsure(wish: Wish) -> str:
    more = "Say the hour" if wish.lacks_hour else "Say it more exactly, as 2026-03-06 19:00"
    return (
        f"Not sure of this: {wish_words(wish)}. {more}, or add --yes; there is no terminal to ask at. "
        "How it was read is shown by: calward understand."
    )
