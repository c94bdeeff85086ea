"""A household at a fixed moment, behind whichever door."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.household import Home, opened


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened(tmp_path) as one:
        yield one


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
