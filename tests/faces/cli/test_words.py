"""Sentences: how they are read, and the events made of them."""

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from calward.faces.cli.wished_event import wished_event
from calward.language.conventions import Conventions
from calward.language.otherwise import otherwise
from calward.language.understand import understand

from .conftest import Calward, Process

DINNER = "Dinner with Sam Friday 7pm at Luigi's"
NOW = datetime(2026, 3, 2, 9)
CUSTOMS = Conventions(ZoneInfo("Europe/Berlin"))


def titles(calward: Calward) -> list[str]:
    window = ("2026-03-02", "2026-03-31")
    return [event["title"] for event in calward("agenda", *window, "--json").json["events"]]


def test_a_clear_sentence_becomes_an_event_at_once(calward: Calward) -> None:
    ran = calward("add", DINNER)
    assert (ran.code, ran.err) == (0, "")
    reading, created, event, place, _ = ran.out.splitlines()
    assert reading == ("Dinner with Sam — Fri 6 Mar 2026 19:00–20:00, at Luigi's; guests: Sam (not invited)")
    assert created == "Created:"
    assert event.startswith("  Fri 6 Mar 2026 19:00–20:00  Dinner with Sam  (Home)  ")
    assert place.strip() == "at Luigi's"


def test_words_need_no_quotes(calward: Calward) -> None:
    assert calward("add", "Piano", "lesson", "friday", "4pm", "--calendar", "AI Assistant Shared").code == 0
    assert titles(calward) == ["Piano lesson"]


def test_a_member_is_invited_where_both_have_an_address(calward: Calward) -> None:
    calward("members", "add", "Samuel", "--nickname", "Sam", "--address", "sam@example.com")
    alone = calward("export", "--event", calward("add", DINNER).id).out
    assert "ATTENDEE" not in alone
    calward("members", "edit", "Ann", "--address", "ann@example.com")
    ran = calward("add", "Lunch with Sam and Zoe Saturday noon")
    assert ran.out.splitlines()[0].endswith("; guests: Samuel, Zoe (not invited)")
    text = calward("export", "--event", ran.id).out
    assert "mailto:sam@example.com" in text
    assert "SUMMARY:Lunch with Sam and Zoe" in text
    assert text.count("ATTENDEE") == 1


def test_with_json_only_the_answer_is_on_standard_output(calward: Calward) -> None:
    ran = calward("add", DINNER, "--json")
    assert ran.json["event"]["start"] == "2026-03-06T19:00:00+01:00"
    assert ran.err.startswith("Dinner with Sam — ")


def test_a_series_ends_at_the_end_of_its_last_day(calward: Calward) -> None:
    ran = calward("add", "Standup every weekday at 9:30am for 2 weeks")
    assert "09:30–10:30, every weekday until" in ran.out.splitlines()[0]
    assert "UNTIL=20260316T225959Z" in calward("export", "--event", ran.id).out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dentist tomorrow", "Tue 3 Mar 2026 12:00–13:00. Say the hour"),
        ("gym next friday 6pm", "Fri 13 Mar 2026 18:00–19:00. Say it more exactly"),
        ("Gym every saturday", "Say the hour"),
        ("Team offsite 3/4", "Team offsite"),
    ],
)
def test_what_is_not_sure_is_not_done_without_a_terminal(calward: Calward, text: str, words: str) -> None:
    ran = calward("add", text)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "--yes" in ran.err
    assert titles(calward) == []
    done = calward("add", text, "--yes")
    assert done.code == 0
    assert "not sure: " in done.out


def test_at_a_terminal_the_person_is_asked_with_the_alternatives(at_terminal: Process) -> None:
    refused = at_terminal("add", "gym on 3/4/2030 6pm", typed=b"n\n", NO_COLOR="1")
    assert refused.code == 1
    assert "gym — Mon 4 Mar 2030 18:00–19:00" in refused.out
    assert "not sure: a date that reads with day or month first" in refused.out
    assert "or: Wed 3 Apr 2030 18:00" in refused.out
    assert "Create? [y/N]" in refused.out
    agreed = at_terminal("add", "gym on 3/4/2030 6pm", typed=b"y\n", NO_COLOR="1")
    assert agreed.code == 0
    assert "Created:" in agreed.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cancel lunch tomorrow", "an event to delete, not as a new event; that is done with: calward delete"),
        ("move lunch to friday", "a change to an event"),
        ("remind me to call Sam tomorrow at 5pm", "no command for that yet"),
        ("the sky is blue", "does not read as an event"),
        ("schedule dinner friday 7pm and also schedule lunch saturday noon", "more than one wish"),
        ("schedule a dinner with Sam", "no start"),
        ("Piano every tuesday 4pm except march 10", "--scope one"),
        ("x" * 2001, "too long"),
    ],
)
def test_another_wish_is_named_with_what_does_it(calward: Calward, text: str, words: str) -> None:
    ran = calward("add", text, "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert titles(calward) == []


def test_a_reading_is_shown_with_what_else_it_could_be(calward: Calward) -> None:
    ran = calward("understand", "gym", "next", "friday", "6pm")
    assert ran.code == 0
    for words in (
        "a new event",
        "% sure",
        "title:  gym",
        "when:  Fri 13 Mar 2026 18:00",
        'rests on: what "next" means before a weekday',
        "or: Fri 6 Mar 2026 18:00",
    ):
        assert words in ran.out
    (reading,) = calward("understand", "gym next friday 6pm", "--json").json["readings"]
    assert (reading["intent"], reading["title"]) == ("create", "gym")
    assert reading["confidence"] < 0.85
    assert reading["when"]["start"] == "2026-03-13T18:00:00+01:00"
    assert [one["when"]["start"] for one in reading["alternatives"]] == ["2026-03-06T18:00:00+01:00"]


def test_zone_and_locale_say_how_words_are_meant(calward: Calward) -> None:
    options = ("--zone", "America/New_York", "--locale", "en-GB", "--json")
    (reading,) = calward("understand", "gym on 3/4 6pm", *options).json["readings"]
    assert reading["when"]["start"] == "2026-04-03T18:00:00-04:00"
    ran = calward("understand", "gym", "--zone", "Middle/Earth")
    assert (ran.code, ran.out) == (2, "")
    assert "Middle/Earth" in ran.err


def test_lines_are_answered_one_by_one_without_a_store(process: Process) -> None:
    row = {"now": "2026-03-02T09:00:00", "zone": "UTC", "locale": "en-US"}
    rows = [
        {"id": 1, "text": "friday 7pm", "task": "time", **row},
        {"id": "b", "text": DINNER, "task": "sentence", **row},
    ]
    given = "\n\n".join(json.dumps(one) for one in rows).encode()
    # A store could not be opened there.
    ran = process("understand", "--jsonl", given=given, CALWARD_DATA_DIR="/dev/null")
    assert ran.code == 0, ran.err
    first, second = (json.loads(one) for one in ran.out.splitlines())
    assert (first["id"], first["start"]) == (1, "2026-03-06T19:00:00")
    assert (second["id"], second["intent"], second["title"]) == ("b", "create", "Dinner")


@pytest.mark.parametrize(
    "given",
    [
        b"no json",
        b"[]",
        b"{}",
        b'{"id": 1, "text": "x", "now": "never"}',
        b'{"id": 1, "text": "x", "now": "2026-03-02", "zone": "x"}',
    ],
)
def test_a_line_that_cannot_be_read_is_named(calward: Calward, given: bytes) -> None:
    ran = calward("understand", "--jsonl", given=given)
    assert (ran.code, ran.out) == (2, "")
    assert "Line 1" in ran.err


@pytest.mark.parametrize("arguments", [[], ["--jsonl", "text"]])
def test_text_and_lines_exclude_each_other(calward: Calward, arguments: list[str]) -> None:
    assert calward("understand", *arguments).code == 2


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("dentist 3/4/2030 2pm", ["2030-04-03T14:00"]),
        ("dentist tomorrow at 9", ["2026-03-03T21:00"]),
        ("dentist tomorrow at 9am", []),
    ],
)
def test_only_the_conventions_a_reading_rests_on_are_turned(text: str, starts: list[str]) -> None:
    (reading,) = understand(text, CUSTOMS, NOW).readings
    others = [other.when.start for other in otherwise(reading, CUSTOMS, NOW) if other.when]
    assert [f"{one:%Y-%m-%dT%H:%M}" for one in others if one] == starts


def test_a_zone_without_a_name_is_moved_to_ones_own() -> None:
    (reading,) = understand("Call tomorrow 3pm EST", CUSTOMS, NOW).readings
    wish = wished_event(reading, CUSTOMS, {})
    assert (wish.zone, wish.start, wish.is_sure) == ("Europe/Berlin", datetime(2026, 3, 3, 21), False)


def test_people_of_events_are_known_by_a_part_of_their_name_and_asked_about(
    calward: Calward, tmp_path: Path
) -> None:
    calward("members", "edit", "Ann", "--address", "ann@example.com")
    text = "\r\n".join(
        (
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Test//EN",
            "BEGIN:VEVENT",
            "UID:review",
            "DTSTAMP:20260101T000000Z",
            "DTSTART:20260305T090000Z",
            "DTEND:20260305T100000Z",
            "SUMMARY:Review",
            "ATTENDEE;CN=Priya Patel:mailto:priya@example.org",
            "ATTENDEE;CN=Robin Berg:mailto:robin@example.org",
            "ATTENDEE;CN=Robin Dahl:mailto:dahl@example.org",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        )
    )
    file = tmp_path / "review.ics"
    file.write_text(text)
    assert calward("import", str(file)).code == 0
    ran = calward("add", "Lunch with Priya saturday noon")
    assert (ran.code, ran.out) == (2, "")
    assert "guests: Priya Patel" in ran.err
    done = calward("add", "Lunch with Priya saturday noon", "--yes")
    assert "not sure: somebody from outside is invited" in done.out
    assert "mailto:priya@example.org" in calward("export", "--event", done.id).out
    both = calward("add", "Call with Robin saturday 3pm")
    assert both.out.splitlines()[0].endswith("; guests: Robin (not invited)")


def test_a_setting_spares_the_question(process: Process) -> None:
    sentence = ("add", "gym next friday 6pm")
    assert process(*sentence).code == 2
    assert process(*sentence, CALWARD_NEXT_WEEKDAY="coming").code == 0
