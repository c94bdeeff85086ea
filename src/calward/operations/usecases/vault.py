"""The vault of a member: which folder it is, who reaches what of it, and how it stands. A person decides."""

from __future__ import annotations

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.model.note import ALL, folder_path
from calward.operations.context import Context
from calward.operations.later_changes import GrantFolder, SetVault
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.usecases.calendars import NoArguments
from calward.operations.usecases.people import assistant_named

NONE = "No vault is set. Name your folder of notes with: calward vault set FOLDER"
MOST_PROBLEMS = 100


class NewVault(Arguments):
    folder: str | None = Field(None, min_length=1, max_length=4000, description="Absolute path; none: no vault")


class VaultWritten(Written):
    folder: str | None = None
    message: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def vault_set(ctx: Context, new: NewVault) -> Draft[VaultWritten]:
    """Name the folder of your Markdown notes, whose reminders become yours; or none any more."""
    if new.folder is None:
        if ctx.view.vault.vault is None:
            raise NotFound(NONE)
        message = "There is no vault any more. Your notes stay as they are."
        return Draft(VaultWritten(message=message), (SetVault(None),))
    if not new.folder.startswith("/"):
        raise InvalidInput("folder: give an absolute path, as /home/alex/Notes.")
    root = ctx.view.vault.check_root(new.folder)
    message = "Reminders in its notes are yours from now on. No assistant reaches it until you allow one to."
    return Draft(VaultWritten(folder=root, message=message), (SetVault(root),))


class NewFolderGrant(Arguments):
    assistant: str = Field(description="Name or id")
    folder: str = Field(ALL, min_length=1, max_length=1000, description="Relative to the vault; . is all of it")
    on: bool = True


class FolderGranted(Written):
    assistant: str | None = None
    folder: str | None = None
    message: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def vault_grant(ctx: Context, new: NewFolderGrant) -> Draft[FolderGranted]:
    """Let an assistant of yours ask to write reminders into the notes of a folder, or not any more."""
    ident = assistant_named(ctx, new.assistant)
    known = next(one for one in ctx.view.people.assistants() if one.id == ident)
    if known.member != ctx.person.member:
        raise NotFound(f"There is no assistant of yours named {new.assistant!r}.")
    if ctx.view.vault.vault is None:
        raise NotFound(NONE)
    folder = folder_path(new.folder)
    if new.on and not ctx.view.vault.has_folder(folder):
        raise NotFound("There is no such folder in the vault.")
    if not new.on and folder not in (granted := ctx.view.vault.folders_of(ident)):
        there = ", ".join(granted) or "none"
        raise NotFound(f"{known.name} does not reach that folder by a grant of its own; it has: {there}.")
    where = "the vault" if folder == ALL else folder
    message = (
        f"{known.name} may ask to write reminders into notes of {where}. Each time you are asked."
        if new.on
        else f"{known.name} no longer reaches {where}."
    )
    answer = FolderGranted(assistant=known.name, folder=folder, message=message)
    return Draft(answer, (GrantFolder(ident, folder, new.on),))


class NoteProblem(Answer):
    note: str
    problem: str


class ReachView(Answer):
    assistant: str
    folders: tuple[str, ...]


class VaultStatus(Answer):
    """``reminders`` counts the notes that have one, sent or not. ``problems`` are notes whose reminder cannot
    be followed, at most a hundred of them; ``more`` counts the others."""

    folder: str | None = None
    looked_at: str | None = None
    notes: int = 0
    reminders: int = 0
    problem: str | None = None
    problems: tuple[NoteProblem, ...] = ()
    more: int = 0
    reach: tuple[ReachView, ...] = ()


@operation(callers=Callers.PEOPLE)
def vault_show(ctx: Context, _: NoArguments) -> Draft[VaultStatus]:
    """How your vault stands: its folder, who reaches what, and notes whose reminder cannot be followed."""
    looked = ctx.view.vault.looked()
    if looked is None:
        return Draft(VaultStatus())
    wrong = [NoteProblem(note=one.path, problem=one.problem) for one in looked.notes if one.problem]
    mine = [one for one in ctx.view.people.assistants() if one.live and one.member == ctx.person.member]
    reach = ((one.name, tuple(ctx.view.vault.folders_of(one.id))) for one in mine)
    at = looked.vault.looked_at
    return Draft(
        VaultStatus(
            folder=looked.vault.root,
            looked_at=ctx.view.presenter.moment(at) if at else None,
            notes=len(looked.notes),
            reminders=sum(one.word is not None for one in looked.notes),
            problem=looked.problem,
            problems=tuple(wrong[:MOST_PROBLEMS]),
            more=max(0, len(wrong) - MOST_PROBLEMS),
            reach=tuple(ReachView(assistant=name, folders=folders) for name, folders in reach if folders),
        )
    )
