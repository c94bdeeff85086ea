"""Content lines: whatever comes in, every byte is kept, and both views see the same lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.ical.lines import (
    fold,
    join_params,
    line_ending,
    line_tail,
    param,
    raw_lines,
    scan,
    split_line,
    text_lines,
)

# Few letters, so that endings, folds and multi-byte sequences meet often.
tricky = st.lists(
    st.sampled_from([b"\r", b"\n", b"\r\n", b" ", b"\t", b"A", b":", b";", b'"', b"\xc3", b"\xa4", b"\0"]),
    max_size=24,
).map(b"".join)


@given(st.one_of(st.binary(max_size=400), tricky))
def test_any_bytes_come_out_as_they_went_in(data: bytes) -> None:
    lines = scan(data)
    assert b"".join(lines.raws) == data
    assert len(lines.raws) == len(lines.texts) == len(lines)
    assert lines.starts[-1] == len(data)


@given(tricky)
def test_each_line_by_itself_says_what_it_says_in_its_text(data: bytes) -> None:
    lines = scan(data)
    if b"\n" in data and all(b"\n" in raw for raw in lines.raws):
        firsts = [raw[:1] for raw in lines.raws[1:]]
        assert not any(first in (b" ", b"\t") for first in firsts)
        assert ["".join(text_lines(raw)) for raw in lines.raws] == lines.texts


@given(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=300))
def test_a_folded_line_has_75_octets_at_most_and_never_cuts_a_character(text: str) -> None:
    raw = fold(text)
    physical = raw.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(line) <= 75 for line in physical)
    assert "".join(line.decode()[bool(place) :] for place, line in enumerate(physical)) == text


def test_bytes_that_are_no_utf_8_are_folded_all_the_same() -> None:
    assert fold("\udc80" * 100, b"\n").count(b"\n") == 2


def test_a_fold_after_an_empty_line_still_continues_its_line() -> None:
    assert text_lines(b"A:1\r\n\r\n 2\r\nB:3\r\n") == ["A:12", "B:3"]


def test_empty_lines_belong_to_the_line_before_them() -> None:
    assert raw_lines(b"A:1\r\n\r\n\nB:2") == [b"A:1\r\n\r\n\n", b"B:2"]
    assert line_ending(b"A:1\r\n\r\n\n") == b"\r\n"
    assert line_tail(b"A:1\r\n\r\n\n") == b"\r\n\r\n\n"


def test_doubled_carriage_returns_end_one_line() -> None:
    assert text_lines(b"A:1\r\r\nB:2\r\r\n 3\r\r\n") == ["A:1", "B:23"]


def test_a_lone_cr_ends_lines_only_where_no_lf_does() -> None:
    assert text_lines(b"A:1\rB:2\r 3\r") == ["A:1", "B:23"]
    assert text_lines(b"A:1\rB:2\n") == ["A:1\rB:2"]


def test_carriage_returns_before_the_end_of_a_text_are_its_ending() -> None:
    assert text_lines(b"A:1\nB:2\r\r") == ["A:1", "B:2"]


def test_nuls_are_kept_in_the_bytes_and_not_in_the_text() -> None:
    lines = scan(b"UID:1\0\nA\0:2\n\0 x\n\0")
    assert lines.texts == ["UID:1", "A:2", " x", ""]
    assert b"".join(lines.raws) == lines.data


def test_each_line_has_its_own_charset() -> None:
    assert text_lines(b"A:\xc3\xa9\nB:\xe9\nC:\x80\nD:\x81\n") == ["A:é", "B:é", "C:€", "D:\x81"]


def test_a_line_tells_its_span_its_number_and_its_name_as_written() -> None:
    data = b"BEGIN:X\r\nSum\r\n mary;Language=en:Hi\r\n"
    line = scan(data).line(1)
    assert data[line.start : line.end] == b"Sum\r\n mary;Language=en:Hi\r\n"
    assert (line.number, line.name, line.written, line.value) == (2, "SUMMARY", "Summary", "Hi")
    assert line.param("LANGUAGE") == "en"
    assert line.param("ALTREP") == ""


@pytest.mark.parametrize(
    ("text", "name", "params", "value"),
    [
        ("SUMMARY:a:b;c", "SUMMARY", (), "a:b;c"),
        ("dtstart;tzid=Europe/Berlin:1", "DTSTART", (("TZID", ("Europe/Berlin",)),), "1"),
        ('X;A="1:2;3,4",5;B=6:v', "X", (("A", ("1:2;3,4", "5")), ("B", ("6",))), "v"),
        ("X;CN=a^nb^'c^^d^x:v", "X", (("CN", ('a\nb"c^d^x',)),), "v"),
        ("X;A;;B=:v", "X", (("A", ("",)), ("B", ("",))), "v"),
        ('X;A="1";;B="":v', "X", (("A", ("1",)), ("B", ("",))), "v"),
        ('X;CN="open:v', "X", (("CN", ('"open',)),), "v"),
        ("\ufeffBEGIN:VCALENDAR", "BEGIN", (), "VCALENDAR"),
        ("X_Y.Z :v", "X_Y.Z", (), "v"),
        ("no colon", "", (), "no colon"),
        (":no name", "", (), ":no name"),
        ("two words:v", "TWOWORDS", (), "v"),
        ("ä:v", "", (), "ä:v"),
        ("X;A=1", "X", (("A", ("1",)),), ""),
    ],
)
def test_a_line_is_taken_apart(
    text: str, name: str, params: tuple[tuple[str, tuple[str, ...]], ...], value: str
) -> None:
    assert split_line(text) == (name, params, value)


def test_a_very_long_head_is_taken_apart_too() -> None:
    name, params, value = split_line(f"X;A={'a' * 5000};B=b:v")
    assert (name, param(params, "B"), value) == ("X", "b", "v")
    assert split_line(f"X{';A=1' * 100_000}:v") == ("X", (), "v")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_a_parameter_comes_back_as_it_was(value: str) -> None:
    _, params, _ = split_line(f"X{join_params([('CN', [value])])}:v")
    assert param(params, "CN") == value.strip() or '"' in value or value != value.strip()


def test_controls_in_a_parameter_are_dropped_or_encoded() -> None:
    assert join_params([("CN", ["a\r\nb\0c;d"]), ("X", ["1", '2"'])]) == """;CN="a^nbc;d";X=1,2^'"""


@pytest.mark.parametrize("piece", [b"\n", b"\r", b"\r\n", b"\n ", b"\r\r\n", b"A", b'A;"', b"\n\r ", b":;,\n"])
def test_a_million_of_anything_is_read_in_one_go(piece: bytes) -> None:
    data = piece * 1_000_000 + b"x\n\n"
    lines = scan(data)
    assert b"".join(lines.raws) == data
    assert len(lines.raws) == len(lines.texts)
    assert len(split_line(lines.texts[0])) == 3
