"""Named sets of rights, as data: what a person picks from instead of nine switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from calward.model.grant import Invite, Level, Rights, Say

NOTHING = Rights(
    own_level=Level.NONE,
    others_level=Level.NONE,
    read_private=Say.NEVER,
    create=Say.NEVER,
    own_update=Say.NEVER,
    own_delete=Say.NEVER,
    others_update=Say.NEVER,
    others_delete=Say.NEVER,
    invite=Invite.NOBODY,
)
"""What an assistant has on a calendar nobody granted it."""

AVAILABILITY = replace(NOTHING, own_level=Level.BUSY, others_level=Level.BUSY, read_private=Say.ASK)
READER = replace(NOTHING, own_level=Level.DETAILS, others_level=Level.DETAILS, read_private=Say.FREE)
CAREFUL = Rights(
    own_level=Level.DETAILS,
    others_level=Level.BUSY,
    read_private=Say.ASK,
    create=Say.ASK,
    own_update=Say.ASK,
    own_delete=Say.ASK,
    others_update=Say.ASK,
    others_delete=Say.ASK,
    invite=Invite.ANYONE,
)
HELPER = replace(
    CAREFUL,
    others_level=Level.DETAILS,
    read_private=Say.FREE,
    create=Say.FREE,
    own_update=Say.FREE,
    others_update=Say.FREE,
)

PRESETS: Mapping[str, Rights] = MappingProxyType(
    {
        "none": NOTHING,
        "availability": AVAILABILITY,
        "reader": READER,
        "careful": CAREFUL,
        "helper": HELPER,
    }
)
PRESET_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "none": "sees nothing and changes nothing",
        "availability": "sees when time is taken, asks to see more, changes nothing",
        "reader": "sees everything, changes nothing",
        "careful": "sees when time is taken and all of its own events; asks before anything else",
        "helper": "sees everything, creates and changes freely, asks before it deletes or reaches other people",
    }
)


def preset_of(rights: Rights) -> str:
    """The name of these rights, or ``custom``."""
    return next((name for name, preset in PRESETS.items() if preset == rights), "custom")
