"""What holds for any three versions of a series: random edits by two people, merged in either direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from calward.ical.meaning import meaning
from calward.sync.merge import Collision, Merged, merge
from calward.sync.whole import people, read_whole
from tests.unit.sync.texts import ME, calendar

PLACES = ("", "20260312", "20260313", "20260314")
"""The master and the days whose occurrences may have a component."""
WORDS = ("Lunch", "Brunch", "Snack, maybe")
FACTS = {
    "SUMMARY": WORDS,
    "LOCATION": ("Canteen", "Roof"),
    "DESCRIPTION": ("Bring forks", "Bring spoons\\nand knives " * 5),
    "URL": ("https://example.org/",),
    "STATUS": ("CONFIRMED", "TENTATIVE"),
    "TRANSP": ("OPAQUE", "TRANSPARENT"),
    "X-VENDOR": ("1", "2"),
    "DTSTAMP": ("20260301T080000Z", "20260302T080000Z"),
    "SEQUENCE": ("0", "1", "2"),
}
HOURS = ("120000", "123000", "150000")
TAGS = ("CATEGORIES:Food", "CATEGORIES:Work", "COMMENT:Well", "COMMENT:Done")
PEOPLE = ("ann@example.org", "bob@example.org", "cat@example.org", ME)
ANSWERS = ("NEEDS-ACTION", "ACCEPTED", "DECLINED")
ALARMS = ("-PT15M", "-PT1H", "-P1D")


@dataclass(frozen=True)
class Told:
    """What one component says, as the tests make it up."""

    hour: str = "120000"
    facts: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    people: Mapping[str, str] = field(default_factory=dict)
    """Answers by address."""
    alarms: frozenset[str] = frozenset()


Version = Mapping[str, Told]
"""By place; with the days struck out as ``Told`` under ``-`` and the day."""


def text(version: Version) -> bytes:
    struck = sorted(place[1:] for place in version if place.startswith("-"))
    return calendar(
        *(_lines(place, told, struck) for place, told in version.items() if not place.startswith("-"))
    )


def _lines(place: str, told: Told, struck: list[str]) -> tuple[str, ...]:
    day = place or "20260310"
    lines = ["UID:lunch-1", f"DTSTART:{day}T{told.hour}", "DURATION:PT30M"]
    if place:
        lines.append(f"RECURRENCE-ID:{place}T120000")
    else:
        lines += ["RRULE:FREQ=DAILY;COUNT=10", *(f"EXDATE:{day}T120000" for day in struck)]
    lines += [f"{name}:{value}" for name, value in told.facts.items()]
    lines += sorted(told.tags)
    lines += [f"ATTENDEE;CN=Who;PARTSTAT={answer}:mailto:{who}" for who, answer in told.people.items()]
    for alarm in sorted(told.alarms):
        lines += ["BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:{alarm}", "END:VALARM"]
    return tuple(lines)


tolds = st.builds(
    Told,
    hour=st.sampled_from(HOURS),
    facts=st.fixed_dictionaries({}, optional={name: st.sampled_from(some) for name, some in FACTS.items()}),
    tags=st.frozensets(st.sampled_from(TAGS)),
    people=st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from(ANSWERS)),
    alarms=st.frozensets(st.sampled_from(ALARMS), max_size=2),
)
struck_days = st.dictionaries(st.sampled_from([f"-{day}" for day in PLACES[1:]]), st.just(Told()))
versions = st.builds(
    lambda master, more, struck: {"": master, **more, **struck},
    tolds,
    st.dictionaries(st.sampled_from(PLACES[1:]), tolds, max_size=2),
    struck_days,
)


@st.composite
def edits(draw: st.DrawFn, version: Version) -> Version:
    """The same with a few things changed, as one person does."""
    changed = dict(version)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.sampled_from(PLACES))
        told = changed.get(place)
        if told is None:
            changed[place] = draw(tolds)
            continue
        new = draw(tolds)
        match draw(st.sampled_from(["hour", "facts", "fact", "tags", "people", "alarms", "remove", "strike"])):
            case "fact":
                name = draw(st.sampled_from(list(FACTS)))
                changed[place] = replace(told, facts={**told.facts, name: draw(st.sampled_from(FACTS[name]))})
            case "remove" if place:
                del changed[place]
            case "strike" if place:
                changed[f"-{place}"] = Told()
            case "remove" | "strike":
                changed[""] = new
            case part:
                changed[place] = replace(told, **{part: getattr(new, part)})
    return changed


@st.composite
def threes(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """A base, and two versions that came from it."""
    base = draw(versions)
    return text(base), text(draw(edits(base))), text(draw(edits(base)))


def means(data: bytes) -> str:
    return meaning(data, (ME,))


@given(threes())
def test_where_only_we_edited_the_result_means_what_ours_does(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, _ = three
    found = merge(base, ours, base, (ME,))
    assert isinstance(found, Merged)
    assert means(found.data) == means(ours)


@given(threes())
def test_where_only_they_edited_the_result_is_the_servers_text(three: tuple[bytes, bytes, bytes]) -> None:
    base, _, theirs = three
    assert merge(base, base, theirs, (ME,)) == Merged(theirs, ())
    assert merge(base, theirs, theirs, (ME,)) == Merged(theirs, ())


@given(threes())
def test_it_means_the_same_whoever_is_called_ours(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = three
    one, other = merge(base, ours, theirs, (ME,)), merge(base, theirs, ours, (ME,))
    if isinstance(one, Merged) and isinstance(other, Merged):
        assert means(one.data) == means(other.data)
        return
    assert isinstance(one, Collision)
    assert isinstance(other, Collision)
    assert {(clash.key, clash.names, clash.ours) for clash in one.clashes} == {
        (clash.key, clash.names, clash.theirs) for clash in other.clashes
    }


@given(threes())
def test_merging_what_was_merged_changes_nothing(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = three
    found = merge(base, ours, theirs, (ME,))
    if isinstance(found, Merged):
        again = merge(base, ours, found.data, (ME,))
        assert isinstance(again, Merged)
        assert means(again.data) == means(found.data)
        onwards = merge(theirs, found.data, theirs, (ME,))
        assert isinstance(onwards, Merged)
        assert onwards.data == found.data


@given(threes())
def test_every_line_of_the_result_is_one_of_a_live_side(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = three
    found = merge(base, ours, theirs, (ME,))
    if isinstance(found, Merged):
        lines = set(found.data.splitlines())
        # An ATTENDEE line may be made of both.
        made = {line for line in lines - {*ours.splitlines(), *theirs.splitlines()} if b"ATTENDEE" not in line}
        assert not made


@given(threes())
def test_the_servers_lines_stay_in_the_servers_order(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = three
    found = merge(base, ours, theirs, (ME,))
    if isinstance(found, Merged):
        now = written(found.data)
        for key, lines in written(theirs).items():
            rest = iter(now.get(key, []))
            assert all(line in rest for line in lines if line in now.get(key, []))


def written(data: bytes) -> dict[str, list[bytes]]:
    """The lines of each component as they are written, without what is nested in it."""
    whole = read_whole(data, ())
    assert whole is not None
    parts = {name.key: part.component for name, part in whole.parts.items()}
    return {key: [one.lines.raws[index] for index in one.own()] for key, one in parts.items()}


def invited(data: bytes) -> dict[str, frozenset[str]]:
    whole = read_whole(data, ())
    assert whole is not None
    return {name.key: people([part]) for name, part in whole.parts.items()}


@given(threes())
def test_nobody_is_invited_by_a_merge_and_nobody_comes_back(three: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = three
    found = merge(base, ours, theirs, (ME,))
    if not isinstance(found, Merged):
        return
    before, here, there, now = (invited(data) for data in (base, ours, theirs, found.data))
    for key, who in now.items():
        assert who <= here.get(key, frozenset()) | there.get(key, frozenset())
        for side, other in ((here, there), (there, here)):
            was = before.get(key, frozenset())
            assert not who & (was - side.get(key, was))
            # Whom one side took off everywhere is there only if the other invited them anew, by name.
            gone = frozenset().union(*before.values()) - frozenset().union(*side.values())
            anew = other.get(key, frozenset()) - was if key in before else frozenset()
            assert not who & (gone - anew)


PARTS = ("facts", "tags", "people", "alarms", "hour")


@given(versions, st.data())
def test_edits_of_different_things_always_merge(base: Version, data: st.DataObject) -> None:
    """Each part of each component is left to one of them. What moves a series is left out: it may collide."""
    ours, theirs = dict(base), dict(base)
    for place in base:
        if place.startswith("-"):
            continue
        new = data.draw(tolds)
        for part in PARTS:
            if part == "hour" and not place:
                continue
            side = data.draw(st.sampled_from([ours, theirs]))
            # An answer belongs to the time it was given for.
            who = ours if part in ("hour", "people") else side
            who[place] = replace(who[place], **{part: getattr(new, part)})
    found = merge(text(base), text(ours), text(theirs), (ME,))
    assert isinstance(found, Merged)
    both = {place: _either(told, ours[place], theirs[place]) for place, told in base.items()}
    assert means(found.data) == means(text(both))


def _either(base: Told, ours: Told, theirs: Told) -> Told:
    """Each part as it is on the side that changed it."""
    changed = {part: getattr(ours, part) for part in PARTS if getattr(ours, part) != getattr(base, part)}
    return replace(theirs, **changed)


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_are_taken_whole_or_not_at_all(base: bytes, ours: bytes, theirs: bytes) -> None:
    found = merge(base, ours, theirs)
    assert isinstance(found, Collision) or found.data in (ours, theirs)
