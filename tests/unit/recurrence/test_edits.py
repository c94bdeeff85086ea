"""Edits of series, one example each of what they are to do."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calward.errors import InvalidInput, NotFound, Unsupported
from calward.ical.edit import apply_edits
from calward.ical.reading import read_object
from calward.model.event import Alarm, Attendee
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, Duration
from calward.recurrence.edits import plan_restore
from calward.recurrence.patch import Scope, SeriesEdit, SeriesPatch
from tests.unit.recurrence.objects import BERLIN, NOW, both, calendar, delete, edit, keys, seen

MASTER = """
    UID:weekly
    DTSTAMP:20260101T000000Z
    DTSTART;TZID=Europe/Berlin:20260105T090000
    DTEND;TZID=Europe/Berlin:20260105T100000
    RRULE:FREQ=WEEKLY;COUNT=10
    SUMMARY:Stand-up
    SEQUENCE:3
    X-OTHER;X-PARAM="a;b":left alone
    ATTENDEE;PARTSTAT=ACCEPTED;X-NUM=0:mailto:ann@example.org
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:soon
    END:VALARM
"""
SERIES = calendar(MASTER)
MOVED = """
    UID:weekly
    DTSTAMP:20260101T000000Z
    RECURRENCE-ID;TZID=Europe/Berlin:20260202T090000
    DTSTART;TZID=Europe/Berlin:20260203T110000
    DTEND;TZID=Europe/Berlin:20260203T120000
    SUMMARY:Stand-up, late
"""
FIFTH = "20260202T080000Z"
FUTURE = Scope.THIS_AND_FUTURE


def berlin(*at: int) -> CalTime:
    return CalTime.of_zone(datetime(*at), BERLIN, "Europe/Berlin")  # type: ignore[arg-type]


def after(data: bytes, done: SeriesEdit) -> bytes:
    assert not done.delete_object
    return apply_edits(data, done.edits)


def created(done: SeriesEdit) -> bytes:
    assert done.created is not None
    return done.created


def lines(data: bytes, name: str) -> list[str]:
    return [line for line in data.decode().replace("\r\n ", "").split("\r\n") if line.startswith(name)]


def days(*objects: bytes | None) -> list[str]:
    return [f"{it.start:%m-%d %H:%M}" for it in seen(*objects)]


class TestOne:
    def test_one_is_retitled_by_a_copy_of_its_master(self) -> None:
        new = after(SERIES, edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(summary="Retro, long")))
        head, _, tail = new.partition(b"END:VEVENT\r\n")
        assert head == SERIES.partition(b"END:VEVENT\r\n")[0]
        override = tail.decode()
        assert "RECURRENCE-ID;TZID=Europe/Berlin:20260202T090000\r\n" in override
        assert "SUMMARY:Retro\\, long\r\n" in override
        assert 'X-OTHER;X-PARAM="a;b":left alone' in override
        assert "TRIGGER:-PT15M" in override
        assert "RRULE" not in override

    def test_a_second_edit_of_one_changes_its_override(self) -> None:
        once = after(SERIES, edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(summary="a")))
        twice = after(once, edit(once, FIFTH, Scope.ONE, SeriesPatch(location="Room 1")))
        assert len(read_object(twice).events) == 2
        assert read_object(twice).events[1].location == "Room 1"
        assert read_object(twice).events[1].summary == "a"

    def test_one_is_moved_with_its_length_and_counts_as_rescheduled(self) -> None:
        new = after(SERIES, edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(start=berlin(2026, 2, 3, 15))))
        assert days(new)[4] == "02-03 14:00"
        override = read_object(new).events[1]
        assert override.end == berlin(2026, 2, 3, 16)
        assert override.sequence == 4
        assert read_object(new).events[0].sequence == 3

    def test_one_cannot_have_a_rule(self) -> None:
        with pytest.raises(InvalidInput):
            edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(rrule="FREQ=DAILY"))

    def test_deleting_one_leaves_the_rest(self) -> None:
        done = delete(SERIES, FIFTH, Scope.ONE)
        new = after(SERIES, done)
        assert lines(new, "EXDATE") == ["EXDATE;TZID=Europe/Berlin:20260202T090000"]
        assert days(new) == [day for day in days(SERIES) if not day.startswith("02-02")]
        assert (done.removed.count, done.removed.first) == (1, (berlin(2026, 2, 2, 9),))
        assert not done.removed.endless

    def test_deleting_one_deletes_its_override_too(self) -> None:
        data = calendar(MASTER, MOVED)
        done = delete(data, FIFTH, Scope.ONE)
        assert len(read_object(after(data, done)).events) == 1
        assert done.removed.first == (berlin(2026, 2, 3, 11),)

    def test_deleting_the_last_one_left_deletes_the_object(self) -> None:
        data = calendar(MASTER.replace("COUNT=10", "COUNT=1"))
        assert delete(data, "20260105T080000Z", Scope.ONE).delete_object

    def test_an_all_day_occurrence_is_excluded_as_a_date(self) -> None:
        data = calendar("UID:x\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=DAILY;COUNT=3")
        new = after(data, delete(data, "20260106", Scope.ONE))
        assert lines(new, "EXDATE") == ["EXDATE;VALUE=DATE:20260106"]

    def test_an_orphan_is_deleted_without_an_exdate(self) -> None:
        data = calendar(MASTER, MOVED.replace("20260202T090000", "20260202T093000"))
        new = after(data, delete(data, "20260202T083000Z", Scope.ONE))
        assert lines(new, "EXDATE") == []
        assert new == SERIES

    def test_a_deleted_occurrence_is_restored(self) -> None:
        gone = after(SERIES, delete(SERIES, FIFTH, Scope.ONE))
        back = apply_edits(gone, plan_restore(gone, RecurrenceKey(FIFTH), now=NOW, viewer=BERLIN).edits)
        assert days(back) == days(SERIES)
        assert lines(back, "EXDATE") == []

    def test_restoring_takes_one_value_out_of_a_line_of_many(self) -> None:
        data = calendar(
            MASTER.replace("SUMMARY", "EXDATE;TZID=Europe/Berlin:20260112T090000,20260202T090000\nSUMMARY")
        )
        back = apply_edits(data, plan_restore(data, RecurrenceKey(FIFTH), now=NOW, viewer=BERLIN).edits)
        assert lines(back, "EXDATE") == ["EXDATE;TZID=Europe/Berlin:20260112T090000"]

    def test_a_cancelled_occurrence_is_restored(self) -> None:
        data = calendar(MASTER, MOVED.replace("SUMMARY", "STATUS:CANCELLED\nSUMMARY"))
        back = apply_edits(data, plan_restore(data, RecurrenceKey(FIFTH), now=NOW, viewer=BERLIN).edits)
        assert "02-03 10:00" in days(back)

    def test_what_is_not_deleted_cannot_be_restored(self) -> None:
        with pytest.raises(NotFound):
            plan_restore(SERIES, RecurrenceKey(FIFTH), now=NOW, viewer=BERLIN)

    def test_cancelling_one_counts_as_a_removal(self) -> None:
        done = edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(status="CANCELLED"))
        assert done.removed.count == 1


class TestThisAndFuture:
    def test_ten_cut_at_the_fifth_are_four_and_six(self) -> None:
        done = edit(SERIES, FIFTH, FUTURE, SeriesPatch(summary="Retro"))
        old, new = both(SERIES, done)
        assert old is not None
        assert lines(old, "RRULE") == ["RRULE:FREQ=WEEKLY;COUNT=4"]
        assert lines(created(done), "RRULE") == ["RRULE:FREQ=WEEKLY;COUNT=6"]
        assert days(old, new) == days(SERIES)
        assert [it.summary for it in seen(old, new)] == ["Stand-up"] * 4 + ["Retro"] * 6
        assert done.removed.count == 0

    def test_the_halves_name_each_other(self) -> None:
        old, new = both(SERIES, edit(SERIES, FIFTH, FUTURE, SeriesPatch(summary="Retro")))
        assert old is not None
        assert new is not None
        assert lines(old, "RELATED-TO") == ["RELATED-TO;RELTYPE=SIBLING:the-new-one"]
        assert lines(new, "RELATED-TO") == ["RELATED-TO;RELTYPE=SIBLING:weekly"]
        assert lines(new, "UID") == ["UID:the-new-one"]

    def test_a_crash_between_the_two_loses_nothing(self) -> None:
        done = edit(SERIES, FIFTH, FUTURE, SeriesPatch(summary="Retro"))
        in_between = days(SERIES, done.created)
        assert set(days(*both(SERIES, done))) <= set(in_between)

    def test_until_and_endless_rules_end_right_before(self) -> None:
        for rule in ("FREQ=WEEKLY", "FREQ=WEEKLY;UNTIL=20260401T000000Z"):
            data = calendar(MASTER.replace("FREQ=WEEKLY;COUNT=10", rule))
            done = edit(data, FIFTH, FUTURE, SeriesPatch(summary="Retro"))
            assert lines(after(data, done), "RRULE") == ["RRULE:FREQ=WEEKLY;UNTIL=20260202T075959Z"]
            assert lines(created(done), "RRULE") == [f"RRULE:{rule}"]

    def test_an_all_day_series_ends_the_day_before(self) -> None:
        data = calendar("UID:x\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=DAILY\nSUMMARY:x")
        done = edit(data, "20260110", FUTURE, SeriesPatch(summary="y"))
        assert lines(after(data, done), "RRULE") == ["RRULE:FREQ=DAILY;UNTIL=20260109"]

    def test_exceptions_go_to_the_half_they_are_in(self) -> None:
        exdates = "EXDATE;TZID=Europe/Berlin:20260112T090000,20260216T090000\nSUMMARY"
        data = calendar(
            MASTER.replace("SUMMARY", exdates), MOVED.replace("0202T", "0209T"), MOVED.replace("0202T", "0119T")
        )
        done = edit(data, FIFTH, FUTURE, SeriesPatch(start=berlin(2026, 2, 3, 14)))
        old, new = after(data, done), created(done)
        assert lines(old, "EXDATE") == ["EXDATE;TZID=Europe/Berlin:20260112T090000"]
        assert lines(new, "EXDATE") == ["EXDATE;TZID=Europe/Berlin:20260217T140000"]
        assert lines(old, "RECURRENCE-ID") == ["RECURRENCE-ID;TZID=Europe/Berlin:20260119T090000"]
        assert lines(new, "RECURRENCE-ID") == ["RECURRENCE-ID;TZID=Europe/Berlin:20260210T140000"]

    def test_from_the_first_on_is_the_whole(self) -> None:
        done = edit(SERIES, "20260105T080000Z", FUTURE, SeriesPatch(summary="Retro"))
        assert done.created is None
        assert {it.summary for it in seen(after(SERIES, done))} == {"Retro"}
        assert delete(SERIES, "20260105T080000Z", FUTURE).delete_object

    def test_from_the_first_that_is_left_on_is_the_whole(self) -> None:
        data = after(SERIES, delete(SERIES, "20260105T080000Z", Scope.ONE))
        assert delete(data, "20260112T080000Z", FUTURE).delete_object

    def test_deleting_from_here_on_trims_and_creates_nothing(self) -> None:
        data = calendar(MASTER.replace(";COUNT=10", ""), MOVED)
        done = delete(data, FIFTH, FUTURE)
        assert done.created is None
        assert days(after(data, done)) == days(SERIES)[:4]
        assert done.removed.endless
        assert done.removed.more
        assert done.removed.first[0] == berlin(2026, 2, 3, 11)

    def test_a_new_rule_from_here_on(self) -> None:
        done = edit(SERIES, FIFTH, FUTURE, SeriesPatch(rrule="FREQ=DAILY;COUNT=2"))
        assert days(*both(SERIES, done)) == [*days(SERIES)[:4], "02-02 08:00", "02-03 08:00"]
        assert done.removed.count == 5

    def test_a_date_that_rdate_adds_can_be_the_cut(self) -> None:
        data = calendar(MASTER.replace("SUMMARY", "RDATE;TZID=Europe/Berlin:20260204T090000\nSUMMARY"))
        done = edit(data, "20260204T080000Z", FUTURE, SeriesPatch(summary="Retro"))
        old, new = both(data, done)
        assert days(old, new) == days(data)
        assert [it.summary for it in seen(new)] == ["Retro"] * 6

    def test_a_date_in_another_zone_that_rdate_adds_can_be_the_cut(self) -> None:
        data = calendar(MASTER.replace("SUMMARY", "RDATE;TZID=Asia/Kathmandu:20260204T120000\nSUMMARY"))
        done = edit(data, "20260204T061500Z", FUTURE, SeriesPatch(summary="Retro"))
        assert days(*both(data, done)) == days(data)

    def test_a_rule_of_every_minute_is_cut(self) -> None:
        data = calendar(MASTER.replace("FREQ=WEEKLY;COUNT=10", "FREQ=MINUTELY"))
        done = edit(data, "20260105T120000Z", FUTURE, SeriesPatch(summary="Retro"))
        assert lines(after(data, done), "RRULE") == ["RRULE:FREQ=MINUTELY;UNTIL=20260105T115959Z"]

    def test_an_object_with_this_and_future_inside_is_not_cut(self) -> None:
        data = calendar(MASTER, MOVED.replace("RECURRENCE-ID", "RECURRENCE-ID;RANGE=THISANDFUTURE"))
        with pytest.raises(Unsupported):
            edit(data, "20260209T080000Z", FUTURE, SeriesPatch(summary="Retro"))

    def test_a_rule_that_skips_keeps_its_day(self) -> None:
        data = calendar(
            "UID:x\nDTSTART;VALUE=DATE:20260131\nRRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD\nSUMMARY:x"
        )
        done = edit(data, "20260228", FUTURE, SeriesPatch(summary="y"))
        assert days(*both(data, done)) == days(data)


class TestAll:
    def test_a_new_title_is_the_only_change(self) -> None:
        new = after(SERIES, edit(SERIES, FIFTH, Scope.ALL, SeriesPatch(summary="Retro")))
        dated = b"DTSTAMP:20260110T120000Z"
        assert (
            new.replace(b"Retro", b"Stand-up")
            .replace(dated, b"DTSTAMP:20260101T000000Z")
            .replace(b"LAST-MODIFIED:20260110T120000Z\r\n", b"")
            == SERIES
        )

    def test_a_move_takes_rule_and_exceptions_along(self) -> None:
        master = MASTER.replace(
            "FREQ=WEEKLY;COUNT=10", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;UNTIL=20260501T070000Z"
        )
        data = calendar(master.replace("SUMMARY", "EXDATE:20260111T080000Z\nSUMMARY"), MOVED)
        done = edit(data, "20260105T080000Z", Scope.ALL, SeriesPatch(start=berlin(2026, 1, 6, 8, 30)))
        new = after(data, done)
        assert lines(new, "RRULE") == [
            "RRULE:FREQ=WEEKLY;UNTIL=20260502T063000Z;INTERVAL=2;BYDAY=MO,TU;WKST=TU"
        ]
        assert lines(new, "EXDATE") == ["EXDATE;TZID=Europe/Berlin:20260112T083000"]
        assert lines(new, "RECURRENCE-ID") == ["RECURRENCE-ID;TZID=Europe/Berlin:20260203T083000"]
        assert "02-04 09:30" in days(new)

    def test_overrides_a_day_apart_do_not_meet_while_moving(self) -> None:
        daily = MASTER.replace("FREQ=WEEKLY", "FREQ=DAILY")
        first, second = (
            MOVED.replace("0202T", f"010{day}T").replace("late", str(day)).replace("0203T", f"010{day}T")
            for day in (6, 7)
        )
        data = calendar(daily, first, second)
        for hours in (24, -24):
            moved = berlin(2026, 1, 5, 9)
            moved = moved.at(moved.wall + timedelta(hours=hours))
            new = after(data, edit(data, "20260105T080000Z", Scope.ALL, SeriesPatch(start=moved)))
            assert [it.summary[-1] for it in seen(new)][:4] == ["p", "6", "7", "p"]

    def test_to_another_zone_and_back_is_the_same_series(self) -> None:
        york = CalTime.of_zone(datetime(2026, 1, 5, 9), ZoneInfo("America/New_York"), "America/New_York")
        there = after(SERIES, edit(SERIES, "", Scope.ALL, SeriesPatch(start=york)))
        assert lines(there, "DTSTART;")[0] == "DTSTART;TZID=America/New_York:20260105T090000"
        assert "BEGIN:VTIMEZONE" in there.decode()
        assert days(there)[0] == "01-05 14:00"
        back = after(there, edit(there, "", Scope.ALL, SeriesPatch(start=berlin(2026, 1, 5, 9))))
        assert days(back) == days(SERIES)

    def test_to_whole_days_and_back(self) -> None:
        data = calendar(MASTER.replace("SUMMARY", "EXDATE;TZID=Europe/Berlin:20260112T090000\nSUMMARY"), MOVED)
        day = SeriesPatch(
            start=CalTime.of_date(datetime(2026, 1, 5)), end=CalTime.of_date(datetime(2026, 1, 6))
        )
        new = after(data, edit(data, "", Scope.ALL, day))
        assert lines(new, "EXDATE") == ["EXDATE;VALUE=DATE:20260112"]
        assert days(new)[:4] == ["01-05 00:00", "01-19 00:00", "01-26 00:00", "02-03 00:00"]
        hour = SeriesPatch(start=berlin(2026, 1, 5, 9), end=berlin(2026, 1, 5, 10))
        assert days(after(new, edit(new, "", Scope.ALL, hour)))[:3] == days(data)[:3]
        with pytest.raises(InvalidInput):
            edit(data, "", Scope.ALL, SeriesPatch(start=CalTime.of_date(datetime(2026, 1, 5))))

    def test_every_form_of_exception_moves(self) -> None:
        extra = """
            RDATE;VALUE=PERIOD:20260106T080000Z/PT2H,20260107T080000Z/20260107T090000Z
            EXDATE;VALUE=DATE:20260112,20260119
            EXDATE:nonsense
        """
        abroad = MOVED.replace("DTSTART;TZID=Europe/Berlin", "DTSTART;TZID=Asia/Kathmandu")
        data = calendar(MASTER + extra, abroad.replace("RECURRENCE-ID", "RECURRENCE-ID;RANGE=THISANDFUTURE"))
        new = after(data, edit(data, "", Scope.ALL, SeriesPatch(start=berlin(2026, 1, 6, 10))))
        assert lines(new, "RDATE") == [
            "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260107T100000/20260107T120000,20260108T100000/20260108T110000"
        ]
        assert lines(new, "EXDATE") == ["EXDATE:nonsense", "EXDATE;VALUE=DATE:20260113,20260120"]
        assert lines(new, "RECURRENCE-ID") == [
            "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260203T100000"
        ]
        assert lines(new, "DTSTART;TZID=Asia") == ["DTSTART;TZID=Asia/Kathmandu:20260204T120000"]

    def test_an_override_that_is_of_days_moves_by_days(self) -> None:
        whole_day = MOVED.replace("DTSTART;TZID=Europe/Berlin:20260203T110000", "DTSTART;VALUE=DATE:20260203")
        whole_day = whole_day.replace("DTEND;TZID=Europe/Berlin:20260203T120000", "DTEND;VALUE=DATE:20260204")
        data = calendar(MASTER, whole_day)
        day_later = edit(data, "", Scope.ALL, SeriesPatch(start=berlin(2026, 1, 6, 10)))
        assert "02-04 00:00" in days(after(data, day_later))

    def test_a_new_length_is_for_all_that_had_the_old_one(self) -> None:
        data = calendar(MASTER, MOVED.replace("20260203T120000", "20260203T140000"))
        new = after(data, edit(data, "", Scope.ALL, SeriesPatch(end=berlin(2026, 1, 5, 9, 30))))
        lengths = [it.end - it.start for it in seen(new)]
        assert lengths == [timedelta(minutes=30)] * 4 + [timedelta(hours=3)] + [timedelta(minutes=30)] * 5

    @pytest.mark.parametrize(
        ("rule", "start", "target", "moved"),
        [
            ("FREQ=MONTHLY;BYMONTHDAY=5", (2026, 1, 5, 9), (2026, 1, 6, 9), "FREQ=MONTHLY;BYMONTHDAY=6"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", (2026, 1, 31, 9), (2026, 1, 30, 9), "FREQ=MONTHLY;BYMONTHDAY=-2"),
            ("FREQ=MONTHLY;BYDAY=1MO", (2026, 1, 5, 9), (2026, 1, 13, 9), "FREQ=MONTHLY;BYDAY=2TU"),
            ("FREQ=MONTHLY;BYDAY=-1MO", (2026, 1, 26, 9), (2026, 1, 27, 9), "FREQ=MONTHLY;BYDAY=-1TU"),
            (
                "FREQ=YEARLY;BYMONTH=1;BYDAY=1MO",
                (2026, 1, 5, 9),
                (2026, 2, 3, 9),
                "FREQ=YEARLY;BYDAY=1TU;BYMONTH=2",
            ),
            ("FREQ=YEARLY;BYMONTH=1", (2026, 1, 31, 9), (2026, 2, 1, 9), "FREQ=YEARLY;BYMONTH=2"),
            ("FREQ=DAILY;BYDAY=MO,TU", (2026, 1, 5, 9), (2026, 1, 6, 9), "FREQ=DAILY;BYDAY=TU,WE"),
            ("FREQ=DAILY;BYHOUR=9", (2026, 1, 5, 9), (2026, 1, 5, 11), "FREQ=DAILY;BYHOUR=11"),
            ("FREQ=MONTHLY", (2026, 1, 5, 9), (2026, 1, 6, 9), "FREQ=MONTHLY"),
        ],
    )
    def test_the_days_of_a_rule_move_along(
        self, rule: str, start: tuple[int, ...], target: tuple[int, ...], moved: str
    ) -> None:
        data = calendar(f"UID:x\nDTSTART:{datetime(*start):%Y%m%dT%H%M%S}\nRRULE:{rule}")  # type: ignore[arg-type]
        new = after(data, edit(data, "", Scope.ALL, SeriesPatch(start=CalTime.floating(datetime(*target)))))  # type: ignore[arg-type]
        assert lines(new, "RRULE") == [f"RRULE:{moved}"]

    @pytest.mark.parametrize(
        "rule",
        [
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
            "FREQ=MONTHLY;BYMONTHDAY=5,20",
            "FREQ=YEARLY;BYWEEKNO=2;BYDAY=MO",
            "FREQ=WEEKLY;BYDAY=MO;BYMONTH=1",
            "FREQ=MONTHLY;BYDAY=1MO,3MO",
        ],
    )
    def test_a_rule_whose_days_cannot_move_along_is_not_guessed_at(self, rule: str) -> None:
        data = calendar(f"UID:x\nDTSTART:20260105T090000\nRRULE:{rule}")
        with pytest.raises(Unsupported, match="new recurrence"):
            edit(data, "", Scope.ALL, SeriesPatch(start=CalTime.floating(datetime(2026, 1, 6, 9))))

    def test_hours_that_a_rule_lists_are_not_guessed_at(self) -> None:
        data = calendar("UID:x\nDTSTART:20260105T090000\nRRULE:FREQ=DAILY;BYHOUR=9,15")
        with pytest.raises(Unsupported):
            edit(data, "", Scope.ALL, SeriesPatch(start=CalTime.floating(datetime(2026, 1, 5, 10))))

    def test_a_new_rule_keeps_the_overrides_it_has_and_tells_of_the_others(self) -> None:
        kept = MOVED.replace("0202T", "0126T").replace("0203T", "0127T")
        data = calendar(MASTER, kept, MOVED)
        done = edit(data, "", Scope.ALL, SeriesPatch(rrule="FREQ=WEEKLY;INTERVAL=3;UNTIL=20260301"))
        new = after(data, done)
        assert lines(new, "RRULE") == ["RRULE:FREQ=WEEKLY;UNTIL=20260301T225959Z;INTERVAL=3"]
        assert days(new) == ["01-05 08:00", "01-27 10:00", "02-16 08:00"]
        assert done.notes == ("Changed occurrences that the new rule does not have are removed: 2026-02-02.",)
        assert done.removed.count == 7

    def test_a_new_rule_moves_dtstart_to_its_first_day(self) -> None:
        new = after(SERIES, edit(SERIES, "", Scope.ALL, SeriesPatch(rrule="FREQ=WEEKLY;BYDAY=TH;COUNT=2")))
        assert days(new) == ["01-08 08:00", "01-15 08:00"]

    def test_an_event_becomes_a_series_and_an_event_again(self) -> None:
        single = calendar("UID:x\nDTSTART:20260105T090000\nSUMMARY:x")
        series = after(single, edit(single, "", Scope.ONE, SeriesPatch(rrule="FREQ=DAILY;COUNT=3")))
        assert len(seen(series)) == 3
        done = edit(series, "", Scope.ALL, SeriesPatch(rrule=None))
        assert days(after(series, done)) == days(single)
        assert done.removed.count == 2

    def test_a_rule_that_never_happens_or_makes_no_sense_is_refused(self) -> None:
        for rule in ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=WEEKLY;UNTIL=20200101", "FREQ=NEVER"):
            with pytest.raises(InvalidInput):
                edit(SERIES, "", Scope.ALL, SeriesPatch(rrule=rule))
        with pytest.raises(Unsupported):
            edit(SERIES, "", Scope.ALL, SeriesPatch(rrule="RSCALE=HEBREW;FREQ=YEARLY"))

    def test_deleting_all_deletes_the_object_and_counts(self) -> None:
        done = delete(SERIES, FIFTH, Scope.ALL)
        assert done.delete_object
        assert (done.removed.count, len(done.removed.first), done.removed.more) == (10, 5, False)

    def test_a_zone_by_another_name_keeps_the_name_it_has(self) -> None:
        data = calendar(MASTER.replace("Europe/Berlin", "W. Europe Standard Time"))
        new = after(data, edit(data, "", Scope.ALL, SeriesPatch(start=berlin(2026, 1, 5, 8))))
        assert lines(new, "DTSTART") == ["DTSTART;TZID=W. Europe Standard Time:20260105T080000"]


class TestPatch:
    def test_text_words_and_lists_are_set_and_removed(self) -> None:
        patch = SeriesPatch(
            description="a\nb; c",
            location="Here",
            url="https://example.org/x",
            status="TENTATIVE",
            classification="PRIVATE",
            transparent=True,
            categories=("work", "a,b"),
        )
        new = after(SERIES, edit(SERIES, "", Scope.ALL, patch))
        event = read_object(new).events[0]
        assert (event.description, event.location, event.url) == ("a\nb; c", "Here", "https://example.org/x")
        assert (event.status, event.classification, event.transparent) == ("TENTATIVE", "PRIVATE", True)
        assert event.categories == ("work", "a,b")
        none = SeriesPatch(
            description=None,
            location=None,
            url=None,
            status=None,
            classification=None,
            transparent=False,
            categories=(),
        )
        bare = read_object(after(new, edit(new, "", Scope.ALL, none))).events[0]
        assert (bare.description, bare.location, bare.url, bare.status, bare.categories) == ("", "", "", "", ())

    def test_attendees_who_stay_keep_their_lines(self) -> None:
        patch = SeriesPatch(
            organizer=Attendee("mailto:me@example.org", name="Me"),
            attendees=(
                Attendee("MAILTO:Ann@example.org"),
                Attendee("mailto:bo@example.org", "Bo, Jr", rsvp=True),
            ),
        )
        new = after(SERIES, edit(SERIES, "", Scope.ALL, patch))
        assert lines(new, "ATTENDEE") == [
            "ATTENDEE;PARTSTAT=ACCEPTED;X-NUM=0:mailto:ann@example.org",
            'ATTENDEE;CN="Bo, Jr";RSVP=TRUE:mailto:bo@example.org',
        ]
        assert lines(new, "ORGANIZER") == ["ORGANIZER;CN=Me:mailto:me@example.org"]
        nobody = after(new, edit(new, "", Scope.ALL, SeriesPatch(attendees=(), organizer=None)))
        assert lines(nobody, "ATTENDEE") + lines(nobody, "ORGANIZER") == []

    def test_alarms_are_replaced(self) -> None:
        alarms = (Alarm("DISPLAY", Duration(0, -3600)), Alarm("AUDIO", at=CalTime.of_utc(NOW)))
        event = read_object(after(SERIES, edit(SERIES, "", Scope.ALL, SeriesPatch(alarms=alarms)))).events[0]
        assert [alarm.offset for alarm in event.alarms] == [Duration(0, -3600), None]
        assert event.alarms[1].at == CalTime.of_utc(NOW)

    def test_an_empty_patch_changes_nothing(self) -> None:
        assert edit(SERIES, FIFTH, Scope.ALL, SeriesPatch()).edits == ()

    def test_an_end_before_the_start_is_refused(self) -> None:
        with pytest.raises(InvalidInput):
            edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(end=berlin(2026, 2, 2, 8)))
        with pytest.raises(InvalidInput):
            edit(SERIES, FIFTH, Scope.ONE, SeriesPatch(end=CalTime.of_date(datetime(2026, 2, 3))))

    @pytest.mark.parametrize("key", ["20260203T080000Z", "20260112T080000Z", "nonsense", "20261399"])
    def test_an_occurrence_that_is_not_there_is_not_found(self, key: str) -> None:
        data = after(SERIES, delete(SERIES, "20260112T080000Z", Scope.ONE))
        with pytest.raises(NotFound):
            edit(data, key, Scope.ONE, SeriesPatch(summary="x"))

    def test_an_invitation_to_one_occurrence_can_be_changed_alone(self) -> None:
        data = calendar(MOVED)
        assert keys(data) == [FIFTH]
        new = after(data, edit(data, FIFTH, Scope.ONE, SeriesPatch(summary="mine")))
        assert [it.summary for it in seen(new)] == ["mine"]
        assert delete(data, FIFTH, Scope.ONE).delete_object
        two = calendar(MOVED.replace("0202T", "0126T").replace("0203T", "0127T"), MOVED)
        assert days(after(two, delete(two, FIFTH, FUTURE))) == ["01-27 10:00"]
        with pytest.raises(Unsupported):
            edit(data, FIFTH, Scope.ALL, SeriesPatch(start=berlin(2026, 2, 3, 12)))
