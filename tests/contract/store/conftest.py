"""One store per test, on every database there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calward.store.engine import Store, open_store
from tests.contract.store.family import AWAY, HOME, settle_in

Opener = Callable[[], Store]


@pytest.fixture(params=["sqlite"])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same store as often as it is called, as several programs would."""
    opened: list[Store] = []

    def open_it() -> Store:
        opened.append(open_store(tmp_path / "data" / "calward.db"))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_again: Opener) -> Store:
    """A store with two households in it."""
    store = open_again()
    with store.writing() as connection:
        for home in (HOME, AWAY):
            settle_in(connection, home)
    return store
