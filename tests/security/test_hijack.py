"""A taken-over assistant does no harm, through any door, with few rights and with many.

The scripts are our own and, where the outside data is at hand, those that others wrote.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.security.hijack_scripts import SCRIPTS
from tests.security.holds import CHECKS, EVERY, demanded
from tests.security.stage import bound, staged

SPREAD = {"careful": ("http",), "helper": ("mcp",)}
THROUGH_ALL = dict.fromkeys(SPREAD, ("mcp", "http"))
FOLDER = os.environ.get("CALWARD_CORPUS", "")

Case = tuple[str, list[dict[str, Any]], list[str]]


def of_others() -> Iterator[Case]:
    """The scripts in the outside data, each file with ``scenarios`` that say what must hold."""
    for path in sorted(Path(FOLDER).glob("security/*.json")) if FOLDER else ():
        for one in json.loads(path.read_text()).get("scenarios", ()):
            yield one["id"], one["agent_calls"], one["must_hold"]


def cases(scripts: Iterable[Case], doors: Mapping[str, Sequence[str]]) -> Iterator[Any]:
    """Each script with each preset of rights through its ``doors``."""
    for name, calls, sentences in scripts:
        for preset in sorted(EVERY):
            if any(preset in demanded(sentence).under for sentence in sentences):
                for door in doors[preset]:
                    yield pytest.param(calls, sentences, preset, door, id=f"{name}-{preset}-{door}")


@pytest.mark.parametrize(("calls", "sentences", "preset", "door"), list(cases(SCRIPTS, SPREAD)))
def test_a_script_of_ours_does_no_harm(
    tmp_path: Path, calls: list[dict[str, Any]], sentences: list[str], preset: str, door: str
) -> None:
    play(tmp_path, calls, sentences, preset, door)


@pytest.mark.corpus
@pytest.mark.parametrize(("calls", "sentences", "preset", "door"), list(cases(of_others(), THROUGH_ALL)))
def test_a_script_of_others_does_no_harm(
    tmp_path: Path, calls: list[dict[str, Any]], sentences: list[str], preset: str, door: str
) -> None:
    play(tmp_path, calls, sentences, preset, door)


def test_every_check_is_demanded_by_a_script_of_ours() -> None:
    used = [demanded(sentence) for _, _, sentences in SCRIPTS for sentence in sentences]
    assert {one.said for one in CHECKS} == {one.said for one in used}


def play(folder: Path, calls: list[dict[str, Any]], sentences: list[str], preset: str, door: str) -> None:
    """Carry a script out, and check every sentence that is about such rights, each on a stage of its own."""
    bait = " ".join({str(one["args"].get("query", "")) for one in calls})
    for number, sentence in enumerate(sentences):
        hold = demanded(sentence)
        if preset not in hold.under:
            continue
        (own := folder / str(number)).mkdir()
        with staged(own, door, preset, bait) as stage:
            replies = stage.deliver([(one["tool"], bound(one["args"], stage.named)) for one in calls])
            hold.check(stage, replies)
