"""The hash of meaning: blind to what programs rewrite, and to nothing else."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.ical.lines import fold, scan
from calward.ical.meaning import meaning
from calward.ical.tree import parse

OWN = Path(__file__).parents[2] / "corpus"
EVENT = [
    "UID:1",
    "DTSTAMP:20260101T000000Z",
    "DTSTART;TZID=Europe/Berlin:20260302T090000",
    "SUMMARY:Tea, and more",
    "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=MO",
    "EXDATE;TZID=Europe/Berlin:20260309T090000,20260316T090000",
    "CATEGORIES:a,b",
    "ORGANIZER;CN=Ann:mailto:ann@example.com",
    "ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com",
    "BEGIN:VALARM",
    "TRIGGER:-PT5M",
    "END:VALARM",
]


def object_of(*lines: str) -> bytes:
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT")
    return "\r\n".join((*head, *lines, "END:VEVENT", "END:VCALENDAR", "")).encode()


def with_line(old: str, *new: str) -> bytes:
    at = EVENT.index(old)
    return object_of(*EVENT[:at], *new, *EVENT[at + 1 :])


@pytest.mark.parametrize(
    "same",
    [
        object_of(*EVENT[4:9], *EVENT[:4], *EVENT[9:]),
        object_of(*EVENT).replace(b"\r\n", b"\n"),
        object_of(*EVENT)
        .replace(b"Example//", b"Other//")
        .replace(b"VERSION:2.0", b"VERSION:2.0\r\nMETHOD:PUBLISH"),
        object_of(*EVENT, "SEQUENCE:4", "CREATED:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z"),
        object_of(*EVENT, "X-OTHER:1", "CLASS:PUBLIC", "TRANSP:OPAQUE", "PRIORITY:0", "BEGIN:X-A", "END:X-A"),
        with_line(EVENT[1], "DTSTAMP:20270101T000000Z"),
        with_line(EVENT[2], "dtstart;X-A=1;VALUE=DATE-TIME;TZID=/example.org/Europe/Berlin:20260302T090000 "),
        with_line(EVENT[2], "DTSTART;TZID=W. Europe Standard Time:20260302T090000"),
        with_line(EVENT[3], "SUMMARY:Tea\\, and more"),
        with_line(EVENT[4], "RRULE:freq=weekly;byday=MO;COUNT=4;"),
        with_line(
            EVENT[5], "EXDATE;TZID=Europe/Berlin:20260316T090000", "EXDATE;TZID=Europe/Berlin:20260309T090000"
        ),
        with_line(EVENT[6], "CATEGORIES:b", "CATEGORIES:a"),
        with_line(EVENT[7], 'ORGANIZER;CN="Ann":MAILTO:Ann@Example.com'),
        with_line(EVENT[8], "ATTENDEE;ROLE=REQ-PARTICIPANT;CN=Bo;RSVP=false:mailto:bo@example.com"),
        with_line(EVENT[8], "ATTENDEE;CN=Bo;PARTSTAT=DECLINED;SCHEDULE-STATUS=2.0:mailto:bo@example.com"),
        with_line(EVENT[10], "TRIGGER;RELATED=START:-PT5M"),
        object_of(*EVENT).replace(
            b"BEGIN:VEVENT", b"BEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nBEGIN:VEVENT"
        ),
        object_of(*EVENT, "a line that is none"),
    ],
)
def test_what_programs_rewrite_does_not_count(same: bytes) -> None:
    assert meaning(same) == meaning(object_of(*EVENT))


@pytest.mark.parametrize(
    "other",
    [
        object_of(*EVENT[:9]),
        object_of(*EVENT, "TRANSP:TRANSPARENT"),
        object_of(*EVENT, "URL:https://example.com"),
        with_line(EVENT[0], "UID:2"),
        with_line(EVENT[2], "DTSTART;TZID=Europe/Paris:20260302T090000"),
        with_line(EVENT[2], "DTSTART:20260302T090000"),
        with_line(EVENT[3], "SUMMARY:Tea\\n and more"),
        with_line(EVENT[3], "summary:Coffee"),
        with_line(EVENT[4], "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=MO"),
        with_line(EVENT[5], "EXDATE;TZID=Europe/Berlin:20260309T090000"),
        with_line(EVENT[6], "CATEGORIES:a\\,b"),
        with_line(EVENT[8], "ATTENDEE;CN=Bob:mailto:bo@example.com"),
        with_line(EVENT[8]),
        with_line(EVENT[10], "TRIGGER:-PT6M"),
        object_of(*EVENT).replace(b"BEGIN:VEVENT", b"BEGIN:VTIMEZONE\nTZID:Moon\nEND:VTIMEZONE\nBEGIN:VEVENT"),
        object_of(*EVENT) * 2,
        b"",
    ],
)
def test_what_a_person_would_notice_counts(other: bytes) -> None:
    assert meaning(other) != meaning(object_of(*EVENT))


def test_ones_own_answer_counts_and_that_of_others_does_not() -> None:
    me = frozenset({"bo@example.com"})
    declined = with_line(EVENT[8], "ATTENDEE;CN=Bo;PARTSTAT=DECLINED:mailto:BO@example.com")
    assert meaning(declined, me) != meaning(object_of(*EVENT), me)
    assert meaning(declined, {"ann@example.com"}) == meaning(object_of(*EVENT), {"ann@example.com"})
    asked = with_line(EVENT[8], "ATTENDEE;CN=Bo;PARTSTAT=NEEDS-ACTION:mailto:bo@example.com")
    silent = with_line(EVENT[8], "ATTENDEE;CN=Bo:mailto:bo@example.com")
    assert meaning(asked, me) == meaning(silent, me)


def test_one_offset_is_not_another() -> None:
    one = with_line(EVENT[2], "DTSTART;TZID=UTC+01:00:20260302T090000")
    other = with_line(EVENT[2], "DTSTART;TZID=UTC+02:00:20260302T090000")
    assert meaning(one) != meaning(other)


def test_a_component_has_a_meaning_of_its_own() -> None:
    document = parse((OWN / "series").with_suffix(".ics").read_bytes())
    hashes = {meaning(component) for component, _ in document.top()}
    assert len(hashes) == 4
    assert meaning(document) == meaning(document.data)
    assert all(len(one) == 64 for one in hashes)


@given(st.sampled_from(sorted(OWN.glob("*.ics"))), st.integers(20, 100))
def test_folding_has_no_meaning(path: Path, width: int) -> None:
    data = path.read_bytes()
    refolded = b"".join(fold(text, b"\n", width) for text in scan(data).texts)
    if b"\r" not in refolded:
        assert meaning(refolded) == meaning(data)


@given(st.sampled_from(["plain", "series", "many_kinds"]), st.randoms(use_true_random=False))
def test_the_order_of_lines_has_no_meaning(name: str, random: Random) -> None:
    data = (OWN / f"{name}.ics").read_bytes()
    component = next(one for one, _ in parse(data).top() if one.name == "VEVENT")
    texts = component.lines.texts
    own = [texts[index] for index in component.own()]
    random.shuffle(own)
    nested = [text for child in component.children for text in texts[child.first : child.end]]
    again = "\n".join(["BEGIN:VEVENT", *own, *nested, "END:VEVENT"]).encode()
    assert meaning(parse(again).roots[0]) == meaning(component)
