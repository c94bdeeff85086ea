"""What must hold for every moment, however it is said and wherever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import aware, read_moment

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
    "America/Sao_Paulo",
    "Africa/Casablanca",
)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

zones = st.sampled_from(ZONES).map(ZoneInfo)
walls = st.datetimes(datetime(2024, 1, 1), datetime(2031, 12, 31)).map(
    lambda d: d.replace(second=0, microsecond=0)
)


def ordinal(day: int) -> str:
    suffix = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def twelve(wall: datetime) -> str:
    return f"{(wall.hour - 1) % 12 + 1}:{wall.minute:02}{'am' if wall.hour < 12 else 'pm'}"


SPOKEN = (
    lambda w: f"{w:%Y-%m-%d} {w:%H:%M}",
    lambda w: f"{w:%Y-%m-%dT%H:%M:%S}",
    lambda w: f"{MONTHS[w.month - 1]} {w.day}, {w.year} at {twelve(w)}",
    lambda w: f"{twelve(w)} on {ordinal(w.day)} {MONTHS[w.month - 1]} {w.year}",
    lambda w: f"the {ordinal(w.day)} of {MONTHS[w.month - 1][:3]} {w.year} at {w.hour}h{w.minute:02}",
    lambda w: f"{WEEKDAYS[w.weekday()][:3]}, {w.day} {MONTHS[w.month - 1]} {w.year}, {twelve(w)}",
    lambda w: f"{w.day} {MONTHS[w.month - 1]} {w.year} {twelve(w)}",
)


def read(text: str, zone: ZoneInfo, now: datetime, locale: str = "en-GB") -> MomentReading:
    found = read_moment(text, Conventions.for_locale(locale, zone), now)
    assert isinstance(found, MomentReading), (text, found)
    return found


@given(zone=zones, wall=walls, now=walls, say=st.sampled_from(SPOKEN))
@settings(max_examples=150, deadline=None)
def test_a_moment_said_in_full_reads_back_to_itself(zone: ZoneInfo, wall: datetime, now: datetime, say) -> None:  # type: ignore[no-untyped-def]
    found = read(say(wall), zone, now.replace(tzinfo=zone))
    assert found.start == aware(wall, zone), say(wall)


@given(zone=zones, now=walls, ahead=st.integers(1, 6), hour=st.integers(0, 23), minute=st.integers(0, 59))
@settings(max_examples=80, deadline=None)
def test_a_weekday_and_a_time_mean_the_next_such_day(
    zone: ZoneInfo, now: datetime, ahead: int, hour: int, minute: int
) -> None:
    meant = (now + timedelta(days=ahead)).replace(hour=hour, minute=minute)
    text = f"{WEEKDAYS[meant.weekday()]} at {twelve(meant)}"
    assert read(text, zone, now.replace(tzinfo=zone)).start == aware(meant, zone), text


@given(zone=zones, now=walls, count=st.integers(1, 200), unit=st.sampled_from(["minutes", "hours"]))
@settings(max_examples=60, deadline=None)
def test_a_length_from_now_is_exact(zone: ZoneInfo, now: datetime, count: int, unit: str) -> None:
    there = now.replace(tzinfo=UTC)
    found = read(f"in {count} {unit}", zone, there.astimezone(zone))
    assert found.start is not None
    assert found.start.astimezone(UTC) == there + timedelta(**{unit: count})


RELATIVE = (
    "tomorrow at 5pm",
    "next week",
    "friday 9am",
    "last tuesday",
    "in three days",
    "two weeks ago",
    "the day after tomorrow",
    "this evening",
    "next 3 days",
    "from 3pm to 5pm tomorrow",
    "every friday at 9am",
)


@given(now=walls, weeks=st.integers(1, 150), text=st.sampled_from(RELATIVE))
@settings(max_examples=100, deadline=None)
def test_shifting_now_shifts_what_is_said_relative_to_it(now: datetime, weeks: int, text: str) -> None:
    utc = ZoneInfo("UTC")
    shift = timedelta(weeks=weeks)
    before, after = read(text, utc, now), read(text, utc, now + shift)
    assert before.start is not None
    assert after.start == before.start + shift
    assert (after.end is None) == (before.end is None)
    if before.end is not None:
        assert after.end == before.end + shift


FOREIGN = st.lists(
    st.sampled_from(["zebra", "quorum", "blimp", "flange", "gnome", "walrus", "kettle", "grommet"]),
    min_size=1,
    max_size=4,
)


@given(words=FOREIGN, text=st.sampled_from(RELATIVE), front=st.booleans())
@settings(max_examples=60, deadline=None)
def test_words_from_elsewhere_lower_confidence_and_never_move_the_time(
    words: list[str], text: str, front: bool
) -> None:
    now, utc = datetime(2026, 11, 18, 10), ZoneInfo("UTC")
    plain = read(text, utc, now)
    mixed = read(f"{' '.join(words)} {text}" if front else f"{text} {' '.join(words)}", utc, now)
    assert (mixed.start, mixed.end) == (plain.start, plain.end)
    assert mixed.confidence < plain.confidence


@pytest.mark.parametrize("zone", ZONES)
def test_a_time_in_a_gap_takes_the_offset_before_it(zone: str) -> None:
    """RFC 5545 §3.3.5: nothing said can name an impossible moment."""
    found = read("2026-03-29 02:30", ZoneInfo(zone), datetime(2026, 3, 1))
    assert found.start is not None
    assert found.start.utcoffset() is not None
    if zone == "Europe/Berlin":
        assert found.start == datetime(2026, 3, 29, 3, 30, tzinfo=ZoneInfo(zone))
    else:
        assert found.start.replace(tzinfo=None) == datetime(2026, 3, 29, 2, 30)
