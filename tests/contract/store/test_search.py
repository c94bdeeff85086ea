"""Search: plain text whatever it holds, and never a look at what the level hides."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Connection

from calward.model.grant import Level
from calward.model.ids import EventId
from calward.store.components import components_matching, count_matching
from calward.store.cut import Cut
from calward.store.engine import Store
from calward.store.events import occurrences_between
from calward.store.indexed import clear_index
from calward.store.objects import remove_object
from calward.store.search import Wanted, normalise, words_of
from calward.store.tables import search_text
from tests.contract.store.family import ANN, FAMILY, HELPER, HOME, Happening, a_cut, put

NONE, BUSY, TITLES, DETAILS = Level
ALL = a_cut((FAMILY, DETAILS, DETAILS))


def ids(connection: Connection, query: str, cut: Cut = ALL) -> list[str]:
    """What a search finds, which is the same with and without a window and by count."""
    wanted = Wanted(words_of(query))
    found = [row.event_id for row in components_matching(connection, HOME, cut, wanted, limit=99)]
    within = occurrences_between(connection, HOME, cut, 0, 10_000, wanted=wanted, limit=99)
    assert [row.event_id for row in within] == found
    assert count_matching(connection, HOME, cut, wanted) == len(found)
    return [str(event) for event in found]


TEXTS = [
    "會議",
    "下午的會議紀錄",
    "Café",
    "é",
    "o'brien",
    'say "no"',
    '"',
    "*",
    "a*",
    "NEAR",
    "NEAR(a b)",
    "AND",
    "OR",
    "NOT",
    "title:x",
    "%",
    "50%",
    "_",
    "a_b",
    "\\",
    "\\%",
    "^a",
    "(",
    "-",
    "{title}",
    "; DROP TABLE objects; --",
    "👩‍👩‍👧",
    "naïve",
    "ﬁne",
    "ß",
    "İstanbul",
    "ＡＢＣ",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("column", ["title", "notes", "location", "people"])
def test_any_text_is_found_literally_and_finds_nothing_else(store: Store, text: str, column: str) -> None:
    with store.writing() as connection:
        here = {"title": "zzz", column: f"qqq {text} qqq"}
        put(connection, HOME, Happening("here", **here), Happening("elsewhere", title="zzz"))  # type: ignore[arg-type]
        assert ids(connection, text) == ["here"]
        assert ids(connection, f"  {text.upper()}  qqq ") == ["here"]


def test_a_word_is_a_part_of_a_text_and_all_words_must_stand_in_any_order(store: Store) -> None:
    with store.writing() as connection:
        put(
            connection,
            HOME,
            Happening("a", title="Team standup", notes="with Björn"),
            Happening("b", title="Standup of the band", start=1),
        )
        assert ids(connection, "stand") == ["a", "b"]
        assert ids(connection, "UP TEAM") == ["a"]
        assert ids(connection, "björn tandu") == ["a"]
        assert ids(connection, "bjorn") == []
        assert ids(connection, "up of") == ["b"]
        assert ids(connection, "of") == ["b"]
        assert ids(connection, "standup gig") == []


def test_no_words_find_all_that_shows_a_text(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a"), Happening("b", maker=HELPER, title=""))
        assert ids(connection, "  \t") == ["a", "b"]
        assert ids(connection, "", a_cut((FAMILY, TITLES, BUSY))) == ["b"]


@pytest.mark.parametrize("text", ["secret", "se"])
def test_each_column_is_matched_only_where_the_level_shows_it(store: Store, text: str) -> None:
    columns = ("title", "notes", "location", "people")
    with store.writing() as connection:
        happenings = [Happening(name, **{"title": "plain"} | {name: "a secret"}) for name in columns]  # type: ignore[arg-type]
        put(connection, HOME, *happenings)

        def found(level: Level) -> set[str]:
            return set(ids(connection, text, a_cut((FAMILY, NONE, level))))

        assert found(NONE) == set()
        assert found(BUSY) == set()
        assert found(TITLES) == {"title"}
        assert found(DETAILS) == set(columns)


def test_what_others_wrote_into_an_own_event_is_matched_as_theirs(store: Store) -> None:
    with store.writing() as connection:
        happening = Happening("mine", title="Standup", notes="their secret", maker=HELPER, reach=TITLES)
        put(connection, HOME, happening)
        cut = a_cut((FAMILY, DETAILS, BUSY))
        assert ids(connection, "standup", cut) == ["mine"]
        assert ids(connection, "secret", cut) == []
        assert ids(connection, "standup secret", cut) == []


def test_taking_part_is_found_only_where_details_show(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a", member=ANN), Happening("b"))
        wanted = Wanted((), ANN)
        assert count_matching(connection, HOME, ALL, wanted) == 1
        assert count_matching(connection, HOME, a_cut((FAMILY, NONE, TITLES)), wanted) == 0
        assert count_matching(connection, HOME, ALL, Wanted(("lunch",), ANN)) == 0


def test_the_index_follows_every_change_of_the_texts(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a"), Happening("b"), Happening("c"))
        clear_index(connection, HOME, [EventId("a")])
        remove_object(connection, HOME, EventId("b"))
        connection.execute(search_text.update().values(title="breakfast"))
        assert ids(connection, "dinner") == []
        assert ids(connection, "breakfast") == ["c"]


LETTERS = st.text(alphabet="abé\"'*%_ 會議ß", max_size=8)
EVENTS = st.lists(
    st.tuples(LETTERS, LETTERS, LETTERS, LETTERS, st.booleans(), st.sampled_from(Level)), max_size=5
)


@given(events=EVENTS, query=LETTERS, own=st.sampled_from(Level), others=st.sampled_from(Level))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_search_finds_what_reading_along_would_find(
    store: Store,
    events: list[tuple[str, str, str, str, bool, Level]],
    query: str,
    own: Level,
    others: Level,
) -> None:
    words = words_of(query)
    expected = set()
    for number, (title, notes, location, people, mine, reach) in enumerate(events):
        level = max(others, min(own, reach)) if mine else others
        shown = [title] if level >= TITLES else []
        shown += [notes, location, people] if level >= DETAILS else []
        if shown and all(any(word in normalise(text) for text in shown) for word in words):
            expected.add(f"e{number}")
    with store.writing() as connection, connection.begin_nested() as savepoint:
        put_all(connection, events)
        assert set(ids(connection, query, a_cut((FAMILY, own, others)))) == expected
        savepoint.rollback()


@given(events=EVENTS, query=LETTERS, one=st.sampled_from(Level), other=st.sampled_from(Level))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_less_level_never_matches_more(
    store: Store,
    events: list[tuple[str, str, str, str, bool, Level]],
    query: str,
    one: Level,
    other: Level,
) -> None:
    less, more = sorted((one, other))
    with store.writing() as connection, connection.begin_nested() as savepoint:
        put_all(connection, events)
        for own in Level:
            few = ids(connection, query, a_cut((FAMILY, own, less)))
            assert set(few) <= set(ids(connection, query, a_cut((FAMILY, own, more))))
            few = ids(connection, query, a_cut((FAMILY, less, own)))
            assert set(few) <= set(ids(connection, query, a_cut((FAMILY, more, own))))
        savepoint.rollback()


def put_all(connection: Connection, events: list[tuple[str, str, str, str, bool, Level]]) -> None:
    happenings = [
        Happening(
            f"e{number}",
            title=title,
            notes=notes,
            location=location,
            people=people,
            maker=HELPER if mine else None,
            reach=reach,
        )
        for number, (title, notes, location, people, mine, reach) in enumerate(events)
    ]
    put(connection, HOME, *happenings)
