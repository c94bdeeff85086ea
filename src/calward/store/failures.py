"""What goes wrong with a database, in one plain sentence that says what to do.

``message`` is for anybody who asked, assistants too: it names no file and no statement. ``hint`` is for the
person at the machine and names the database file and, where it is damaged, the newest copy beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from calward.errors import Busy, CalwardError, StoreError
from calward.store.dialect import Dialect, Trouble
from calward.store.place import Place

_MESSAGES = {
    Trouble.LOCKED: "Another program is writing to the calendar store. Try again in a moment.",
    Trouble.DAMAGED: "The calendar store is damaged and was left as it is. Put back a copy of it.",
    Trouble.FULL: "The disk is full and nothing was changed. Free some space and try again.",
    Trouble.READ_ONLY: "The calendar store may not be written. Give Calward the right to write it.",
    Trouble.UNREACHABLE: "The calendar store cannot be opened. Check that it exists and may be read.",
    Trouble.FAILING: "The disk failed while the calendar store was in use. Check the disk, then try again.",
}


@contextmanager
def plainly(dialect: Dialect, place: Place) -> Iterator[None]:
    """Turn what a driver raises inside into StoreError, or Busy where waiting helps.

    A mistake in a statement, such as a broken constraint, passes unchanged: it tells of our code.
    """
    try:
        yield
    except sa.exc.TimeoutError as error:
        raise _failure(Trouble.LOCKED, place) from error
    except sa.exc.DBAPIError as error:
        trouble = dialect.diagnose(error.orig) if error.orig else None
        if trouble is None:
            raise
        raise _failure(trouble, place) from error


def damaged(place: Place) -> StoreError:
    """The file is there and is no store of ours."""
    return StoreError(_MESSAGES[Trouble.DAMAGED], hint=_damage_hint(place))


def newer(place: Place, revision: str) -> StoreError:
    """The schema is one this program has not heard of."""
    return StoreError(
        "The calendar store was last used by a newer Calward. Update Calward to use it again.",
        hint=f"{place.path} has the schema {revision}.",
    )


def older(place: Place, revision: str) -> StoreError:
    """The schema needs a migration that the caller did not allow."""
    return StoreError(
        "The calendar store was last used by an older Calward. Start Calward once to bring it up to date.",
        hint=f"{place.path} has the schema {revision}.",
    )


def _failure(trouble: Trouble, place: Place) -> CalwardError:
    if trouble is Trouble.LOCKED:
        return Busy(_MESSAGES[trouble], hint=f"{place.path} is locked.")
    if trouble is Trouble.DAMAGED:
        return damaged(place)
    return StoreError(_MESSAGES[trouble], hint=f"The database is {place.path}.")


def _damage_hint(place: Place) -> str:
    newest = next(iter(place.backups()), None)
    copy = f"The newest copy beside it is {newest.name}." if newest else "No copy lies beside it."
    return f"{place.path} is no readable Calward database. {copy} Move the damaged file aside first."
