"""The catalog as tools: what an assistant may call, said in as few words as will do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from mcp_types import Tool, ToolAnnotations

from calward.faces.mcp.schemas import input_schema, output_schema
from calward.operations.operation import Callers, Nature, Operation


def tools(operations: Iterable[Operation]) -> list[Tool]:
    """The tools of a catalog, in its order: what everybody may call."""
    return [_tool(operation) for operation in operations if operation.callers is Callers.EVERYBODY]


@cache  # the schemas take longer than all else that a server does at its start
def _tool(operation: Operation) -> Tool:
    return Tool(
        name=operation.name,
        description=operation.doc,
        input_schema=input_schema(operation.input),
        output_schema=output_schema(operation.output),
        annotations=ToolAnnotations(
            read_only_hint=not operation.writes,
            destructive_hint=operation.nature is Nature.DESTROY,
            idempotent_hint=operation.idempotent,
            open_world_hint=operation.writes,
        ),
    )
