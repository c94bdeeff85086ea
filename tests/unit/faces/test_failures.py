"""One table says what an error is outside; what was not foreseen tells nothing."""

from collections.abc import Iterator

import pytest

import calward.secrets.key
import calward.secrets.sealing
import calward.secrets.sources  # noqa: F401
from calward.dav.errors import TimedOut
from calward.errors import Busy, CalwardError, ScopeNeeded
from calward.faces.failures import INTERNAL, INTERNAL_MESSAGE, MEANINGS, failure_of, trace


def kinds(kind: type[CalwardError] = CalwardError) -> Iterator[type[CalwardError]]:
    yield kind
    for inner in kind.__subclasses__():
        yield from kinds(inner)


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
def test_every_error_has_a_meaning_at_every_door(kind: type[CalwardError]) -> None:
    failure = failure_of(kind.__new__(kind))
    assert failure.code == kind.code
    assert 400 <= failure.meaning.status < 600
    assert 0 < failure.meaning.exit_code < 64


def test_a_code_without_a_row_means_what_its_ancestor_means() -> None:
    failure = failure_of(TimedOut("The server was silent."))
    assert failure.body == {
        "code": "remote_timeout",
        "message": "The server was silent.",
        "retryable": True,
    }
    assert failure.meaning == MEANINGS["remote_error"]


def test_a_hint_for_the_person_at_the_machine_goes_no_further() -> None:
    assert "secret" not in str(failure_of(Busy("It is taken.", hint="/home/secret")).body)


def test_whether_to_try_again_comes_from_the_error() -> None:
    assert failure_of(Busy("Later.")).retryable
    assert not failure_of(ScopeNeeded("Which?")).retryable


def test_an_unforeseen_error_is_logged_by_type_and_place_without_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    try:
        try:
            raise KeyError("Dinner with Sam")
        except KeyError as first:
            raise RuntimeError("Dinner with Sam") from first
    except RuntimeError as error:
        failure = failure_of(error)
    assert failure.body == {"code": INTERNAL, "message": INTERNAL_MESSAGE, "retryable": False}
    logged = capsys.readouterr().err
    assert "RuntimeError at test_failures.py:" in logged
    assert "after KeyError at test_failures.py:" in logged
    assert "Sam" not in logged


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert trace(ValueError("x")) == "ValueError at no place"
