"""Where a secret may come from, and in which order."""

from pathlib import Path

import pytest

from calward.secrets.sources import NoSecretThere, OpenToOthers, find_secret

NAME = "CALDAV_PASSWORD"


def private(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_the_variable_comes_before_the_file_and_the_file_before_the_credential(tmp_path: Path) -> None:
    file = private(tmp_path / "password", "from the file\n")
    private(tmp_path / NAME, "from systemd\n")
    everything = {NAME: "from the variable", f"{NAME}_FILE": str(file), "CREDENTIALS_DIRECTORY": str(tmp_path)}
    order = []
    for gone in (NAME, f"{NAME}_FILE", "CREDENTIALS_DIRECTORY"):
        found = find_secret(NAME, everything)
        assert found is not None
        order.append(found.secret.reveal())
        del everything[gone]
    assert order == ["from the variable", "from the file", "from systemd"]
    assert find_secret(NAME, everything) is None


def test_a_secret_keeps_its_spaces_and_loses_the_line_break_of_its_file(tmp_path: Path) -> None:
    file = private(tmp_path / "password", "  two words \r\n")
    found = find_secret(NAME, {f"{NAME}_FILE": str(file)})
    assert found is not None
    assert found.secret.reveal() == "  two words "
    assert found.origin == "the file named by CALDAV_PASSWORD_FILE"


@pytest.mark.parametrize("mode", [0o604, 0o644, 0o602, 0o666])
def test_a_file_that_everybody_can_read_is_refused_with_the_way_to_mend_it(tmp_path: Path, mode: int) -> None:
    file = private(tmp_path / "password", "canary")
    file.chmod(mode)
    with pytest.raises(OpenToOthers, match="chmod 600") as caught:
        find_secret(NAME, {f"{NAME}_FILE": str(file)})
    assert "canary" not in caught.value.message
    assert str(tmp_path) not in caught.value.message


def test_a_file_that_a_group_may_read_is_taken(tmp_path: Path) -> None:
    file = private(tmp_path / "password", "shared with the service's group")
    file.chmod(0o640)
    assert find_secret(NAME, {f"{NAME}_FILE": str(file)}) is not None


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"x" * 70_000])
def test_a_file_without_a_secret_is_named_and_not_passed_over(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "password"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(NoSecretThere, match="CALDAV_PASSWORD_FILE"):
        find_secret(NAME, {f"{NAME}_FILE": str(file)})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSecretThere, match="CALDAV_PASSWORD_FILE"):
        find_secret(NAME, {f"{NAME}_FILE": str(tmp_path / "nowhere")})
