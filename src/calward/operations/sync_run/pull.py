"""From the server to here: batch by batch, each committed, the place to go on from saved with the last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection

from calward.dav.href import HrefKey
from calward.dav.multiget import BATCH
from calward.dav.objects import is_weak
from calward.model.ids import ETag, Href
from calward.operations.apply import pulled
from calward.operations.apply.taking import Arrival, Taken, Taking
from calward.operations.sync_run.backups import Watch, let_go_of_settled
from calward.operations.sync_run.ground import Ground
from calward.operations.sync_run.look import Look
from calward.operations.sync_run.removals import keep_only, let_through
from calward.store import calendars, runs, sides
from calward.store.sides import Side
from calward.sync.removals import Side as Where

Sides = Mapping[HrefKey, Side]


def pull(ground: Ground, look: Look) -> None:
    """Work in what the server has."""
    unchanged = not (look.there or look.gone or look.complete)
    known = {} if unchanged else _known(ground)
    gone = _gone(ground, look, known)
    wanted = [href for href, etag in look.there.items() if _is_news(known.get(ground.key(href)), etag)]
    ground.tally.of = len(wanted)
    watch = Watch(ground)
    for start in range(0, len(wanted), BATCH):
        fetch(ground, wanted[start : start + BATCH], known, gone, watch)
    _work_in(ground, watch.aside, gone)
    let_go_of_settled(ground)
    if gone and wanted:
        known = _known(ground)  # some of what is gone may have turned up elsewhere
        gone = _gone(ground, look, known)
    if not unchanged:
        _remove(ground, look, known, gone)
    _arrive(ground, look)


def fetch(
    ground: Ground,
    hrefs: Sequence[Href],
    known: Sides,
    gone: Collection[Side] = (),
    watch: Watch | None = None,
) -> frozenset[Href]:
    """Fetch objects by their place on the server and work them in; which of them are not there. ``gone`` are
    those that the server has no longer where we know them. ``watch`` may set some aside."""
    fetched = ground.remote.fetch(ground.url, hrefs)
    ground.tally.unreadable += len(fetched.unreadable)
    arrivals = []
    for remote in fetched.objects:
        side = known.get(ground.key(remote.href))
        arrivals.append(Arrival(side.href if side else remote.href, remote))
    _work_in(ground, arrivals, gone, watch)
    return fetched.missing


def _work_in(
    ground: Ground, arrivals: Sequence[Arrival], gone: Collection[Side], watch: Watch | None = None
) -> None:
    if not arrivals:
        return
    with ground.writing() as conn:
        now = watch.sift(conn, arrivals) if watch else arrivals
        count(ground, pulled.take_over(taking(ground, conn), now, {side.href for side in gone}))
        report(ground, conn)


def taking(ground: Ground, conn: Connection) -> Taking:
    return Taking(conn, ground.access(conn), ground.id, ground.tools.now(), ground.tools.new_id)


def count(ground: Ground, taken: Taken) -> None:
    """Add what a transaction took over to what the run did."""
    ground.tally.pulled += taken.count
    ground.tally.removed += len(taken.removed)
    ground.tally.merged += len(taken.merged)
    ground.tally.conflicts += taken.conflicts
    ground.tally.unreadable += taken.unreadable


def report(ground: Ground, conn: Connection) -> None:
    """Show how far the run is to whoever follows it."""
    if ground.run is not None:
        runs.set_progress(conn, ground.household, ground.run, ground.tally.facts())


def _known(ground: Ground) -> dict[HrefKey, Side]:
    with ground.tools.reading() as conn:
        return {ground.key(side.href): side for side in sides.list_sides(conn, ground.household, ground.id)}


def _is_news(side: Side | None, etag: ETag | None) -> bool:
    """Whether the server may have other bytes than our base. A weak ETag or none proves nothing."""
    return side is None or not side.based or etag is None or is_weak(etag) or side.base_etag != etag


def _gone(ground: Ground, look: Look, known: Sides) -> list[Side]:
    """What the server had and has no longer, going by its list."""
    if look.complete:
        there = {ground.key(href) for href in look.there}
        return [side for key, side in known.items() if side.based and key not in there]
    keys = {ground.key(href): None for href in sorted(look.gone)}
    return [known[key] for key in keys if key in known and known[key].based]


def _remove(ground: Ground, look: Look, known: Sides, gone: Sequence[Side]) -> None:
    """Work in what is gone, after a second look where the list only lacked it or where it is much."""
    waiting = [side for side in gone if side.push_state != sides.CLEAN]
    quiet = [side for side in gone if side.push_state == sides.CLEAN]
    if quiet and (look.complete or len(quiet) > FEW):
        quiet = _missing(ground, quiet, known)
    if waiting and look.complete:
        # Sent anew where the event still is, an edit would meet it as if somebody else had made it.
        waiting = _missing(ground, waiting, known)
    of = sum(side.based and not side.deleted for side in known.values())
    go = let_through(ground, Where.LOCAL, [side.href for side in quiet], of)
    hrefs = [*go, *(side.href for side in waiting)]
    for start in range(0, len(hrefs), BATCH):
        with ground.writing() as conn:
            count(ground, pulled.drop_gone(taking(ground, conn), hrefs[start : start + BATCH]))
            report(ground, conn)
    if look.complete:
        left = {side.href for side in quiet} - set(go)
        keep_only(ground, Where.LOCAL, left)


FEW = 2
"""Removals that a list of changes names are taken at its word up to this many."""


def _missing(ground: Ground, gone: Sequence[Side], known: Sides) -> list[Side]:
    """Ask for them by another method; those that are there after all are worked in. Many are asked for in
    part: where one of a batch is there, the list is not to be believed about any of it."""
    missing: list[Side] = []
    for start in range(0, len(gone), BATCH):
        batch = gone[start : start + BATCH]
        if start and len(missing) == start:
            # A whole batch is confirmed as missing: what is over the line is held for a person in any case.
            missing += batch
            continue
        hrefs = [ground.wire(side.href) for side in batch]
        absent = {ground.key(href) for href in fetch(ground, hrefs, known)}
        missing += [side for side in batch if ground.key(side.href) in absent]
    if missing:
        # Raises where the collection itself is gone, which would make everything in it look deleted.
        ground.remote.calendar(ground.url)
    return missing


def _arrive(ground: Ground, look: Look) -> None:
    """Save the place to go on from, now that everything before it is worked in."""
    calendar, now = ground.calendar, ground.tools.now()
    with ground.writing() as conn:
        calendars.set_sync_state(
            conn,
            ground.household,
            calendar.id,
            sync_token=look.token,
            ctag=look.ctag,
            synced_at=now,
            listed_at=now if look.complete else None,
        )
