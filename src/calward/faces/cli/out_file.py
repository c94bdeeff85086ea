"""A file written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from calward.errors import InvalidInput, StoreError


def write_out(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file that did not exist, or with ``force`` put it in the place of one that did.

    A device or pipe is simply written to. Raises ``InvalidInput`` where something is there and may not be
    replaced, ``StoreError`` where the disk does not take it; what was there before then still is.
    """
    if path.exists() and not force:
        raise InvalidInput(f"{path}: there is something already; add --force to replace it.")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}.") from None


def _replace(path: Path, data: bytes) -> None:
    """Through a file beside it, so that a full disk leaves no half."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:32]}-", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
