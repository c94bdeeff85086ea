"""A vault keeps what it does inside its folder, and replaces a note in one step or not at all."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calward.errors import Busy, Conflict, InvalidInput, NotFound, StoreError, TooLarge, Unsupported
from calward.model.note import folder_path, is_within, note_path
from calward.notes import vault as disk
from calward.notes.front_matter import HEAD
from calward.notes.vault import Vault, opened

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "Work").mkdir(parents=True)
    (folder / "Work" / "Plan.md").write_text("plan")
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "Plan.md").write_text("outside")
    return folder


@pytest.fixture
def vault(folder: Path) -> Iterator[Vault]:
    with opened(str(folder)) as vault:
        yield vault


def more(data: bytes) -> bytes:
    return data + b"+"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "",
            "/etc/passwd.md",
            "../outside.md",
            "Work/../../outside.md",
            "./Plan.md",
            "Work//Plan.md",
            "Work/",
        ),
        *(
            ".obsidian/x.md",
            "Work/.hidden.md",
            ".md",
            "a\0.md",
            "a\n.md",
            "\ud800.md",
            "Plan.txt",
            "Plan",
            ".",
            "..",
        ),
        *("x/" * 40 + "a.md", "x" * 2000 + ".md"),
    ],
)
def test_what_is_no_path_of_a_note_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput):
        note_path(path)


def test_folders_hold_what_is_below_them_and_no_namesakes() -> None:
    assert [folder_path(one) for one in (".", "./", "Work", "Work/", "Work/Deep//")] == [
        *(".", ".", "Work", "Work", "Work/Deep"),
    ]
    assert is_within(".", "a.md")
    assert is_within("Work", "Work/a.md")
    assert is_within("Work", "Work")
    assert not is_within("Work", "Workshop/a.md")
    assert not is_within("Work/Deep", "Work/a.md")
    for wrong in ("", "..", "/", "Work/..", ".git", "//"):
        with pytest.raises(InvalidInput):
            folder_path(wrong)


def test_a_note_is_read_and_replaced(vault: Vault, folder: Path) -> None:
    assert (vault.read("Work/Plan.md"), vault.head("Work/Plan.md").data) == (b"plan", b"plan")
    assert vault.rewrite("Work/Plan.md", more, NOW) == b"plan+"
    assert [one.name for one in (folder / "Work").iterdir()] == ["Plan.md"]
    assert (folder / "Work" / "Plan.md").read_text() == "plan+"


def test_a_note_that_stays_as_it_is_is_not_written(vault: Vault, folder: Path) -> None:
    before = (folder / "Work" / "Plan.md").stat()
    vault.rewrite("Work/Plan.md", lambda data: data, NOW)
    assert (folder / "Work" / "Plan.md").stat() == before


def test_mode_and_owner_stay(vault: Vault, folder: Path) -> None:
    file = folder / "Work" / "Plan.md"
    file.chmod(0o640)
    before = file.stat()
    vault.rewrite("Work/Plan.md", more, NOW)
    after = file.stat()
    assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (0o640, before.st_uid, before.st_gid)


@pytest.mark.parametrize("target", ["../outside.md", "/etc/hostname", "Work/Plan.md", "nowhere.md"])
def test_a_link_is_no_note(vault: Vault, folder: Path, target: str) -> None:
    (folder / "Link.md").symlink_to(target)
    for look in (vault.read, vault.head, lambda path: vault.rewrite(path, more, NOW)):
        with pytest.raises(NotFound):
            look("Link.md")
    assert "Link.md" not in vault.listing().notes


def test_a_linked_folder_is_no_folder(vault: Vault, folder: Path) -> None:
    (folder / "Linked").symlink_to(folder.parent / "elsewhere")
    with pytest.raises(NotFound):
        vault.read("Linked/Plan.md")
    assert not vault.has_folder("Linked")
    assert list(vault.listing().notes) == ["Work/Plan.md"]


def test_a_link_put_in_place_of_a_folder_meanwhile_leads_nowhere(vault: Vault, folder: Path) -> None:
    outside = folder.parent / "elsewhere"

    def swapped(data: bytes) -> bytes:
        (folder / "Work").rename(folder / "Moved")
        (folder / "Work").symlink_to(outside)
        return more(data)

    assert vault.rewrite("Work/Plan.md", swapped, NOW) == b"plan+"
    assert (outside / "Plan.md").read_text() == "outside"
    assert (folder / "Moved" / "Plan.md").read_text() == "plan+"


def test_a_link_put_in_place_of_a_note_meanwhile_is_not_followed(vault: Vault, folder: Path) -> None:
    outside = folder.parent / "outside.md"

    def swapped(data: bytes) -> bytes:
        (folder / "Work" / "Plan.md").unlink()
        (folder / "Work" / "Plan.md").symlink_to(outside)
        return more(data)

    with pytest.raises(NotFound):
        vault.rewrite("Work/Plan.md", swapped, NOW)
    assert outside.read_text() == "outside"
    assert sorted(one.name for one in (folder / "Work").iterdir()) == ["Plan.md"]


def test_a_vault_that_is_a_link_by_now_is_not_opened(folder: Path) -> None:
    folder.rename(folder.parent / "moved")
    folder.symlink_to(folder.parent / "moved")
    with pytest.raises(StoreError), opened(str(folder)):
        pass


def test_a_pipe_or_a_folder_is_no_note_and_nobody_waits_for_it(vault: Vault, folder: Path) -> None:
    os.mkfifo(folder / "Pipe.md")
    (folder / "Folder.md").mkdir()
    for path in ("Pipe.md", "Folder.md"):
        with pytest.raises(NotFound):
            vault.head(path)
    assert list(vault.listing().notes) == ["Work/Plan.md"]


def test_a_note_that_changes_meanwhile_is_begun_anew(vault: Vault, folder: Path) -> None:
    seen: list[bytes] = []

    def edited(data: bytes) -> bytes:
        seen.append(data)
        if len(seen) < 3:
            (folder / "Work" / "Plan.md").write_bytes(data + b" by hand")
        return more(data)

    assert vault.rewrite("Work/Plan.md", edited, NOW) == b"plan by hand by hand+"
    assert (folder / "Work" / "Plan.md").read_bytes() == b"plan by hand by hand+"


def test_a_note_that_never_holds_still_is_left_alone(vault: Vault, folder: Path) -> None:
    def edited(data: bytes) -> bytes:
        (folder / "Work" / "Plan.md").write_bytes(data + b"!")
        return more(data)

    with pytest.raises(Conflict):
        vault.rewrite("Work/Plan.md", edited, NOW)
    assert (folder / "Work" / "Plan.md").read_bytes() == b"plan" + b"!" * disk.TRIES
    assert [one.name for one in (folder / "Work").iterdir()] == ["Plan.md"]


def test_two_writers_at_once_lose_nothing(vault: Vault, folder: Path) -> None:
    def write() -> None:
        for _ in range(20):
            while True:
                try:
                    vault.rewrite("Work/Plan.md", more, NOW)
                    break
                except (Busy, Conflict):
                    continue

    threads = [threading.Thread(target=write) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (folder / "Work" / "Plan.md").read_bytes() == b"plan" + b"+" * 40


def test_what_a_killed_process_left_behind_is_cleared_away_after_a_minute(vault: Vault, folder: Path) -> None:
    vault.rewrite("Work/Plan.md", lambda data: _left_behind(folder, data), NOW)
    with pytest.raises(Busy):
        vault.rewrite("Work/Plan.md", more, NOW)
    for _ in range(2):
        later = datetime.now(UTC) + 2 * disk.ABANDONED
        try:
            vault.rewrite("Work/Plan.md", more, later)
        except Busy:
            continue
    assert (folder / "Work" / "Plan.md").read_bytes() == b"plan+"
    assert list(vault.listing().notes) == ["Work/Plan.md"]


def _left_behind(folder: Path, data: bytes) -> bytes:
    """Leave the file that is written beside the note, as a process that is killed does."""
    (folder / "Work" / disk.beside("Plan.md")).write_bytes(b"half")
    return data


def test_a_disk_that_refuses_leaves_the_note_and_nothing_beside_it(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match="No space left"):
        vault.rewrite("Work/Plan.md", more, NOW)
    monkeypatch.undo()
    assert (folder / "Work" / "Plan.md").read_bytes() == b"plan"
    assert [one.name for one in (folder / "Work").iterdir()] == ["Plan.md"]


def test_a_note_that_is_too_large_is_read_in_part_and_not_written(vault: Vault, folder: Path) -> None:
    with (folder / "Large.md").open("wb") as file:
        file.truncate(disk.MOST_BYTES + 1)
    assert len(vault.head("Large.md").data) == HEAD
    with pytest.raises(TooLarge, match="16 MiB"):
        vault.rewrite("Large.md", more, NOW)


def test_hidden_folders_other_files_and_names_that_are_no_text_are_not_listed(
    vault: Vault, folder: Path
) -> None:
    for hidden in (".obsidian", ".trash", ".git"):
        (folder / hidden).mkdir()
        (folder / hidden / "Note.md").write_text("x")
    (folder / "picture.png").write_text("x")
    (folder / "Upper.MD").write_text("x")
    (folder / os.fsdecode(b"latin-\xe9.md")).write_text("x")
    assert list(vault.listing().notes) == ["Upper.MD", "Work/Plan.md"]


def test_a_folder_that_is_closed_is_told_apart_from_one_that_is_gone(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "Closed").mkdir()
    scan = os.scandir
    closed = os.stat(folder / "Closed").st_ino

    def scandir(descriptor: int) -> object:
        if os.fstat(descriptor).st_ino == closed:
            raise PermissionError(13, "Permission denied")
        return scan(descriptor)

    monkeypatch.setattr(os, "scandir", scandir)
    listed = vault.listing()
    assert (list(listed.notes), listed.closed) == (["Work/Plan.md"], ["Closed"])


def test_a_folder_of_too_much_is_no_vault(vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MOST_ENTRIES", 10)
    for number in range(11):
        (folder / f"{number}.txt").write_text("x")
    with pytest.raises(TooLarge):
        vault.listing()


def test_a_system_that_cannot_keep_inside_has_no_vaults(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "supports_dir_fd", set())
    with pytest.raises(Unsupported, match="dir_fd"), opened(str(folder)):
        pass


def test_no_file_stays_open(folder: Path) -> None:
    before = len(os.listdir("/dev/fd"))
    with opened(str(folder)) as vault:
        vault.listing()
        vault.rewrite("Work/Plan.md", more, NOW)
        with pytest.raises(NotFound):
            vault.read("Work/None.md")
        with pytest.raises(NotFound):
            vault.read("None/None.md")
    assert len(os.listdir("/dev/fd")) == before
