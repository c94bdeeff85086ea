"""What an operation is: a name, an input, an output, who may call it, and a function that proposes.

The function reads through its context and answers with a ``Draft``: an answer, and the changes it would take.
It cannot write; the pipeline judges the changes and applies them, or asks a person.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from calward.operations.changes import Change
from calward.operations.context import Context
from calward.operations.outside import Outside
from calward.operations.shapes import Answer, Arguments, Receipt


class Callers(StrEnum):
    """Who may call an operation at all. What they may do with it is for the guard."""

    EVERYBODY = "everybody"
    PEOPLE = "people"


class Nature(StrEnum):
    """What a caller should expect of an operation before calling it."""

    READ = "read"
    WRITE = "write"
    DESTROY = "destroy"


A = TypeVar("A", bound=Answer)
After = Callable[[tuple[Receipt, ...]], A]


@dataclass(frozen=True, slots=True)
class Draft(Generic[A]):
    """A proposal. ``answer`` may be a function of the receipts where only applying can tell.

    ``once`` names what an identical request within two minutes would make twice, so that it is not.
    """

    answer: A | After[A]
    changes: tuple[Change, ...] = ()
    once: str | None = None


Gather = Callable[[Outside, Any], Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be done. ``summary`` is the first line of its docstring, ``doc`` the whole."""

    name: str
    summary: str
    doc: str
    input: type[Arguments]
    output: type[Answer]
    propose: Callable[[Context, Any], Draft[Any]]
    callers: Callers
    nature: Nature
    idempotent: bool
    gather: Gather | None = None
    """Looks outside before the draft, with no transaction open; what it finds is ``ctx.gathered``."""

    @property
    def writes(self) -> bool:
        return self.nature is not Nature.READ


Propose = Callable[[Context, Any], Draft[Any]]


def operation(
    *,
    nature: Nature = Nature.READ,
    callers: Callers = Callers.EVERYBODY,
    idempotent: bool = False,
    gather: Gather | None = None,
) -> Callable[[Propose], Operation]:
    """Make an operation of a function ``(ctx, arguments) -> Draft[Output]``; its name is the function's."""

    def make(propose: Propose) -> Operation:
        hints = get_type_hints(propose)
        parameters = list(inspect.signature(propose).parameters)
        doc = inspect.getdoc(propose) or ""
        return Operation(
            name=getattr(propose, "__name__", ""),
            summary=doc.partition("\n")[0],
            doc=doc,
            input=hints[parameters[1]],
            output=get_args(hints["return"])[0],
            propose=propose,
            callers=callers,
            nature=nature,
            idempotent=idempotent or nature is Nature.READ,
            gather=gather,
        )

    return make
