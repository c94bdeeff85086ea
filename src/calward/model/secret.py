"""A secret that does not show itself: not in a repr, a log line, an f-string, a traceback or a pickle."""

from __future__ import annotations

import hmac
from typing import NoReturn, final

HIDDEN = "‹hidden›"


@final
class Secret:
    """A password, token or key. ``reveal`` is the only way to its text, so every use can be found by name.

    Two secrets are equal when their texts are, compared in constant time; a secret is never equal to a str.
    """

    __slots__ = ("__text",)

    def __init__(self, text: str) -> None:
        self.__text = text

    def reveal(self) -> str:
        return self.__text

    def __bool__(self) -> bool:
        return bool(self.__text)

    def __repr__(self) -> str:
        return HIDDEN

    def __str__(self) -> str:
        return HIDDEN

    def __format__(self, spec: str) -> str:
        return HIDDEN

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self.__text.encode(), other.__text.encode())

    __hash__ = None  # type: ignore[assignment]
    """A secret is no key: a hash of it would be a hint."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled or copied")
