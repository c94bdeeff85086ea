"""Edits of one occurrence, and of one and all after it: one example each of what they are to do."""

from __future__ import annotations

import pytest

from calward.errors import InvalidInput, NotFound, Unsupported
from calward.ical.edit import apply_edits
from calward.ical.reading import read_object
from calward.model.ids import RecurrenceKey
from calward.recurrence.edits import plan_restore
from calward.recurrence.patch import Scope, SeriesPatch
from tests.unit.recurrence.objects import BERLIN, NOW, both, calendar, delete, edit, seen
from tests.unit.recurrence.weekly import (
    FIFTH,
    FUTURE,
    MASTER,
    MOVED,
    SERIES,
    after,
    berlin,
    created,
    days,
    lines,
)


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
