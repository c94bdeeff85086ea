"""Words of other events in what an assistant writes: private text stays private however it is carried around.

Only what the assistant may read is compared, so that nobody learns from the answer whether a guess was right.
What is found is whole phrases; words told in another way are not, and so the person is shown the text as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlalchemy import Connection

from calward.ical.reading import read_object
from calward.model.ids import EventId
from calward.operations.identity import Access
from calward.operations.stored import Echo
from calward.operations.view.found import load_all
from calward.store.components import components_matching
from calward.store.cut import Cut
from calward.store.search import Wanted, normalise

SHORTEST = 20
"""Characters of a phrase: what is shorter is said in many events, and private in none of them."""
MOST_PHRASES = 50
MOST_FOUND = 20


def echoes(
    conn: Connection, access: Access, cut: Cut, event: EventId, before: bytes | None, after: bytes
) -> tuple[Echo, ...]:
    """The other events that say what the bytes of this one would newly say."""
    said = set(_phrases(before)) if before is not None else set()
    new = [phrase for phrase in dict.fromkeys(_phrases(after)) if phrase not in said][:MOST_PHRASES]
    found = {
        row.event_id: None
        for phrase in new
        for row in components_matching(conn, access.household.id, cut, Wanted((phrase,)), limit=MOST_FOUND)
        if row.event_id != event
    }
    return tuple(
        Echo(one.calendar, _people(one.data)) for one in load_all(conn, access.household.id, list(found))
    )


def _phrases(data: bytes) -> Iterator[str]:
    """Titles, places and the sentences of notes, folded as the search folds them."""
    for event in read_object(data).events:
        for text in (event.summary, event.location, *re.split(r"[\n.;!?]+", event.description)):
            phrase = normalise(text)
            if len(phrase) >= SHORTEST:
                yield phrase


def _people(data: bytes) -> frozenset[str]:
    return frozenset(
        (person.email or person.address).lower()
        for event in read_object(data).events
        for person in (*event.attendees, *((event.organizer,) if event.organizer else ()))
    )
