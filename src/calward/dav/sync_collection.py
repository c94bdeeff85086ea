"""sync-collection (RFC 6578): what changed in a collection since a token."""

from __future__ import annotations

from dataclasses import dataclass

from calward.dav import names
from calward.dav.errors import BadAnswer
from calward.dav.messages import DEPTH_0, Answer, Ask, xml_ask
from calward.dav.multistatus import Row, read_multistatus
from calward.dav.propfind import is_object
from calward.dav.status import host_of
from calward.dav.xml import xml_text
from calward.model.ids import ETag, Href, SyncToken


@dataclass(frozen=True, slots=True)
class SyncPage:
    """One answer. ``truncated``: there is more, ask again with ``token`` (RFC 6578 §3.6).

    ``unclear`` are rows whose status is neither there nor gone (one server says 418 for a deletion): ask each.
    """

    changed: dict[Href, ETag | None]
    removed: frozenset[Href]
    unclear: frozenset[Href]
    token: SyncToken
    truncated: bool


def ask_changes(url: str, token: SyncToken | None, limit: int | None = None) -> Ask:
    """Ask for the changes since ``token``, or for everything where it is None.

    ``limit`` is for servers proven to page right; others cut the list and let the token skip the rest.
    """
    page = f"<D:limit><D:nresults>{limit}</D:nresults></D:limit>" if limit is not None else ""
    body = (
        f"<D:sync-collection {names.NAMESPACES}><D:sync-token>{xml_text(token or '')}</D:sync-token>"
        f"<D:sync-level>1</D:sync-level>{page}<D:prop><D:getetag/></D:prop></D:sync-collection>"
    )
    # RFC 6578 §3.2: the header is always 0, the level is in the body.
    return xml_ask("REPORT", url, body, DEPTH_0)


def read_changes(ask: Ask, answer: Answer) -> SyncPage:
    """Raises ``BadSyncToken``, ``ReportUnsupported``, ``BadAnswer`` (no token) or what the status means."""
    listed = read_multistatus(ask, answer)
    changed: dict[Href, ETag | None] = {}
    removed: set[Href] = set()
    unclear: set[Href] = set()
    truncated = False
    for row in listed.rows:
        if _is_truncation(row):
            truncated = True
        elif not is_object(row):  # one server also lists the collection itself
            continue
        elif row.gone:
            removed.add(row.href)
        elif row.status is None or 200 <= row.status < 300:
            changed[row.href] = row.etag
        else:
            unclear.add(row.href)
    if not listed.sync_token:
        host = host_of(ask.url)
        raise BadAnswer(f"{host} sent a list of changes without its token; it may be cut off.", host=host)
    # A row both there and gone was deleted and made again in between.
    gone = frozenset(removed - changed.keys())
    return SyncPage(changed, gone, frozenset(unclear), SyncToken(listed.sync_token), truncated)


def _is_truncation(row: Row) -> bool:
    return row.status == 507 or any(condition.name == names.NUMBER_OF_MATCHES for condition in row.conditions)
