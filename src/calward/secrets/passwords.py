"""Passwords of members, hashed with argon2id (RFC 9106). Comparing takes as long where there is nobody."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from calward.errors import InvalidInput

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 10, 500
NOBODYS = "the password of nobody"


@dataclass(frozen=True)
class Cost:
    """What one look at a password takes; the defaults are RFC 9106's second choice (§4): 64 MiB."""

    passes: int = 3
    kibibytes: int = 65536
    lanes: int = 4


class Passwords:
    """Hashes and compares. Both take long on purpose, so call neither inside of a transaction."""

    def __init__(self, cost: Cost = Cost()) -> None:
        self._cost = cost

    def hash(self, password: str) -> str:
        """What is kept of a password. Raises ``InvalidInput`` for one that is too short or too long."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise InvalidInput(f"A password has {SHORTEST} to {LONGEST} characters; a few words make one.")
        return self._hasher.hash(_normal(password))

    def fits(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one that was kept. Without one it is compared all the same, with nobody's,
        so that the time it takes tells nothing."""
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            self._hasher.verify(kept or self._nobodys, _normal(password[: LONGEST + 1]))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether it was hashed at another cost than is asked for today."""
        return self._hasher.check_needs_rehash(kept)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher  # few commands need it

        cost = self._cost
        return PasswordHasher(time_cost=cost.passes, memory_cost=cost.kibibytes, parallelism=cost.lanes)

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash(NOBODYS)


def _normal(password: str) -> bytes:
    """The same bytes however a keyboard composes what it types (RFC 8265 §4.2.2: NFC)."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
