"""How stored rows become frozen values: the fields of the value name the columns, in order."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from calward.model.ids import HouseholdId

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def columns_of(shape: type[DataclassInstance], table: sa.Table) -> list[sa.Column[Any]]:
    """The columns to select, so that ``shape(*row)`` is the value."""
    return [table.c[field.name] for field in fields(shape)]


def values_of(household: HouseholdId, value: DataclassInstance) -> dict[str, Any]:
    """What to insert for a value."""
    return {"household": household} | {name: getattr(value, name) for name in _names(type(value))}


@cache
def _names(shape: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(shape))
