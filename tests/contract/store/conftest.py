"""One store per test, on every database there is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calward.store.engine import Store, open_store
from tests.contract.store.family import AWAY, HOME, settle_in

Opener = Callable[[], Store]


@pytest.fixture(scope="session", params=["sqlite"])
def settled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two households in it, made once and copied for each test."""
    path = tmp_path_factory.mktemp("settled") / "calward.db"
    store = open_store(path)
    with store.writing() as connection:
        for home in (HOME, AWAY):
            settle_in(connection, home)
    store.close()
    return path


@pytest.fixture
def database(settled: Path, tmp_path: Path) -> Path:
    """A database of the test's own."""
    path = tmp_path / "calward.db"
    shutil.copy(settled, path)
    return path


@pytest.fixture
def open_again(database: Path) -> Iterator[Opener]:
    """Opens the same store as often as it is called, as several programs would."""
    opened: list[Store] = []

    def open_it() -> Store:
        opened.append(open_store(database))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_again: Opener) -> Store:
    return open_again()
