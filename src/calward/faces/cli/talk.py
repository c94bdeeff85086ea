"""One run of the command line: who asks, what is asked, and what the person gets to see."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from calward.errors import InvalidInput, NotFresh
from calward.faces.cli.paper import Line, Paper, line
from calward.faces.cli.secret_line import secret_line

if TYPE_CHECKING:
    from calward.faces.cli.wiring import Wiring
    from calward.language.conventions import Conventions
    from calward.model.principal import Person
    from calward.operations.entrance import Entrance
    from calward.operations.pipeline import Pipeline, Progress
    from calward.operations.shapes import Answer

NO_TERMINAL = (
    "This asks for your password, since an assistant is connected on this machine, and there is no terminal to "
    "type it on. Run it on a terminal, or decide on the page that calward serve opens."
)
WAITING = 10
"""The exit code where nothing was done yet because a person is asked."""


class Talk:
    """The object every command is given. The store is opened when something is asked, and closed at the end."""

    def __init__(self, wiring: Wiring, *, as_json: bool) -> None:
        self.wiring = wiring
        self.as_json = as_json
        self.paper = Paper(sys.stdout)
        self.aside = Paper(sys.stderr)
        self._open = ExitStack()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def ask(
        self,
        operation: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        nulls: Iterable[str] = (),
        progress: Progress | None = None,
    ) -> Any:
        """The answer of an operation. Arguments that are None are left out; ``nulls`` are sent as null.

        Where a person has to agree first, says so and ends the command with the exit code 10.
        """
        from calward.operations.pipeline import Call  # with it comes the store, which help can do without

        given = {name: value for name, value in (arguments or {}).items() if value is not None}
        given |= dict.fromkeys(nulls)
        call = Call(operation, given)
        try:
            outcome = self._pipeline.execute(self.owner, call, progress)
        except NotFresh:
            self.owner = self._proven()
            outcome = self._pipeline.execute(self.owner, call, progress)
        if outcome.pending is not None:
            self.show(outcome.answer, _waiting)
            raise click.exceptions.Exit(WAITING)
        return outcome.answer

    def show(self, answer: Any, render: Callable[[Any], Iterable[Line]]) -> None:
        """Print an answer: as JSON where that was asked for, else as its rendering."""
        if self.as_json:
            self.paper.put_json(as_plain(answer))
        else:
            self.paper.put(render(answer))

    def agree(self, question: Iterable[Line], verb: str, *, yes: bool) -> None:
        """Have the person agree before harm is done; ends the command where they do not.

        Raises ``InvalidInput`` where nobody can be asked.
        """
        if yes:
            return
        if not sys.stdin.isatty():
            raise InvalidInput(f"There is no terminal to ask at; add --yes to {verb} without being asked.")
        self.aside.put(question)
        if not click.confirm(f"{verb.capitalize()}?", err=True):
            self.aside.put([line("Nothing was changed.")])
            raise click.exceptions.Exit(1)

    @cached_property
    def owner(self) -> Person:
        """Whoever sits at the terminal is the household's owner; they prove it where it is asked of them."""
        return self._pipeline.owner()

    @property
    def conventions(self) -> Conventions:
        """How words for times are meant here, as set."""
        return self._pipeline.sources.conventions

    @cached_property
    def entrance(self) -> Entrance:
        from calward.operations.entrance import Entrance  # as above

        return Entrance(self._pipeline.sources)

    def _proven(self) -> Person:
        """The owner, who typed their password on the terminal."""
        return self.entrance.prove(self.owner, secret_line("Your password: ", NO_TERMINAL))

    @cached_property
    def _pipeline(self) -> Pipeline:
        return self._open.enter_context(self.wiring.pipeline())


def as_plain(answer: Answer) -> Any:
    """An answer as JSON holds it; what is absent is left out."""
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


def _waiting(answer: Any) -> Iterable[Line]:
    return [line(answer.approval.message), line(f"calward approvals show {answer.approval.id}", indent=1)]
