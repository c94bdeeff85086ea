"""One way to write JSON down and one way to name bytes, so that equal things have equal digests."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_CANONICAL = json.JSONEncoder(allow_nan=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: Any) -> str:
    """Sorted keys, no spaces, ASCII, no NaN. Tuples are written as lists; keys must be texts."""
    return _CANONICAL(value)


def digest_of(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
