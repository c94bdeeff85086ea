"""Calendar files through the pipeline: ours always, those of other projects where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.filing import go_through
from tests.operations.world import World

OWN = Path(__file__).parents[1] / "corpus"


def test_our_own_odd_files_go_in_and_out_with_their_bytes(world: World) -> None:
    tally = go_through(world, [path.read_bytes() for path in sorted(OWN.glob("*.ics"))])
    assert tally.accepted >= 30
    assert tally.edited >= 40
    assert set(tally.left) <= {"not_found", "unsupported", "invalid_input"}
    assert all(message.endswith(".") and "\n" not in message for message in tally.refused)


@pytest.mark.corpus
def test_files_of_other_projects_go_in_and_out_with_their_bytes(world: World, corpus: Path) -> None:
    tally = go_through(world, [path.read_bytes() for path in sorted((corpus / "ical" / "ics").glob("*.ics"))])
    assert tally.accepted >= 780
    assert tally.edited > 2 * tally.left.total()  # what has no time is found by nobody
    assert set(tally.left) <= {"not_found", "unsupported", "invalid_input"}
    assert all(message.endswith(".") and "\n" not in message for message in tally.refused)
