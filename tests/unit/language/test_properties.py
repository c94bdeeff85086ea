"""What must hold for every moment, however it is said and wherever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import aware, read_moment
from calward.language.understand import understand

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

MONATE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
TAGE = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]

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
    lambda w: f"{w:%Y%m%dT%H%M%S}",
    lambda w: f"{w:%d/%m/%Y} at {w:%H:%M}",
    lambda w: f"{w:%d.%m.%Y} {w:%H:%M}",
    lambda w: f"{w:%H:%M} on the {ordinal(w.day)} of {MONTHS[w.month - 1]} {w.year}",
    lambda w: f"{MONTHS[w.month - 1][:3]} {ordinal(w.day)} {w.year}, {w:%H%M} hours",
    lambda w: f"{w.day}-{MONTHS[w.month - 1][:3]}-{w.year} @ {twelve(w)}",
    lambda w: f"{WEEKDAYS[w.weekday()]}, {MONTHS[w.month - 1]} the {ordinal(w.day)} {w.year} at {w:%H:%M}",
)
GERMAN = (
    lambda w: f"am {w.day}. {MONATE[w.month - 1]} {w.year} um {w.hour}:{w.minute:02} Uhr",
    lambda w: f"{w:%d.%m.%Y} um {w.hour} Uhr {w.minute:02}",
    lambda w: f"{TAGE[w.weekday()]}, den {w.day}. {MONATE[w.month - 1]} {w.year}, {w:%H:%M}",
)
DAYS = (
    lambda d: f"{d:%Y-%m-%d}",
    lambda d: f"{d:%Y%m%d}",
    lambda d: f"{d:%d/%m/%Y}",
    lambda d: f"{ordinal(d.day)} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day} {d.year}",
    lambda d: f"all day on {WEEKDAYS[d.weekday()]} {d.day} {MONTHS[d.month - 1]} {d.year}",
)
LENGTHS = (
    lambda n: f"for {n} minutes",
    lambda n: f"for {n // 60} hours and {n % 60} minutes" if n >= 60 and n % 60 else f"for {n} min",
    lambda n: f", {n} minutes",
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


@given(zone=zones, wall=walls, now=walls, say=st.sampled_from(GERMAN))
@settings(max_examples=60, deadline=None)
def test_so_does_one_said_in_german(zone: ZoneInfo, wall: datetime, now: datetime, say) -> None:  # type: ignore[no-untyped-def]
    found = read(say(wall), zone, now.replace(tzinfo=zone), "de")
    assert found.start == aware(wall, zone), say(wall)


@given(zone=zones, wall=walls, now=walls, hours=st.integers(-12, 12))
@settings(max_examples=40, deadline=None)
def test_a_moment_with_an_offset_is_that_moment_in_any_zone(
    zone: ZoneInfo, wall: datetime, now: datetime, hours: int
) -> None:
    meant = wall.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert read(meant.isoformat(), zone, now.replace(tzinfo=zone)).start == meant


@given(zone=zones, wall=walls, now=walls, say=st.sampled_from(DAYS))
@settings(max_examples=80, deadline=None)
def test_a_day_said_in_full_is_that_whole_day(zone: ZoneInfo, wall: datetime, now: datetime, say) -> None:  # type: ignore[no-untyped-def]
    day = wall.replace(hour=0, minute=0)
    found = read(say(day), zone, now.replace(tzinfo=zone))
    assert found.all_day
    assert (found.start, found.end) == (aware(day, zone), aware(day + timedelta(days=1), zone)), say(day)


@given(
    zone=zones,
    wall=walls,
    minutes=st.integers(5, 600),
    say=st.sampled_from(SPOKEN[:7]),
    last=st.sampled_from(LENGTHS),
)
@settings(max_examples=80, deadline=None)
def test_a_length_ends_what_begins_at_a_moment(zone: ZoneInfo, wall: datetime, minutes: int, say, last) -> None:  # type: ignore[no-untyped-def]
    text = f"{say(wall)} {last(minutes)}".replace(" ,", ",")
    found = read(text, zone, datetime(2024, 1, 1, 12, tzinfo=zone))
    assert found.start == aware(wall, zone), text
    assert found.end == aware(wall + timedelta(minutes=minutes), zone), text


@given(
    zone=zones,
    wall=walls,
    hours=st.integers(1, 9),
    form=st.sampled_from(["from {} to {}", "{}-{}", "{} until {}"]),
)
@settings(max_examples=60, deadline=None)
def test_both_ends_of_a_stretch_read_back(zone: ZoneInfo, wall: datetime, hours: int, form: str) -> None:
    wall = wall.replace(hour=wall.hour % 14)
    last = wall + timedelta(hours=hours)
    text = f"{form.format(twelve(wall), twelve(last))} on {wall.day} {MONTHS[wall.month - 1]} {wall.year}"
    found = read(text, zone, datetime(2024, 1, 1, 12, tzinfo=zone))
    assert (found.start, found.end) == (aware(wall, zone), aware(last, zone)), text


@given(zone=zones, now=walls, ahead=st.integers(1, 6), hour=st.integers(0, 23), minute=st.integers(0, 59))
@settings(max_examples=60, deadline=None)
def test_a_weekly_time_begins_on_the_next_such_day(
    zone: ZoneInfo, now: datetime, ahead: int, hour: int, minute: int
) -> None:
    first = (now + timedelta(days=ahead)).replace(hour=hour, minute=minute)
    found = read(f"every {WEEKDAYS[first.weekday()]} at {twelve(first)}", zone, now.replace(tzinfo=zone))
    assert found.start == aware(first, zone)
    assert found.rrule == f"FREQ=WEEKLY;BYDAY={WEEKDAYS[first.weekday()][:2].upper()}"


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


SENTENCES = (
    "lunch with Ann tomorrow at noon",
    "schedule a meeting with Bob on Monday at 10am",
    "dentist friday 3pm",
    "cancel lunch tomorrow",
    "what's on tomorrow",
    "am i free tomorrow at 3pm",
    "move lunch to friday 2pm",
    "remind me to call Sam tomorrow at 5pm",
    "every friday at 9am choir",
    "show my tasks",
)


@given(words=FOREIGN, text=st.sampled_from(SENTENCES), front=st.booleans())
@settings(max_examples=80, deadline=None)
def test_they_make_no_sentence_surer_and_never_move_its_time(words: list[str], text: str, front: bool) -> None:
    customs, now = Conventions.for_locale("en-US", ZoneInfo("UTC")), datetime(2026, 11, 18, 10)
    (plain,) = understand(text, customs, now).readings
    more = f"{' '.join(words)} {text}" if front else f"{text} {' '.join(words)}"
    (mixed,) = understand(more, customs, now).readings
    assert mixed.confidence <= plain.confidence or mixed.intent is not plain.intent
    for one, other in ((plain.when, mixed.when), (plain.new_when, mixed.new_when)):
        assert (one and (one.start, one.end)) == (other and (other.start, other.end))


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
