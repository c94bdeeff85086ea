"""Which databases a store can live in."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from calward.store.dialect import Dialect
from calward.store.sqlite import SQLITE

_DIALECTS = {dialect.name: dialect for dialect in (SQLITE,)}


def dialect_of(connection: Connection) -> Dialect:
    """The ways of the database at the other end."""
    return _DIALECTS[connection.dialect.name]
