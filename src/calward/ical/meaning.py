"""A hash of what calendar text means, blind to what programs rewrite by themselves.

Two texts with one hash say the same to a person: the order of lines and parameters, folding, escapes, default
parameters, a vendor's spelling of a zone, DTSTAMP, LAST-MODIFIED, CREATED, SEQUENCE, PRODID, X- lines, the
PARTSTAT of others and VTIMEZONEs of known zones do not count (RFC 5545 §3.8.7; RFC 6638 §7.3 for
SCHEDULE-STATUS).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import sha256

from calward.ical.lines import Line, Params, split_line
from calward.ical.text import escape_text
from calward.ical.tree import Component, Document, parse
from calward.ical.values import read_text, read_texts
from calward.ical.zone_names import named_zone, zone_name


def meaning(source: bytes | Document | Component, own: Collection[str] = ()) -> str:
    """The hash, in hex, of an object or of one component with all that is in it.

    ``own`` are lower-case mail addresses whose PARTSTAT counts: a person's own answer is a change, that of
    others is not. Raises ``TooLarge`` for bytes over the caps.
    """
    if isinstance(source, Component):
        return _component(source, own)
    document = parse(source) if isinstance(source, bytes) else source
    return _digest([_component(root, own) for root in document.roots])


def property_meaning(line: Line, own: Collection[str] = ()) -> tuple[str, ...]:
    """What one property comes to in the hash: nothing where it does not count, several parts for a list."""
    if not _counts(line.name):
        return ()
    return tuple(_property(line.name, line.params, line.value, own))


_SILENT = frozenset(
    {"DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE", "PRODID", "VERSION", "CALSCALE", "METHOD"}
)
_DEFAULTS = frozenset({"CLASS:PUBLIC", "TRANSP:OPAQUE", "PRIORITY:0"})
_SILENT_PARAMS = frozenset({"SCHEDULE-STATUS", "PARTSTAT"})
_DEFAULT_PARAMS = frozenset(
    {
        ("VALUE", "DATE-TIME"),
        ("ROLE", "REQ-PARTICIPANT"),
        ("CUTYPE", "INDIVIDUAL"),
        ("RSVP", "FALSE"),
        ("RELATED", "START"),
    }
)
_TEXT = frozenset({"SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT"})
_DATES = frozenset({"EXDATE", "RDATE"})
_TEXTS = frozenset({"CATEGORIES", "RESOURCES"})
_RULES = frozenset({"RRULE", "EXRULE"})
_PEOPLE = frozenset({"ATTENDEE", "ORGANIZER"})


def _component(component: Component, own: Collection[str]) -> str:
    parts = [component.name]
    texts = component.lines.texts
    for index in component.own():
        name, params, value = split_line(texts[index])
        if _counts(name):
            parts += _property(name, params, value, own)
    for child in component.children:
        if not child.name.startswith("X-") and not _is_known_zone(child):
            parts.append(_component(child, own))
    return _digest(parts)


def _counts(name: str) -> bool:
    return bool(name) and name not in _SILENT and not name.startswith("X-")


def _property(name: str, params: Params, value: str, own: Collection[str]) -> Iterator[str]:
    """The lines a property comes to: one, or one for each item of a list."""
    if name in _PEOPLE:
        value = _address(value)
        head = name + _params(params, answers=value.removeprefix("mailto:") in own)
    else:
        head = name + _params(params)
    if name in _TEXT:
        yield f"{head}:{escape_text(read_text(value))}"
    elif name in _TEXTS:
        yield from (f"{head}:{escape_text(item)}" for item in read_texts(value))
    elif name in _DATES:
        yield from (f"{head}:{item.strip()}" for item in value.split(","))
    elif name in _RULES:
        yield f"{head}:{';'.join(sorted(part for part in value.strip().upper().split(';') if part))}"
    elif (line := f"{head}:{value.strip()}") not in _DEFAULTS:
        yield line


def _params(params: Params, *, answers: bool = False) -> str:
    if not params:
        return ""
    kept = []
    for name, values in params:
        if name == "PARTSTAT" and answers:
            if values[0].upper() != "NEEDS-ACTION":
                kept.append(f"PARTSTAT={values[0].upper()}")
        elif name == "TZID":
            zone = named_zone(values[0])
            kept.append(f"TZID={(zone and zone_name(zone)) or values[0]}")
        elif (
            name not in _SILENT_PARAMS
            and not name.startswith("X-")
            and (name, values[0].upper()) not in _DEFAULT_PARAMS
        ):
            kept.append(f"{name}={values!r}")
    return "".join(f";{one}" for one in sorted(kept))


def _address(value: str) -> str:
    """A mail address without case, as calendar programs compare them."""
    value = value.strip()
    return value.lower() if value[:7].lower() == "mailto:" else value


def _is_known_zone(component: Component) -> bool:
    return component.name == "VTIMEZONE" and named_zone(next(component.texts("TZID"), "")) is not None


def _digest(parts: list[str]) -> str:
    # No part holds a newline: it would have ended its line.
    return sha256("\n".join(sorted(parts)).encode()).hexdigest()
