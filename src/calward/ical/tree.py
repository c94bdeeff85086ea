"""Components of iCalendar text and where their lines are (RFC 5545 §3.4, §3.6).

Nothing is refused for being sloppy: components may be unclosed, wrongly closed, outside of any VCALENDAR or in
lower case, and there may be several calendars. Only size is refused (``Caps``): counters, never clocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from calward.errors import TooLarge
from calward.ical.lines import Line, Lines, scan, split_line

ENTRIES = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"})
"""Components that stand for something of their own in a calendar, and so have a UID."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How much a text may hold before it is refused with ``TooLarge``."""

    bytes: int = 64_000_000
    lines: int = 2_000_000
    """As an editor counts them: the parts of a folded one are several."""
    components: int = 400_000
    properties: int = 50_000
    """Of one component."""
    depth: int = 16


CAPS = Caps()


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """One component: lines ``first`` up to but without ``end`` of its text, BEGIN and END included."""

    name: str
    """Upper-cased."""
    lines: Lines = field(repr=False)
    first: int
    end: int
    closed: bool
    """False where its END line is missing; it then ends where another one had to begin or end."""
    children: tuple[Component, ...] = ()

    @property
    def last(self) -> int:
        """Index of the END line, or ``end`` where that is missing: new lines go before it."""
        return self.end - 1 if self.closed else self.end

    def own(self) -> Iterator[int]:
        """Indices of the lines that are directly in it: without BEGIN, END and nested components."""
        at = self.first + 1
        for child in self.children:
            yield from range(at, child.first)
            at = child.end
        yield from range(at, self.last)

    def properties(self) -> Iterator[Line]:
        """Its own properties in their order; lines that are no property are left out."""
        for index in self.own():
            line = self.lines.line(index)
            if line.name:
                yield line

    def texts(self, name: str) -> Iterator[str]:
        """The raw values of one property."""
        for index in self.own():
            found, _, value = split_line(self.lines.texts[index])
            if found == name:
                yield value

    def walk(self) -> Iterator[Component]:
        """Itself and everything nested in it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.walk()  # no deeper than Caps.depth

    @property
    def data(self) -> bytes:
        """The component as written."""
        return self.lines.slice(self.first, self.end)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A whole text: its outermost components, and the lines that are in none or that fit nowhere."""

    lines: Lines = field(repr=False)
    roots: tuple[Component, ...]
    strays: tuple[int, ...]
    """Indices of END lines that close nothing, and of lines outside of every component (empty ones apart)."""

    def top(self) -> Iterator[tuple[Component, Component | None]]:
        """The components of all calendars, each with its VCALENDAR, and those outside of any, with None."""
        for root in self.roots:
            if root.name == "VCALENDAR":
                for child in root.children:
                    yield child, root
            else:
                yield root, None

    def walk(self) -> Iterator[Component]:
        """Every component, in the order of the text."""
        for root in self.roots:
            yield from root.walk()

    @property
    def data(self) -> bytes:
        return self.lines.data


def parse(data: bytes, caps: Caps = CAPS) -> Document:
    """Find the components of any bytes.

    Raises ``TooLarge`` over a cap, and nothing else.
    """
    if len(data) > caps.bytes:
        raise TooLarge(f"The calendar text has {len(data)} bytes; {caps.bytes} are allowed.")
    count = data.count(b"\n") or data.count(b"\r")
    if count > caps.lines:
        raise TooLarge(f"The calendar text has {count} lines; {caps.lines} are allowed.")
    lines = scan(data)
    nest = _Nest(lines, caps)
    for index in [index for index, text in enumerate(lines.texts) if text[:1] in _MARK_STARTS]:
        if mark := _MARK.match(lines.texts[index]):
            kind, name = mark.groups()
            if kind.upper() == "BEGIN":
                nest.begin(name.strip().upper(), index)
            else:
                nest.finish(name.strip().upper(), index)
    nest.close_down_to(0, len(lines))
    return Document(lines, tuple(nest.roots), tuple(sorted({*nest.strays, *_outside(lines, nest.roots)})))


def properties(document: Document) -> Iterator[tuple[Component, Line]]:
    """Every property of every component."""
    for component in document.walk():
        for line in component.properties():
            yield component, line


_MARK = re.compile(r"[ \t\ufeff]*(BEGIN|END)[ \t]*(?:;[^:]*)?:(.*)", re.IGNORECASE | re.DOTALL)
_MARK_STARTS = "BbEe \t\ufeff"
_OBSERVANCES = frozenset({"STANDARD", "DAYLIGHT"})
# That one begins inside of one of these means that the outer one was never closed.
_RIVALS = {
    **dict.fromkeys(ENTRIES | {"VTIMEZONE"}, ENTRIES | {"VTIMEZONE"}),
    **dict.fromkeys(_OBSERVANCES, _OBSERVANCES),
    "VALARM": frozenset({"VALARM"}),
}


def _outside(lines: Lines, roots: list[Component]) -> Iterator[int]:
    """The lines between and around the outermost components, unless there is nothing on them."""
    at = 0
    for first, end in [*((root.first, root.end) for root in roots), (len(lines), 0)]:
        for index in range(at, first):
            if lines.texts[index].strip(" \t\ufeff"):
                yield index
        at = end


@dataclass(slots=True)
class _Open:
    name: str
    first: int
    children: list[Component]


class _Nest:
    """The components that are open at one line."""

    def __init__(self, lines: Lines, caps: Caps) -> None:
        self.lines = lines
        self.caps = caps
        self.open: list[_Open] = []
        self.roots: list[Component] = []
        self.strays: list[int] = []
        self.count = 0

    def begin(self, name: str, index: int) -> None:
        self.close_down_to(self._level_for(name), index)
        self.count += 1
        if self.count > self.caps.components:
            raise TooLarge(f"The calendar text has more than {self.caps.components} components.")
        if len(self.open) >= self.caps.depth:
            raise TooLarge(f"The calendar text is nested deeper than {self.caps.depth} components.")
        self.open.append(_Open(name, index, []))

    def finish(self, name: str, index: int) -> None:
        level = len(self.open) - 1
        while level >= 0 and self.open[level].name != name:
            level -= 1
        if level < 0:
            if name == "VCALENDAR":
                self.close_down_to(0, index)  # as BEGIN:VCALENDAR does
            self.strays.append(index)
            return
        self.close_down_to(level + 1, index)
        self._close(index + 1, closed=True)

    def close_down_to(self, level: int, end: int) -> None:
        while len(self.open) > level:
            self._close(end, closed=False)

    def _level_for(self, name: str) -> int:
        """How many of the open components a new one of this name can be inside of."""
        if name == "VCALENDAR":
            return 0
        rivals = _RIVALS.get(name, ())
        for level, one in enumerate(self.open):
            if one.name in rivals:
                return level
        return len(self.open)

    def _close(self, end: int, *, closed: bool) -> None:
        done = self.open.pop()
        own = end - done.first
        for child in done.children:
            own -= child.end - child.first
        if own > self.caps.properties:
            raise TooLarge(f"A component of the calendar text has more than {self.caps.properties} lines.")
        component = Component(done.name, self.lines, done.first, end, closed, tuple(done.children))
        (self.open[-1].children if self.open else self.roots).append(component)
