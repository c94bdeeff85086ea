"""A family: what roles see, what owners of calendars share, who leaves, which tokens only read."""

from __future__ import annotations

import pytest

from calward.errors import InvalidInput, NotAllowed, NotFound, NotSignedIn
from calward.model.ids import MemberId
from calward.model.principal import Person, Role
from tests.operations.world import World

DAY = {"from": "2026-03-03", "to": "2026-03-03"}


def member(world: World, name: str, role: str = "adult") -> Person:
    """A new member, signed in just now."""
    made = world.do("member_add", name=name, role=role)
    return Person(world.owner.household, MemberId(made.id), name, Role(role), fresh=True)


@pytest.fixture
def dentist(world: World) -> str:
    """An event in the owner's own calendar."""
    made: str = world.do("calendar_create", title="Dentist", start="2026-03-03T10:00", calendar="Home").event.id
    return made


def titles(world: World, who: Person) -> list[str]:
    return [event.title for event in world.ask(who, "calendar_list", **DAY).events]


@pytest.mark.usefixtures("dentist")
def test_adults_see_each_others_details_children_and_guests_when_time_is_taken(world: World) -> None:
    seen = {role: titles(world, member(world, role.title(), role)) for role in ("adult", "child", "guest")}
    assert seen == {"adult": ["Dentist"], "child": ["Busy"], "guest": ["Busy"]}


@pytest.mark.usefixtures("dentist")
@pytest.mark.parametrize(
    ("share", "shown"),
    [
        ("none", []),
        ("busy", ["Busy"]),
        ("titles", ["Dentist"]),
        ("details", ["Dentist"]),
        ("write", ["Dentist"]),
        ("by_role", ["Dentist"]),
    ],
)
def test_the_owner_of_a_calendar_says_what_another_member_sees(
    world: World, share: str, shown: list[str]
) -> None:
    sam = member(world, "Sam")
    world.do("calendar_share", calendar="Home", member="Sam", share="busy")
    world.do("calendar_share", calendar="Home", member="Sam", share=share)
    assert titles(world, sam) == shown
    listed = [(one.calendar, one.member, one.share) for one in world.do("share_list").shares]
    assert listed == ([] if share == "by_role" else [("Home", "Sam", share)])


def test_an_assistant_never_sees_more_of_others_than_its_member_does(world: World, dentist: str) -> None:
    sam = member(world, "Sam")
    world.ask(sam, "assistant_add", name="sams", preset="helper")
    world.do("calendar_share", calendar="Home", member="Sam", share="none")
    sams = world.pipeline().assistant("sams")
    with pytest.raises(NotFound):
        world.ask(sams, "calendar_update", id=dentist, title="x")
    with pytest.raises(NotFound):
        world.ask(sam, "calendar_update", id=dentist, title="x")


def test_writing_for_another_asks_its_owner_unless_the_calendar_is_shared_to_write(
    world: World, dentist: str
) -> None:
    sam = member(world, "Sam")
    assert world.ask(sam, "calendar_update", id=dentist, title="Doctor").status == "pending_approval"
    world.do("calendar_share", calendar="Home", member="Sam", share="write")
    assert world.ask(sam, "calendar_update", id=dentist, title="Doctor").status == "done"
    world.do("calendar_share", calendar="Home", member="Sam", share="details")
    assert world.ask(sam, "calendar_update", id=dentist, title="Surgeon").status == "pending_approval"


def test_nobody_shares_a_calendar_of_somebody_else_or_with_themselves(world: World) -> None:
    sam = member(world, "Sam")
    with pytest.raises(NotFound, match="calendar of yours"):
        world.ask(sam, "calendar_share", calendar="Home", member="Sam", share="write")
    with pytest.raises(InvalidInput, match="another member"):
        world.do("calendar_share", calendar="Home", member="Alex", share="none")


def test_a_child_settles_nothing_and_asks_an_adult_for_what_reaches_others(world: World) -> None:
    kim = member(world, "Kim", "child")
    with pytest.raises(NotAllowed):
        world.ask(kim, "member_add", name="Friend")
    with pytest.raises(NotAllowed):
        world.ask(kim, "token_add")
    assert [known.of for known in world.ask(kim, "token_list").tokens] == []


def test_adults_run_the_household_but_not_each_other_or_the_owner(world: World) -> None:
    sam, ann = member(world, "Sam"), member(world, "Ann")
    member(world, "Kim", "child")
    world.ask(sam, "member_edit", name="Kim", role="guest", rename="Kimmy")
    for operation, arguments in (
        ("member_edit", {"name": "Ann", "role": "child"}),
        ("member_remove", {"name": "Ann"}),
        ("member_invite", {"name": "Ann"}),
        ("member_invite", {"name": "Alex"}),
    ):
        with pytest.raises(NotAllowed, match="the owner of the household"):
            world.ask(sam, operation, **arguments)
    for operation, arguments in (
        ("member_remove", {"name": "Alex"}),
        ("member_edit", {"name": "Alex", "role": "child"}),
    ):
        with pytest.raises(InvalidInput, match="owns the household"):
            world.do(operation, **arguments)
    with pytest.raises(InvalidInput):
        world.do("member_edit", name="Ann", role="owner")
    assert world.ask(ann, "member_invite", name="Ann").code
    assert world.do("member_edit", name="Ann", role="child").name == "Ann"


def test_whoever_leaves_takes_along_every_way_in(world: World) -> None:
    sam = member(world, "Sam")
    made = world.ask(sam, "assistant_add", name="sams", preset="careful")
    own = world.ask(sam, "token_add").token
    world.ask(sam, "calendar_add", name="Sam's", offer="careful")
    world.ask(sam, "grant_set", assistant="sams", calendar="Sam's", preset="careful")
    asked = world.ask(
        world.pipeline().assistant("sams"), "calendar_create", title="x", start="2026-03-03", calendar="Sam's"
    )
    assert asked.status == "pending_approval"
    world.do("member_remove", name="Sam")
    for token in (made.token, own):
        with pytest.raises(NotSignedIn):
            world.pipeline().principal_of(token)
    with pytest.raises(NotFound):
        world.pipeline().assistant("sams")
    with pytest.raises(NotSignedIn):
        world.ask(sam, "calendar_list", **DAY)
    assert [one.name for one in world.do("member_list").members] == ["Alex"]
    assert "Sam's" not in [one.name for one in world.do("calendars").calendars]
    assert [one.did for one in world.do("history", limit=1).changes] == ["removed a member"]
    assert world.do("member_add", name="Sam").name == "Sam"


def test_a_token_that_only_reads_changes_nothing_and_asks_for_nothing(world: World, dentist: str) -> None:
    world.assistant("bot", Home="careful")
    for made in (
        world.do("token_add", scope="read").token,
        world.do("token_add", scope="read", assistant="bot").token,
    ):
        holder = world.pipeline().principal_of(made)
        assert world.ask(holder, "calendar_list", **DAY).events
        for operation, arguments in (
            ("calendar_create", {"title": "x", "start": "2026-03-03T10:00", "calendar": "Home"}),
            ("calendar_details", DAY),
        ):
            if holder.kind == "person" and operation == "calendar_details":
                continue
            with pytest.raises(NotAllowed, match="nothing but reading"):
                world.ask(holder, operation, **arguments)
    assert [one.scope for one in world.do("token_list").tokens][-2:] == ["read", "read"]
    assert world.do("approval_list").approvals == ()


def test_nobody_makes_a_token_for_another_members_assistant(world: World) -> None:
    sam = member(world, "Sam")
    world.assistant("bot", Home="helper")
    with pytest.raises(InvalidInput, match="another member"):
        world.ask(sam, "token_add", assistant="bot")


def test_a_calendar_named_like_a_hidden_one_is_told_plainly_and_nothing_of_it(world: World) -> None:
    world.do("calendar_add", name="Surprise party")
    kim = member(world, "Kim")
    world.do("calendar_share", calendar="Surprise party", member="Kim", share="none")
    assert "Surprise party" not in [one.name for one in world.ask(kim, "calendars").calendars]
    with pytest.raises(InvalidInput, match="'Surprise party' cannot be taken; choose another"):
        world.ask(kim, "calendar_add", name="Surprise party")
