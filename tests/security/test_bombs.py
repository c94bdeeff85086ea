"""Small or large, what comes from outside ends in an answer or a refusal: never in endless work."""

from __future__ import annotations

import pytest
from hypothesis import settings

from calward.dav.xml import NotXml, parse
from calward.errors import CalwardError, TooLarge
from tests.operations.world import World, ics, vevent
from tests.security.asking import attempt

WIDER = min(settings().max_examples // 50, 10)
"""1, and more in a profile that looks wider than the tests of every day: then a million and more."""
START = "DTSTART:20260303T090000Z"
WEEK = {"from": "2026-03-02", "to": "2026-03-08"}


def swallow(world: World, content: str) -> int:
    """Import and look around; how many events the week shows. More than an answer holds is an error that says
    so."""
    world.do("import_file", content=content, calendar="Home")
    far = {"from": "2030-01-01", "to": "2030-12-31"}
    asked = (("calendar_list", WEEK), ("calendar_search", {"query": "bomb"}), ("calendar_availability", far))
    shown, *_ = (attempt(world, operation, **arguments) for operation, arguments in asked)
    assert shown[1] in ("", "too_much")
    return len(shown[0].events) if shown[0] else 0


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=MINUTELY;BYSETPOS=366;BYYEARDAY=366",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=999999999",
        "FREQ=DAILY;COUNT=999999999999999999999",
        "FREQ=YEARLY;" + "BYYEARDAY=" + ",".join(str(day) for day in range(1, 367)) + ";BYHOUR=0,1,2,3",
        "FREQ=" + "A" * 1_000_000,
    ],
)
def test_a_rule_that_would_never_end_ends(world: World, rule: str) -> None:
    assert swallow(world, ics(*vevent("r", START, f"RRULE:{rule}", "SUMMARY:bomb"))) <= 1000


def test_a_series_for_every_second_is_no_flood(world: World) -> None:
    lines = vevent("r", START, "RRULE:FREQ=SECONDLY", "SUMMARY:bomb")
    world.do("import_file", content=ics(*lines), calendar="Home")
    _, code = attempt(world, "calendar_list", **WEEK)
    assert code == "too_much"


def test_masses_of_exceptions_are_counted_and_not_worked_off(world: World) -> None:
    days = ",".join(["20260304T090000Z"] * 100_000 * WIDER)
    shown = swallow(world, ics(*vevent("x", START, "RRULE:FREQ=DAILY", f"EXDATE:{days}", "SUMMARY:bomb")))
    assert shown <= 7


def test_masses_of_alarms_are_no_masses_of_rows(world: World) -> None:
    alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:bomb", "END:VALARM")
    lines = (*vevent("a", START, "SUMMARY:bomb")[:-1], *alarm * 20_000 * WIDER, "END:VEVENT")
    answer, code = attempt(world, "import_file", content=ics(*lines), calendar="Home")
    assert code == "too_large" or answer.added == 1
    with world.store.reading() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM components").scalar() in (0, 1)


def test_what_is_nested_without_end_is_refused(world: World) -> None:
    deep = ("BEGIN:VEVENT", *("BEGIN:X-DEEP",) * 100_000)
    with pytest.raises(TooLarge):
        world.do("import_file", content=ics(*deep), calendar="Home")
    assert world.week() == []


def test_a_line_of_a_hundred_megabytes_is_refused(world: World) -> None:
    with pytest.raises(TooLarge):
        world.do(
            "import_file", content=ics(*vevent("l", START, "SUMMARY:" + "x" * 100_000_000)), calendar="Home"
        )
    assert world.week() == []


def test_a_folded_line_that_unfolds_to_megabytes_is_kept_short_in_answers(world: World) -> None:
    folded = "SUMMARY:bomb" + "\r\n x" * 200_000
    assert swallow(world, ics(*vevent("f", START, folded))) == 1
    assert len(world.do("calendar_list", **WEEK).events[0].title) <= 100_000


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY"])
def test_a_zone_that_changes_without_end_is_no_bomb(world: World, rule: str) -> None:
    part = ("DTSTART:16010101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", f"RRULE:{rule}")
    zone = (
        "BEGIN:VTIMEZONE",
        "TZID:Mine",
        *("BEGIN:DAYLIGHT", *part, "END:DAYLIGHT") * 50,
        *("BEGIN:STANDARD", *part, "END:STANDARD") * 50,
        "END:VTIMEZONE",
    )
    event = vevent("z", "DTSTART;TZID=Mine:20260303T090000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:bomb")
    assert swallow(world, ics(*zone, *event)) <= 3


def test_many_files_in_one_are_taken_as_far_as_the_caps_go(world: World) -> None:
    lines = [line for number in range(3000) for line in vevent(f"e{number}", START, "SUMMARY:bomb")]
    assert world.do("import_file", content=ics(*lines), calendar="Home").added == 3000
    with pytest.raises(CalwardError, match="1000"):
        world.do("calendar_list", **WEEK)
    assert world.do("calendar_search", query="bomb", limit=5).total == 3000


LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>'
    '<multistatus xmlns="DAV:"><response><href>&c;</href></response></multistatus>'
)
OUTSIDE = (
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
    '<multistatus xmlns="DAV:"><response><href>&e;</href></response></multistatus>'
)
DEEP = '<multistatus xmlns="DAV:">' + "<a>" * 100_000 + "</a>" * 100_000 + "</multistatus>"


@pytest.mark.parametrize("document", [LAUGHS, OUTSIDE, DEEP], ids=["laughs", "outside", "deep"])
def test_a_hostile_xml_answer_is_refused_and_quoted_nowhere(document: str) -> None:
    with pytest.raises(NotXml) as refused:
        parse(document.encode())
    assert "ha" * 4 not in str(refused.value)
