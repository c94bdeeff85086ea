"""Calendar files in and out."""

from pathlib import Path

import pytest

from calward.ical.tree import CAPS

from .conftest import Calward

EVENT = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nX-WR-CALNAME:Caf\xe9\r\nBEGIN:VEVENT\r\n"
    b"UID:one@example.com\r\nDTSTART:20260303T140000Z\r\nSUMMARY:Caf\xe9\r\nX-ODD;X=1:kept\r\nEND:VEVENT\r\n"
    b"END:VCALENDAR\r\n"
)
"""Latin-1, so no UTF-8."""


def event(uid: str, *lines: str) -> bytes:
    inner = ["BEGIN:VEVENT", f"UID:{uid}", "DTSTART:20260303T140000Z", f"SUMMARY:{uid}", *lines, "END:VEVENT"]
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *inner, "END:VCALENDAR", ""]).encode()


def exported(calward: Calward, *options: str) -> bytes:
    return calward("export", *options).out.encode("utf-8", "surrogateescape")


def test_what_comes_in_goes_out_byte_for_byte(calward: Calward, tmp_path: Path) -> None:
    file = tmp_path / "in.ics"
    file.write_bytes(EVENT)
    assert calward("import", str(file)).out == f"{file}:  1 added, 0 updated, 0 unchanged in Home\n"
    assert exported(calward) == EVENT
    out = tmp_path / "out.ics"
    assert calward("export", "-o", str(out)).out == f"Wrote 1 event to {out}.\n"
    assert out.read_bytes() == EVENT


def test_an_import_is_from_standard_input_too_and_harmless_twice(calward: Calward) -> None:
    assert calward("import", "-", given=EVENT).out == "-:  1 added, 0 updated, 0 unchanged in Home\n"
    assert calward("import", "-", given=EVENT).out == "-:  0 added, 0 updated, 1 unchanged in Home\n"
    assert exported(calward) == EVENT


def test_a_folder_stands_for_its_calendar_files(calward: Calward, tmp_path: Path) -> None:
    for name, data in {"b.ics": event("b"), "a.ICS": event("a"), "note.txt": b"no"}.items():
        (tmp_path / name).write_bytes(data)
    lines = calward("import", str(tmp_path)).out.splitlines()
    assert [Path(line.partition(":")[0]).name for line in lines] == ["a.ICS", "b.ics"]
    (tmp_path / "empty").mkdir()
    assert calward("import", str(tmp_path / "empty")).code == 2


def test_what_is_not_understood_is_listed_with_its_line_and_kept(calward: Calward) -> None:
    data = event("odd", "THIS IS NO PROPERTY").replace(
        b"END:VCALENDAR", b"BEGIN:X-T\r\nEND:X-T\r\nEND:VCALENDAR"
    )
    ran = calward("import", "-", given=data)
    assert ran.code == 0
    head, counted, *problems = ran.out.splitlines()
    assert "1 added" in head
    assert counted == f"  {len(problems)} not understood; kept, and exported again:"
    assert any(one.startswith("    line 7:  bad_line  ") for one in problems)
    assert exported(calward) == data


def test_a_calendar_is_made_on_request_only(calward: Calward) -> None:
    assert calward("import", "-", "--calendar", "Work", given=EVENT).code == 3
    for answer in ("1 added, 0 updated, 0 unchanged", "0 added, 0 updated, 1 unchanged"):
        ran = calward("import", "-", "--calendar", "Work", "--new", given=EVENT)
        assert ran.out == f"-:  {answer} in Work\n"
    assert calward("import", "-", "--new", given=EVENT).code == 2


def test_one_bad_file_does_not_keep_the_others_out(calward: Calward, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ics", tmp_path / "bad.ics"
    good.write_bytes(EVENT)
    bad.write_bytes(b"nothing of the kind")
    ran = calward("import", str(bad), str(tmp_path / "missing.ics"), str(good))
    assert ran.code == 2
    assert "1 added" in ran.out
    assert [line.partition(": ")[0] for line in ran.err.splitlines()] == ["calward", "calward"]
    answer = calward("import", str(bad), str(good), "--json")
    assert answer.code == 2
    first, second = answer.json["files"]
    assert (first["file"], first["error"]["code"]) == (str(bad), "invalid_input")
    assert (second["file"], second["unchanged"]) == (str(good), 1)


def test_a_lone_bad_file_is_a_plain_error(calward: Calward, tmp_path: Path) -> None:
    ran = calward("import", str(tmp_path / "missing.ics"), "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "invalid_input")
    assert "No such file" in ran.json["error"]["message"]


def test_standard_input_is_read_once(calward: Calward) -> None:
    assert "imported once" in calward("import", "-", "-", given=EVENT).err


def test_an_export_replaces_no_file_unasked(calward: Calward, tmp_path: Path) -> None:
    calward("import", "-", given=EVENT)
    out = tmp_path / "out.ics"
    out.write_bytes(b"mine")
    ran = calward("export", "-o", str(out))
    assert (ran.code, "--force" in ran.err, out.read_bytes()) == (2, True, b"mine")
    assert calward("export", "-o", str(out), "--force", "--json").json == {
        "file": str(out),
        "events": 1,
        "bytes": len(EVENT),
    }
    assert out.read_bytes() == EVENT
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_export_that_cannot_be_written_says_why(calward: Calward, tmp_path: Path) -> None:
    ran = calward("export", "-o", str(tmp_path / "nowhere" / "out.ics"))
    assert (ran.code, "cannot be written: No such file" in ran.err) == (8, True)
    full = calward("export", "-o", "/dev/full", "--force")
    calward("import", "-", given=EVENT)
    full = calward("export", "-o", "/dev/full", "--force")
    assert (full.code, "No space left" in full.err) == (8, True)


def test_one_event_is_exported_by_its_id(calward: Calward) -> None:
    calward("import", "-", given=event("one"))
    calward("import", "-", given=event("two"))
    ident = calward("search", "two").id
    text = exported(calward, "--event", ident)
    assert b"UID:two" in text
    assert b"UID:one" not in text
    assert calward("export", "--event", ident, "--calendar", "Home").code == 2
    assert calward("export", "--event", ident, "--json").json["kind"] == "event"


@pytest.mark.parametrize("name", ["nicht\udce4utf8.ics", "x" * 200 + ".ics"])
def test_a_file_may_be_named_oddly(calward: Calward, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(EVENT)
    assert calward("import", str(file)).code == 0


def test_a_file_over_the_cap_is_refused_unread(calward: Calward, tmp_path: Path) -> None:
    huge = tmp_path / "huge.ics"
    with huge.open("wb") as file:
        file.truncate(10 * CAPS.bytes)
    ran = calward("import", str(huge), "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "too_large")
