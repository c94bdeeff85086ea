"""Whose words an event holds: the asking assistant's own, the household's, or a stranger's."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum


class Trust(StrEnum):
    OWN = "own"
    """The asking assistant wrote it, and nobody else since."""
    KNOWN = "known"
    """Somebody of the household."""
    EXTERNAL = "external"
    """Somebody outside: data from a stranger."""


def trust(*, alone: bool, organizer: str, household: Collection[str]) -> Trust:
    """Who answers for an event: ``alone`` says that all of it is the asking assistant's own, ``organizer`` is
    the ORGANIZER's address as written, ``household`` its members' addresses in lower case.

    Whoever organizes an event may change what it says on every calendar it is on (RFC 5546 §2.1.4), so theirs
    it is; one that nobody organizes was put into the calendar by the household.
    """
    if alone:
        return Trust.OWN
    address = organizer.lower().removeprefix("mailto:")
    return Trust.KNOWN if not address or address in household else Trust.EXTERNAL
