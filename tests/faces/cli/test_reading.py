"""The agenda and search, as a person sees them. It is Monday, 2 March 2026, nine o'clock in Berlin."""

import pytest

from .conftest import Calward


@pytest.fixture(autouse=True)
def _week(calward: Calward) -> None:
    for event in (
        ("Standup", "2026-03-02T10:00", "--duration", "30", "--location", "Room 2", "--repeat", "FREQ=WEEKLY"),
        ("Conference", "2026-03-03", "2026-03-06"),
        ("Night train", "2026-03-07T22:00", "2026-03-08T06:30"),
    ):
        assert calward("new", *event).code == 0


def test_the_agenda_is_today_unless_told_otherwise(calward: Calward) -> None:
    today = calward("agenda").out
    assert today.startswith("Mon 2 Mar 2026, Europe/Berlin\n  10:00–10:30  Standup  (Home)  ")
    assert "at Room 2" in today
    assert today == calward("agenda", "today").out == calward("agenda", "2026-03-02").out


def test_the_week_runs_from_midnight_today_to_the_end_of_sunday(calward: Calward) -> None:
    assert calward("agenda", "week").out.startswith("Mon 2 Mar 2026 – Sun 8 Mar 2026, Europe/Berlin\n")
    window = calward("agenda", "week", "--json").json["window"]
    assert (window["start"], window["end"]) == ("2026-03-02T00:00:00+01:00", "2026-03-09T00:00:00+01:00")


def test_an_event_that_lasts_is_told_on_each_of_its_days(calward: Calward) -> None:
    days = calward("agenda", "week").out.split("\n\n")
    assert [day.splitlines()[0] for day in days[1:]] == [
        "Mon 2 Mar 2026",
        "Tue 3 Mar 2026",
        "Wed 4 Mar 2026",
        "Thu 5 Mar 2026",
        "Sat 7 Mar 2026",
        "Sun 8 Mar 2026",
    ]
    assert "  all day      Conference  day 2 of 3  (Home)" in days[3]
    assert "  22:00 →      Night train  (Home)" in days[5]
    assert "  → 06:30      Night train  (Home)" in days[6]


@pytest.mark.parametrize(
    ("when", "heading"),
    [
        (["tomorrow"], "Tue 3 Mar 2026"),
        (["this", "weekend"], "Sat 7 Mar 2026 – Sun 8 Mar 2026"),
        (["2026-03-03", "2026-03-05"], "Tue 3 Mar 2026 – Thu 5 Mar 2026"),
        (["tomorrow", "--to", "2026-03-04"], "Tue 3 Mar 2026 – Wed 4 Mar 2026"),
    ],
)
def test_a_window_is_named_in_dates_or_words(calward: Calward, when: list[str], heading: str) -> None:
    assert calward("agenda", *when).out.splitlines()[0] == f"{heading}, Europe/Berlin"


def test_three_dates_are_no_window(calward: Calward) -> None:
    ran = calward("agenda", "2026-03-03", "2026-03-04", "2026-03-05")
    assert (ran.code, ran.out) == (2, "")
    assert "the first and the last day" in ran.err


def test_a_day_without_events_is_said_in_a_sentence(calward: Calward) -> None:
    assert calward("agenda", "2026-04-01").out == "Nothing on Wed 1 Apr 2026.\n"
    assert calward("agenda", "2026-04-01", "2026-04-02").out == "Nothing on Wed 1 Apr 2026 – Thu 2 Apr 2026.\n"


def test_one_calendar_can_be_asked_for(calward: Calward) -> None:
    assert calward("agenda", "--calendar", "AI Assistant Shared").out == "Nothing on Mon 2 Mar 2026.\n"
    assert calward("agenda", "--calendar", "nowhere").code == 3


def test_everything_about_an_event_is_shown_on_request(calward: Calward) -> None:
    calward("members", "edit", "Ann", "--address", "ann@example.com")
    calward(
        "new", "Dinner", "2026-04-01T19:00", "--with", "sam@example.com", "--notes", "By the window\nfor two"
    )
    short, long = calward("agenda", "2026-04-01"), calward("agenda", "2026-04-01", "--long")
    assert "sam@example.com" not in short.out
    assert [line.strip() for line in long.out.splitlines()[2:]] == [
        "organized by Ann <ann@example.com>",
        "with sam@example.com, needs-action",
        "By the window",
        "for two",
    ]


def test_a_search_finds_words_and_counts_what_it_does_not_show(calward: Calward) -> None:
    found = calward("search", "night", "train").out
    assert found.startswith("Sat 7 Mar 2026 22:00 – Sun 8 Mar 2026 06:30  Night train  (Home)  ")
    many = calward("search", "standup", "--from", "2026-03-01", "--to", "2026-03-31", "--limit", "2").out
    assert many.count("Standup") == 2
    assert "2 of 5; --limit shows more" in many
    assert calward("search", "nowhere").out == "Nothing found.\n"


def test_text_from_an_event_cannot_command_the_terminal(calward: Calward) -> None:
    calward("new", "\x1b[2J\x9b31mred\u202egnp.exe", "2026-04-01T10:00", "--location", "\x1b]0;owned\x07")
    ran = calward("agenda", "2026-04-01")
    assert "[2J31mredgnp.exe" in ran.out
    assert not set(ran.out) & set("\x1b\x07\x9b\u202e")
    answer = calward("agenda", "2026-04-01", "--json")
    assert not set(answer.out) & set("\x1b\x07\x9b\u202e")
    assert answer.json["events"][0]["title"].endswith("\u202egnp.exe")


def test_what_takes_no_time_is_shown_by_its_start(calward: Calward) -> None:
    event = b"BEGIN:VEVENT\nUID:1\nDTSTART:20260401T080000Z\nSUMMARY:Ping\nEND:VEVENT\n"
    calward("import", "-", given=b"BEGIN:VCALENDAR\n" + event + b"END:VCALENDAR\n")
    assert "  10:00        Ping  (Home)" in calward("agenda", "2026-04-01").out
