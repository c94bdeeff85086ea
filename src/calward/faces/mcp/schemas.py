"""Schemas as short as they can be said: every assistant pays for the list of tools with each conversation.

Nothing is loosened: titles repeat the names, a default of null repeats that a property is not required, and an
optional property is said by its absence from ``required``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

SAID_OTHERWISE = ("title", "default", "maxLength", "minLength", "maxItems")
"""Left out of an input: what repeats the name, what nothing follows from, and caps whose error says them."""


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema (2020-12) of an operation's input, its definitions put where they are used."""
    full = model.model_json_schema()
    short = _shortened(full, full.get("$defs", {}))
    return {key: value for key, value in short.items() if key not in ("$defs", "description")}


def output_schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema (2020-12) of an operation's output as it is sent: without nulls."""
    short: dict[str, Any] = _untitled(model.model_json_schema(mode="serialization"))
    return short


def _shortened(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_shortened(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    node = _resolved(_without_null(node), definitions)
    short = {
        key: _properties(value, definitions) if key == "properties" else _shortened(value, definitions)
        for key, value in node.items()
        if key not in SAID_OTHERWISE
    }
    if node.get("default"):
        short["default"] = node["default"]
    return short


def _properties(properties: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Properties keep their names, which may be those of keywords."""
    return {name: _shortened(schema, definitions) for name, schema in properties.items()}


def _resolved(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The node with what it refers to in its place; what it says itself comes first."""
    if "$ref" not in node:
        return dict(node)
    target = definitions[node["$ref"].rpartition("/")[2]]
    target = {key: value for key, value in target.items() if key != "description"}
    return {**_without_null(target), **{key: value for key, value in node.items() if key != "$ref"}}


def _without_null(node: Mapping[str, Any]) -> dict[str, Any]:
    """``anyOf`` something or null is that something, where the property may be left out."""
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return dict(node)
    return {**kinds[0], **{key: value for key, value in node.items() if key != "anyOf"}}


def _untitled(node: Any) -> Any:
    if isinstance(node, list):
        return [_untitled(part) for part in node]
    if not isinstance(node, dict):
        return node
    node = _without_null(node)
    return {
        key: {name: _untitled(schema) for name, schema in value.items()}
        if key in ("properties", "$defs")
        else _untitled(value)
        for key, value in node.items()
        if key not in ("title", "default")
    }
