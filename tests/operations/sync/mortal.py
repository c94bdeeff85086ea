"""A sync in whose middle something happens: between any two things that it does, on either side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from calward.operations.sync_run.ground import Tools
from calward.remotes.remote import Remote


class Killed(BaseException):
    """The process is gone: nothing of it runs any more, and what it had not committed never was."""


def die() -> None:
    raise Killed


class Mortal:
    """Tools that count their steps, and at number ``last`` do ``then`` once: dying, or whatever others do in
    the middle of a run. Without ``in_store`` only what goes over the network counts."""

    def __init__(
        self, tools: Tools, last: int, then: Callable[[], object] = die, *, in_store: bool = True
    ) -> None:
        self._left = last
        self._then = then
        self.tools = replace(
            tools,
            reading=self._counted(tools.reading) if in_store else tools.reading,
            writing=self._counted(tools.writing) if in_store else tools.writing,
            open_remote=lambda account, sealed: self._watched(tools.open_remote(account, sealed)),
        )

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._then()

    def _counted(
        self, opened: Callable[[], AbstractContextManager[Connection]]
    ) -> Callable[[], AbstractContextManager[Connection]]:
        @contextmanager
        def counted() -> Iterator[Connection]:
            self._step()
            with opened() as conn:
                yield conn
                self._step()  # all is done but the commit

        return counted

    def _watched(self, remote: Remote) -> Remote:
        step = self._step

        class Watched:
            def __getattr__(self, name: str) -> Any:
                found = getattr(remote, name)
                if not callable(found):
                    return found

                def call(*arguments: Any) -> Any:
                    if name == "close":
                        return found(*arguments)
                    step()
                    answer = found(*arguments)
                    step()
                    return answer

                return call

        watched: Any = Watched()
        return watched  # type: ignore[no-any-return]
