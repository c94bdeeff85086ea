"""A household whose clock stands still and whose ids count up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from calward.bootstrap.app import App, open_app
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.model.principal import Assistant, Person, Principal
from calward.operations.operation import Operation
from calward.operations.pipeline import Call, Outcome, Pipeline
from calward.settings import resolve

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
"""A Monday, nine in the morning in the household's Berlin."""


@dataclass(frozen=True)
class Home:
    """``owner`` is Ann, at her terminal."""

    folder: Path
    app: App
    pipeline: Pipeline
    owner: Person

    def call(self, principal: Principal, operation: str, **arguments: Any) -> Outcome:
        return self.pipeline.execute(principal, Call(operation, arguments))

    def answer(self, operation: str, **arguments: Any) -> Any:
        """What Ann gets."""
        return self.call(self.owner, operation, **arguments).answer

    def assistant(self, name: str = "Robin", preset: str | None = None) -> tuple[Assistant, str]:
        """A new assistant and its token."""
        made = self.answer("assistant_add", name=name, preset=preset)
        return self.pipeline.assistant(name), made.token

    def token(self) -> str:
        """A token of Ann's own."""
        made: str = self.answer("token_add").token
        return made


@contextmanager
def opened(folder: Path, operations: tuple[Operation, ...] | None = None) -> Iterator[Home]:
    """Ann's household in a folder, with the catalog or other operations."""
    settings = {"CALWARD_DATA_DIR": str(folder), "CALWARD_ZONE": "Europe/Berlin", "CALWARD_NAME": "Ann"}
    with open_app(resolve(settings, {})) as app:
        numbers = count(1)
        sources = replace(
            app.sources,
            now=lambda: NOW,
            new_id=lambda: id_from_bytes(next(numbers).to_bytes(ID_BYTES, "big")),
        )
        pipeline = Pipeline(sources) if operations is None else Pipeline(sources, operations)
        yield Home(folder, app, pipeline, pipeline.owner())
