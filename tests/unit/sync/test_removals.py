"""When a run removes more than a person does in one go."""

import pytest

from calward.model.ids import Href
from calward.sync.plan import Action, Kind
from calward.sync.removals import Removal, Side, removals, without


def drops(count: int, kind: Kind = Kind.DROP_LOCAL) -> list[Action]:
    return [Action(kind, Href(f"/c/{n}.ics")) for n in range(count)]


@pytest.mark.parametrize(
    ("removed", "held", "is_mass"),
    [
        (0, 0, False),
        (0, 100, False),
        (1, 1, False),
        (2, 2, False),
        (3, 3, True),
        (2, 3, False),
        (5, 10, False),
        (6, 29, True),
        (6, 30, False),
        (7, 30, True),
        (5, 6, False),
        (200, 1000, False),
        (201, 1000, True),
    ],
)
def test_all_of_three_or_a_fifth_and_more_than_five_is_a_mass(removed: int, held: int, is_mass: bool) -> None:
    assert removals(drops(removed), Side.LOCAL, held=held).is_mass is is_mass


def test_small_bites_within_an_hour_add_up() -> None:
    bite = removals(drops(3), Side.LOCAL, held=26, earlier=4)
    assert (bite.count, bite.held_before) == (7, 30)
    assert bite.is_mass
    assert not removals(drops(3), Side.LOCAL, held=26).is_mass


def test_a_run_that_removes_nothing_is_never_held_for_what_went_before() -> None:
    assert not removals([], Side.REMOTE, held=0, earlier=50).is_mass


def test_each_side_is_judged_for_itself() -> None:
    both = [*drops(3), *drops(2, Kind.DROP_REMOTE), Action(Kind.PULL, Href("/c/x.ics"))]
    there = removals(both, Side.REMOTE, held=50)
    assert there == Removal(Side.REMOTE, (Href("/c/0.ics"), Href("/c/1.ics")), 0, 50)
    assert [action.kind for action in without(both, there)] == [Kind.DROP_LOCAL] * 3 + [Kind.PULL]
    here = removals(both, Side.LOCAL, held=3)
    assert here.is_mass
    assert len(without(both, here)) == 3
