"""Sealed secrets open for the same key, account and name, and for nothing else."""

import json
from multiprocessing import get_context
from pathlib import Path
from stat import S_IMODE

import pytest

from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.secrets.key import Key
from calward.secrets.sealed_file import SealedFile, SealedFileDamaged
from calward.secrets.sealing import SealBroken, seal, unseal
from calward.secrets.sources import OpenToOthers

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


def test_the_file_keeps_secrets_by_account_and_forgets_them_together(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secrets.json"
    store = SealedFile(path, KEY)
    assert store.get(ALICE, "password") is None
    store.put(ALICE, "password", Secret(CANARY))
    store.put(ALICE, "token", Secret("t"))
    store.put(BOB, "password", Secret("b"))
    again = SealedFile(path, KEY)
    kept = again.get(ALICE, "password")
    assert kept is not None
    assert kept.reveal() == CANARY
    again.forget(ALICE)
    again.forget(ALICE)
    assert store.get(ALICE, "password") is None
    assert store.get(ALICE, "token") is None
    assert store.get(BOB, "password") == Secret("b")
    assert S_IMODE(path.stat().st_mode) == 0o600


def test_no_file_beside_it_holds_the_secret_in_any_spelling(tmp_path: Path) -> None:
    SealedFile(tmp_path / "secrets.json", KEY).put(ALICE, "password", Secret(CANARY))
    for file in tmp_path.rglob("*"):
        content = file.read_bytes()
        for spelling in (CANARY, CANARY[:12], CANARY.encode().hex(), json.dumps(CANARY)):
            assert spelling.encode() not in content


def test_a_file_that_everybody_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    store = SealedFile(path, KEY)
    store.put(ALICE, "password", Secret(CANARY))
    path.chmod(0o644)
    with pytest.raises(OpenToOthers, match=r"secrets\.json.*chmod 600"):
        store.get(ALICE, "password")
    with pytest.raises(OpenToOthers):
        store.put(BOB, "password", Secret("b"))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"alice": "x"}', '{"alice": {"password": 1}}', "\udcff"])
def test_a_damaged_file_is_told_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    path.chmod(0o600)
    store = SealedFile(path, KEY)
    with pytest.raises(SealedFileDamaged):
        store.put(ALICE, "password", Secret(CANARY))
    assert path.read_bytes() == content.encode("utf-8", "surrogateescape")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["secrets.json", "secrets.json.lock"]


def put_many(path: Path, account: str) -> None:
    store = SealedFile(path, KEY)
    for turn in range(20):
        store.put(AccountId(account), f"name-{turn}", Secret(account))


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    context = get_context("spawn")
    others = [context.Process(target=put_many, args=(path, account)) for account in ("alice", "bob")]
    for process in others:
        process.start()
    for process in others:
        process.join(60)
        assert process.exitcode == 0
    kept = json.loads(path.read_text())
    assert {account: len(names) for account, names in kept.items()} == {"alice": 20, "bob": 20}
