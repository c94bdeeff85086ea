"""A reminder goes into a note and out of it, and no other byte of the note changes."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import CalwardError, TooLarge, Unsupported
from calward.model.note import Block
from calward.notes.editing import read_block, with_block, without_block
from calward.notes.front_matter import HEAD, MOST
from tests.unit.notes.odd_notes import BOM, odd_notes

AT_A_MOMENT = Block(due="2026-03-04T15:00:00+01:00")
AT_AN_EVENT = Block(calendar_event='Meeting: "Sarah" # 會議', offset=-3600, recurring=True)
NOTES = dict(odd_notes())
BY_HAND = """---
title: A plan
reminder:   # by hand
    # at noon
    due: '2026-03-04 12:00'   # in Berlin
    mine: kept
    sent:
kind: x
---
Text
"""


def test_there_are_two_hundred_odd_notes() -> None:
    assert len(set(NOTES.values())) >= 200


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("block", [AT_A_MOMENT, AT_AN_EVENT], ids=["moment", "event"])
def test_writing_a_reminder_keeps_every_other_byte(note: str, block: Block) -> None:
    data = NOTES[note]
    written = with_block(data, block)
    assert read_block(written) == read_block(written[:HEAD]) == block
    before, after = _around(data, written)
    assert data == before + after
    if not note.startswith("none"):
        assert without_block(written) == data


@pytest.mark.parametrize("note", NOTES)
def test_marking_it_as_sent_changes_one_word(note: str) -> None:
    written = with_block(NOTES[note], AT_A_MOMENT)
    marked = with_block(written, replace(AT_A_MOMENT, sent=True))
    before, after = _around(written, marked)
    assert (len(marked) - len(written), before + b"fals" + after) == (-1, written)


@pytest.mark.parametrize("note", [note for note in NOTES if "dashes, " in note])
def test_what_is_written_has_the_line_ends_of_the_note(note: str) -> None:
    data = NOTES[note]
    written = with_block(data, AT_AN_EVENT)
    added = written.count(b"\n") - data.count(b"\n")
    crlf = written.count(b"\r\n") - data.count(b"\r\n")
    assert crlf == (added if b"\r\n" in data else 0)


def test_a_note_without_front_matter_gets_one_before_its_text() -> None:
    assert with_block(BOM + b"Text\r\n", AT_A_MOMENT) == (
        BOM + b"---\r\nreminder:\r\n  due: 2026-03-04T15:00:00+01:00\r\n  recurring: false\r\n  sent: false\r\n"
        b"---\r\nText\r\n"
    )


def test_a_block_by_hand_is_read_as_it_is_meant() -> None:
    assert read_block(BY_HAND.encode()) == Block(due="2026-03-04 12:00")


def test_a_block_by_hand_keeps_its_comments_and_what_else_it_says() -> None:
    marked = with_block(BY_HAND.encode(), Block(due="2026-03-04 12:00", sent=True)).decode()
    assert marked == BY_HAND.replace("sent:\n", "sent: true\n")
    moved = with_block(BY_HAND.encode(), AT_AN_EVENT).decode()
    event = '    calendar_event: "Meeting: \\"Sarah\\" # 會議"\n'
    left = BY_HAND.replace("    due: '2026-03-04 12:00'   # in Berlin\n", "")
    more = f"    sent:\n{event}    offset: -3600\n    recurring: true\n"
    assert moved == left.replace("    sent:\n", more)


def test_a_block_without_lines_is_filled() -> None:
    assert with_block(b"---\nreminder:\nkind: x\n---\n", AT_A_MOMENT) == (
        b"---\nreminder:\n  due: 2026-03-04T15:00:00+01:00\n  recurring: false\n  sent: false\nkind: x\n---\n"
    )


def test_a_rule_across_the_page_is_no_front_matter() -> None:
    assert read_block(b"---\nreminder:\n  due: 2026-03-04\n") is None
    assert with_block(b"---\nText\n", AT_A_MOMENT).endswith(b"\n---\n---\nText\n")


def test_what_does_not_speak_of_reminders_is_not_looked_into() -> None:
    assert read_block(b"---\n[no: yaml\n---\n") is None


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("a: [", "not valid YAML, line"),
        ("a: b: c", "not valid YAML, line 3"),
        ("a: *nobody", "not valid YAML"),
        ("- reminder", "no list of lines with names"),
        ("{title: x}", "no list of lines with names"),
        ("just text", "no list of lines with names"),
        ("reminder: tomorrow", "has to be a block of lines"),
        ("reminder: {due: 2026-03-04}", "has to be a block of lines"),
        ("reminder: [1]", "has to be a block of lines"),
        ("reminder: &r\n  due: 2026-03-04\nother: *r", "has to be a block of lines"),
        ("other: &r\n  due: 2026-03-04\nreminder: *r", "has to be a block of lines"),
        ("other: &r\n  due: 2026-03-04\nreminder:\n  <<: *r", "has to be a block of lines"),
        ("other: &r 2026-03-04\nreminder:\n  due: *r", "has to be a block of lines"),
        ("reminder:\n  due: &r 2026-03-04\nother: *r", "has to be a block of lines"),
        ("reminder:\n  due: |\n    2026-03-04", "has to be a block of lines"),
        ("reminder:\n  due:\n    at: 2026-03-04", "has to be a block of lines"),
        ("reminder:\n  due: 2026-03-04\n  due: 2026-03-05", "has to be a block of lines"),
        ('"reminder":\n  due: 2026-03-04', "has to be a block of lines"),
        ("? reminder\n: due: 2026-03-04", "has to be a block of lines"),
        ("reminder:\n  due: 2026-03-04\nreminder:\n  due: 2026-03-05", "says reminder twice"),
        ("reminder:\n  due: 2026-03-04\n  sent: perhaps", "sent has to be true or false"),
        ("reminder:\n  calendar_event: x\n  offset: an hour", "offset has to be a number"),
        ("reminder:\n  calendar_event: x\n  offset: 999999999", "offset has to be a number"),
        ("reminder:\n  due: " + "9" * 501, "due is too long"),
        ('reminder:\n  calendar_event: "a\\nb"', "not text of one line"),
    ],
)
def test_what_cannot_be_edited_is_refused(front: str, says: str) -> None:
    data = f"---\nreminder_is_here: 1\n{front}\n---\n".encode()
    if front[0] in "-{j":
        data = f"---\n{front}\n# reminder\n---\n".encode()
    with pytest.raises(Unsupported, match=says):
        read_block(data)
    with pytest.raises(Unsupported, match=says):
        with_block(data, AT_A_MOMENT)


def test_no_words_of_a_note_get_into_a_warning() -> None:
    data = b"---\none: &a secret\ntwo: &a secret\nreminder:\n  due: 2026-03-04\n---\n"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert read_block(data) == Block(due="2026-03-04")
    assert said == []


@pytest.mark.parametrize(
    "data", [b"---\ntitle: Gr\xfc\xdfe\n---\n", b"Gr\xfc\xdfe\n", "x\n".encode("utf-16"), b"\0\n"]
)
def test_what_is_not_utf_8_is_not_written_into(data: bytes) -> None:
    with pytest.raises(Unsupported):
        with_block(data, AT_A_MOMENT)


def test_front_matter_is_not_read_beyond_its_bound() -> None:
    with pytest.raises(TooLarge):
        with_block(b"---\n" + b"a: b\n" * MOST + b"---\n", AT_A_MOMENT)


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x]\n" + "".join(f"k{n}: &k{n} [{'*a, ' * 9}*a]\n" for n in range(200)),
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 500)),
        "a: " + "[" * 20_000,
        "a: " + "{a: " * 10_000,
        "? " * 20_000,
        "- " * 20_000,
        "&a " * 10_000,
    ],
    ids=["wide", "deep", "lists", "maps", "keys", "dashes", "anchors"],
)
def test_a_bomb_of_yaml_is_read_or_refused_and_never_unfolded(bomb: str) -> None:
    data = f"---\nreminder:\n  due: 2026-03-04\n{bomb}\n---\n".encode()
    try:
        found = read_block(data)
    except CalwardError:
        return
    assert found == Block(due="2026-03-04")


plain_text = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=30)
events = st.builds(
    Block,
    calendar_event=plain_text.map(str.strip).filter(bool),
    offset=st.integers(-86400, 86400),
    recurring=st.booleans(),
)
moments = st.builds(Block, due=st.datetimes().map(lambda at: at.isoformat(timespec="seconds") + "Z"))
fronts = st.text(st.sampled_from("abc: #-&*[]{}|>\"'\n\té會 "), max_size=60)
bodies = st.text(max_size=60).map(str.encode)


@given(
    front=fronts,
    body=bodies,
    block=events | moments,
    newline=st.sampled_from(("\n", "\r\n")),
    bom=st.booleans(),
)
def test_a_reminder_goes_in_and_out_of_any_front_matter_or_is_refused(
    front: str, body: bytes, block: Block, newline: str, bom: bool
) -> None:
    data = (BOM if bom else b"") + f"---\n{front}\n---\n".replace("\n", newline).encode() + body
    try:
        written = with_block(data, block)
    except CalwardError:
        return
    assert read_block(written) == block
    assert without_block(written) == data
    marked = with_block(written, replace(block, sent=True))
    assert with_block(marked, block) == written


def _around(was: bytes, now: bytes) -> tuple[bytes, bytes]:
    """What two notes have in common before and after where they differ."""
    first = next(
        (at for at, (one, other) in enumerate(zip(was, now, strict=False)) if one != other),
        min(len(was), len(now)),
    )
    rest = min(len(was), len(now)) - first
    last = next((at for at in range(rest) if was[-1 - at] != now[-1 - at]), rest)
    return now[:first], now[len(now) - last :]
