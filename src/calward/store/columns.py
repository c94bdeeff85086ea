"""Column types and column groups that the tables share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Instant(TypeDecorator[datetime]):
    """An aware moment, stored as whole microseconds since 1970 UTC: sortable on every database."""

    impl = sa.BigInteger
    cache_ok = True

    @staticmethod
    def stored(moment: datetime) -> int:
        """How a moment is kept. Raises ValueError for a naive one."""
        if moment.tzinfo is None:
            raise ValueError("a stored moment is aware")
        return (moment - _EPOCH) // _MICROSECOND

    def result_processor(
        self,
        dialect: Dialect,  # noqa: ARG002
        coltype: object,  # noqa: ARG002
    ) -> Callable[[Any], datetime | None]:
        # Not by ``process_result_value``, which costs two calls more for each value of each row.
        return _read

    @staticmethod
    def read(stored: int) -> datetime:
        """The moment kept so, in UTC."""
        return _EPOCH + stored * _MICROSECOND

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else self.stored(value)


def _read(value: int | None) -> datetime | None:
    return None if value is None else _EPOCH + value * _MICROSECOND


def as_kept(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """What is true or false as the database has it, 1 or 0 on SQLite, which saves a step for every row."""
    return sa.type_coerce(column, sa.Integer) if isinstance(column.type, sa.Boolean) else column


def household() -> sa.Column[int]:
    """Every row belongs to a household; every unique and foreign key carries it."""
    return sa.Column("household", sa.Integer, nullable=False)


def rowid() -> sa.Column[int]:
    """An integer key of its own, which FTS5 and narrow joins need."""
    return sa.Column("rowid", sa.Integer, primary_key=True, autoincrement=True)


def text_id(name: str = "id", *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def belongs_to(table: str, column: str, *, cascade: bool = False) -> sa.ForeignKeyConstraint:
    """``(household, column)`` names a row of ``table`` by its id, in the same household."""
    return sa.ForeignKeyConstraint(
        ["household", column],
        [f"{table}.household", f"{table}.id"],
        ondelete="CASCADE" if cascade else None,
    )
