"""What a sync can leave to a person."""

from enum import StrEnum

AGREED = "agreed"
"""A held row's state from a person's yes until a sync has carried it out."""


class HeldKind(StrEnum):
    """What is held, and what accepting it does; restoring it is the opposite."""

    HERE = "removals_here"
    """The server no longer has these: they go here too."""
    THERE = "removals_there"
    """These were deleted here: they go on the server too."""
    PUSH = "push"
    """The server refused these: they are sent again."""
    OLDER = "older"
    """The server has these as they once were: so they are here too."""
    COLLECTION = "collection"
    """The server no longer has the calendar at all: it goes here too."""

    @property
    def removes(self) -> bool:
        """Whether accepting it takes events away, or what they say."""
        return self is not HeldKind.PUSH
