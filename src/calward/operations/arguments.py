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
    try:
        return operation.input.model_validate(dict(given))
    except ValidationError as error:
        raise InvalidInput(_sentence(operation, error.errors(include_url=False)[0])) from None


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
