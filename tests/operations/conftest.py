"""Fixtures of the operations' tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.world import World, open_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A new household, closed after the test."""
    opened = open_world(tmp_path)
    yield opened
    opened.store.close()
