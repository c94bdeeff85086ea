"""A stored object as a sync's plan sees it: the sides that are known here."""

from __future__ import annotations

from calward.ical.meaning import meaning
from calward.model.ids import ETag
from calward.operations.changes import digest_bytes
from calward.store import sides
from calward.store.objects import ObjectRow
from calward.sync.sides import Base, Content, Deleted, Here, Local

DELETION = "deletion"
"""What is remembered as sent where a deletion goes out."""


def content_of(data: bytes, own: frozenset[str] = frozenset()) -> Content:
    """A version by its digests; ``own`` are addresses whose answers to invitations count."""
    return Content(digest_bytes(data), meaning(data, own))


def base_of(row: ObjectRow, own: frozenset[str] = frozenset()) -> Base | None:
    """What the server last had of an object."""
    if row.base is None:
        return None
    return Base(ETag(row.base_etag) if row.base_etag else None, content_of(row.base, own))


def local_of(row: ObjectRow, own: frozenset[str] = frozenset()) -> Local:
    """What is here. A tombstone that the server knows of, or never has to, is as good as nothing."""
    content = content_of(row.local, own)
    if row.deleted_at is None:
        return Here(content)
    return None if row.push_state == sides.CLEAN and row.base is None else Deleted(content)
