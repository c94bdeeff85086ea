"""Whatever a real, odd or broken file says, its series expand within their bounds and are edited or refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calward.errors import CalwardError
from calward.ical.edit import apply_edits
from calward.ical.frames import split
from calward.ical.reading import read_object
from calward.model.time import Span
from calward.recurrence.bounds import bounds
from calward.recurrence.patch import Scope, SeriesPatch
from calward.recurrence.series import expand
from tests.unit.recurrence.objects import BERLIN, delete, edit

pytestmark = pytest.mark.corpus

WINDOW = Span(datetime(1990, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
STEPS = 300


def objects(corpus: Path, most: int) -> Iterator[bytes]:
    for file in sorted((corpus / "ical" / "ics").glob("*.ics")):
        try:
            yield from {it.data for it in split(file.read_bytes()).objects[:most]}
        except CalwardError:
            continue


def test_every_object_expands_within_its_bounds(corpus: Path) -> None:
    for data in objects(corpus, 50):
        events = read_object(data).events
        limits = bounds(events, BERLIN, steps=STEPS)
        for it in expand(events, WINDOW, BERLIN, steps=STEPS).occurrences:
            start, end = it.start.instant(BERLIN), it.end.instant(BERLIN)
            assert limits is not None
            assert limits.first_start <= start
            assert limits.last_end is None or end <= limits.last_end
            assert end - start <= limits.longest


def test_every_series_is_edited_or_refused_with_a_reason(corpus: Path) -> None:
    for data in objects(corpus, 2):
        events = read_object(data).events
        if not any(event.recurs or event.recurrence_id for event in events):
            continue
        found = expand(events, WINDOW, BERLIN, steps=STEPS).occurrences
        for it in found[len(found) // 2 :][:1]:
            for scope in Scope:
                for patch in (SeriesPatch(summary="x"), SeriesPatch(start=it.start), None):
                    with suppress(CalwardError):  # which is how it is refused; anything else fails
                        done = edit(data, it.key, scope, patch) if patch else delete(data, it.key, scope)
                        assert done.delete_object or apply_edits(data, done.edits)
