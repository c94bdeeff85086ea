"""Edits of a whole series, and what a patch says of each field: one example each of what they are to do."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calward.errors import InvalidInput, NotFound, Unsupported
from calward.ical.reading import read_object
from calward.model.event import Alarm, Attendee
from calward.model.time import CalTime, Duration
from calward.recurrence.patch import Scope, SeriesPatch
from tests.unit.recurrence.objects import NOW, calendar, delete, edit, keys, seen
from tests.unit.recurrence.weekly import FIFTH, FUTURE, MASTER, MOVED, SERIES, after, berlin, days, lines


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
