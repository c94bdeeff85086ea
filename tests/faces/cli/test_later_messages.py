"""What the command line says of reminders and prompts that cannot be, or are not there any more."""

from __future__ import annotations

import pytest

from tests.faces.test_later_messages import BLUE, NO_DATE, NOT_CANCELLED, NOT_EDITED

from .conftest import Calward


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("remind", "x", "--at", BLUE), NO_DATE.format(name="due")),
        (("schedule", "add", BLUE, "x"), NO_DATE.format(name="at")),
        (("schedule", "edit", "7", "--at", BLUE), NO_DATE.format(name="at")),
        (("schedule", "--from", BLUE), NO_DATE.format(name="from")),
        (("schedule", "edit", "7", "--prompt", "x"), NOT_EDITED),
        (("schedule", "cancel", "7"), NOT_CANCELLED),
        (("reminders", "cancel", "nothing"), "There is no such reminder of yours."),
        (("calendars", "alarms", "Nowhere", "on"), "There is no calendar 'Nowhere' here"),
    ],
)
def test_what_is_refused_says_why(calward: Calward, words: tuple[str, ...], message: str) -> None:
    ran = calward(*words)
    assert ran.code != 0
    assert ran.err.startswith(f"calward: {message}")


def test_a_switch_is_on_or_off(calward: Calward) -> None:
    assert calward("calendars", "alarms", "Home", "perhaps").code != 0
    assert calward("calendars", "alarms", "Home", "on").out == "The alarms of Home are reminders of yours.\n"
    shown = {one["name"]: one["alarms"] for one in calward("calendars", "--json").json["calendars"]}
    assert shown["Home"] is True
    assert (
        calward("calendars", "alarms", "Home", "off").out == "The alarms of Home are left to other programs.\n"
    )
