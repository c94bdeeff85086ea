"""Series as objects hold them: rules, dates, exceptions and overrides together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calward.ical.reading import read_object
from calward.model.time import Span
from calward.recurrence.series import Expansion, expand
from tests.unit.recurrence.objects import BERLIN, WINDOW, calendar

WEEKLY = """
    UID:weekly
    DTSTART:20260105T090000
    DTEND:20260105T100000
    RRULE:FREQ=WEEKLY;COUNT=4
    SUMMARY:weekly
"""


def override(recurrence_id: str, *lines: str) -> str:
    return "\n".join(("UID:weekly", f"RECURRENCE-ID{recurrence_id}", *lines))


def expanded(*components: str, window: Span = WINDOW) -> Expansion:
    return expand(read_object(calendar(*components)).events, window, BERLIN)


def starts(*components: str, window: Span = WINDOW) -> list[str]:
    return [f"{it.start.wall:%m-%d %H:%M}" for it in expanded(*components, window=window).occurrences]


def codes(*components: str) -> list[str]:
    return [flag.code for flag in expanded(*components).flags]


def day(text: str) -> Span:
    start = datetime.fromisoformat(text).replace(tzinfo=BERLIN)
    return Span(start, start + timedelta(days=1))


def test_an_event_that_does_not_recur_is_one_occurrence() -> None:
    (only,) = expanded("UID:x\nDTSTART:20260105T090000\nDURATION:PT45M").occurrences
    assert (only.start.wall, only.end.wall) == (datetime(2026, 1, 5, 9), datetime(2026, 1, 5, 9, 45))
    assert only.component == ""


def test_exdate_takes_out_and_rdate_adds() -> None:
    assert starts(WEEKLY + "EXDATE:20260112T090000\nRDATE:20260114T130000,20260119T090000") == [
        "01-05 09:00",
        "01-14 13:00",
        "01-19 09:00",
        "01-26 09:00",
    ]


def test_exdate_may_take_out_the_first() -> None:
    assert starts(WEEKLY + "EXDATE:20260105T090000")[0] == "01-12 09:00"


def test_a_date_in_exdate_means_that_day_of_a_timed_series() -> None:
    assert starts(WEEKLY + "EXDATE;VALUE=DATE:20260112") == ["01-05 09:00", "01-19 09:00", "01-26 09:00"]


def test_a_time_in_exdate_means_its_day_of_an_all_day_series() -> None:
    series = "UID:x\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260106T000000"
    assert starts(series) == ["01-05 00:00", "01-07 00:00"]


def test_exdate_in_utc_takes_out_the_zoned_occurrence_of_that_moment() -> None:
    series = (
        "UID:x\nDTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260106T080000Z"
    )
    assert starts(series) == ["01-05 09:00", "01-07 09:00"]


def test_an_rdate_that_is_a_date_takes_the_time_of_the_series() -> None:
    assert "01-08 09:00" in starts(WEEKLY + "RDATE;VALUE=DATE:20260108")


def test_an_rdate_period_has_its_own_end() -> None:
    found = expanded(
        WEEKLY + "RDATE;VALUE=PERIOD:20260108T090000/PT3H,20260112T090000/20260112T093000"
    ).occurrences
    assert [it.end.wall.strftime("%H:%M") for it in found] == ["10:00", "12:00", "09:30", "10:00", "10:00"]


def test_exrule_is_read_for_old_files() -> None:
    assert starts(WEEKLY + "EXRULE:FREQ=WEEKLY;INTERVAL=2") == ["01-12 09:00", "01-26 09:00"]


def test_two_rules_and_their_common_starts_count_once() -> None:
    assert starts(WEEKLY + "RRULE:FREQ=WEEKLY;INTERVAL=3;COUNT=3") == [
        "01-05 09:00",
        "01-12 09:00",
        "01-19 09:00",
        "01-26 09:00",
        "02-16 09:00",
    ]


def test_dtstart_counts_where_its_rule_does_not_meet_it() -> None:
    series = "UID:x\nDTSTART:20260106T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"
    assert starts(series) == ["01-06 09:00", "01-12 09:00", "01-19 09:00"]


def test_an_until_before_dtstart_leaves_dtstart() -> None:
    assert starts("UID:x\nDTSTART:20260106T090000\nRRULE:FREQ=DAILY;UNTIL=20250101T000000") == ["01-06 09:00"]


def test_until_as_a_date_is_that_whole_day_of_a_timed_series() -> None:
    series = "UID:x\nDTSTART:20260106T090000\nRRULE:FREQ=DAILY;UNTIL=20260108"
    assert starts(series) == ["01-06 09:00", "01-07 09:00", "01-08 09:00"]


def test_until_in_utc_is_read_on_the_clock_of_the_series() -> None:
    series = "UID:x\nDTSTART;TZID=America/New_York:20260106T200000\nRRULE:FREQ=DAILY;UNTIL=20260108T010000Z"
    assert starts(series) == ["01-06 20:00", "01-07 20:00"]


def test_an_override_stands_in_for_its_occurrence() -> None:
    moved = override(":20260112T090000", "DTSTART:20260113T110000", "DTEND:20260113T113000", "SUMMARY:moved")
    found = expanded(WEEKLY, moved).occurrences
    assert [it.component for it in found] == ["", "20260112T090000", "", ""]
    assert found[1].key == "20260112T090000"
    assert found[1].original.wall == datetime(2026, 1, 12, 9)
    assert (found[1].start.wall, found[1].end.wall) == (
        datetime(2026, 1, 13, 11),
        datetime(2026, 1, 13, 11, 30),
    )


def test_an_override_is_seen_where_it_went_and_not_where_it_was() -> None:
    moved = override(":20260112T090000", "DTSTART:20260301T110000")
    assert starts(WEEKLY, moved, window=day("2026-03-01")) == ["03-01 11:00"]
    assert starts(WEEKLY, moved, window=day("2026-01-12")) == []


def test_a_recurrence_id_in_utc_or_as_a_date_means_the_same_occurrence() -> None:
    series = "UID:weekly\nDTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;COUNT=2"
    for recurrence_id in (
        ":20260112T080000Z",
        ";VALUE=DATE:20260112",
        ";TZID=America/New_York:20260112T030000",
    ):
        moved = override(recurrence_id, "DTSTART;TZID=Europe/Berlin:20260112T150000")
        assert starts(series, moved) == ["01-05 09:00", "01-12 15:00"]
        assert codes(series, moved) == []


def test_a_cancelled_override_is_no_occurrence() -> None:
    cancelled = override(":20260112T090000", "DTSTART:20260112T090000", "STATUS:CANCELLED")
    assert starts(WEEKLY, cancelled) == ["01-05 09:00", "01-19 09:00", "01-26 09:00"]


def test_an_override_without_a_start_keeps_its_time() -> None:
    assert starts(WEEKLY, override(":20260112T090000", "SUMMARY:no start")) == starts(WEEKLY)


def test_an_override_of_nothing_is_shown_and_flagged() -> None:
    orphan = override(":20260114T090000", "DTSTART:20260114T100000")
    assert "01-14 10:00" in starts(WEEKLY, orphan)
    assert codes(WEEKLY, orphan) == ["orphan"]


def test_an_override_of_an_excluded_occurrence_is_not_shown_but_flagged() -> None:
    excluded = WEEKLY + "EXDATE:20260112T090000"
    moved = override(":20260112T090000", "DTSTART:20260113T100000")
    assert starts(excluded, moved) == ["01-05 09:00", "01-19 09:00", "01-26 09:00"]
    assert codes(excluded, moved) == ["orphan"]


def test_an_override_far_from_its_place_is_no_orphan() -> None:
    moved = override(":20260126T090000", "DTSTART:20261101T100000")
    (found,) = expanded(WEEKLY, moved, window=day("2026-11-01")).occurrences
    assert found.original.wall == datetime(2026, 1, 26, 9)
    assert codes(WEEKLY, moved) == []


def test_overrides_without_their_master_stand_alone() -> None:
    invitation = override(":20260112T090000", "DTSTART:20260112T100000")
    assert starts(invitation) == ["01-12 10:00"]


def test_this_and_future_moves_all_that_follow() -> None:
    ranged = override(
        ";RANGE=THISANDFUTURE:20260119T090000", "DTSTART:20260120T100000", "DTEND:20260120T113000"
    )
    found = expanded(WEEKLY, ranged).occurrences
    assert [f"{it.start.wall:%m-%d %H:%M}" for it in found] == [
        "01-05 09:00",
        "01-12 09:00",
        "01-20 10:00",
        "01-27 10:00",
    ]
    assert [it.end.wall - it.start.wall for it in found][2:] == [timedelta(minutes=90)] * 2
    assert [it.component for it in found] == ["", "", "20260119T090000", "20260119T090000"]
    assert [it.key for it in found][2:] == ["20260119T090000", "20260126T090000"]


def test_an_override_of_one_is_stronger_than_this_and_future() -> None:
    ranged = override(";RANGE=THISANDFUTURE:20260112T090000", "DTSTART:20260112T100000")
    single = override(":20260119T090000", "DTSTART:20260119T150000")
    assert starts(WEEKLY, ranged, single) == ["01-05 09:00", "01-12 10:00", "01-19 15:00", "01-26 10:00"]


def test_the_latest_this_and_future_counts_and_a_cancelled_one_ends_the_series() -> None:
    first = override(";RANGE=THISANDFUTURE:20260112T090000", "DTSTART:20260112T100000")
    second = override(";RANGE=THISANDFUTURE:20260126T090000", "DTSTART:20260126T080000")
    assert starts(WEEKLY, first, second) == ["01-05 09:00", "01-12 10:00", "01-19 10:00", "01-26 08:00"]
    ended = override(";RANGE=THISANDFUTURE:20260126T090000", "DTSTART:20260126T080000", "STATUS:CANCELLED")
    assert starts(WEEKLY, first, ended) == ["01-05 09:00", "01-12 10:00", "01-19 10:00"]


def test_what_began_before_the_window_and_goes_on_is_in_it() -> None:
    long = "UID:x\nDTSTART:20260105T090000\nDTEND:20260108T090000\nRRULE:FREQ=WEEKLY;COUNT=2"
    assert starts(long, window=day("2026-01-14")) == ["01-12 09:00"]
    assert starts(long, window=day("2026-01-16")) == []


def test_a_window_is_half_open_and_a_moment_is_in_the_day_it_begins() -> None:
    moment = "UID:x\nDTSTART;TZID=Europe/Berlin:20260105T000000\nRRULE:FREQ=DAILY;COUNT=3"
    assert starts(moment, window=day("2026-01-06")) == ["01-06 00:00"]
    hour = "UID:x\nDTSTART;TZID=Europe/Berlin:20260105T230000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3"
    assert starts(hour, window=day("2026-01-06")) == ["01-06 23:00"]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("FREQ=SOMETIMES", "bad_value"),
        ("FREQ=DAILY;INTERVAL=0", "bad_value"),
        ("RSCALE=HEBREW;FREQ=YEARLY", "unsupported"),
        ("FREQ=SECONDLY", "partial"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_flagged_and_leaves_the_start(rule: str, code: str) -> None:
    found = expanded(f"UID:x\nDTSTART:20260105T090000\nRRULE:{rule}")
    assert found.occurrences[0].start.wall == datetime(2026, 1, 5, 9)
    assert [flag.code for flag in found.flags] == [code]
    assert found.partial is (code == "partial")


def test_many_rules_share_the_steps_of_their_object() -> None:
    found = expanded(
        "UID:x\nDTSTART:20260105T090000\n"
        + "\n".join(f"RRULE:FREQ=SECONDLY;INTERVAL={n}" for n in range(1, 50))
    )
    assert found.partial
    assert len(found.occurrences) <= 20_000


def test_an_event_without_a_start_is_nowhere() -> None:
    assert codes("UID:x\nSUMMARY:lost\nRRULE:FREQ=DAILY") == ["no_start"]


def test_the_end_of_a_timed_occurrence_is_exact_and_of_days_nominal() -> None:
    night = "UID:x\nDTSTART;TZID=Europe/Berlin:20260327T230000\n{}\nRRULE:FREQ=DAILY;COUNT=3"
    exact = expanded(night.format("DTEND;TZID=Europe/Berlin:20260328T050000")).occurrences
    assert [f"{it.end.wall:%d %H}" for it in exact] == ["28 05", "29 06", "30 05"]
    nominal = expanded(night.format("DURATION:P1D")).occurrences
    assert [f"{it.end.wall:%d %H}" for it in nominal] == ["28 23", "29 23", "30 23"]
    assert nominal[1].end.instant(UTC) - nominal[1].start.instant(UTC) == timedelta(hours=23)


def test_an_end_in_another_zone_keeps_that_zone() -> None:
    flight = "UID:x\nDTSTART;TZID=Europe/Berlin:20260105T100000\nDTEND;TZID=America/New_York:20260105T130000"
    (found, later) = expanded(flight + "\nRRULE:FREQ=WEEKLY;INTERVAL=10;COUNT=2").occurrences
    assert (found.end.tzid, found.end.wall) == ("America/New_York", datetime(2026, 1, 5, 13))
    # On 16 March New York is on summer time and Berlin is not: nine hours later it is 14:00 there.
    assert later.end.wall == datetime(2026, 3, 16, 14)


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        ("DTSTART;VALUE=DATE:20260105", timedelta(days=1)),
        ("DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260105", timedelta(0)),
        ("DTSTART;VALUE=DATE:20260105\nDTEND:20260106T120000", timedelta(days=2)),
        ("DTSTART;VALUE=DATE:20260105\nDURATION:PT1H", timedelta(days=1)),
        ("DTSTART:20260105T090000", timedelta(0)),
        ("DTSTART:20260105T090000\nDTEND;VALUE=DATE:20260106", timedelta(hours=15)),
        ("DTSTART:20260105T090000\nDTEND;TZID=Nowhere/Land:20260105T100000", timedelta(hours=1)),
    ],
)
def test_odd_ends_are_read_on_the_wall_clock(lines: str, length: timedelta) -> None:
    (only,) = expanded(f"UID:x\n{lines}").occurrences
    assert only.end.wall - only.start.wall == length
    assert only.end.kind is only.start.kind


def test_an_unknown_zone_is_placed_by_the_viewer_and_keeps_its_name() -> None:
    (only,) = expanded("UID:x\nDTSTART;TZID=Nowhere/Land:20260105T090000").occurrences
    assert only.start.zone is None
    assert only.start.tzid == "Nowhere/Land"
    assert only.start.instant(ZoneInfo("Europe/Berlin")) == datetime(2026, 1, 5, 8, tzinfo=UTC)
