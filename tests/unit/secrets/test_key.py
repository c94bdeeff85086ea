"""The key: first source that has one, a file of its own where none has."""

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from stat import S_IMODE

import pytest

from calward.secrets.key import BadKey, Key, load_key, spell
from calward.secrets.sources import OpenToOthers

MATERIAL = bytes(range(32))


def counting() -> Callable[[int], bytes]:
    """Entropy one can predict: a block of ones, a block of twos…"""
    turn = iter(range(1, 256))
    return lambda size: bytes([next(turn)]) * size


def test_a_key_file_is_made_at_first_use_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "secret.key"
    first = load_key({}, path, entropy=counting())
    assert S_IMODE(path.stat().st_mode) == 0o600
    assert load_key({}, path, entropy=counting()) == first
    assert [file.name for file in path.parent.iterdir()] == ["secret.key"]


def test_two_processes_that_make_the_key_at_once_end_up_with_the_same(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    keys: list[Key] = []

    def slow_entropy(size: int) -> bytes:
        keys.append(load_key({}, path, entropy=lambda size: b"\1" * size))  # the other one is faster
        return b"\2" * size

    keys.append(load_key({}, path, entropy=slow_entropy))
    assert keys[0] == keys[1]
    assert keys[0].material == b"\1" * 32


def test_a_key_from_outside_comes_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    key = load_key({"CALWARD_SECRET_KEY": spell(MATERIAL)}, path)
    assert key.material == MATERIAL
    assert not path.exists()
    outside = tmp_path / "key"
    outside.write_text(spell(MATERIAL) + "\n")
    outside.chmod(0o400)
    assert load_key({"CALWARD_SECRET_KEY_FILE": str(outside)}, path).material == MATERIAL


def test_a_key_file_that_everybody_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    load_key({}, path)
    path.chmod(0o644)
    with pytest.raises(OpenToOthers, match=r"secret\.key.*chmod 600"):
        load_key({}, path)


@pytest.mark.parametrize("text", ["short", "AAAA", spell(MATERIAL) + "AAAA", "ü" * 44, "change-me"])
def test_what_is_no_key_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadKey, match="the variable CALWARD_SECRET_KEY") as caught:
        load_key({"CALWARD_SECRET_KEY": text}, tmp_path / "secret.key")
    assert text not in caught.value.message


def test_both_alphabets_of_base64_spell_the_same_key(tmp_path: Path) -> None:
    material = b"\xfb\xff" * 16
    spelled = spell(material)
    assert "-" in spelled
    for text in (spelled, spelled.replace("-", "+").replace("_", "/")):
        assert load_key({"CALWARD_SECRET_KEY": text}, tmp_path / "k").material == material


def test_a_key_does_not_show_its_bytes_and_its_name_gives_nothing_away() -> None:
    key = Key(MATERIAL, "a test")
    assert repr(MATERIAL) not in repr(key)
    assert key.id != Key(bytes(32), "a test").id
    assert key.id not in MATERIAL.hex()


MODULES = ("keyring", "keyring.core", "keyring.errors")
RING = """
class KeyringError(Exception): pass
"""
CORE = """
from keyring.errors import KeyringError
kept = {}
class Ring:
    def get_password(self, service, name): return kept.get((service, name))
    def set_password(self, service, name, text): kept[service, name] = text
class Locked(Ring):
    def get_password(self, service, name): raise KeyringError("locked")
def load_keyring(name):
    return {"test.Ring": Ring, "test.Locked": Locked}[name]() if name.startswith("test.") else _gone(name)
def _gone(name): raise ImportError(name)
"""


@pytest.fixture
def keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """A stand-in for the optional keyring package, with the two calls that are used."""
    package = tmp_path / "site" / "keyring"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "errors.py").write_text(RING)
    (package / "core.py").write_text(CORE)
    monkeypatch.syspath_prepend(tmp_path / "site")
    for module in MODULES:
        monkeypatch.delitem(sys.modules, module, raising=False)
    yield
    for module in MODULES:
        sys.modules.pop(module, None)


@pytest.mark.usefixtures("keyring")
def test_a_keyring_that_is_named_makes_and_keeps_the_key(tmp_path: Path) -> None:
    first = load_key({}, tmp_path / "secret.key", keyring="test.Ring", entropy=counting())
    again = load_key({}, tmp_path / "secret.key", keyring="test.Ring", entropy=counting())
    assert first == again
    assert first.origin == "the keyring test.Ring"
    assert not (tmp_path / "secret.key").exists()


@pytest.mark.usefixtures("keyring")
@pytest.mark.parametrize("name", ["test.Locked", "no.such.Backend"])
def test_a_keyring_that_does_not_work_is_named_and_not_passed_over(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadKey, match=name):
        load_key({}, tmp_path / "secret.key", keyring=name)


def test_a_keyring_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BadKey, match="pip install keyring"):
        load_key({}, tmp_path / "secret.key", keyring="test.Ring")
