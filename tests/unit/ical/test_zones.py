"""Zones of a text: what its own VTIMEZONEs say, and how zones are written."""

import copy
import pickle
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.ical.reading import read_object
from calward.ical.tree import parse
from calward.ical.vtimezone import RuleZone, read_vtimezone
from calward.ical.zone_names import zone_name
from calward.ical.zone_text import vtimezone_text
from calward.ical.zones import MAX_EMBEDDED, Zones

OWN = Path(__file__).parents[2] / "corpus"
EU = {"STANDARD": "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "DAYLIGHT": "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"}


def observance(kind: str, start: str, before: str, after: str, *more: str) -> str:
    lines = (f"DTSTART:{start}", f"TZOFFSETFROM:{before}", f"TZOFFSETTO:{after}", *more)
    return "\n".join((f"BEGIN:{kind}", *lines, f"END:{kind}"))


def vtimezone(tzid: str, *observances: str) -> str:
    return "\n".join(("BEGIN:VTIMEZONE", f"TZID:{tzid}", *observances, "END:VTIMEZONE", ""))


def european(tzid: str, before: str = "+0100", after: str = "+0200") -> str:
    return vtimezone(
        tzid,
        observance("STANDARD", "16011028T030000", after, before, f"RRULE:{EU['STANDARD']}"),
        observance("DAYLIGHT", "16010325T020000", before, after, f"RRULE:{EU['DAYLIGHT']}"),
    )


def rules(*observances: str) -> RuleZone:
    zone = read_vtimezone(parse(vtimezone("Ours", *observances).encode()).roots[0])
    assert zone is not None
    return zone


def zones(*texts: str) -> Zones:
    return Zones(parse("\n".join(("BEGIN:VCALENDAR", *texts, "END:VCALENDAR")).encode()))


def test_an_own_name_with_the_offsets_of_a_known_zone_is_that_zone() -> None:
    zone = zones(european("Office time")).get("Office time")
    assert zone is not None
    assert ZoneInfo("Europe/Berlin").utcoffset(datetime(2026, 7, 1)) == zone.utcoffset(datetime(2026, 7, 1))
    assert zone_name(zone).startswith("Europe/")


def test_a_zone_that_the_name_hints_at_is_preferred() -> None:
    zone = zones(european("custom_Europe/Vaduz")).get('"custom_Europe/Vaduz"')
    assert zone is not None
    assert zone_name(zone) == "Europe/Vaduz"


def test_other_offsets_make_a_zone_of_our_own() -> None:
    zone = zones(european("Ship time", "+0117", "+0217")).get("Ship time")
    assert isinstance(zone, RuleZone)
    assert zone_name(zone) == ""
    assert datetime(2026, 7, 1, 12, tzinfo=zone).astimezone(UTC) == datetime(2026, 7, 1, 9, 43, tzinfo=UTC)
    assert datetime(2026, 1, 1, 12, tzinfo=zone).dst() == timedelta(0)
    assert datetime(2026, 7, 1, 12, tzinfo=zone).dst() == timedelta(hours=1)


def test_a_name_that_nothing_explains_is_none() -> None:
    assert zones(european("Ship time")).get("Moon/Tranquility") is None


def test_a_description_counts_after_the_vtimezone_of_its_name() -> None:
    assert isinstance(zones(european("Berlin, Paris", "+0117", "+0217")).get("Berlin, Paris"), RuleZone)
    assert zones().get("Berlin, Paris") == ZoneInfo("Europe/Berlin")


def test_a_known_name_wins_over_its_vtimezone_and_the_difference_is_told() -> None:
    found = zones(european("Europe/Berlin", "+0300", "+0400"))
    assert found.get("Europe/Berlin") == ZoneInfo("Europe/Berlin")
    assert found.differs("Europe/Berlin", datetime(2026, 7, 1))
    assert found.differs("Europe/Berlin", datetime(2026, 7, 1), recurs=True)
    same = zones(european("Europe/Berlin"))
    assert not same.differs("Europe/Berlin", datetime(2026, 7, 1))
    assert not same.differs("Europe/Berlin", datetime(2026, 7, 1), recurs=True)
    assert not same.differs("Europe/Paris", datetime(2026, 7, 1))
    assert not zones(european("Ship time", "+0117", "+0217")).differs("Ship time", datetime(2026, 7, 1))


def test_a_difference_in_the_same_year_counts_for_a_series_only() -> None:
    standard = zones(vtimezone("Europe/Berlin", observance("STANDARD", "19700101T000000", "+0100", "+0100")))
    assert not standard.differs("Europe/Berlin", datetime(2026, 1, 1))
    assert standard.differs("Europe/Berlin", datetime(2026, 7, 1))
    assert standard.differs("Europe/Berlin", datetime(2026, 1, 1), recurs=True)


def test_the_zone_a_calendar_suggests_moves_no_floating_time() -> None:
    data = (OWN / "suggested_zone.ics").read_bytes()
    (event,) = read_object(data).events
    assert event.start is not None
    assert event.start.zone is None


def test_gaps_and_overlaps_follow_pep_495() -> None:
    zone = rules(
        observance("STANDARD", "19701025T030000", "+0200", "+0100", f"RRULE:{EU['STANDARD']}", "TZNAME:CET"),
        observance("DAYLIGHT", "19700329T020000", "+0100", "+0200", f"RRULE:{EU['DAYLIGHT']}", "TZNAME:CEST"),
    )
    berlin = ZoneInfo("Europe/Berlin")
    moment = datetime(2026, 3, 28)
    while moment < datetime(2026, 11, 1):
        for fold in (0, 1):
            wall = moment.replace(fold=fold)
            assert zone.utcoffset(wall) == berlin.utcoffset(wall)
            assert wall.replace(tzinfo=zone).tzname() == wall.replace(tzinfo=berlin).tzname()
        utc = moment.replace(tzinfo=UTC)
        ours, theirs = utc.astimezone(zone), utc.astimezone(berlin)
        assert (ours.replace(tzinfo=None), ours.fold) == (theirs.replace(tzinfo=None), theirs.fold)
        moment += timedelta(minutes=30)


def test_before_its_first_change_a_zone_has_the_offset_it_came_from() -> None:
    zone = rules(observance("STANDARD", "20200101T000000", "+0300", "+0200", "TZNAME:LATE"))
    assert zone.utcoffset(datetime(2000, 1, 1)) == zone.utcoffset(None) == timedelta(hours=3)
    assert datetime(2000, 1, 1, tzinfo=UTC).astimezone(zone).hour == 3
    assert datetime(2000, 1, 1, tzinfo=zone).tzname() == "Ours"
    assert datetime(2000, 1, 1, tzinfo=zone).dst() == timedelta(0)


def test_zones_of_our_own_are_values() -> None:
    one = rules(observance("STANDARD", "20200101T000000", "+0300", "+0200"))
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert hash(copy.deepcopy(one)) == hash(one)
    assert one != rules(observance("STANDARD", "20200101T000000", "+0300", "+0100"))
    assert "1 transitions" in repr(one)


@pytest.mark.parametrize(
    ("rule", "onsets"),
    [
        ("FREQ=YEARLY;COUNT=2", ["2001-03-25", "2002-03-25"]),
        ("FREQ=YEARLY;INTERVAL=2;UNTIL=20050101T000000Z", ["2001-03-25", "2003-03-25"]),
        ("FREQ=YEARLY;UNTIL=20020325", ["2001-03-25", "2002-03-25"]),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=3", ["2001-03-25", "2002-03-31", "2003-03-30"]),
        ("FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;COUNT=2", ["2001-03-25", "2001-04-01", "2002-04-07"]),
        ("FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14;COUNT=1", ["2001-03-25", "2001-04-08"]),
        ("FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1;COUNT=1", ["2001-03-25", "2001-04-30"]),
        ("FREQ=YEARLY;BYMONTH=4;BYDAY=5MO;UNTIL=20031231", ["2001-03-25", "2001-04-30", "2002-04-29"]),
        ("FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;UNTIL=20031231", ["2001-03-25"]),
        ("FREQ=YEARLY;BYMONTH=1;BYDAY=1SU;COUNT=1", ["2001-03-25", "2002-01-06"]),
        ("FREQ=YEARLY;BYMONTH=13", ["2001-03-25"]),
        ("FREQ=YEARLY;BYDAY=XX", ["2001-03-25"]),
        ("FREQ=YEARLY;UNTIL=never", ["2001-03-25"]),
        ("FREQ=DAILY", ["2001-03-25"]),
        ("", ["2001-03-25"]),
    ],
)
def test_yearly_rules_are_followed_and_others_count_once(rule: str, onsets: list[str]) -> None:
    zone = rules(observance("DAYLIGHT", "20010325T020000", "+0100", "+0200", f"RRULE:{rule}"))
    assert [str((one.utc + one.before).date()) for one in zone.transitions] == onsets


def test_dates_of_change_may_be_listed() -> None:
    zone = rules(observance("DAYLIGHT", "20010325T020000", "+0100", "+0200", "RDATE:20020331T020000,x"))
    assert [one.utc.year for one in zone.transitions] == [2001, 2002]
    assert zone.changes(datetime(2002, 1, 1), datetime(2003, 1, 1)) == [datetime(2002, 3, 31, 1)]


@pytest.mark.parametrize(
    "observances",
    [
        (),
        (observance("STANDARD", "never", "+0100", "+0200"),),
        (observance("STANDARD", "20200101T000000", "+0100", "east"),),
        ("BEGIN:STANDARD\nDTSTART:20200101T000000\nEND:STANDARD",),
    ],
)
def test_a_vtimezone_that_cannot_be_read_is_none(observances: tuple[str, ...]) -> None:
    assert read_vtimezone(parse(vtimezone("X", *observances).encode()).roots[0]) is None


endless = observance("STANDARD", "19000101T000000", "+0100", "+0200", "RRULE:FREQ=YEARLY")


@pytest.mark.parametrize(
    "hostile",
    [
        vtimezone("X", *[endless] * 100),
        vtimezone("X", *[endless] * 1000),
        vtimezone("X", *["COMMENT:x"] * 20_000),
    ],
)
def test_a_vtimezone_with_too_many_changes_is_none(hostile: str) -> None:
    assert read_vtimezone(parse(hostile.encode()).roots[0]) is None


def test_only_so_many_vtimezones_are_read() -> None:
    found = zones(*[european(f"Zone {number}", "+0117", "+0217") for number in range(MAX_EMBEDDED + 1)])
    known = [found.get(f"Zone {number}") is not None for number in range(MAX_EMBEDDED + 1)]
    assert known == [True] * MAX_EMBEDDED + [False]


written = [
    "Europe/Berlin",
    "Europe/London",
    "Europe/Dublin",
    "America/New_York",
    "America/Santiago",
    "Africa/Casablanca",
    "Asia/Jerusalem",
    "Asia/Tokyo",
    "Asia/Kathmandu",
    "Asia/Gaza",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "UTC",
]


@pytest.mark.parametrize("name", written)
@pytest.mark.parametrize("first_year", [1975, 2005, 2026])
def test_a_zone_that_is_written_and_read_has_the_same_offsets(name: str, first_year: int) -> None:
    zone = ZoneInfo(name)
    again = read_vtimezone(parse(vtimezone_text(zone, name, first_year).encode()).roots[0])
    assert again is not None
    moment = datetime(first_year, 1, 1, tzinfo=UTC)
    while moment.year < 2038:
        assert moment.astimezone(again).utcoffset() == moment.astimezone(zone).utcoffset(), moment
        moment += timedelta(hours=53)


def test_a_zone_with_lasting_rules_is_written_as_rules_without_end() -> None:
    text = vtimezone_text(ZoneInfo("America/New_York"), "America/New_York", 2026)
    assert "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU" in text
    assert "DTSTART:20260308T020000" in text
    assert "RDATE" not in text
    assert "RRULE" not in vtimezone_text(ZoneInfo("Africa/Casablanca"), "Africa/Casablanca", 2026)
    jerusalem = vtimezone_text(ZoneInfo("Asia/Jerusalem"), "Asia/Jerusalem", 2026)
    assert "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29" in jerusalem


class Nameless(tzinfo):
    """A zone that tells no name and changes once, late."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        late = moment is not None and moment.replace(tzinfo=None) >= datetime(2036, 5, 5)
        return timedelta(hours=2, seconds=30) if late else timedelta(hours=-1)

    def dst(self, moment: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, moment: datetime | None) -> None:
        return None


def test_any_zone_can_be_written() -> None:
    text = vtimezone_text(Nameless(), "Odd", 9000)
    assert "TZNAME" not in text
    assert "RRULE" not in vtimezone_text(Nameless(), "Odd", 2034)
    assert "TZOFFSETTO:+020030" in vtimezone_text(Nameless(), "Odd", 2034)


@given(st.integers(-14 * 60, 14 * 60), st.integers(0, 120))
def test_any_offsets_are_resolved_to_themselves(minutes: int, saving: int) -> None:
    def offset(value: int) -> str:
        return f"{'-' if value < 0 else '+'}{abs(value) // 60:02}{abs(value) % 60:02}"

    zone = zones(european("Any", offset(minutes), offset(minutes + saving))).get("Any")
    assert zone is not None
    assert zone.utcoffset(datetime(2026, 1, 1)) == timedelta(minutes=minutes)
    assert zone.utcoffset(datetime(2026, 7, 1)) == timedelta(minutes=minutes + saving)
