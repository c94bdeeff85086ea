"""Arguments from a door → the input of an operation, or one sentence that says what to mend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from calward.errors import InvalidInput
from calward.operations.operation import Operation
from calward.operations.shapes import Arguments


def parse(operation: Operation, given: Mapping[str, Any]) -> Arguments:
    """Raises ``InvalidInput`` naming the first wrong argument and what is wrong with it."""
    for name, value in given.items():
        if name not in operation.input.carries_bytes and not _is_text(value):
            raise InvalidInput(
                f"{name}: the text is broken (it holds half of a surrogate pair); send it whole."
            )
    try:
        return operation.input.model_validate(dict(given))
    except ValidationError as error:
        raise InvalidInput(_sentence(operation, error.errors(include_url=False)[0])) from None


def _is_text(value: object) -> bool:
    """Whether all text in a value is text that can be written down (Unicode 17 §3.8)."""
    match value:
        case str():
            return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
        case Mapping():
            return all(_is_text(part) for pair in value.items() for part in pair)
        case list() | tuple():
            return all(map(_is_text, value))
        case _:
            return True


def _sentence(operation: Operation, error: ErrorDetails) -> str:
    name = ".".join(str(part) for part in error["loc"]) or "the arguments"
    match error["type"]:
        case "extra_forbidden":
            known = ", ".join(_names(operation)) or "none"
            return f"{operation.name} has no argument {name!r}; it takes: {known}."
        case "missing":
            return f"{operation.name} needs the argument {name!r}."
        case "value_error":
            return f"{name}: {error['msg'].removeprefix('Value error, ')}"
        case _:
            return f"{name}: {error['msg']}."


def _names(operation: Operation) -> list[str]:
    return [field.alias or name for name, field in operation.input.model_fields.items()]
