"""The contract type ``wall`` for import-linter: which modules may not import which, by themselves.

Beside the built-in types it does three things the house needs. A room that is not built yet may be named, so
the whole plan stands in one place from the first day. ``exceptions`` turn "may not" into "only these may". And
a part of a package outside the house can be meant (``urllib.request``, where ``urllib.parse`` is welcome).

Only direct imports count: what a module reaches through others is the business of the layers contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class Wall(Contract):
    """``modules`` (and all below them), ``exceptions`` aside, import none of ``forbidden`` (nor below)."""

    type_name = "wall"

    modules = fields.ListField(subfield=fields.StringField())
    forbidden = fields.ListField(subfield=fields.StringField())
    exceptions = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  (the base's signature)
        found = breaches(
            graph,
            modules=cast("list[str]", self.modules),
            forbidden=cast("list[str]", self.forbidden),
            exceptions=cast("list[str]", self.exceptions),
        )
        listed = sorted(found)
        return ContractCheck(kept=not listed, metadata={"breaches": listed})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for breach in check.metadata["breaches"]:
            output.print_error(f"- {breach}", bold=False)
        output.new_line()


def breaches(
    graph: ImportGraph, *, modules: Sequence[str], forbidden: Sequence[str], exceptions: Sequence[str] = ()
) -> Iterator[str]:
    """Every import statement that goes through the wall, in words."""
    for importer in graph.modules:
        if not within(importer, modules) or within(importer, exceptions):
            continue
        for imported in graph.find_modules_directly_imported_by(importer):
            for line in graph.get_import_details(importer=importer, imported=imported):
                if within(imported, forbidden) or names_a_part(line["line_contents"], forbidden):
                    yield f"{importer} imports {imported} (line {line['line_number']})"


def within(module: str, packages: Iterable[str]) -> bool:
    """Whether the module is one of the packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def names_a_part(statement: str, forbidden: Iterable[str]) -> bool:
    """Whether an import statement names a forbidden part of an outside package.

    The graph holds outside packages by their top name only, so the parts are read from the statement.
    """
    for part in forbidden:
        parent, dot, name = part.rpartition(".")
        if not dot or parent.startswith("calward"):
            continue
        whole = rf"(?:import|from)\s.*\b{re.escape(part)}\b"
        piece = rf"from\s+{re.escape(parent)}\s+import\b.*\b{re.escape(name)}\b"
        if re.match(whole, statement) or re.match(piece, statement):
            return True
    return False
