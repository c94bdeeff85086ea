"""Two versions of one object to choose from: what sets them apart, and one as an event of its own."""

from __future__ import annotations

from collections import Counter

from calward.ical.find import events
from calward.ical.lines import fold, line_ending, split_line
from calward.ical.tree import parse
from calward.model.ids import EventUid
from calward.sync.properties import BOOKKEEPING

PEOPLE = frozenset({"ATTENDEE", "ORGANIZER"})


def lines_apart(one: bytes, other: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content lines of events that only one of two versions has, unfolded, each in its own order.

    What programs note by themselves does not count. They are strangers' text. Raises ``TooLarge``.
    """
    here, there = _lines(one), _lines(other)
    return tuple((here - there).elements()), tuple((there - here).elements())


def as_another(data: bytes, uid: EventUid) -> bytes:
    """The same text as an object of its own: under another UID, and with nobody on it, so nobody is told.

    Raises ``TooLarge``.
    """
    document = parse(data)
    raws = list(document.lines.raws)
    for event in events(document):
        for line in event.properties():
            if line.name in PEOPLE:
                raws[line.index] = b""
            elif line.name == "UID":
                raws[line.index] = fold(f"UID:{uid}", line_ending(raws[line.index]) or b"\r\n")
    return b"".join(raws)


def _lines(data: bytes) -> Counter[str]:
    document = parse(data)
    texts = (text for event in events(document) for text in event.lines.texts[event.first : event.end])
    return Counter(text for text in texts if split_line(text)[0] not in BOOKKEEPING)
