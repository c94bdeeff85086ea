"""Language files hold what the grammar uses, and nothing it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from calward.language.cues import ACTIONS, COMPANIONS, ELSEWHERE, QUESTIONS, THINGS
from calward.language.datafile import data_file
from calward.language.grammar import grammar
from calward.language.intents import Intent, guess_intent
from calward.language.lexicon import is_one_slip, lexicon

PAGE = Path(__file__).parents[3] / "docs" / "language.md"
NUMBER_WORDS = {"digit", "tens", "scale", "ordinal", "ordsuffix"}
"""Categories that are composed before the grammar sees them."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_category_of_a_language_is_used_by_the_grammar(language: str) -> None:
    used = {symbol for rules in grammar().values() for rule in rules for symbol in rule.symbols}
    sections = data_file(language)["time"]
    assert (set(sections["words"]) | set(sections)) - {"words"} - NUMBER_WORDS <= used


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_describes_every_section_of_a_language_file(language: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = data_file(language)
    assert [name for name in table if f"[{name}]" not in page and f"[{name}." not in page] == []
    named = (f"`{name}`" in page or f"[time.{name}]" in page for name in table["time"])
    assert [name for name, told in zip(table["time"], named, strict=True) if not told] == []
    for section in ("language", "title", "clauses"):
        assert [name for name in table[section] if f"`{name}" not in page] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_class_of_cues_is_known_or_stands_for_itself(language: str) -> None:
    english = set(data_file("en")["cues"])
    assert set(data_file(language)["cues"]) <= english
    assert english >= ACTIONS | QUESTIONS | ELSEWHERE | COMPANIONS | (THINGS - {"person"})


def test_no_cue_at_all_wants_nothing() -> None:
    assert guess_intent(()).intent is Intent.NONE


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("wednsday", "wednesday"), ("tommorow", "tomorrow"), ("septmber", "september"), ("thrusday", "thursday")],
)
def test_one_slip_in_a_word_of_time_is_forgiven(typed: str, meant: str) -> None:
    english = lexicon("en")
    found = english.meant(typed) if typed not in english.phrases else typed
    assert found is not None
    assert english.phrases[found][0][1:] == english.phrases[meant][0][1:]


@pytest.mark.parametrize("word", ["monkey", "sandal", "fridge", "saturate", "marching"])
def test_other_words_are_left_alone(word: str) -> None:
    assert lexicon("en").meant(word) is None


def test_a_slip_is_one_letter_or_one_swap() -> None:
    assert is_one_slip("firday", "friday")
    assert not is_one_slip("frdiya", "friday")


def test_a_language_without_a_file_is_read_with_english_words() -> None:
    assert lexicon("xx").tag == "en"
    assert lexicon("../x").tag == "en"
