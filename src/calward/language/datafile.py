"""The data files of this room, read once from the package."""

from __future__ import annotations

from functools import lru_cache
from pkgutil import get_data
from typing import Any


@lru_cache(maxsize=16)
def data_file(name: str) -> dict[str, Any]:
    """A TOML file of ``data/`` as a table."""
    import tomllib  # only where a file is read, so that importing the room stays quick

    found = get_data("calward.language", f"data/{name}.toml")
    if found is None:
        raise FileNotFoundError(name)
    return tomllib.loads(found.decode("utf-8"))
