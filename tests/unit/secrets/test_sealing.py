"""Sealed secrets open for the same key, account and name, and for nothing else."""

import pytest

from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.secrets.key import Key
from calward.secrets.sealing import SealBroken, seal, unseal

KEY = Key(bytes(range(32)), "a test")
ALICE, BOB = AccountId("alice"), AccountId("bob")
CANARY = "canary-7f3a-ünlock"


def test_what_was_sealed_opens_again() -> None:
    assert unseal(KEY, ALICE, "password", seal(KEY, ALICE, "password", Secret(CANARY))).reveal() == CANARY


def test_sealing_twice_never_looks_the_same() -> None:
    assert seal(KEY, ALICE, "password", Secret("x")) != seal(KEY, ALICE, "password", Secret("x"))


@pytest.mark.parametrize(
    ("account", "name"), [(BOB, "password"), (ALICE, "token"), (AccountId("alice\0password"), "")]
)
def test_a_seal_moved_to_another_account_or_name_does_not_open(account: AccountId, name: str) -> None:
    sealed = seal(KEY, ALICE, "password", Secret(CANARY))
    with pytest.raises(SealBroken, match="another account"):
        unseal(KEY, account, name, sealed)


def test_another_key_is_told_apart_from_an_altered_seal() -> None:
    sealed = seal(KEY, ALICE, "password", Secret(CANARY))
    with pytest.raises(SealBroken, match="another key"):
        unseal(Key(bytes(32), "elsewhere"), ALICE, "password", sealed)
    with pytest.raises(SealBroken, match="newer version"):
        unseal(KEY, ALICE, "password", "v9." + sealed)


def test_a_seal_with_any_one_letter_altered_does_not_open() -> None:
    sealed = seal(KEY, ALICE, "password", Secret("pw"), entropy=lambda size: bytes(size))
    for place, letter in enumerate(sealed):
        bent = sealed[:place] + ("A" if letter != "A" else "B") + sealed[place + 1 :]
        with pytest.raises(SealBroken):
            unseal(KEY, ALICE, "password", bent)
    for cut in range(len(sealed)):
        with pytest.raises(SealBroken):
            unseal(KEY, ALICE, "password", sealed[:cut])
