"""The three sides of an object: what was last agreed on, what is here now, what is there now.

A *body* is a digest of exact bytes, a *meaning* a digest that ignores what servers rewrite and what is no edit
(DTSTAMP, SEQUENCE, LAST-MODIFIED, others' PARTSTAT, X- lines). Whoever makes them decides the hash; here they
are only compared. Equal bodies have equal meanings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from calward.model.ids import ETag, Href


@dataclass(frozen=True, slots=True)
class Content:
    """A version of an object, by its two digests."""

    body: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Base:
    """The version both sides last had in common, and the server's name for it."""

    etag: ETag | None
    content: Content


@dataclass(frozen=True, slots=True)
class Here:
    """The object as it is stored locally."""

    content: Content


@dataclass(frozen=True, slots=True)
class Deleted:
    """A tombstone: deleted here, and the server was not told yet. ``content`` is what was deleted."""

    content: Content


Local = Here | Deleted | None
"""None: there is no such object here."""


@dataclass(frozen=True, slots=True)
class There:
    """The object as the server lists it. ``content`` is None until it was fetched."""

    etag: ETag | None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class RemoteView:
    """What the server told. ``complete``: ``there`` is everything there is, so what it lacks is gone; otherwise
    only ``gone`` is, and what is not named stands as it stood."""

    there: Mapping[Href, There]
    gone: frozenset[Href] = field(default=frozenset())
    complete: bool = False

    def at(self, href: Href, base: Base | None) -> There | None:
        """The object at ``href``, as told or as it last was; None where there is none."""
        told = self.there.get(href)
        if told is not None or base is None or self.complete or href in self.gone:
            return told
        return There(base.etag, base.content)

    def tells(self, href: Href) -> bool:
        """Whether it says anything about ``href``: that an object is there, or that none is."""
        return self.complete or href in self.there or href in self.gone


@dataclass(frozen=True, slots=True)
class Marks:
    """What else is known of one object."""

    sent: str | None = None
    """The meaning of what was sent last, where no answer came: it may be there or not, or come through yet."""
    unreadable: bool = False
    """The server has bytes for it that cannot be fetched or read."""
    held: bool = False
    """Its removal waits for a person (``calward.sync.removals``)."""


class LocalState(StrEnum):
    ABSENT = "absent"
    SAME = "same"
    """Byte for byte the base."""
    TOUCHED = "touched"
    """Other bytes, the same meaning."""
    CHANGED = "changed"
    """Another meaning, or there is no base."""
    DELETED = "deleted"


class RemoteState(StrEnum):
    ABSENT = "absent"
    SAME = "same"
    TOUCHED = "touched"
    CHANGED = "changed"
    UNKNOWN = "unknown"
    """It has another ETag than the base, or none, and was not fetched yet."""
    AGREED = "agreed"
    """Changed, and it means what ours does, or what we deleted."""
    LANDED = "landed"
    """Changed, and it means what we sent last, though ours is another by now."""
    UNREADABLE = "unreadable"


def local_state(base: Base | None, local: Local) -> LocalState:
    """How the local side stands to the base."""
    match local:
        case None:
            return LocalState.ABSENT
        case Deleted():
            return LocalState.DELETED
        case Here(content):
            return LocalState(_against(base, content))
        case _:
            assert_never(local)


def remote_state(base: Base | None, remote: There | None) -> RemoteState:
    """How the remote side stands to the base. A weak ETag may stay over a change, so it proves nothing."""
    if remote is None:
        return RemoteState.ABSENT
    if remote.content is not None:
        return RemoteState(_against(base, remote.content))
    if base is not None and remote.etag is not None and remote.etag == base.etag and not _is_weak(remote.etag):
        return RemoteState.SAME
    return RemoteState.UNKNOWN


def standing(href: Href, base: Base | None, local: Local, remote: RemoteView, marks: Marks) -> RemoteState:
    """How the remote side stands to the base, to ours, and to what is on its way."""
    there = remote.at(href, base)
    if marks.unreadable and there is not None:
        return RemoteState.UNREADABLE
    if marks.sent is not None and not (remote.tells(href) and (there is None or there.content is not None)):
        return RemoteState.UNKNOWN  # the list may be older than what was sent: look, compare, then decide
    state = remote_state(base, there)
    if state is not RemoteState.CHANGED or there is None or there.content is None:
        return state
    if local is not None and there.content.meaning == local.content.meaning:
        return RemoteState.AGREED
    return RemoteState.LANDED if there.content.meaning == marks.sent else state


def _against(base: Base | None, content: Content) -> str:
    if base is None or content.meaning != base.content.meaning:
        return "changed"
    return "same" if content.body == base.content.body else "touched"


def _is_weak(etag: ETag) -> bool:
    return etag.startswith(("W/", "w/"))
