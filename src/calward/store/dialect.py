"""What differs between databases: one frozen value of functions, filled in by one file per database.

Queries that are the same everywhere are written in SQLAlchemy Core and never ask which database they run on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection


class Trouble(StrEnum):
    """Why a database refuses to work, as far as its driver tells."""

    LOCKED = "locked"
    DAMAGED = "damaged"
    FULL = "full"
    READ_ONLY = "read_only"
    UNREACHABLE = "unreachable"
    FAILING = "failing"


class Upsert(Protocol):
    """The ``INSERT … ON CONFLICT`` both databases have, which SQLAlchemy keeps in each dialect's own module."""

    def __call__(
        self, table: sa.Table, *, unique: Sequence[str], update: Sequence[str] = ()
    ) -> sa.sql.dml.Insert:
        """Insert; a row equal in ``unique`` keeps its values except ``update``, which take the new ones."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One database's own ways. The functions that take a connection run inside its transaction."""

    name: str
    """SQLAlchemy's name for it."""
    diagnose: Callable[[BaseException], Trouble | None]
    """Read a driver's exception; None where it tells of a mistake in a statement, not of the database."""
    upsert: Upsert
    insert_plain: Callable[[Connection, sa.Table, Sequence[str], Sequence[tuple[Any, ...]]], None]
    """Add many rows to these columns of a table. The values are plain (texts, integers, None) and handed to the
    driver as they are: converting each one costs as much as the insert itself."""
    cut_rows: Callable[[sa.BindParameter[Any]], sa.Select[str, int, int]]
    """Rows ``(calendar_id, own, others)`` out of one bound JSON text, an array of such triples."""
    contains: Callable[[sa.ColumnElement[str], sa.ColumnElement[str]], sa.ColumnElement[bool]]
    """Whether a text holds another, code point by code point."""
    numbers: Callable[[sa.BindParameter[Any]], sa.Select[int]]
    """Rows of one number each out of one bound JSON text, an array; cheaper than a long list of parameters."""
    texts: Callable[[sa.BindParameter[Any]], sa.Select[str]]
    """The same with texts."""
    greatest: Callable[[sa.ColumnElement[int], sa.ColumnElement[int]], sa.ColumnElement[int]]
    least: Callable[[sa.ColumnElement[int], sa.ColumnElement[int]], sa.ColumnElement[int]]
    index_query: Callable[[Sequence[str]], str | None]
    """What asks the search index for rows that hold all these words; None where they are too short for it."""
    candidates: Callable[[sa.BindParameter[str]], sa.Select[int]]
    """The component rowids that the index finds for a bound ``index_query``."""
    create_search: Callable[[Connection], None]
    """Make the search index and what keeps it equal to ``search_text``; for migrations."""
    tables_of_its_own: Callable[[str], bool]
    """Whether a table of this name belongs to the search index and so is not among ``METADATA``."""
