"""Text of moments, the short way and the long way round."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from calward.operations.local_clock import LocalClock

ZONES = st.sampled_from(
    ["Europe/Berlin", "Europe/Dublin", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "UTC"]
)
DAY = 24 * 3600
AROUND_A_CHANGE = st.builds(
    lambda year, week, seconds: int(datetime(year, 3, 1, tzinfo=UTC).timestamp()) + week * 7 * DAY + seconds,
    st.integers(1900, 2100),
    st.integers(0, 52),
    st.integers(0, 7 * DAY),
)


@given(ZONES, st.lists(AROUND_A_CHANGE, min_size=1, max_size=20))
def test_a_clock_that_remembers_says_what_the_zone_says(zone: str, moments: list[int]) -> None:
    clock = LocalClock(ZoneInfo(zone))
    for moment in moments:
        local = datetime.fromtimestamp(moment, ZoneInfo(zone))
        assert clock.at(moment) == (local.weekday(), local.isoformat())


def test_every_quarter_of_an_hour_of_a_year_is_said_right() -> None:
    zone = ZoneInfo("Europe/Berlin")
    clock = LocalClock(zone)
    first = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
    for moment in range(first, first + 366 * DAY, 900):
        assert clock.at(moment)[1] == datetime.fromtimestamp(moment, zone).isoformat()
