"""An open Calward: settings, store and pipeline together."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from calward.bootstrap.credentials import Credentials
from calward.bootstrap.environment import is_settled, read_environment, settle
from calward.bootstrap.epoch import Mark
from calward.bootstrap.household import HOME, ensure_household, household_exists
from calward.bootstrap.machine import owner_name, zone_name
from calward.bootstrap.places import data_dir, database, read_settings
from calward.language.habits import conventions_of
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Pipeline, Sources
from calward.settings import Resolved
from calward.store.engine import Store, open_store
from calward.store.mark import mark_of

TOKEN_BYTES = 32
TOKEN_PREFIX = "calward_"


class Bell:
    """Wakes this process's workers, if it has any, when something was changed."""

    def __init__(self) -> None:
        self.rung = False
        self._answer: Callable[[], None] | None = None

    def answer(self, answer: Callable[[], None] | None) -> None:
        self._answer = answer

    def ring(self) -> None:
        self.rung = True
        if (answer := self._answer) is not None:
            answer()


@dataclass(frozen=True, slots=True)
class App:
    """Use as a context manager; leaving it closes the store."""

    resolved: Resolved
    store: Store
    sources: Sources
    pipeline: Pipeline
    credentials: Credentials
    bell: Bell
    fresh: bool
    """Whether this start made the household."""
    refused: str | None = None
    """Why the account that the environment describes is not used."""
    went_back: bool = False
    """Whether the store is a copy from before, put back."""

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
        mark = Mark(data_dir(resolved), database(resolved))
        with store.reading() as conn:
            missing = not household_exists(conn)
            epoch, went_back = mark.epoch(mark_of(conn), new_id)
        if missing:
            with store.writing() as conn:
                missing = ensure_household(
                    conn, owner_name(resolved.settings), zone_name(resolved.settings), epoch, now(), new_id
                )
        refused = _settle_environment(store, epoch)

        def changed() -> None:
            with store.reading() as conn:
                reached = mark_of(conn)
            mark.note(reached)
            bell.ring()

        credentials, bell = Credentials(lambda: data_dir(resolved)), Bell()
        sources = Sources(
            reading=store.reading,
            writing=store.writing,
            now=now,
            new_id=new_id,
            new_token=new_token,
            epoch=epoch,
            household=HOME,
            conventions=conventions_of(resolved.settings, ZoneInfo("UTC")),
            outside=credentials.outside,
            pages=resolved.settings.public_url or None,
            scrub=store.scrub,
            wake=changed,
        )
        return App(resolved, store, sources, Pipeline(sources), credentials, bell, missing, refused, went_back)
    except BaseException:
        store.close()
        raise


def _settle_environment(store: Store, epoch: str) -> str | None:
    """Have the account that the environment describes; else why it is not used."""
    wanted = read_environment(os.environ)
    if wanted is None or isinstance(wanted, str):
        return wanted
    with store.reading() as conn:
        settled = is_settled(conn, wanted)
    if not settled:
        with store.writing() as conn:
            settle(conn, wanted, epoch, now(), new_id)
    return None


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return id_from_bytes(secrets.token_bytes(ID_BYTES))


def new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
