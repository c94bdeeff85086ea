"""Components: sloppy nesting is understood, size is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import TooLarge
from calward.ical.tree import CAPS, Caps, Component, Document, parse, properties


def shape(document: Document) -> list[object]:
    def one(component: Component) -> object:
        return [component.name + ("" if component.closed else "?"), *map(one, component.children)]

    return [one(root) for root in document.roots]


def text(*lines: str) -> bytes:
    """Lines, which may also stand in one string with spaces between them."""
    return "".join(f"{line}\r\n" for line in " ".join(lines).split(" ")).encode()


def test_components_know_their_lines() -> None:
    data = text("BEGIN:VCALENDAR A:1 BEGIN:VEVENT B:2 END:VEVENT C:3 END:VCALENDAR")
    (calendar,) = parse(data).roots
    (event,) = calendar.children
    assert [line.name for line in calendar.properties()] == ["A", "C"]
    assert event.data == text("BEGIN:VEVENT", "B:2", "END:VEVENT")
    assert list(calendar.texts("C")) == ["3"]
    assert parse(data).data == data


def test_an_event_that_begins_in_another_ends_it() -> None:
    document = parse(text("BEGIN:VCALENDAR BEGIN:VEVENT A:1 BEGIN:VEVENT END:VEVENT END:VCALENDAR"))
    assert shape(document) == [["VCALENDAR", ["VEVENT?"], ["VEVENT"]]]
    assert [list(child.texts("A")) for child in document.roots[0].children] == [["1"], []]


def test_an_end_closes_what_is_still_open_inside() -> None:
    document = parse(text("BEGIN:VEVENT", "BEGIN:VALARM", "BEGIN:X-A", "END:VEVENT"))
    assert shape(document) == [["VEVENT", ["VALARM?", ["X-A?"]]]]


def test_an_unclosed_zone_swallows_no_event() -> None:
    document = parse(text("BEGIN:VTIMEZONE", "BEGIN:STANDARD", "BEGIN:DAYLIGHT", "BEGIN:VEVENT", "END:VEVENT"))
    assert shape(document) == [["VTIMEZONE?", ["STANDARD?"], ["DAYLIGHT?"]], ["VEVENT"]]


def test_a_calendar_ends_all_that_came_before_it() -> None:
    document = parse(text("BEGIN:VCALENDAR BEGIN:VEVENT BEGIN:VCALENDAR END:VCALENDAR"))
    assert shape(document) == [["VCALENDAR?", ["VEVENT?"]], ["VCALENDAR"]]


def test_stray_lines_are_told() -> None:
    document = parse(
        text("hello", "BEGIN:VEVENT", "END:VTODO", "END:VEVENT", "END:VEVENT", "bye") + b" \r\n\r\n"
    )
    assert document.strays == (0, 2, 4, 5)


def test_case_spaces_and_folds_do_not_hide_a_component() -> None:
    document = parse(
        b"\xef\xbb\xbfbegin:vcalendar \r\n BEG\r\nbeg\r\n in;X=1:Vevent\r\nEnd:VEVENT\r\nEND:vcalendar"
    )
    assert [component.name for component in document.walk()] == ["VCALENDAR BEG", "VEVENT"]


def test_components_of_calendars_and_outside_of_any_are_listed() -> None:
    document = parse(text("BEGIN:VCALENDAR BEGIN:VEVENT END:VEVENT END:VCALENDAR BEGIN:VTODO END:VTODO"))
    assert [(one.name, calendar and calendar.name) for one, calendar in document.top()] == [
        ("VEVENT", "VCALENDAR"),
        ("VTODO", None),
    ]


def test_every_property_of_every_component_is_listed() -> None:
    data = text("BEGIN:VCALENDAR A:1 garbage BEGIN:VEVENT B:2 END:VEVENT END:VCALENDAR")
    found = [(component.name, line.name) for component, line in properties(parse(data))]
    assert found == [("VCALENDAR", "A"), ("VEVENT", "B")]


@pytest.mark.parametrize(
    ("caps", "data"),
    [
        (replace(CAPS, bytes=10), b"A:12345678901"),
        (replace(CAPS, lines=2), b"A:1\nA:1\nA:1\n"),
        (replace(CAPS, components=2), text("BEGIN:X", "END:X") * 3),
        (replace(CAPS, properties=5), text("BEGIN:X", *["A:1"] * 6, "END:X")),
        (CAPS, text(*[f"BEGIN:X-{n}" for n in range(17)])),
        (CAPS, text("BEGIN:X") * 100_000),
    ],
)
def test_what_is_over_a_cap_is_refused(caps: Caps, data: bytes) -> None:
    with pytest.raises(TooLarge):
        parse(data, caps)


def test_nested_lines_do_not_count_for_the_outer_component() -> None:
    caps = replace(CAPS, properties=4)
    event = text("BEGIN:VEVENT", "A:1", "END:VEVENT")
    assert (
        len(parse(text("BEGIN:VCALENDAR") + event * 50 + text("END:VCALENDAR"), caps).roots[0].children) == 50
    )


marks = st.sampled_from(
    [
        f"{kind}:{name}"
        for kind in ("BEGIN", "END")
        for name in ("VCALENDAR", "VEVENT", "VALARM", "VTIMEZONE", "X")
    ]
    + ["A:1", "", "garbage"]
)


@given(st.lists(marks, max_size=30))
def test_each_line_is_in_one_place(lines: list[str]) -> None:
    document = parse(text(*lines))
    found = list(document.strays)
    for component in document.walk():
        found += component.own()
        found.append(component.first)
        if component.closed:
            found.append(component.last)
    blank = {index for index, line in enumerate(document.lines.texts) if not line}
    # An END that closes nothing is a stray and yet in the component around it.
    assert set(found) | blank == set(range(len(document.lines)))
