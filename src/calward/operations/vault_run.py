"""What workers do with a vault: look through it for what its notes say, mark the notes whose reminder fired.

No file is read or written within a transaction here. What was read is taken only where nobody else wrote the
note's row meanwhile; else the next look reads it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.errors import CalwardError, NotFound, TooLarge, Unsupported
from calward.model.ids import MemberId, ReminderId
from calward.model.note import is_within
from calward.model.reminder import State
from calward.notes.editing import read_block, with_block
from calward.notes.vault import Head, Listing, Stamp, Vault, digest_of, opened
from calward.operations import identity
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.vault import UNSEEN
from calward.operations.apply.vault_words import Words
from calward.operations.due import LEASE, LOOKS, VAULT, Pace, give_back, work_row
from calward.operations.stored import Superseded
from calward.operations.sync_run.ground import Tools
from calward.store import due as due_rows
from calward.store import notes, reminders
from calward.store.due import Claim
from calward.store.notes import NoteRow

AT_ONCE = 100
"""Notes that are read, and taken in one transaction."""
MOST_TRIES = 48
"""With the pace of retries, nearly two days: the folder may be on a disk that is away."""
COARSE = timedelta(seconds=2)
"""No disk's clock for changes of files is coarser."""
TOLD = (State.FIRED, State.MISSED, State.DONE)
EMPTY = "There are no notes in the folder of the vault any more, so nothing was changed. Is it there?"

Known = Mapping[str, NoteRow]


def look_through(tools: Tools, claimed: Claim) -> None:
    """Take the word of every note that is new, changed, renamed or gone since the last look."""
    household, member = claimed.household, MemberId(claimed.row.target)
    with tools.reading() as conn:
        vault = notes.get_vault(conn, household, member)
        known = notes.list_notes(conn, household, member)
    if vault is None:
        with tools.writing() as conn:
            due_rows.complete(conn, claimed)
        return
    problem = None
    try:
        with opened(vault.root) as files:
            listed = files.listing()
            if known and not listed.notes:
                raise NotFound(EMPTY)
            _Look(tools, claimed, known, listed).take(files)
    except CalwardError as error:
        problem = error.message
    with tools.writing() as conn:
        now = tools.now()
        if due_rows.finish(conn, claimed, next_at=now + LOOKS):
            at = now if problem is None else None
            notes.looked_through(conn, household, member, at=at, problem=problem)


def mark_sent(tools: Tools, claimed: Claim) -> None:
    """Write ``sent: true`` into the note whose reminder fired, unless it says something else by now."""
    household, ident = claimed.household, ReminderId(claimed.row.target)
    with tools.reading() as conn:
        row = reminders.get_reminders(conn, household, [ident]).get(ident)
        note = notes.note_of(conn, household, ident)
        vault = notes.get_vault(conn, household, note.member_id) if note else None
    if row is None or row.state not in TOLD or note is None or vault is None:
        _done(tools, claimed)
        return
    try:
        with opened(vault.root) as files:
            data = files.rewrite(note.path, lambda was: _marked(was, note), tools.now())
    except (Superseded, NotFound):
        _done(tools, claimed, look_again=note.member_id)
    except CalwardError as error:
        _not_done(tools, claimed, error)
    else:
        _done(tools, claimed, marked=(note, data))


class _Look:
    """One look through a vault."""

    def __init__(self, tools: Tools, claimed: Claim, known: Known, listed: Listing) -> None:
        self._tools = tools
        self._claimed = claimed
        self._known = known
        self._listed = listed
        gone = [row for path, row in known.items() if path not in listed.notes and not self._is_shut(path)]
        self._gone = {row.path: row for row in gone}
        self._lost = {row.digest: row for row in gone if row.word is not None}
        """Notes that may only have been renamed, by what they said."""

    def take(self, files: Vault) -> None:
        changed = [path for path, stamp in self._listed.notes.items() if not self._is_seen(path, stamp)]
        for first in range(0, len(changed), AT_ONCE):
            heads = _heads(files, changed[first : first + AT_ONCE], self._tools.now())
            with self._tools.writing() as conn:
                words = self._words(conn)
                seen = [self._taken(words, path, heads[path]) for path in self._current(words, list(heads))]
                notes.put_notes(conn, words.household, seen)
        if self._gone:
            with self._tools.writing() as conn:
                words = self._words(conn)
                for path in self._current(words, list(self._gone)):
                    words.gone(self._gone[path])

    def _taken(self, words: Words, path: str, head: Head) -> NoteRow:
        known = self._known.get(path)
        renamed = self._lost.get(head.digest) if known is None else None
        if renamed is not None and self._current(words, [renamed.path]):
            del self._lost[head.digest], self._gone[renamed.path]
            return words.renamed(renamed, path, head)
        if known is not None and known.digest == head.digest:
            return replace(known, mtime=head.stamp.mtime, size=head.stamp.size)
        return words.take(path, head, known)

    def _words(self, conn: Connection) -> Words:
        """Of the member, whose words are those that nobody else is known to have written."""
        claimed, now = self._claimed, self._tools.now()
        due_rows.renew(conn, claimed, now + LEASE)
        maker = identity.principal_of(conn, claimed.household, "person", claimed.row.target)
        eyes = Eyes(conn, claimed.household, self._tools.epoch, now)
        return Words(conn, claimed.household, maker, eyes, now, self._tools.new_id)

    def _is_seen(self, path: str, stamp: Stamp) -> bool:
        row = self._known.get(path)
        return row is not None and (row.mtime, row.size) == (stamp.mtime, stamp.size)

    def _current(self, words: Words, paths: list[str]) -> list[str]:
        """Those of them whose rows nobody wrote since the look began."""
        rows = notes.get_notes(words.conn, words.household, words.member, paths)
        return [path for path in paths if rows.get(path) == self._known.get(path)]

    def _is_shut(self, path: str) -> bool:
        return any(is_within(folder, path) for folder in self._listed.closed)


def _heads(files: Vault, paths: list[str], now: datetime) -> dict[str, Head]:
    """What is read now. A note that was written just before may be written again without its stamp telling, so
    the next look reads it once more."""
    settled = (now - COARSE).timestamp() * 1e9
    heads = {}
    for path in paths:
        try:
            head = files.head(path)
        except NotFound:
            continue  # Gone since it was listed, or not ours to read: the next look tells.
        heads[path] = head if head.stamp.mtime < settled else replace(head, stamp=UNSEEN)
    return heads


def _marked(data: bytes, note: NoteRow) -> bytes:
    block = read_block(data)
    if block is None or block.word != note.word:
        raise Superseded
    return with_block(data, replace(block, sent=True))


def _done(
    tools: Tools,
    claimed: Claim,
    *,
    marked: tuple[NoteRow, bytes] | None = None,
    look_again: MemberId | None = None,
) -> None:
    household = claimed.household
    with tools.writing() as conn:
        if not due_rows.complete(conn, claimed):
            return
        now = tools.now()
        if look_again is not None:
            due_rows.arm(conn, household, work_row(VAULT, look_again, now, now))
        if marked is None:
            return
        note, data = marked
        if notes.get_note(conn, household, note.member_id, note.path) == note:
            left = replace(note, mtime=UNSEEN.mtime, size=UNSEEN.size, digest=digest_of(data), sent=True)
            notes.put_notes(conn, household, [left])


def _not_done(tools: Tools, claimed: Claim, error: CalwardError) -> None:
    again = claimed.row.attempt < MOST_TRIES and not isinstance(error, Unsupported | TooLarge)
    wait = Pace().again(claimed.row.attempt, tools.jitter()) if again else None
    with tools.writing() as conn:
        give_back(conn, claimed, error.message, tools.now(), wait)
