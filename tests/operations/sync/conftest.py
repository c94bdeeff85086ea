"""Fixtures of the sync's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.sync.mirror import Mirror, open_mirror


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Mirror]:
    """A household with one calendar on a server in memory, closed after the test."""
    opened = open_mirror(tmp_path)
    yield opened
    opened.world.store.close()
