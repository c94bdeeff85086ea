"""Signing in: guesses are few, tell nothing, and nothing that was stolen before opens anything after."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from calward.errors import InvalidInput, NotFresh, NotSignedIn, TooManyTries
from calward.model.principal import Role
from calward.operations.entrance import BY_ADDRESS, BY_NAME, Entrance
from calward.operations.pipeline import Call
from calward.secrets.passwords import Cost
from tests.operations.gate import PASSWORD, Counted, gate, with_password
from tests.operations.world import World, open_world

HERE, THERE = "192.0.2.1", "2001:db8::1"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    one = open_world(tmp_path)
    yield one
    one.store.close()


def refused(entrance: Entrance, name: str, password: str, address: str = HERE) -> str:
    with pytest.raises(NotSignedIn) as caught:
        entrance.sign_in(name, password, address)
    return caught.value.message


def test_there_is_no_password_until_somebody_chooses_one(world: World) -> None:
    entrance, _ = gate(world)
    for guess in ("", "Alex", "admin", "password", "the password of nobody"):
        refused(entrance, "Alex", guess, guess or HERE)
        world.pass_time(hours=1)


def test_an_unknown_name_a_wrong_password_and_none_cost_the_same_work_and_sound_alike(world: World) -> None:
    passwords = Counted()
    entrance = with_password(world, passwords)
    world.do("member_add", name="Kim")
    work = []
    for name in ("Alex", "Kim", "Nobody"):
        before = passwords.looks
        message = refused(entrance, name, "a wrong password")
        work.append((passwords.looks - before, message))
    assert work == [(1, "The name or the password is not right.")] * 3


def test_a_right_password_opens_a_session_that_is_that_member(world: World) -> None:
    entrance = with_password(world)
    for name in ("Alex", " alex "):
        session = entrance.session(entrance.sign_in(name, PASSWORD, HERE).shown)
        assert (session.person.member, session.person.role) == (world.owner.member, Role.OWNER)
        assert session.person.fresh
    assert len(world.do("session_list").sessions) == 2


def test_guesses_at_one_name_end_from_wherever_they_come(world: World) -> None:
    entrance = with_password(world)
    for number in range(BY_NAME.most):
        refused(entrance, "Alex", "wrong", f"192.0.2.{number}")
    with pytest.raises(TooManyTries, match="Try again after Mon 2 Mar 2026 09:15"):
        entrance.sign_in("Alex", PASSWORD, "198.51.100.1")
    world.pass_time(minutes=15)
    assert entrance.sign_in("Alex", PASSWORD, "198.51.100.1")


def test_guesses_from_one_place_end_whatever_name_they_are_at(world: World) -> None:
    entrance = with_password(world)
    for number in range(BY_ADDRESS.most):
        refused(entrance, f"name {number}", "wrong", f"2001:db8::{number:x}")
    with pytest.raises(TooManyTries):
        entrance.sign_in("Alex", PASSWORD, THERE)
    assert entrance.sign_in("Alex", PASSWORD, HERE)


def test_a_password_that_is_right_is_not_looked_at_once_there_were_too_many_guesses(world: World) -> None:
    passwords = Counted()
    entrance = with_password(world, passwords)
    for _ in range(BY_NAME.most):
        refused(entrance, "Alex", "wrong")
    before = passwords.looks
    with pytest.raises(TooManyTries):
        entrance.sign_in("Alex", PASSWORD, HERE)
    assert passwords.looks == before


def test_guesses_that_come_all_at_once_are_no_more(world: World) -> None:
    passwords = Counted()
    entrance = with_password(world, passwords)
    before = passwords.looks

    def guess(number: int) -> type[Exception] | None:
        try:
            entrance.sign_in("Alex", f"wrong {number}", f"192.0.2.{number}")
        except (NotSignedIn, TooManyTries) as error:
            return type(error)
        return None

    with ThreadPoolExecutor(max_workers=8) as many:
        came = list(many.map(guess, range(16)))
    assert sorted(kind.__name__ for kind in came if kind) == ["NotSignedIn"] * 5 + ["TooManyTries"] * 11
    assert passwords.looks - before == BY_NAME.most


def test_a_clock_that_is_set_back_locks_nobody_out(world: World) -> None:
    entrance = with_password(world)
    for _ in range(BY_NAME.most):
        refused(entrance, "Alex", "wrong")
    world.now -= timedelta(days=365)
    assert entrance.sign_in("Alex", PASSWORD, HERE)


def test_a_session_ends_by_itself_by_signing_out_and_with_a_new_password(world: World) -> None:
    entrance = with_password(world)
    one, two, three = (entrance.sign_in("Alex", PASSWORD, HERE).shown for _ in range(3))
    person = entrance.session(one).person
    world.ask(person, "session_end", id=entrance.session(one).id)
    world.do("member_add", name="Kim")
    for shown in (one, "", "calward_made-up"):
        with pytest.raises(NotSignedIn):
            entrance.session(shown)
    assert entrance.session(two)
    entrance.choose_password(world.owner, "another one altogether", PASSWORD)
    for shown in (two, three):
        with pytest.raises(NotSignedIn):
            entrance.session(shown)
    last = entrance.sign_in("Alex", "another one altogether", HERE).shown
    world.pass_time(days=7)
    with pytest.raises(NotSignedIn):
        entrance.session(last)


def test_nobody_ends_another_members_session(world: World) -> None:
    entrance = with_password(world)
    code = world.do("member_invite", name=world.do("member_add", name="Kim").id).code
    kims = entrance.redeem(code, "Kim", "kim likes horses", HERE).shown
    owners = entrance.session(entrance.sign_in("Alex", PASSWORD, HERE).shown)
    kim = entrance.session(kims).person
    with pytest.raises(Exception, match="no session with that id"):
        world.ask(kim, "session_end", id=owners.id)


def test_settings_take_a_sign_in_of_just_now_and_proving_it_again_is_another_session(world: World) -> None:
    entrance = with_password(world)
    first = entrance.sign_in("Alex", PASSWORD, HERE).shown
    world.pass_time(minutes=15)
    late = entrance.session(first).person
    with pytest.raises(NotFresh):
        world.pipeline().execute(late, Call("assistant_add", {"name": "bot"}))
    with pytest.raises(NotSignedIn, match="not the password"):
        entrance.renew(first, "wrong", HERE)
    second = entrance.renew(first, PASSWORD, HERE).shown
    world.ask(entrance.session(second).person, "assistant_add", name="bot")
    with pytest.raises(NotSignedIn):
        entrance.session(first)


def test_another_role_ends_the_sessions_of_before(world: World) -> None:
    entrance, _ = gate(world)
    kim = world.do("member_add", name="Kim", role="adult")
    code = world.do("member_invite", name="Kim").code
    shown = entrance.redeem(code, "Kim", "kim likes horses", HERE).shown
    world.do("member_edit", name=kim.id, role="child")
    with pytest.raises(NotSignedIn):
        entrance.session(shown)


def test_a_one_time_code_works_once_for_an_hour_and_only_the_newest(world: World) -> None:
    entrance, _ = gate(world)
    first, second = entrance.make_code(), entrance.make_code()
    assert first
    assert second
    for wrong in (first[0], "aaaa-bbbb-cccc-dddd", ""):
        with pytest.raises(NotSignedIn, match="code is not valid"):
            entrance.redeem(wrong, "Alex", PASSWORD, HERE)
    begun = entrance.redeem(second[0].upper().replace("-", " "), "Alexandra", PASSWORD, HERE)
    assert entrance.session(begun.shown).person.name == "Alexandra"
    with pytest.raises(NotSignedIn):
        entrance.redeem(second[0], "Alex", "some other password", HERE)
    assert entrance.make_code() is None
    late = world.do("member_invite", name=world.do("member_add", name="Kim").id).code
    world.pass_time(hours=1)
    with pytest.raises(NotSignedIn):
        entrance.redeem(late, "Kim", PASSWORD, HERE)


def test_a_code_outlives_a_password_that_will_not_do(world: World) -> None:
    entrance, _ = gate(world)
    made = entrance.make_code()
    assert made
    for name, password in (("Alex", "short"), ("", PASSWORD), ("x" * 200, PASSWORD), ("Alex", "x" * 501)):
        with pytest.raises(InvalidInput):
            entrance.redeem(made[0], name, password, HERE)
    assert entrance.redeem(made[0], "Alex", PASSWORD, HERE)


def test_a_token_opens_no_session_and_a_session_or_code_is_no_token(world: World) -> None:
    entrance = with_password(world)
    token = world.do("token_add").token
    shown = entrance.sign_in("Alex", PASSWORD, HERE).shown
    with pytest.raises(NotSignedIn):
        entrance.session(token)
    for other in (shown, world.do("member_invite", name="Alex").code):
        with pytest.raises(NotSignedIn):
            world.pipeline().principal_of(other)


def test_a_password_kept_at_a_lower_cost_is_kept_anew_when_it_is_typed(world: World) -> None:
    with_password(world, Counted())
    dearer = Counted(Cost(passes=2, kibibytes=16, lanes=1))
    entrance, _ = gate(world, dearer)
    assert entrance.sign_in("Alex", PASSWORD, HERE)
    with world.store.reading() as conn:
        kept = conn.exec_driver_sql("SELECT password_hash FROM members").scalar_one()
    assert "m=16,t=2" in kept
    assert entrance.sign_in("Alex", PASSWORD, HERE)


def test_no_password_code_or_session_is_kept_in_the_open(world: World, tmp_path: Path) -> None:
    entrance = with_password(world)
    shown = entrance.sign_in("Alex", PASSWORD, HERE).shown
    code = world.do("member_invite", name="Alex").code
    world.store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (PASSWORD, shown, code, code.replace("-", "")):
        assert secret.encode() not in kept
