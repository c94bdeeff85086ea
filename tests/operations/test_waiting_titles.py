"""A reminder that waits for a title is bound by just those changes of events that bring such a title."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from calward.store.search import normalise
from tests.operations.later import Later
from tests.operations.world import open_world

WORDS = ("Lunch", "lunch", "UN", "Arzt", "ÄRZTE", "ärzte", "Straße", "STRASSE", "ﬁt", "fit", "a", "%", '"')
TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


@settings(max_examples=15, deadline=None)
@given(wanted=TITLES, titles=st.lists(TITLES, min_size=1, max_size=3))
def test_it_is_bound_as_soon_as_an_event_has_all_its_words_and_not_before(
    wanted: str, titles: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        world = open_world(Path(folder))
        try:
            later = Later(world)
            assert world.do("reminder_set", calendar_event=wanted).reminder.state == "waiting"
            words, come = normalise(wanted).split(), False
            for number, title in enumerate(titles):
                start = f"2026-03-0{number + 3}T10:00"
                world.do("calendar_create", title=title, start=start, request_id=str(number))
                come = come or all(word in normalise(title) for word in words)
                assert later.reminder.state == ("armed" if come else "waiting")
        finally:
            world.store.close()
