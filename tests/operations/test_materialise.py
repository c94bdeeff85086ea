"""Rows of occurrences, as they are laid down."""

from datetime import UTC, datetime

from calward.model.ids import CalendarId, EventId
from calward.model.time import Span
from calward.operations.materialise import Source, index_of
from tests.operations.world import ics, vevent


def test_an_end_in_another_zone_is_kept_in_the_zone_of_the_start() -> None:
    flight = ics(
        *vevent(
            "flight",
            "DTSTART;TZID=Europe/Berlin:20260303T100000",
            "DTEND;TZID=America/New_York:20260303T130000",
        )
    )
    window = Span(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
    (row,) = index_of(Source(EventId("flight"), CalendarId("home"), flight.encode()), window, {})
    (occurrence,) = row.occurrences
    assert (occurrence.tzid, occurrence.wall_start, occurrence.wall_end) == (
        "Europe/Berlin",
        "2026-03-03T10:00:00",
        "2026-03-03T19:00:00",
    )
    assert occurrence.utc_end - occurrence.utc_start == 9 * 3600
