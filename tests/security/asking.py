"""Arguments for any operation there is, from its own schema: so that one added tomorrow is tried as well."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from calward.errors import CalwardError
from calward.operations.operation import Operation
from tests.operations.world import World

WHEN = (
    "2026-03-02",
    "2026-03-08",
    "2026-03-03T10:00",
    "2026-03-04T18:30",
    "tomorrow 3pm",
    "1999-01-01",
    "soon",
)
RULES = ("FREQ=DAILY;COUNT=3", "FREQ=WEEKLY", "nonsense")
PEOPLE = ("alex@example.com", "vera@example.com", "Alex", "nobody")
MOMENTS = frozenset({"from", "to", "start", "end", "startAt", "endAt", "at", "due", "since", "before", "until"})
IDENTS = frozenset({"id", "event", "event_id", "eventId", "change", "run", "uid", "calendar_event"})
NAMED = frozenset({"attendee", "attendeeUserId", "attendees", "attendeeUserIds"})


def calls(
    operations: Sequence[Operation], idents: Sequence[str], words: Sequence[str], places: Sequence[str]
) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """One call: an operation, and arguments of the right shape that name what is there, what is hidden, and
    what never was. ``places`` are names of calendars."""
    pools: Mapping[str, Sequence[str]] = {"ident": idents, "word": words, "place": places}
    return st.one_of(
        [st.tuples(st.just(one.name), _arguments(one.input.model_json_schema(), pools)) for one in operations]
    )


def probes(
    operation: Operation, idents: Sequence[str], words: Sequence[str], places: Sequence[str], *, turns: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls with what the operation requires, for each ident, and with one argument more: each value of each
    argument with ``turns`` of the idents, others for the next value."""
    schema = operation.input.model_json_schema()
    definitions, required = schema.get("$defs", {}), schema.get("required", ())
    named = idents if IDENTS & set(required) else idents[:1]
    for turn, ident in enumerate(named):
        pools = {"ident": (ident,), "word": words[:1], "place": places[:1]}
        least = {name: _first(name, schema["properties"][name], definitions, pools) for name in required}
        yield operation.name, least
        more = [
            (name, value)
            for name, node in schema.get("properties", {}).items()
            if name not in required
            for value in dict.fromkeys(map(repr, _few(name, node, definitions, {**pools, "word": words})))
        ]
        for number, (name, value) in enumerate(more):
            if (turn - number * turns) % len(named) < turns:
                yield operation.name, {**least, name: literal_eval(value)}


def _first(
    name: str, node: Mapping[str, Any], definitions: Mapping[str, Any], pools: Mapping[str, Sequence[str]]
) -> Any:
    return _few(name, node, definitions, pools)[0]


def _few(
    name: str, node: Mapping[str, Any], definitions: Mapping[str, Any], pools: Mapping[str, Sequence[str]]
) -> Sequence[Any]:
    """A few values of the node's shape."""
    if "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        return [value for one in node["anyOf"] for value in _few(name, one, definitions, pools)]
    if "enum" in node:
        return list(node["enum"])
    match node.get("type"):
        case "null":
            return [None]
        case "boolean":
            return [True, False]
        case "integer" | "number":
            return [node.get("minimum", 5)]
        case "array":
            items = _few(name, node.get("items", {}), definitions, pools)
            return [[], *([item] for item in items[:2])]
        case "object":
            return [{one: _first(one, part, definitions, pools)} for one, part in node["properties"].items()]
        case _:
            return [node["const"]] if "const" in node else _texts(name, pools)[:3]


def _arguments(
    schema: Mapping[str, Any], pools: Mapping[str, Sequence[str]]
) -> st.SearchStrategy[dict[str, Any]]:
    definitions, required = schema.get("$defs", {}), set(schema.get("required", ()))
    fields = {
        name: _value(name, node, definitions, pools) for name, node in schema.get("properties", {}).items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in fields.items() if name in required},
        optional={name: value for name, value in fields.items() if name not in required},
    )


def _value(
    name: str, node: Mapping[str, Any], definitions: Mapping[str, Any], pools: Mapping[str, Sequence[str]]
) -> st.SearchStrategy[Any]:
    if "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        return st.one_of([_value(name, one, definitions, pools) for one in node["anyOf"]])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    if "const" in node:
        return st.just(node["const"])
    match node.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer" | "number":
            return st.integers(node.get("minimum", -3600), min(node.get("maximum", 3600), 3600))
        case "array":
            return st.lists(_value(name, node.get("items", {}), definitions, pools), max_size=2)
        case "object":
            return _arguments({**node, "$defs": definitions}, pools)
        case _:
            return st.sampled_from(_texts(name, pools))


def _texts(name: str, pools: Mapping[str, Sequence[str]]) -> Sequence[str]:
    if name in MOMENTS:
        return WHEN
    if name in IDENTS:
        return pools["ident"]
    if name in NAMED:
        return PEOPLE
    if name == "calendar":
        return pools["place"]
    if name == "recurrence":
        return RULES
    if name == "zone":
        return ("Europe/Berlin", "Mars/Base")
    return pools["word"]


def attempt(world: World, operation: str, **arguments: Any) -> tuple[Any, str]:
    """The owner's call: its answer, or None and the code of the refusal."""
    try:
        return world.do(operation, **arguments), ""
    except CalwardError as refused:
        return None, refused.code
