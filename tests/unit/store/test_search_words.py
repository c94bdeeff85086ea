"""The folding of texts, stored and asked."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import InvalidInput
from calward.store.search import MAX_WORDS, normalise, words_of


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Team STANDUP", "team standup"),
        ("  a \t\r\n b\u00a0c  ", "a b c"),
        ("Straße", "strasse"),
        ("ﬁne ＡＢＣ ①", "fine abc 1"),
        ("e\u0301", "é"),
        ("Ångström", "ångström"),
        ("會議", "會議"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("a\0b", "a b"),
        ("\ud83d", "?"),
        ("", ""),
    ],
)
def test_case_and_form_fold_and_diacritics_stay(text: str, folded: str) -> None:
    assert normalise(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text())
def test_a_text_is_found_in_either_composition_and_case(text: str) -> None:
    folded = normalise(text)
    assert normalise(unicodedata.normalize("NFD", text)) == folded
    assert normalise(unicodedata.normalize("NFC", text)) == folded
    assert normalise(text.casefold()) == folded


@given(st.text())
def test_what_is_folded_can_be_stored(text: str) -> None:
    folded = normalise(text)
    assert "\0" not in folded
    assert folded.encode().decode() == folded


def test_each_word_is_asked_once_and_too_many_are_refused() -> None:
    assert words_of("b A  b a") == ("b", "a")
    assert words_of(" ") == ()
    words = " ".join(map(str, range(MAX_WORDS + 1)))
    with pytest.raises(InvalidInput, match="at most 16"):
        words_of(words)
