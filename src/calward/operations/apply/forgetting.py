"""Forgetting: bytes and text of the past go for good, the journal and its chain stay."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from calward.errors import CalwardError
from calward.ical.frames import split
from calward.model.ids import EventUid, HouseholdId, UploadId
from calward.operations.changes import Forget
from calward.operations.shapes import Receipt
from calward.operations.view.found import load
from calward.operations.view.rows import read_events
from calward.store import forgetting, forgetting_told, journal
from calward.store.search import normalise

TELLING = 5
"""Characters from which on a title tells what is spoken of wherever it stands."""


def forget(conn: Connection, household: HouseholdId, change: Forget) -> Receipt:
    """Let go of it; how much went. The journal's rows keep digests, which give nothing back."""
    event, before = change.event, change.before
    forgetting_told.forget_told(
        conn, household, event=event, before=before, names=_naming(conn, household, change)
    )
    files = _files(conn, household, change)
    for file in files:
        forgetting.forget_file(conn, household, file)
    forgetting.forget_conflicts(conn, household, event=event, before=before)
    return Receipt(
        {
            "versions": journal.forget_bytes(conn, household, event=event, before=before),
            "requests": forgetting.forget_requests(conn, household, event=event, before=before),
            "files": len(files),
            "events": forgetting.forget_tombstones(conn, household, event=event, before=before),
        }
    )


def _naming(conn: Connection, household: HouseholdId, change: Forget) -> Callable[[str], bool]:
    """Whether a text holds a title that the event had and has no more. A title of a few letters is part of
    many a word, so it has to be the whole text."""
    if change.event is None:
        return lambda _: False
    found = load(conn, household, change.event)
    versions = journal.bytes_about(conn, household, change.event)
    kept = _titles(found.data) if found and found.deleted_at is None else set()
    titles = {title for data in (*versions, *([found.data] if found else [])) for title in _titles(data)} - kept

    def names(text: str) -> bool:
        folded = normalise(text)
        return any(title in folded if len(title) >= TELLING else title == folded for title in titles)

    return names


def _titles(data: bytes) -> set[str]:
    return {normalise(event.summary) for event in read_events(data)} - {""}


def _files(conn: Connection, household: HouseholdId, change: Forget) -> list[UploadId]:
    """The files that hold what is to be forgotten; one that cannot be taken apart may hold it."""
    found = load(conn, household, change.event) if change.event is not None else None
    calendar = found.calendar if found else None
    files = forgetting.files_of(conn, household, calendar=calendar, before=change.before)
    return [file for file, data in files.items() if found is None or _holds(data, found.uid)]


def _holds(data: bytes, uid: EventUid) -> bool:
    try:
        return any(one.uid == uid for one in split(data).objects)
    except CalwardError:
        return True
