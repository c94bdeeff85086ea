"""Whether a server went back to a backup: what it has now is older than what it had before.

A single object that is older may be somebody's undoing. Several at once are a server that forgot, and taking
those over would be forgetting too.
"""

from __future__ import annotations

import re

SEVERAL = 3
"""From this many older objects in one run on, they are held."""
_COUNTER = re.compile(rb"^SEQUENCE(?:;[^:\r\n]*)?:(\d{1,9})[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_STAMP = re.compile(
    rb"^(?:LAST-MODIFIED|DTSTAMP)(?:;[^:\r\n]*)?:(\d{8}T\d{6})Z[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)


def is_older(before: bytes, now: bytes) -> bool:
    """Whether a version was written before the one that the server had, by what programs note when they write
    (RFC 5545 §3.8.7.2 to §3.8.7.4): none of it goes forward, some goes back. Where they note nothing it is not.
    """
    marks = [(_latest(pattern, before), _latest(pattern, now)) for pattern in (_COUNTER, _STAMP)]
    both = [(was, is_now) for was, is_now in marks if was and is_now]
    return any(is_now < was for was, is_now in both) and all(is_now <= was for was, is_now in both)


def _latest(pattern: re.Pattern[bytes], data: bytes) -> bytes:
    """The greatest of the marks of one kind, in a form that compares; empty where there is none."""
    return max((mark.zfill(15) for mark in pattern.findall(data)), default=b"")
