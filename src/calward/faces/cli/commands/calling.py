"""Every operation of the catalog, by its own name."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command
from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.talk import Talk, as_plain


@command()
@click.argument("operation", required=False)
@click.argument("arguments", required=False)
def call(talk: Talk, operation: str | None, arguments: str | None) -> None:
    """Call OPERATION with ARGUMENTS, a JSON object or - for standard input; the answer is JSON.

    Without an operation, lists all there are.
    """
    if operation is None:
        _list(talk)
        return
    text = sys.stdin.read() if arguments == "-" else arguments
    talk.paper.put_json(as_plain(talk.ask(operation, _object(text or "{}"))))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(f"ARGUMENTS is no JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidInput('ARGUMENTS has to be a JSON object, as {"range": "today"}.')
    return value


def _list(talk: Talk) -> None:
    from calward.operations.catalog import CATALOG  # with it comes all of the pipeline

    if talk.as_json:
        talk.paper.put_json(
            {
                "operations": [
                    {"name": one.name, "summary": one.summary, "nature": one.nature} for one in CATALOG
                ]
            }
        )
        return
    width = max(len(one.name) for one in CATALOG)
    lines: Iterable[Line] = (line(Cell(one.name, "bold", width), one.summary) for one in CATALOG)
    talk.paper.put(lines)
