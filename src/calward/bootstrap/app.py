"""An open Calward: settings, store and pipeline together."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from calward.bootstrap.household import HOME, ensure_household, household_exists
from calward.bootstrap.machine import owner_name, zone_name
from calward.bootstrap.places import data_dir, database, read_epoch, read_settings
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Pipeline, Sources
from calward.settings import Resolved
from calward.store.engine import Store, open_store

TOKEN_BYTES = 32
TOKEN_PREFIX = "calward_"


@dataclass(frozen=True, slots=True)
class App:
    """Use as a context manager; leaving it closes the store."""

    resolved: Resolved
    store: Store
    sources: Sources
    pipeline: Pipeline
    fresh: bool
    """Whether this start made the household."""

    def __enter__(self) -> App:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()


def open_app(resolved: Resolved | None = None) -> App:
    """Open the store named in the settings, making it and its household at the first start.

    Raises ``SettingsError`` and ``StoreError``.
    """
    resolved = resolved or read_settings()
    store = open_store(database(resolved))
    try:
        epoch = read_epoch(data_dir(resolved), new_id())
        with store.reading() as conn:
            missing = not household_exists(conn)
        if missing:
            with store.writing() as conn:
                missing = ensure_household(
                    conn, owner_name(resolved.settings), zone_name(resolved.settings), epoch, now(), new_id
                )
        sources = Sources(
            reading=store.reading,
            writing=store.writing,
            now=now,
            new_id=new_id,
            new_token=new_token,
            epoch=epoch,
            household=HOME,
        )
        return App(resolved, store, sources, Pipeline(sources), missing)
    except BaseException:
        store.close()
        raise


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return id_from_bytes(secrets.token_bytes(ID_BYTES))


def new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
