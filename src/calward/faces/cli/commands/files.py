"""Calendar files: in and out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command
from calward.faces.cli.out_file import write_out
from calward.faces.cli.paper import line
from calward.faces.cli.progress import progress_of
from calward.faces.cli.rendering.files import imported
from calward.faces.cli.talk import Talk, as_plain

if TYPE_CHECKING:
    from calward.operations.usecases.calendars import CalendarsView
    from calward.operations.usecases.files import Exported, Imported

STREAM = "-"
MOST_NAME = 255


@command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--calendar", metavar="NAME", help="Into this calendar; default: your first.")
@click.option("--new", "make", is_flag=True, help="Make the calendar if there is none of that name.")
def import_files(talk: Talk, files: tuple[str, ...], calendar: str | None, make: bool) -> None:
    """Import calendar files; - is standard input, and a folder stands for its *.ics.

    Importing a file again changes nothing. What is not understood is listed, kept and exported again.
    """
    sources = [source for named in files for source in _sources(named)]
    if sources.count(STREAM) > 1:
        raise InvalidInput("Standard input can be imported once.")
    if make:
        _ensure(talk, calendar)
    _import_each(talk, sources, calendar)


@command()
@click.option("--calendar", metavar="NAME", help="Default: your first.")
@click.option("--event", metavar="ID", help="One event instead of a calendar.")
@click.option("-o", "--output", metavar="FILE", default=STREAM, help="Default: standard output.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
def export(talk: Talk, calendar: str | None, event: str | None, output: str, force: bool) -> None:
    """Export a calendar, or one event, as iCalendar text: what was imported comes out byte for byte."""
    if calendar and event:
        raise InvalidInput("Give --calendar or --event, not both.")
    answer: Exported = talk.ask("export_file", {"calendar": calendar, "event": event})
    data = answer.content.encode("utf-8", "surrogateescape")
    if output != STREAM:
        write_out(Path(output), data, force=force)
        told = {"file": output, "events": answer.events, "bytes": len(data)}
        if talk.as_json:
            talk.paper.put_json(told)
        else:
            talk.paper.put([line(f"Wrote {answer.events} event{'s' * (answer.events != 1)} to {output}.")])
    elif talk.as_json:
        talk.paper.put_json(as_plain(answer))
    else:
        talk.paper.put_bytes(data)


def _import_each(talk: Talk, sources: list[str], calendar: str | None) -> None:
    """One after the other. What is wrong with one of several is told, and the others go on; the exit code is
    then that of the first that failed."""
    from calward.faces.failures import Failure, failure_of  # the table knows HTTP too

    told: list[dict[str, Any]] = []
    failures: list[Failure] = []
    for source in sources:
        try:
            answer = _import_one(talk, source, calendar)
        except InvalidInput as error:
            if len(sources) == 1:
                raise
            failures.append(failure_of(error))
            told.append({"file": source, "error": failures[-1].body})
            if not talk.as_json:
                talk.aside.put([line(f"calward: {error.message}")])
        else:
            told.append({"file": source, **as_plain(answer)})
            if not talk.as_json:
                talk.paper.put(imported(source, answer))
    if talk.as_json:
        talk.paper.put_json({"files": told})
    if failures:
        raise click.exceptions.Exit(failures[0].meaning.exit_code)


def _import_one(talk: Talk, source: str, calendar: str | None) -> Imported:
    content = _read(source).decode("utf-8", "surrogateescape")
    name = (
        "import.ics" if source == STREAM else Path(source).name.encode("utf-8", "replace").decode()[-MOST_NAME:]
    )
    with progress_of(source) as progress:
        asked = {"content": content, "name": name, "calendar": calendar}
        answer: Imported = talk.ask("import_file", asked, progress=progress)
    return answer


def _sources(named: str) -> list[str]:
    """A folder's calendar files, by name; anything else is itself."""
    if named == STREAM or not Path(named).is_dir():
        return [named]
    found = sorted(str(path) for path in Path(named).iterdir() if path.suffix.lower() == ".ics")
    if not found:
        raise InvalidInput(f"{named}: there is no *.ics in that folder.")
    return found


def _read(source: str) -> bytes:
    from calward.ical.tree import CAPS  # asked only where a file is read

    most = CAPS.bytes + 1  # what is longer is refused by its length, and need not be read
    if source == STREAM:
        return sys.stdin.buffer.read(most)
    try:
        with open(source, "rb") as file:
            return file.read(most)
    except OSError as error:
        raise InvalidInput(f"{source}: cannot be read: {error.strerror}.") from None


def _ensure(talk: Talk, calendar: str | None) -> None:
    """Make the calendar unless there is one of that name."""
    if calendar is None:
        raise InvalidInput("--new needs the name of the calendar: add --calendar NAME.")
    known: CalendarsView = talk.ask("calendars")
    if all(calendar not in (one.name, one.id) for one in known.calendars):
        talk.ask("calendar_add", {"name": calendar})
