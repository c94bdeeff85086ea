"""Calendar files: in, and out again with the bytes they came with."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, Unsupported
from calward.ical.frames import Split, split
from calward.ical.reading import read_object
from calward.model.ids import UploadId
from calward.operations.changes import ImportUpload
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Receipt, Written


class ImportFile(Arguments):
    carries_bytes = frozenset({"content"})
    content: str = Field(description="The text of the .ics file")
    name: str = Field("import.ics", max_length=255)
    calendar: str | None = None


class Problem(Answer):
    """A part of a file that is no event that can be read; it is kept and exported again."""

    line: int
    what: str
    why: str


class Imported(Written):
    added: int | None = None
    updated: int | None = None
    unchanged: int | None = None
    calendar: str | None = None
    problems: tuple[Problem, ...] = ()


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def import_file(ctx: Context, file: ImportFile) -> Draft[Imported]:
    """Import a calendar file. Importing it again changes nothing; what is not understood is listed and kept."""
    calendar = ctx.view.calendars.for_new(file.calendar)
    if calendar.member != ctx.person.member:
        raise Unsupported(f"{calendar.name} is another member's calendar; import into one of your own.")
    if calendar.account is not None:
        raise Unsupported(
            f"{calendar.name} lives on a server; import into a local calendar, or there directly."
        )
    data = file.content.encode("utf-8", "surrogateescape")
    parts = split(data)
    if not parts.objects and b"BEGIN:VCALENDAR" not in data.upper():
        raise InvalidInput(f"{file.name} holds no calendar: nothing in it looks like iCalendar text.")
    problems = _problems(parts, data)

    def answer(receipts: tuple[Receipt, ...]) -> Imported:
        facts = receipts[0].facts
        return Imported(
            added=facts["added"],
            updated=facts["updated"],
            unchanged=facts["unchanged"],
            calendar=calendar.name,
            problems=problems,
        )

    known = ctx.view.records.upload_of(calendar.id, data)
    upload, again = known or (UploadId(ctx.new_id()), False)
    return Draft(answer, (ImportUpload(upload, calendar.id, file.name, file.content, again),))


def _problems(parts: Split, data: bytes) -> tuple[Problem, ...]:
    """What is kept but not understood, and events that could be read in part only, by line of the file."""
    left = [(other.line, other.kind or "line", other.why) for other in parts.residue]
    reading = read_object(data)
    flags = [*reading.flags, *(flag for event in reading.events for flag in event.flags)]
    flags += [flag for framed in parts.objects for flag in framed.flags if flag.code != "no_uid"]
    left += [(flag.line or 0, flag.code, flag.detail) for flag in flags]
    return tuple(Problem(line=line, what=what, why=why) for line, what, why in dict.fromkeys(left))


class ExportCalendar(Arguments):
    calendar: str | None = None
    event: str | None = Field(None, description="One event instead of a calendar")


class Exported(Answer):
    """``content`` is iCalendar text; bytes that are no UTF-8 are surrogate escapes."""

    name: str
    content: str
    events: int
    kind: Literal["calendar", "event"]


@operation(callers=Callers.PEOPLE)
def export_file(ctx: Context, asked: ExportCalendar) -> Draft[Exported]:
    """Export a calendar, or one event, as iCalendar text: what was imported comes out byte for byte."""
    if asked.event is not None:
        stored = ctx.view.whole(asked.event)
        content = stored.data.decode("utf-8", "surrogateescape")
        return Draft(Exported(name=f"{stored.event}.ics", content=content, events=1, kind="event"))
    calendar = ctx.view.calendars.whole(asked.calendar)
    data, count = ctx.view.records.export(calendar.id)
    content = data.decode("utf-8", "surrogateescape")
    return Draft(Exported(name=f"{calendar.name}.ics", content=content, events=count, kind="calendar"))
