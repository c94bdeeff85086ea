"""JSON is read strictly, and no text makes the reader take long or fall over."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import InvalidInput, TooLarge
from calward.faces.strict_json import MAX_BYTES, MAX_DEPTH, read_object, read_value

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4), max_leaves=20
)


@given(st.dictionaries(text, values, max_size=4), st.booleans())
def test_what_json_writes_is_read_back(value: dict[str, Any], ascii_only: bool) -> None:
    assert read_object(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=200) | st.text('[]{}":,\\ntrue019eE.-+ ', max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with suppress(InvalidInput, TooLarge):
        read_value(body)


@pytest.mark.parametrize("body", [b"", b" \r\n\t"])
def test_an_empty_body_is_no_arguments(body: bytes) -> None:
    assert read_object(body) == {}


@pytest.mark.parametrize("body", [b"[1]", b"null", b'"x"', b"5", b"true"])
def test_arguments_are_an_object(body: bytes) -> None:
    with pytest.raises(InvalidInput, match="has to be a JSON object"):
        read_object(body)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"a": 1, "a": 2}', "The key 'a' stands twice"),
        (b'{"a": {"b": 1, "\\u0062": 2}}', "The key 'b' stands twice"),
        (b'{"a": NaN}', "NaN is no JSON"),
        (b'{"a": -Infinity}', "-Infinity is no JSON"),
        (b'{"a": 1e999}', "1e999 is out of range"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long to read"),
        (b'{"a": 1,}', "at line 1, column"),
        (b"{'a': 1}", "The body is no JSON"),
        (b'{"a": 1} {}', "Extra data at line 1"),
        (b'\xef\xbb\xbf{"a": 1}', "The body is no JSON"),
        (b'{"a": "\xff"}', "no UTF-8"),
        (b'{"a": "\n"}', "Invalid control character"),
    ],
)
def test_what_parsers_read_differently_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_object(body)
    assert why in refused.value.message


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_depth_has_a_cap(opening: str, closing: str) -> None:
    within = opening * MAX_DEPTH + "1" + closing * MAX_DEPTH
    read_value(within.encode())
    with pytest.raises(TooLarge, match="more than 32 levels"):
        read_value((opening + within + closing).encode())


def test_brackets_in_text_are_not_depth() -> None:
    told = json.dumps({"a": "[" * 100 + '\\"{'})
    assert read_object(told.encode()) == json.loads(told)


def test_size_has_a_cap() -> None:
    with pytest.raises(TooLarge, match="larger than 4 MiB"):
        read_object(b" " * (MAX_BYTES + 1))


@pytest.mark.parametrize(
    "body",
    [b"[" * MAX_BYTES, b'"\\"' * 500_000, b'"' + b"\\" * 1_000_001, b'{"a":' * 500_000, b'"\\\n' * 300_000],
    ids=["brackets", "escaped quotes", "backslashes", "objects", "escaped line ends"],
)
def test_hostile_text_is_refused_in_one_pass(body: bytes) -> None:
    """A pass over four million characters; a second look at each would outlast the test run."""
    with pytest.raises((InvalidInput, TooLarge)):
        read_value(body)
