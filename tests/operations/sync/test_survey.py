"""Calendars that come, go or change on a server are noticed when everything is listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calward.bootstrap.household import HOME
from calward.operations.account_words import account_options
from calward.operations.sync_run.survey import is_due
from calward.remotes.faults import Fault
from calward.store.accounts import AccountRow, get_account, set_options
from calward.store.calendars import CalendarRow, get_calendar, list_calendars
from tests.operations.sync.mirror import ACCOUNT, CALENDAR, Mirror


def account(mirror: Mirror) -> AccountRow:
    with mirror.world.store.reading() as conn:
        found = get_account(conn, HOME, ACCOUNT)
    assert found is not None
    return found


def calendar(mirror: Mirror) -> CalendarRow:
    with mirror.world.store.reading() as conn:
        found = get_calendar(conn, HOME, CALENDAR)
    assert found is not None
    return found


def listed(mirror: Mirror) -> dict[str, Any]:
    (one,) = mirror.world.do("account_list").accounts
    return {found.name: found for found in one.calendars}


def follow(mirror: Mirror) -> None:
    """As an account connected with all its calendars."""
    with mirror.world.store.writing() as conn:
        options = replace(account_options(account(mirror).options), follow=True)
        set_options(conn, HOME, ACCOUNT, options.plain())


def test_the_first_full_run_learns_what_is_there_and_what_the_server_offers(mirror: Mirror) -> None:
    mirror.sync()
    assert account(mirror).surveyed_at is not None
    assert list(listed(mirror)) == ["Work"]
    assert listed(mirror)["Work"].mirrored_as == "Work"
    assert account_options(account(mirror).options).offers.schedules


def test_a_new_calendar_is_told_of_and_not_mirrored_by_itself(mirror: Mirror) -> None:
    mirror.sync()
    mirror.server.add_calendar("school", "School")
    mirror.sync()
    assert "School" not in listed(mirror)
    mirror.sync(full=True)
    mirror.world.pass_time(days=1)
    mirror.sync()
    assert listed(mirror)["School"].new
    assert listed(mirror)["School"].mirrored_as is None
    assert not listed(mirror)["Work"].new
    mirror.world.do("calendar_choose", account="memory", calendars=["School"])
    assert not listed(mirror)["School"].new


def test_where_all_are_wanted_a_new_calendar_is_mirrored_and_shown_to_no_assistant(mirror: Mirror) -> None:
    mirror.sync()
    follow(mirror)
    bot = mirror.world.assistant("bot")
    mirror.server.add_calendar("home", "Home")
    mirror.server.add_calendar("tasks", "Tasks", ("VTODO",))
    mirror.world.pass_time(days=1)
    mirror.sync()
    assert listed(mirror)["Home"].mirrored_as == "Home (memory)"
    assert listed(mirror)["Tasks"].mirrored_as is None
    assert "Home (memory)" not in [one.name for one in mirror.world.ask(bot, "calendars").calendars]


def test_choosing_all_has_those_to_come_mirrored_too(mirror: Mirror) -> None:
    mirror.sync()
    mirror.server.add_calendar("school", "School")
    mirror.world.pass_time(days=1)
    mirror.sync()
    mirror.world.do("calendar_choose", account="memory", all=True)
    assert account_options(account(mirror).options).follow


def test_a_new_name_and_colour_are_taken_over_and_a_name_given_here_is_kept(mirror: Mirror) -> None:
    mirror.sync()
    shelf = mirror.server.shelf(mirror.url)
    shelf.name, shelf.color = "Job", "#00aa00"
    mirror.world.pass_time(days=1)
    mirror.sync()
    assert (calendar(mirror).name, calendar(mirror).color) == ("Job", "#00aa00")
    shelf.name = "Home"
    mirror.world.pass_time(days=1)
    mirror.sync()
    assert calendar(mirror).name == "Home (memory)"
    mirror.world.pass_time(days=1)
    mirror.sync()
    assert calendar(mirror).name == "Home (memory)"


def test_a_calendar_that_is_gone_from_the_server_stays_here_and_says_so(mirror: Mirror) -> None:
    mirror.adds("lunch")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.world.pass_time(days=1)
    assert mirror.sync() is None
    assert mirror.titles_here() == ["Lunch"]
    assert listed(mirror)["Work"].gone
    (work,) = [one for one in mirror.world.do("calendar_status").calendars if one.name == "Work"]
    assert "All of it is kept here" in work.error


def test_a_server_that_cannot_be_looked_over_is_synced_all_the_same(mirror: Mirror) -> None:
    mirror.adds("lunch")
    mirror.fails("discover", Fault.WEB_PAGE)
    mirror.sync()
    assert mirror.titles_here() == ["Lunch"]
    assert account(mirror).surveyed_at is None


def test_several_calendars_that_are_listed_together_look_the_account_over_once(mirror: Mirror) -> None:
    mirror.sync(full=True)
    now = replace(account(mirror), surveyed_at=mirror.world.now)
    assert not is_due(mirror.tools, now, ())
    mirror.world.pass_time(hours=11)
    assert not is_due(mirror.tools, now, ())
    mirror.world.pass_time(hours=2)
    assert is_due(mirror.tools, now, ())
    with mirror.world.store.reading() as conn:
        assert len(list_calendars(conn, HOME)) == 3
