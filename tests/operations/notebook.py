"""A household with a vault on disk, whose worker is in the test's hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calward.model.principal import Assistant
from calward.workers.lanes import fire_once, note_once, send_once
from tests.operations.later import Later, said
from tests.operations.world import World


@dataclass
class Notebook(Later):
    """``folder`` is the vault, which is set."""

    folder: Path = field(default_factory=Path)

    def write(self, path: str, text: str | bytes) -> None:
        """As a person with an editor does."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def remind(self, path: str, *lines: str, sent: bool = False) -> None:
        """Write a note with a block by hand."""
        block = "".join(f"  {line}\n" for line in (*lines, f"sent: {str(sent).lower()}"))
        self.write(path, f"---\nreminder:\n{block}---\nText\n")

    def read(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()

    def work(self) -> list[str]:
        before = len(self.told())
        while fire_once(self.duties) or note_once(self.duties) or send_once(self.duties):
            pass
        assert self.complaints == []
        return [f"{row.kind}: {said(row)}" for row in self.told()[before:]]

    def look(self) -> list[str]:
        """Half a minute later; what was told because of it."""
        self.world.pass_time(seconds=31)
        return self.work()

    def noted(self) -> dict[str, Any]:
        """The reminders in notes, by path; the newest of each."""
        return {one.note: one for one in self.reminders() if one.note}

    def status(self) -> Any:
        return self.world.do("vault_show")

    def helper(self, *folders: str) -> Assistant:
        """An assistant that reaches these folders."""
        assistant = self.world.assistant("Robin", Home="helper")
        for folder in folders:
            self.world.do("vault_grant", assistant="Robin", folder=folder)
        return assistant


def open_notebook(world: World, folder: Path) -> Notebook:
    folder.mkdir()
    world.do("vault_set", folder=str(folder))
    notebook = Notebook(world, folder=folder)
    notebook.work()
    return notebook
