"""What is kept of a token or a one-time code."""

from __future__ import annotations

import hashlib
from datetime import timedelta

CODE_LASTS = timedelta(hours=1)


def hash_token(token: str) -> str:
    """SHA-256 in hex. Tokens are long and random, so a plain hash is enough to keep."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_code(code: str) -> str:
    """The same of a one-time code, however a person typed it. A hash of another name than a token's, so that
    neither is ever taken for the other."""
    return hash_token(f"code {''.join(code.split()).replace('-', '').lower()}")


def spelled(code: str) -> str:
    """A code as a person types it, in groups of four."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
