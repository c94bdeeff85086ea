"""A secret that keeps to itself."""

import copy
import logging
import pickle
import traceback
from dataclasses import dataclass

import pytest

from calward.model.secret import Secret

CANARY = "canary-7f3a"


def test_a_secret_shows_itself_only_when_asked() -> None:
    secret = Secret(CANARY)
    assert secret.reveal() == CANARY
    assert CANARY not in f"{secret!r} {secret!s} {secret} {secret:>40}" + "%s %r" % (secret, secret)  # noqa: UP031


def test_a_value_that_holds_a_secret_hides_it_too(caplog: pytest.LogCaptureFixture) -> None:
    @dataclass
    class Login:
        user: str
        secret: Secret

    login = Login("alice", Secret(CANARY))
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("test").debug("signing in with %s and %r", login, login.secret)
    assert CANARY not in repr(login) + caplog.text


def test_a_secret_does_not_leave_by_pickle_or_copy_and_is_no_key() -> None:
    for way in (pickle.dumps, copy.copy, copy.deepcopy, hash):
        with pytest.raises(TypeError) as caught:
            way(Secret(CANARY))
        assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_secrets_compare_by_text_and_with_nothing_else() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert Secret("a")
    assert not Secret("")
