"""What is laid down quickly is what asking the zones gives, in whatever order the occurrences come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from calward.model.event import Occurrence
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, TimeKind, recurrence_key
from calward.operations.materialise import WIDEST, Laying

ZONES = ("Europe/Berlin", "Australia/Lord_Howe", "Europe/Dublin", "Pacific/Apia", "Africa/Casablanca")
CHANGES = (datetime(2026, 3, 29, 2), datetime(2026, 10, 25, 2), datetime(2011, 12, 30), datetime(2026, 4, 5, 2))
"""Wall-clock times around which some of these change their clocks."""

minutes = st.integers(-3000, 3000).map(lambda number: timedelta(minutes=number))
walls = st.builds(lambda change, away: change + away, st.sampled_from(CHANGES), minutes) | st.datetimes(
    datetime(1900, 1, 1), datetime(2100, 1, 1)
).map(lambda wall: wall.replace(microsecond=0))
forms = st.sampled_from(
    [
        *(CalTime.of_zone(CHANGES[0], ZoneInfo(name), name) for name in ZONES),
        CalTime.of_utc(datetime(2026, 1, 1, tzinfo=UTC)),
        CalTime.floating(CHANGES[0]),
        CalTime(TimeKind.ZONED, CHANGES[0], None, "Nowhere"),
        CalTime.of_zone(CHANGES[0], timezone(timedelta(hours=5)), "Its own"),
    ]
)


@st.composite
def occurrences(draw: st.DrawFn) -> Occurrence:
    """In a zone or in none; some end in another than they begin in, some were moved."""
    form = draw(forms)
    start = form.at(draw(walls))
    length = draw(st.integers(0, 3000).map(lambda number: timedelta(minutes=number)))
    end = start.at(start.wall + length)
    if start.zone is not None and draw(st.booleans()):
        away = draw(forms.filter(lambda it: it.zone is not None))
        moment = end.instant(UTC).astimezone(away.zone)
        end = away.at(moment.replace(tzinfo=None, fold=0))
    original = form.at(draw(walls)) if draw(st.booleans()) else start
    return Occurrence(original, start, end, RecurrenceKey(""))


@given(st.lists(occurrences(), min_size=1, max_size=8))
def test_a_row_says_what_the_zones_say(those: list[Occurrence]) -> None:
    laying = Laying(series=True)
    for one in those:
        row = laying.row(one)
        first, last = one.start.instant(UTC), one.end.instant(UTC)
        widened = WIDEST if one.start.zone is None else timedelta()
        assert row.key == recurrence_key(one.original)
        assert row.utc_start == (first - widened).timestamp()
        assert row.utc_end == (max(first, last) + widened).timestamp()
        if row.tzid is None and one.start.zone is not None:
            assert datetime.fromisoformat(row.wall_start).replace(tzinfo=UTC) == first
        else:
            assert row.wall_start == one.start.wall.isoformat()
        if one.end.zone is one.start.zone is not None:
            assert datetime.fromisoformat(row.wall_end) - datetime.fromisoformat(row.wall_start) == (
                one.end.wall - one.start.wall
            )


@given(occurrences())
def test_an_event_that_does_not_recur_has_no_name_within_itself(one: Occurrence) -> None:
    assert Laying(series=False).row(one).key == ""


@given(occurrences())
def test_a_row_has_one_zone_for_both_ends(one: Occurrence) -> None:
    row = Laying(series=True).row(one)
    zone = UTC if row.kind == TimeKind.UTC else ZoneInfo(row.tzid) if row.tzid else None
    if zone is not None:
        ends = datetime.fromtimestamp(row.utc_end, zone).replace(tzinfo=None)
        written = datetime.fromisoformat(row.wall_end)
        # A time that clocks skip is kept as written where both ends are of one zone.
        assert written == ends or one.end.zone is one.start.zone
