"""What two writers of one calendar do to each other, as data: the same on every server, with every fault."""

from __future__ import annotations

from tests.system.two_writers import Decide, Here, Scenario, Server, Step, Sync, There, Trouble

_PEOPLE = ("ORGANIZER:mailto:kim@example.org", "ATTENDEE:mailto:kim@example.org")
_ROBIN = "ATTENDEE:mailto:robin@example.org"
_WEEKLY = (
    "DTSTART;TZID=Europe/Berlin:20260303T090000",
    "DTEND;TZID=Europe/Berlin:20260303T093000",
    "RRULE:FREQ=WEEKLY;COUNT=8",
)
_TEN = tuple(f"Event {letter}" for letter in "abcdefghij")
_LUNCH: tuple[Step, ...] = (There("create", "Lunch"), Sync())
_LONG = {"title": "Long lunch"}


def _lossy(trouble: Trouble) -> tuple[Scenario, ...]:
    """A creation, an edit and a deletion that one trouble strikes."""
    others = (There("create", "Dinner"),)
    return (
        Scenario(
            f"a creation, and {trouble}",
            (*others, Sync(), Here("create", "Tea"), Sync(trouble=trouble)),
            ("Dinner", "Tea"),
        ),
        Scenario(
            f"an edit, and {trouble}",
            (*others, *_LUNCH, Here("edit", "Lunch", _LONG), Sync(trouble=trouble)),
            ("Dinner", "Long lunch"),
        ),
        Scenario(
            f"a deletion, and {trouble}",
            (*others, *_LUNCH, Here("delete", "Lunch"), Sync(trouble=trouble)),
            ("Dinner",),
        ),
        Scenario(
            f"an edit, {trouble}, and another edit here before it is known what became of it",
            (
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                Sync(trouble=trouble),
                Here("edit", "Long lunch", {"title": "Longest lunch"}),
            ),
            ("Longest lunch",),
        ),
        Scenario(
            f"an edit, {trouble}, and another edit there before it is known what became of it",
            (
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                Sync(trouble=trouble),
                There("edit", "Lunch", ("LOCATION:Bistro",)),
            ),
            ("Long lunch",),
            says=("LOCATION:Bistro",),
        ),
    )


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "both edit different fields",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("LOCATION:Bistro",)), Sync()),
        ("Long lunch",),
        says=("LOCATION:Bistro", "X-COLOUR-OF-THE-CAT:tabby"),
    ),
    Scenario(
        "both edit the same field differently",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("SUMMARY:Their lunch",)), Sync()),
        ("Their lunch",),
        kept=("SUMMARY:Long lunch",),
    ),
    Scenario(
        "both edit the same field alike",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("SUMMARY:Long lunch",)), Sync()),
        ("Long lunch",),
    ),
    Scenario(
        "one moves it and the other renames it",
        (
            *_LUNCH,
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", ("DTSTART:20260304T120000Z", "DTEND:20260304T130000Z")),
            Sync(),
        ),
        ("Long lunch",),
        says=("DTSTART:20260304T120000Z",),
    ),
    Scenario(
        "deleted here and edited there: the edit stands",
        (*_LUNCH, Here("delete", "Lunch"), There("edit", "Lunch", ("SUMMARY:Their lunch",)), Sync()),
        ("Their lunch",),
    ),
    Scenario(
        "edited here and deleted there: the edit stands",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("delete", "Lunch"), Sync()),
        ("Long lunch",),
    ),
    Scenario(
        "deleted on both sides",
        (There("create", "Dinner"), *_LUNCH, Here("delete", "Lunch"), There("delete", "Lunch"), Sync()),
        ("Dinner",),
    ),
    Scenario(
        "deleted there and brought back here",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Here("delete", "Lunch"),
            Sync(),
            Here("restore", "Lunch"),
            Sync(),
        ),
        ("Dinner", "Lunch"),
    ),
    Scenario(
        "a deletion whose answer was lost, brought back here",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Here("delete", "Lunch"),
            Sync(trouble=Trouble.LOST),
            Here("restore", "Lunch"),
            Sync(),
        ),
        ("Dinner", "Lunch"),
    ),
    Scenario(
        "somebody is invited there while we rename it",
        (
            There("create", "Lunch", _PEOPLE),
            Sync(),
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", (*_PEOPLE, _ROBIN)),
            Sync(),
        ),
        ("Long lunch",),
        says=("robin@example.org", "kim@example.org"),
    ),
    Scenario(
        "somebody is taken off there while we rename it",
        (
            There("create", "Lunch", (*_PEOPLE, _ROBIN)),
            Sync(),
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", _PEOPLE),
            Sync(),
        ),
        ("Long lunch",),
        says=("kim@example.org",),
        lacks=("robin@example.org",),
    ),
    Scenario(
        "one occurrence is moved here, another is taken out there",
        (
            There("create", "Standup", _WEEKLY),
            Sync(),
            Here("edit", "Standup", {"start": "2026-03-10T11:00", "scope": "one"}, on="2026-03-10"),
            There("edit", "Standup", ("EXDATE;TZID=Europe/Berlin:20260317T090000",)),
            Sync(),
        ),
        ("Standup",),
        says=("RECURRENCE-ID;TZID=Europe/Berlin:20260310T090000", "20260317T090000"),
    ),
    Scenario(
        "a series is renamed here, its place is set there",
        (
            There("create", "Standup", _WEEKLY),
            Sync(),
            Here("edit", "Standup", {"title": "Check-in", "scope": "all"}, on="2026-03-03"),
            There("edit", "Standup", ("LOCATION:Room 7",)),
            Sync(),
        ),
        ("Check-in",),
        says=("LOCATION:Room 7", "RRULE:FREQ=WEEKLY;COUNT=8"),
    ),
    *(
        scenario
        for trouble in (
            *(Trouble.LOST, Trouble.RESET, Trouble.SILENT),
            *(Trouble.NO_ETAG, Trouble.WEAK_ETAG, Trouble.BUSY),
        )
        for scenario in _lossy(trouble)
    ),
    *_lossy(Trouble.TWICE)[:3],
    Scenario(
        "a list that is cut off deletes nothing",
        (*(There("create", title) for title in _TEN), Sync(), Sync(full=True, trouble=Trouble.CUT)),
        _TEN,
    ),
    Scenario(
        "all is removed there: held",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(There("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=False),
            Sync(),
        ),
        _TEN[:3],
    ),
    Scenario(
        "most is removed there, and a person agrees",
        (
            *(There("create", title) for title in _TEN),
            Sync(),
            *(There("delete", title) for title in _TEN[:6]),
            Sync(),
            Decide(agree=True),
            Sync(),
        ),
        _TEN[6:],
    ),
    Scenario(
        "all is deleted here: held, and taken back",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(Here("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=False),
            Sync(),
        ),
        _TEN[:3],
    ),
    Scenario(
        "all is deleted here, and a person agrees",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(Here("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=True),
            Sync(),
        ),
        (),
    ),
    Scenario(
        "a token that is refused leads to the whole list",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Server("forget tokens"),
            There("delete", "Lunch"),
            There("create", "Tea"),
            Sync(),
        ),
        ("Dinner", "Tea"),
    ),
    Scenario(
        "a server restored from a backup: what it forgot is sent again",
        (
            *(There("create", title) for title in _TEN[:2]),
            Sync(),
            Server("backup"),
            *(There("create", title) for title in _TEN[2:]),
            Sync(),
            Server("restore"),
            Sync(full=True),
            Decide(agree=False),
            Sync(),
        ),
        _TEN,
    ),
    *(
        Scenario(
            f"killed at step {step} of a run in which both sides have news",
            (
                There("create", "Dinner"),
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                There("edit", "Lunch", ("LOCATION:Bistro",)),
                There("create", "Tea"),
                Here("delete", "Dinner"),
                Here("create", "Cake"),
                Sync(killed_at=step),
            ),
            ("Cake", "Long lunch", "Tea"),
            says=("LOCATION:Bistro",),
        )
        for step in range(1, 41, 3)
    ),
)
"""Every name is used once."""
