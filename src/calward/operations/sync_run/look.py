"""What the server has: the list of changes where it can be trusted, else the list of everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calward.dav.errors import BadSyncToken, ReportUnsupported
from calward.model.ids import ETag, Href, SyncToken
from calward.operations.sync_run.ground import Ground


@dataclass(frozen=True, slots=True)
class Look:
    """``complete``: ``there`` is everything, so that what it lacks is gone; else only ``gone`` is.

    ``token`` and ``ctag`` name the state to go on from once all of this is worked in.
    """

    there: Mapping[Href, ETag | None]
    gone: frozenset[Href] = frozenset()
    complete: bool = False
    token: SyncToken | None = None
    ctag: str | None = None


def look(ground: Ground, *, full: bool) -> Look:
    """Ask the server. Without ``full`` that is one request where it keeps a list of changes."""
    calendar = ground.calendar
    token = SyncToken(calendar.sync_token) if calendar.sync_token else None
    if token is not None and not full:
        try:
            changes = ground.remote.changes(ground.url, token)
        except (BadSyncToken, ReportUnsupported):
            return _everything(ground)
        return Look(changes.changed, changes.removed, token=changes.token, ctag=calendar.ctag)
    return _everything(ground, unless=None if full else calendar.ctag)


def _everything(ground: Ground, unless: str | None = None) -> Look:
    """The whole list; nothing where the collection still has the ctag ``unless``.

    The state is asked for before the list, so that what changes in between is told again, not lost.
    """
    now = ground.remote.calendar(ground.url)
    if unless and now.ctag == unless:
        return Look({}, token=now.sync_token, ctag=now.ctag)
    token = now.sync_token
    if token is None and now.syncs and ground.remote.capabilities.sync_tokens:
        try:
            token = ground.remote.changes(ground.url, None).token
        except ReportUnsupported:
            token = None
    usable = token if ground.remote.capabilities.sync_tokens else None
    return Look(ground.remote.listing(ground.url), complete=True, token=usable, ctag=now.ctag or None)
