"""What the tests of promises share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from calward.operations.pipeline import Pipeline
from calward.secrets.passwords import Passwords
from tests.faces.clients import served
from tests.faces.household import opened
from tests.operations.gate import CHEAP
from tests.operations.world import World, open_world
from tests.security.visitor import Visitor


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with opened(tmp_path) as one:
        home = replace(one, pipeline=Pipeline(replace(one.pipeline.sources, passwords=Passwords(CHEAP))))
        with served(home) as address, httpx2.Client(base_url=address, timeout=120) as client:
            yield Visitor(home, address, client)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A new household, closed after the test."""
    opened_world = open_world(tmp_path)
    yield opened_world
    opened_world.store.close()
