"""JSON read strictly: one object, each key once, no more than so deep, nothing that JSON does not have.

Parsers differ on what is left open, and what one lets through another may read as something else (RFC 8259 §4
on names that are not unique, §6 on numbers, §9 on limits).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from calward.errors import InvalidInput, TooLarge

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 32

_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""Strings and brackets; possessive, and a string left open ends with the text, so that no text takes long."""


def read_object(body: bytes) -> dict[str, Any]:
    """The object in a body; an empty body is an empty one. Raises ``InvalidInput`` and ``TooLarge``."""
    if len(body) > MAX_BYTES:
        raise too_large()
    if not body.strip():
        return {}
    value = read_value(body)
    if not isinstance(value, dict):
        raise InvalidInput('The body has to be a JSON object of arguments, such as {"title": "Lunch"}.')
    return value


def read_value(body: bytes) -> Any:
    """Any one JSON value."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("The body is no UTF-8; send JSON in UTF-8.") from None
    _check_depth(text)
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"The body is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except ValueError:  # an integer of thousands of digits
        raise InvalidInput("The body holds a number that is too long to read.") from None


def too_large() -> TooLarge:
    return TooLarge(f"The body is larger than {MAX_BYTES // 1024 // 1024} MiB; send less at once.")


def _check_depth(text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
                if depth > MAX_DEPTH:
                    raise TooLarge(f"The body is nested more than {MAX_DEPTH} levels deep.")
            case "]" | "}":
                depth -= 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"The key {twice[:60]!r} stands twice in one object; say each once.")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise InvalidInput(f"The number {text[:40]} is out of range.")
    return value


def _refuse(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is no JSON; send a number, or leave the argument out.")
