"""What is kept of a token."""

from __future__ import annotations

import hashlib


def hash_token(token: str) -> str:
    """SHA-256 in hex. Tokens are long and random, so a plain hash is enough to keep."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
