"""Events made, changed, deleted, brought back, and changes taken back."""

import pytest

from .conftest import Calward

ALL = ("--scope", "all")


def titles(calward: Calward, *window: str) -> list[str]:
    return [event["title"] for event in calward("agenda", *window, "--json").json["events"]]


def test_a_new_event_is_shown_with_the_way_to_take_it_back(calward: Calward) -> None:
    ran = calward("new", "Dentist", "tomorrow 3pm", "--duration", "45", "--location", "14 Garden Street")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "Created:"
    assert "Tue 3 Mar 2026 15:00–15:45  Dentist  (Home)  " in ran.out
    change = calward("history", "--json").json["changes"][0]["id"]
    assert ran.out.endswith(f"Take it back with: calward undo {change}\n")


def test_the_same_event_twice_within_a_moment_is_one(calward: Calward) -> None:
    assert calward("new", "Dentist", "2026-03-03T15:00").out.startswith("Created:")
    assert calward("new", "Dentist", "2026-03-03T15:00").out.startswith("Already there:")
    assert titles(calward, "2026-03-03") == ["Dentist"]


def test_an_event_takes_every_property_an_option_names(calward: Calward) -> None:
    calward("members", "edit", "Ann", "--address", "ann@example.com")
    options = {
        "--zone": "America/New_York",
        "--location": "Pier 36",
        "--notes": "Bring the slides",
        "--with": "sam@example.com",
        "--repeat": "FREQ=DAILY;COUNT=2",
        "--alarm": "10",
        "--calendar": "AI Assistant Shared",
    }
    flat = [part for option in options.items() for part in option]
    ident = calward("new", "Talk", "2026-03-03T09:00", "2026-03-03T10:00", *flat).id
    text = calward("export", "--event", ident).out
    for line in (
        "DTSTART;TZID=America/New_York:20260303T090000",
        "LOCATION:Pier 36",
        "DESCRIPTION:Bring the slides",
        "ATTENDEE;RSVP=TRUE:mailto:sam@example.com",
        "RRULE:FREQ=DAILY;COUNT=2",
        "TRIGGER:-PT10M",
    ):
        assert line in text.splitlines()
    assert titles(calward, "2026-03-03", "--calendar", "AI Assistant Shared") == ["Talk"]


def test_whole_days_can_be_asked_for(calward: Calward) -> None:
    assert "Tue 3 Mar 2026, all day" in calward("new", "Fair", "2026-03-03T10:00", "--all-day").out
    assert calward("new", "Fair", "2026-03-03", "--timed").code == 2


def test_an_edit_changes_what_is_named_and_takes_away_what_is_told(calward: Calward) -> None:
    ident = calward("new", "Dentist", "2026-03-03T15:00", "--location", "Here", "--notes", "Old").id
    ran = calward("edit", ident, "--title", "Surgeon", "--start", "2026-03-03T16:00", "--remove", "location")
    assert ran.out.startswith("Changed:\n  Tue 3 Mar 2026 16:00–17:00  Surgeon  (Home)  ")
    (event,) = calward("agenda", "2026-03-03", "--json").json["events"]
    assert "location" not in event
    assert event["notes"] == "Old"


def test_an_edit_that_names_nothing_says_so(calward: Calward) -> None:
    ident = calward("new", "Dentist", "2026-03-03T15:00").id
    ran = calward("edit", ident, *ALL)
    assert (ran.code, ran.out) == (2, "")
    assert "Say what to change" in ran.err


def test_a_series_wants_to_know_which_occurrences_are_meant(calward: Calward) -> None:
    calward("new", "Standup", "2026-03-02T10:00", "--repeat", "FREQ=DAILY;COUNT=3")
    second = calward("agenda", "2026-03-03", "--json").json["events"][0]["id"]
    unsaid = calward("edit", second, "--title", "Sit-down", "--json")
    assert (unsaid.code, unsaid.json["error"]["code"]) == (2, "scope_needed")
    assert calward("edit", second, "--title", "Sit-down", "--scope", "one").code == 0
    assert titles(calward, "2026-03-02", "2026-03-04") == ["Standup", "Sit-down", "Standup"]
    assert calward("delete", second, "--scope", "one", "--yes").code == 0
    assert titles(calward, "2026-03-02", "2026-03-04") == ["Standup", "Standup"]


def test_a_deleted_event_comes_back_byte_for_byte(calward: Calward) -> None:
    ident = calward("new", "Dentist", "2026-03-03T15:00").id
    before = calward("export", "--event", ident).out
    assert calward("delete", ident, "--yes").out.startswith("Deleted:\n")
    assert calward("export", "--event", ident).code == 3
    assert calward("restore", ident).out.startswith("Restored:\n")
    assert calward("export", "--event", ident).out == before


def test_undo_takes_back_the_last_change_or_one_by_id(calward: Calward) -> None:
    calward("new", "First", "2026-03-03T10:00")
    first = calward("history", "--json").json["changes"][0]["id"]
    calward("new", "Second", "2026-03-03T11:00")
    assert calward("undo", "--yes").out.startswith("Taken back.\n")
    assert titles(calward, "2026-03-03") == ["First"]
    assert calward("undo", first, "--yes").code == 0
    assert titles(calward, "2026-03-03") == []
    again = calward("undo", first, "--yes", "--json")
    assert (again.code, again.json["error"]["code"]) == (6, "conflict")


def test_the_history_tells_who_did_what_and_what_was_undone(calward: Calward) -> None:
    assert calward("history").out == "Nothing was changed yet.\n"
    ident = calward("new", "Dentist", "2026-03-03T15:00").id
    calward("edit", ident, "--title", "Surgeon")
    calward("undo", "--yes")
    newest, changed, made = calward("history").out.splitlines()
    assert newest.startswith("Mon 2 Mar 2026 09:00  Ann:  set back  Dentist")
    assert changed.startswith("Mon 2 Mar 2026 09:00  Ann:  changed  Dentist  [undone]")
    assert made.startswith("Mon 2 Mar 2026 09:00  Ann:  created  Dentist")
    assert len(calward("history", "--limit", "1").out.splitlines()) == 1
    assert calward("history", "--event", ident, "--json").json["changes"][-1]["did"] == "created"


@pytest.mark.parametrize(
    ("command", "verb"),
    [("delete", "delete"), ("undo", "undo"), ("assistant revoke", "revoke"), ("token revoke", "revoke")],
)
def test_what_does_harm_is_not_done_unasked_without_a_terminal(
    calward: Calward, command: str, verb: str
) -> None:
    ident = calward("new", "Dentist", "2026-03-03T15:00").id
    ran = calward(*command.split(), *([] if command == "undo" else [ident]))
    assert (ran.code, ran.out) == (2, "")
    assert f"add --yes to {verb} without being asked" in ran.err
    assert titles(calward, "2026-03-03") == ["Dentist"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["new", "x", "2026-03-03T15:00", "2026-03-03T14:00"], 2, "ends before it starts"),
        (["new", "x", "2026-02-30T15:00"], 2, "start"),
        (["new", "x", "gibberish"], 2, "ISO 8601"),
        (["new", "x", "2026-03-03T15:00", "--zone", "Middle/Earth"], 2, "Middle/Earth"),
        (["new", "x", "2026-03-03T15:00", "--calendar", "None such"], 3, "None such"),
        (["new", "x", "2026-03-03T15:00", "--repeat", "FREQ=SOMETIMES"], 2, "FREQ must be one of"),
        (["edit", "aaaaaaaaaaaaaaaa", "--title", "x"], 3, "no event with that id"),
        (["delete", "aaaaaaaaaaaaaaaa", "--yes"], 3, "no event with that id"),
        (["restore", "aaaaaaaaaaaaaaaa"], 3, "no deleted event"),
        (["undo", "aaaaaaaaaaaaaaaa", "--yes"], 3, "no change"),
        (["undo", "--yes"], 3, "nothing"),
    ],
)
def test_bad_input_is_answered_with_a_code_and_a_sentence(
    calward: Calward, arguments: list[str], code: int, words: str
) -> None:
    ran = calward(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("calward: ")
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    error = calward(*arguments, "--json").json["error"]
    assert (error["message"], error["retryable"]) == (ran.err.removeprefix("calward: ").rstrip("\n"), False)
