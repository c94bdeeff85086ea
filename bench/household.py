"""A household whose store is full of the sample's events, read into rows the way a sync reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.sample import FIRST, objects
from calward.bootstrap.household import HOME, OWN_CALENDAR, ensure_household
from calward.model.ids import ID_BYTES, CalendarId, EventId, EventUid, Href, id_from_bytes
from calward.operations.materialise import Source, materialise, window_of
from calward.operations.pipeline import Pipeline, Sources
from calward.store.calendars import calendar_named
from calward.store.digests import digest_of
from calward.store.engine import Store, open_store
from calward.store.objects import ObjectRow, insert_objects

BATCH = 5_000
EPOCH = "bench"
ZONE = "Europe/Berlin"


@dataclass(frozen=True, slots=True)
class Filled:
    """``now`` is the middle of the time that the events cover."""

    pipeline: Pipeline
    database: Path
    now: datetime


@contextmanager
def filled(events: int, apart: timedelta) -> Iterator[Filled]:
    """A store that is gone again when the block is left."""
    numbers = count(1)

    def new_id() -> str:
        return id_from_bytes(next(numbers).to_bytes(ID_BYTES, "big"))

    now = FIRST.replace(tzinfo=UTC) + events // 2 * apart
    with TemporaryDirectory(prefix="calward-bench-") as folder:
        database = Path(folder) / "calward.db"
        store = open_store(database)
        try:
            with store.writing() as conn:
                ensure_household(conn, "Alex", ZONE, EPOCH, now, new_id)
                calendar = calendar_named(conn, HOME, OWN_CALENDAR)
            assert calendar is not None
            rest = (_row(EventId(new_id()), calendar.id, data, now) for data in objects(events, apart))
            while batch := list(islice(rest, BATCH)):
                _add(store, batch, now)
            sources = Sources(
                reading=store.reading,
                writing=store.writing,
                now=lambda: now,
                new_id=new_id,
                new_token=new_id,
                epoch=EPOCH,
                household=HOME,
            )
            yield Filled(Pipeline(sources), database, now)
        finally:
            store.close()


def _add(store: Store, rows: list[ObjectRow], now: datetime) -> None:
    with store.writing() as conn:
        insert_objects(conn, HOME, rows)
        sources = [Source(row.id, row.calendar_id, row.local) for row in rows]
        materialise(conn, HOME, sources, window_of(conn, HOME, now), ())


def _row(event: EventId, calendar: CalendarId, data: bytes, now: datetime) -> ObjectRow:
    digest = digest_of(data)
    return ObjectRow(
        id=event,
        calendar_id=calendar,
        uid=EventUid(event),
        href=Href(f"{event}.ics"),
        local_digest=digest,
        meaning=digest,
        base_etag=None,
        push_state="clean",
        upload_id=None,
        created_at=now,
        updated_at=now,
        deleted_at=None,
        local=data,
        base=None,
    )
