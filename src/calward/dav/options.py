"""OPTIONS (RFC 4918 §10.1): which parts of the protocols a server says it follows, and which methods it takes.

Some servers name themselves, and say that they send invitations (RFC 6638 §2), in this answer alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from calward.dav.messages import Answer, Ask


@dataclass(frozen=True, slots=True)
class Offers:
    """``compliance`` are the classes of the ``DAV`` header, ``methods`` those of ``Allow``; lower-case and
    upper-case, as they are commonly written. Both empty where the server was not asked or did not say."""

    compliance: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()

    @property
    def schedules(self) -> bool | None:
        """Whether the server tells attendees of an event by itself; None where it says nothing at all."""
        return "calendar-auto-schedule" in self.compliance if self.compliance else None


NO_OFFERS = Offers()


@dataclass(frozen=True, slots=True)
class Scheduling:
    """What the server of a calendar does about attendees; ``schedules`` None: it did not say. A calendar that
    is only here has none that does anything. ``past_too``: also where an event is over."""

    schedules: bool | None = False
    past_too: bool = True


def ask_options(url: str) -> Ask:
    return Ask("OPTIONS", url)


def read_options(answer: Answer) -> Offers:
    """What a server offers at an address. A refusal is no error: it only says nothing."""
    if not answer.ok:
        return NO_OFFERS
    return Offers(
        frozenset(one.lower() for one in _listed(answer.header("dav"))),
        frozenset(one.upper() for one in _listed(answer.header("allow"))),
    )


MOST = 100
"""Words taken from one header."""


def _listed(header: str) -> list[str]:
    return [word for part in header.split(",")[:MOST] if (word := part.strip())]
