"""Search: one folding for what is stored and what is asked, and matching that respects the cut.

What a person types is plain text, whatever it holds: no character has a meaning to the search. All words must
be found, each as a part of a text, in any order and in any column that the row's level shows.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from calward.errors import InvalidInput
from calward.model.grant import Level
from calward.model.ids import MemberId
from calward.store.dialect import Dialect
from calward.store.tables import component_people, search_text

MAX_WORDS = 16


def normalise(text: str) -> str:
    """Fold case and compatibility forms, keep diacritics, and make every run of white space one space.

    The folding is Unicode's compatibility caseless matching (The Unicode Standard, D146), composed. What
    no database stores becomes a space (NUL) or a question mark (a lone surrogate).
    """
    if text.isascii():
        folded = text.lower()
    else:
        whole = text.encode("utf-8", "replace").decode()
        folded = _compose(_compose(unicodedata.normalize("NFD", whole).casefold()).casefold())
    return " ".join(folded.replace("\0", " ").split())


def words_of(query: str) -> tuple[str, ...]:
    """What to look for, each word once. Raises InvalidInput for more than ``MAX_WORDS``."""
    words = tuple(dict.fromkeys(normalise(query).split()))
    if len(words) > MAX_WORDS:
        raise InvalidInput(f"The search has {len(words)} words; use at most {MAX_WORDS}.")
    return words


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for: words anywhere, words among the people, and a member who takes part. With none of
    them, every row that shows a text."""

    words: tuple[str, ...] = ()
    member: MemberId | None = None
    people: tuple[str, ...] = ()

    def shape(self, dialect: Dialect) -> Shape:
        indexed = dialect.index_query((*self.words, *self.people)) is not None
        return Shape(len(self.words), indexed, self.member is not None, len(self.people))

    def values(self, dialect: Dialect) -> dict[str, Any]:
        """What to bind in a query that ``matching`` limits."""
        bound: dict[str, Any] = {_word(number): word for number, word in enumerate(self.words)}
        bound |= {_word(number, "person"): word for number, word in enumerate(self.people)}
        query = dialect.index_query((*self.words, *self.people))
        if query is not None:
            bound["wanted_index"] = query
        if self.member is not None:
            bound["wanted_member"] = self.member
        return bound


@dataclass(frozen=True, slots=True)
class Shape:
    """All that the SQL of a search depends on, so that it is built and compiled once for many searches."""

    words: int
    indexed: bool
    member: bool
    people: int = 0


def proposed(dialect: Dialect) -> sa.CTE:
    """The components in which the index finds the words anywhere, as ``rowid``, where ``Shape.indexed``."""
    found = dialect.candidates(sa.bindparam("wanted_index", type_=sa.Text))
    # The index is asked once; inside a join SQLite would ask it anew for every row.
    return found.cte("proposed").prefix_with("MATERIALIZED")


def matching(dialect: Dialect, shape: Shape, row: sa.Subquery) -> sa.ColumnElement[bool]:
    """A condition on a query that joins ``row``, cut, with a ``component``, to ``search_text``.

    It stands alone: what ``proposed`` leaves out before, it leaves out too. It asks the texts themselves
    whether the words stand where the row's level lets one look.
    """
    tests = [row.c.level >= int(Level.TITLES), *(_stands(dialect, row, n) for n in range(shape.words))]
    if shape.member:
        takes_part = sa.exists().where(
            component_people.c.component == row.c.component,
            component_people.c.member_id == sa.bindparam("wanted_member", type_=sa.Text),
        )
        tests.append(sa.and_(row.c.level >= int(Level.DETAILS), takes_part))
    if shape.people:
        named = (
            dialect.contains(search_text.c.people, sa.bindparam(_word(n, "person"), type_=sa.Text))
            for n in range(shape.people)
        )
        tests.append(sa.and_(row.c.level >= int(Level.DETAILS), *named))
    return sa.and_(*tests)


def _stands(dialect: Dialect, row: sa.Subquery, number: int) -> sa.ColumnElement[bool]:
    word = sa.bindparam(_word(number), type_=sa.Text)
    details = (search_text.c.notes, search_text.c.location, search_text.c.people)
    in_details = sa.or_(*(dialect.contains(column, word) for column in details))
    return sa.or_(
        dialect.contains(search_text.c.title, word),
        sa.and_(row.c.level >= int(Level.DETAILS), in_details),
    )


def _word(number: int, kind: str = "word") -> str:
    return f"wanted_{kind}_{number}"


def _compose(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
