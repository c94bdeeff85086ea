"""Sync with a real server: 10,000 events on a Cyrus of its own, against plain requests and against peers.

The budgets are against plain requests, which is what the same data costs without a calendar around it: the list
of changes, the objects in batches of as many as we ask for, lxml over the answers. Ours goes into the store
with its indexes. ``vdirsyncer`` is a program and counts from its start to its end, ``caldav`` is a library and
counts without the start of its interpreter; each is in an environment of its own.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx2

from bench.measure import Lap, MissingPart, Result, median_ratio, peer_python, timed
from bench.sample import objects
from bench.sync_household import NAME, Mirror, Place, mirror
from bench.sync_raw import RawClient
from calward.dav.quirks import Capabilities, capabilities_of
from calward.operations.answers import Listed
from calward.operations.pipeline import Call
from tests.system.cyrus import NEEDS, cyrus, is_installed

EVENTS = 10_000
WEEK = ("2026-03-02", "2026-03-08")
SPAN = ("20260301T230000Z", "20260308T230000Z")
"""The same week in UTC, for a person in Berlin."""
CALL = Call("calendar_list", {"from": WEEK[0], "to": WEEK[1], "calendar": NAME})
FIRST_BUDGET, AGAIN_BUDGET, WEEK_BUDGET = 3.5, 2.0, 1 / 500
FIRST_MISS = "Most of it is making rows and indexes of the texts."
WEEK_NOTE = "The server's answer is whole series, still to be expanded."
WEEK_MISS = "This server keeps an index of times of its own."
WRITERS = 4

VDIRSYNCER = """\
[general]
status_path = "{folder}/status"
[pair bench]
a = "here"
b = "there"
collections = null
[storage here]
type = "filesystem"
path = "{folder}/here"
fileext = ".ics"
[storage there]
type = "caldav"
url = "{place.url}"
username = "{place.user}"
password = "{place.password}"
"""


def results(quick: bool) -> Iterator[Result]:
    if not is_installed():
        raise MissingPart(f"Cyrus; as root on Debian: .ci/debian {NEEDS}")
    caldav, vdirsyncer = peer_python("clients"), peer_python("vdirsyncer")
    count, rounds, again = (200, 1, 2) if quick else (EVENTS, 5, 20)
    with _filled(count) as place:
        raw = RawClient(place.url, place.user, place.password)
        try:
            yield from _ours(place, raw, count, rounds, again)
            yield from _peers(place, caldav, vdirsyncer, count, min(rounds, 3))
        finally:
            raw.close()


def _ours(place: Place, raw: RawClient, count: int, rounds: int, again: int) -> Iterator[Result]:
    def first() -> float:
        with mirror(place) as fresh:
            return _first(fresh, count)()

    ratio = median_ratio(first, timed(raw.everything), rounds)
    yield Result(f"first sync of {count:,} events", RAW, ratio, FIRST_BUDGET, miss=FIRST_MISS)
    with mirror(place) as ours:
        _first(ours, count)()
        _, token = raw.changes("")

        def one_request() -> None:
            """On a connection of its own, as a run has one."""
            alone = RawClient(place.url, place.user, place.password)
            assert alone.changes(token)[0] == []
            alone.close()

        ratio = median_ratio(timed(lambda: _nothing_new(ours)), timed(one_request), again)
        yield Result(f"sync of {count:,} events, nothing new", "one raw request", ratio, AGAIN_BUDGET)
        yield _week(ours, raw, count, again)


def _week(ours: Mirror, raw: RawClient, count: int, rounds: int) -> Result:
    owner = ours.pipeline.owner()
    listed = ours.pipeline.execute(owner, CALL).answer
    assert isinstance(listed, Listed)
    found = {str(one.id).partition(".")[0] for one in listed.events}
    # The server knows no zone of the person's, so at the edges its week has other days.
    assert abs(len(raw.week(*SPAN)) - len(found)) <= len(found) * 0.05
    ratio = median_ratio(
        timed(lambda: ours.pipeline.execute(owner, CALL)), timed(lambda: raw.week(*SPAN)), rounds
    )
    path = f"one week ({len(listed.events)} occurrences) out of {count:,} events"
    return Result(path, "asking the server, calendar-query", ratio, WEEK_BUDGET, WEEK_NOTE, WEEK_MISS)


def _peers(place: Place, caldav: str, vdirsyncer: str, count: int, rounds: int) -> Iterator[Result]:
    laps = []
    for _ in range(rounds):
        with mirror(place) as ours:
            laps.append(
                {
                    "ours": (_first(ours, count)(), timed(lambda: _nothing_new(ours))(), _list(ours)()),
                    "vdirsyncer": _by_vdirsyncer(place, vdirsyncer, count),
                    "caldav": _by_caldav(place, caldav, count),
                }
            )
    for index, path in enumerate((f"first sync of {count:,} events", f"sync of {count:,} events, nothing new")):
        for peer, note in (("vdirsyncer", "it keeps files"), ("caldav", "it keeps and parses nothing")):
            ratio = median(lap["ours"][index] / lap[peer][index] for lap in laps)
            yield Result(path, peer, ratio, note=note)
    ratio = median(lap["ours"][2] / lap["caldav"][2] for lap in laps)
    yield Result(f"one week out of {count:,} events", "caldav, its search for occurrences", ratio)


RAW = "raw requests and lxml"


def _first(ours: Mirror, count: int) -> Lap:
    def once() -> None:
        tally = ours.sync()
        assert tally is not None, "the sync failed"
        assert tally.pulled == count, tally

    return timed(once)


def _nothing_new(ours: Mirror) -> None:
    tally = ours.sync()
    assert tally is not None, "the sync failed"
    assert not tally.facts(), tally


def _by_vdirsyncer(place: Place, python: str, count: int) -> tuple[float, float]:
    with TemporaryDirectory(prefix="calward-bench-") as name:
        folder = Path(name)
        (folder / "here").mkdir()
        config = folder / "config"
        config.write_text(VDIRSYNCER.format(folder=folder, place=place))
        command = [str(Path(python).with_name("vdirsyncer")), "--config", str(config)]
        subprocess.run([*command, "discover"], check=True, capture_output=True, input=b"y\n")

        def sync() -> None:
            subprocess.run([*command, "sync"], check=True, capture_output=True)

        laps = timed(sync)(), timed(sync)()
        assert len(list((folder / "here").glob("*.ics"))) == count
        return laps


def _list(ours: Mirror) -> Lap:
    """The week, a second time: what is read first is found ready later, as in a program that stays."""
    owner = ours.pipeline.owner()
    ours.pipeline.execute(owner, CALL)
    return timed(lambda: ours.pipeline.execute(owner, CALL))


def _by_caldav(place: Place, python: str, count: int) -> tuple[float, float, float]:
    script = Path(__file__).with_name("sync_caldav.py")
    command = [python, "-I", str(script), place.url, place.user, place.password, *SPAN]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert told["objects"] == count, told
    return told["first"], told["again"], told["week"]


@contextmanager
def _filled(count: int) -> Iterator[Place]:
    """A calendar with the sample's events on a Cyrus that is gone again when the block is left."""
    with cyrus(Path()) as address:
        entry = Place(address.url, address.user, address.password, Capabilities())
        remote = entry.open()
        try:
            signs = remote.discover().signs
            url = remote.make_calendar("bench", NAME).url
        finally:
            remote.close()
        place = replace(entry, url=url, capabilities=capabilities_of(signs))
        with (
            httpx2.Client(auth=httpx2.BasicAuth(place.user, place.password), timeout=60) as client,
            ThreadPoolExecutor(WRITERS) as pool,
        ):
            headers = {"Content-Type": "text/calendar; charset=utf-8"}

            def put(numbered: tuple[int, bytes]) -> None:
                number, body = numbered
                client.put(f"{url}{number:08d}.ics", content=body, headers=headers).raise_for_status()

            for _ in pool.map(put, enumerate(objects(count))):
                pass
        yield place
