"""What was done, by the journal, and the files that were imported. Part of the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import NotFound
from calward.ical.frames import recompose, split
from calward.ical.reading import read_object
from calward.model.grant import Level
from calward.model.ids import (
    ApprovalId,
    CalendarId,
    ChangeId,
    EventId,
    EventUid,
    UploadId,
)
from calward.model.principal import Person, Role
from calward.operations.changes import digest_bytes
from calward.operations.identity import Access
from calward.operations.show import plain
from calward.operations.upload_states import WITHDRAWN
from calward.store import journal, objects, uploads
from calward.store.journal import ChangeRow


@dataclass(frozen=True, slots=True)
class Done:
    """One row of the journal, without any text from an event but the title it has now."""

    batch: ChangeId
    at: datetime
    by: str
    operation: str
    kind: str
    did: str
    event: EventId | None
    before: str | None
    after: str | None
    moved_from: CalendarId | None
    approval: ApprovalId | None
    undone: bool
    file: UploadId | None = None
    """The file that was imported, or taken out again."""
    kept: bool = False
    """Whether that file frames what is exported since then, and did not before."""
    title: str | None = None


DID: Mapping[str, str] = {
    "CreateObject": "created",
    "EditObject": "changed",
    "ReplaceObject": "set back",
    "MoveObject": "moved",
    "DeleteObject": "deleted",
    "RestoreObject": "brought back",
    "GrantRead": "let an assistant read",
    "AddCalendar": "added a calendar",
    "SetAlarms": "set whether alarms are told",
    "SetReminder": "set a reminder",
    "CancelReminder": "cancelled a reminder",
    "FinishReminder": "was done with a reminder",
    "SnoozeReminder": "put a reminder off",
    "AddPrompt": "scheduled a prompt",
    "EditPrompt": "changed a prompt",
    "CancelPrompt": "cancelled a prompt",
    "SetChannel": "set a channel",
    "RemoveChannel": "removed a channel",
    "TryChannel": "tried a channel",
    "SetVault": "set the vault",
    "GrantFolder": "set which folders of the vault an assistant reaches",
    "RemindInNote": "wrote a reminder into a note",
    "CancelInNote": "took a reminder out of a note",
    "AddMember": "added a member",
    "EditMember": "changed a member",
    "RemoveMember": "removed a member",
    "ShareCalendar": "shared a calendar",
    "SetPassword": "set a password",
    "EndSession": "signed out",
    "AddAssistant": "added an assistant",
    "RevokeAssistant": "revoked an assistant",
    "AddToken": "made a way in",
    "RevokeToken": "revoked a token",
    "SetGrant": "set a grant",
    "SetLimits": "set what an assistant may at most",
    "SetLockdown": "set the lockdown",
    "Forget": "forgot what was kept",
    "ImportUpload": "imported a file",
    "KeepFile": "kept or left an imported file",
    "AddAccount": "connected an account",
    "RemoveAccount": "removed an account",
    "MirrorCalendar": "mirrored a calendar",
    "ForgetMirror": "stopped mirroring a calendar",
    "RequestRun": "asked for a sync",
    "DecideHeld": "decided what was held",
    "CloseConflict": "chose between two versions",
    "DecideApproval": "decided a request",
    "Pulled": "took over from the server",
    "Deleted there": "deleted on the server",
}
"""What the history says of each kind of change."""


class Records:
    """Looks things up for one principal. An assistant finds only what is its own; the rest is not there."""

    def __init__(self, conn: Connection, access: Access, now: datetime) -> None:
        self._conn = conn
        self._access = access
        self._now = now
        self._household = access.household.id

    def last_change(self) -> ChangeId | None:
        """The newest batch that is this principal's to take back: what it did, or a person agreed to."""
        principal = self._access.principal
        return journal.last_batch(
            self._conn,
            self._household,
            principal.kind,
            principal.id,
            agreed_by=principal.member if isinstance(principal, Person) else None,
        )

    def done_in(self, batch: ChangeId) -> tuple[Done, ...]:
        """The rows of a batch; an assistant's own only."""
        rows = journal.batch_of(self._conn, self._household, batch)
        principal = self._access.principal
        theirs = any((row.principal_kind, row.principal_id) != (principal.kind, principal.id) for row in rows)
        if not rows or (theirs and not isinstance(principal, Person)):
            raise NotFound("There is no change of yours with that id.")
        undone = self._undone(rows)
        return tuple(self._done(row, undone) for row in rows)

    def bytes_of(self, digest: str) -> bytes | None:
        return journal.kept_bytes(self._conn, self._household, digest)

    def history(
        self, limit: int, event: str | None, *, who: str | None = None, since: datetime | None = None
    ) -> tuple[Done, ...]:
        """Newest first, with the title each event has now: what was done in calendars of which this person sees
        everything, and for an adult what was done to the household."""
        found = EventId(event.partition(".")[0]) if event else None
        rows = journal.history(
            self._conn,
            self._household,
            calendars=[sight.calendar for sight in self._access.sights if sight.others >= Level.DETAILS],
            administration=self._access.person.role in (Role.OWNER, Role.ADULT),
            event=found,
            who=who,
            since=since,
            limit=limit,
        )
        ids = list({row.event_id for row in rows if row.event_id is not None})
        titles = {
            row.id: plain(next((one.summary for one in read_object(row.local).events), ""))
            for row in objects.get_objects(self._conn, self._household, ids)
        }
        undone = self._undone(rows)
        return tuple(
            self._done(row, undone, titles.get(row.event_id) if row.event_id else None) for row in rows
        )

    def verify(self) -> tuple[int, ChangeId | None]:
        """How many rows the journal has, and the first that is not what was written; None where all hold."""
        broken = journal.verify(self._conn, self._household)
        return journal.count(self._conn, self._household), broken.id if broken else None

    def upload_of(self, calendar: CalendarId, data: bytes) -> tuple[UploadId, bool] | None:
        """An earlier import of the very same file into a calendar, and whether it was not taken back."""
        row = uploads.upload_of(self._conn, self._household, calendar, digest_bytes(data))
        return (row.id, row.state != WITHDRAWN) if row else None

    def export(self, calendar: CalendarId) -> tuple[bytes, int]:
        """A calendar as iCalendar text: each imported file as it came, with its events as they are now, and
        then what was made here, object by object. An event that several files brought is in the last."""
        rows = objects.objects_in(self._conn, self._household, calendar)
        left: dict[EventUid, bytes] = {row.uid: row.local for row in rows}
        files: list[bytes] = []
        for file in reversed(uploads.list_uploads(self._conn, self._household, calendar)):
            if file.state != WITHDRAWN:
                framed = {one.uid: left.pop(one.uid, None) for one in split(file.bytes).objects}
                files.insert(0, recompose(file.bytes, framed))
        loose = [row.local for row in rows if row.uid in left]
        return _joined([*files, *loose]), len(rows)

    def _undone(self, rows: Sequence[ChangeRow]) -> frozenset[ChangeId]:
        return journal.undone_among(self._conn, self._household, {row.batch for row in rows})

    def _done(self, row: ChangeRow, undone: frozenset[ChangeId], title: str | None = None) -> Done:
        return Done(
            batch=row.batch,
            at=row.at,
            by=row.principal_name,
            operation=row.operation,
            kind=row.kind,
            did=DID.get(row.kind, row.kind),
            event=row.event_id,
            before=row.before_digest,
            after=row.after_digest,
            moved_from=row.facts.get("from"),
            approval=row.approval_id,
            undone=row.batch in undone,
            file=row.facts.get("upload"),
            kept=bool(row.facts.get("kept")),
            title=title,
        )


def _joined(parts: list[bytes]) -> bytes:
    """Calendars one after the other (RFC 5545 §3.4); a lone one stays exactly as it is."""
    ended = [part if part.endswith((b"\n", b"\r")) else part + b"\r\n" for part in parts[:-1]]
    return b"".join((*ended, *parts[-1:]))
