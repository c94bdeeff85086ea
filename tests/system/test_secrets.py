"""No password is in any file, answer or message: a canary is looked for wherever it could have gone."""

from __future__ import annotations

import base64
from pathlib import Path

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.system.conftest import another_client, connect, opened

CANARY = "tweet-tweet-7d1f"


def traces(address: Address, *secrets: str) -> list[bytes]:
    found = []
    for secret in secrets:
        basic = base64.b64encode(f"{address.user}:{secret}".encode())
        found += [secret.encode(), base64.b64encode(secret.encode()).rstrip(b"="), basic.rstrip(b"=")]
    return found


def test_no_secret_is_kept_or_shown_in_clear(
    calward: Calward, radicale_address: Address, tmp_path: Path
) -> None:
    address = radicale_address
    other = another_client(address)
    said = []
    wrong = calward("connect", address.url, "--user", address.user, given=f"{CANARY}\n".encode())
    assert wrong.code == 9
    said += [wrong.out, wrong.err]
    connect(calward, address, other)
    for words in (
        ("status", "--json"),
        ("accounts", "--json"),
        ("doctor", "--json"),
        ("history", "--json"),
        ("config", "show"),
        ("call", "account_list"),
        ("call", "account_connect", '{"server": "' + address.url + '", "username": "alice"}'),
    ):
        ran = calward(*words)
        said += [ran.out, ran.err]
    twice = f'{{"server": "{address.url}", "username": "alice", "password": "{CANARY}", "nonsense": 1}}'
    said += [calward("call", "account_connect", twice).err]
    looked_for = traces(address, CANARY, address.password)
    for text in said:
        assert not any(trace in text.encode() for trace in looked_for)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"calward.db", "secret.key"}
    for path in files:
        content = path.read_bytes()
        assert not any(trace in content for trace in looked_for), path.name
    assert (tmp_path / "data" / "secret.key").stat().st_mode & 0o077 == 0
    with opened() as app:
        assert CANARY not in repr(app)
        assert address.password not in repr(app)
    other.remote.close()


def test_a_key_that_others_can_read_is_not_used(
    calward: Calward, radicale_address: Address, tmp_path: Path
) -> None:
    other = another_client(radicale_address)
    connect(calward, radicale_address, other)
    (tmp_path / "data" / "secret.key").chmod(0o644)
    ran = calward("sync")
    assert ran.code == 9
    assert "chmod 600" in ran.out
    (tmp_path / "data" / "secret.key").chmod(0o600)
    assert calward("sync").code == 0
    other.remote.close()
