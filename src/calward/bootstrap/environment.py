"""An account out of the environment: ``CALDAV_URL``, ``CALDAV_USERNAME``, ``CALDAV_PASSWORD`` and, for the
calendar that is shared with assistants, ``CALDAV_CALENDAR_NAME``. With ``CALDAV_LOCAL_NETWORK=1`` the address
may lead to a machine of the local network.

Each may come from a file named by ``<NAME>_FILE`` instead. What is missing or still an example refuses this
account with the reason, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from calward.bootstrap.household import HOME, SHARED_CALENDAR
from calward.dav.discovery import normal_address
from calward.dav.status import host_of
from calward.errors import CalwardError
from calward.model.ids import AccountId, CalendarId
from calward.operations.account_words import AccountOptions, account_options
from calward.operations.apply.mirrors import carry_out
from calward.operations.identity import Access, access, owner
from calward.operations.mirror_changes import AddAccount, MirrorCalendar
from calward.secrets.sources import find_secret
from calward.store import calendars
from calward.store.accounts import AccountRow, list_accounts

URL, USERNAME, PASSWORD = "CALDAV_URL", "CALDAV_USERNAME", "CALDAV_PASSWORD"
CALENDAR, CREATE = "CALDAV_CALENDAR_NAME", "CALDAV_CREATE_CALENDAR"
LOCAL_NETWORK = "CALDAV_LOCAL_NETWORK"
YES = frozenset({"1", "true", "yes", "on"})
EXAMPLES = frozenset(
    {
        "password",
        "changeme",
        "change-me",
        "secret",
        "your-password",
        "your_password",
        "yourpassword",
        "app-password",
        "your-app-password",
        "your-app-specific-password",
        "xxxx-xxxx-xxxx-xxxx",
        "username",
        "your-username",
        "your_username",
        "user@example.com",
        "you@example.com",
        "your-email@example.com",
        "your@email.com",
    }
)
EXAMPLE_HOSTS = ("example.com", "example.org", "example.net", "your-server.com", "caldav.example")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The account the environment describes."""

    url: str
    username: str
    calendar: str
    create: bool
    local_network: bool = False


def read_environment(environment: Mapping[str, str]) -> Wanted | str | None:
    """The account; or why it cannot be used, in a sentence; or None where the environment names none."""
    try:
        found = {name: find_secret(name, environment) for name in (URL, USERNAME, PASSWORD, CALENDAR)}
    except CalwardError as error:
        return f"The account of the environment is not used: {error.message}"
    text = {name: one.secret.reveal().strip() if one else "" for name, one in found.items()}
    if not any(text[name] for name in (URL, USERNAME, PASSWORD)):
        return None
    if missing := [name for name in (URL, USERNAME, PASSWORD) if not text[name]]:
        return f"The account of the environment is not used: {' and '.join(missing)} is missing."
    if name := next((name for name in (USERNAME, PASSWORD) if text[name].casefold() in EXAMPLES), None):
        return f"The account of the environment is not used: {name} is still an example. Put in your own."
    try:
        url = normal_address(text[URL])
    except CalwardError as error:
        return f"The account of the environment is not used: {URL}: {error.message}"
    if host_of(url).partition(":")[0].endswith(EXAMPLE_HOSTS):
        return f"The account of the environment is not used: {URL} is still an example. Put in your own."
    create, local = (environment.get(name, "").strip().lower() in YES for name in (CREATE, LOCAL_NETWORK))
    return Wanted(url, text[USERNAME], text[CALENDAR] or SHARED_CALENDAR, create, local)


def is_settled(conn: Connection, wanted: Wanted) -> bool:
    """Whether the account and the mirror of its calendar are there as they should be."""
    account = _account(conn, wanted)
    known = calendars.calendar_named(conn, HOME, wanted.calendar)
    return (
        account is not None
        and account.options == _options(wanted, account)
        and known is not None
        and known.account_id is not None
    )


def settle(conn: Connection, wanted: Wanted, epoch: str, now: datetime, new_id: Callable[[], str]) -> None:
    """Make the account and the mirror of its calendar, or bring them up to date.

    A calendar of that name which lives only here moves to the account.
    """
    entry, same = access(conn, owner(conn, HOME), epoch), _account(conn, wanted)
    account = same.id if same else AccountId(new_id())
    name = same.name if same else _name(conn, wanted)
    options = _options(wanted, same)
    add = AddAccount(account, entry.person.member, name, wanted.url, wanted.username, options, sealed=None)
    carry_out(conn, entry, add, now, new_id)
    known = calendars.calendar_named(conn, HOME, wanted.calendar)
    if known is None or known.account_id is None:
        ident = known.id if known else CalendarId(new_id())
        _mirror(conn, entry, wanted, account, ident, now, new_id)


def _account(conn: Connection, wanted: Wanted) -> AccountRow | None:
    found = list_accounts(conn, HOME)
    return next((one for one in found if (one.url, one.username) == (wanted.url, wanted.username)), None)


def _options(wanted: Wanted, known: AccountRow | None) -> dict[str, Any]:
    """What the environment says, beside what was found out about the server since."""
    found_out = account_options(known.options) if known else AccountOptions()
    said = replace(
        found_out,
        create=wanted.create,
        environment=True,
        insecure_http=False,
        local_network=wanted.local_network,
    )
    return said.plain()


def _mirror(
    conn: Connection,
    entry: Access,
    wanted: Wanted,
    account: AccountId,
    calendar: CalendarId,
    now: datetime,
    new_id: Callable[[], str],
) -> None:
    change = MirrorCalendar(
        calendar=calendar,
        account=account,
        member=entry.person.member,
        url=None,
        name=wanted.calendar,
        color="",
        offer="careful",
        writable=True,
    )
    carry_out(conn, entry, change, now, new_id)


def _name(conn: Connection, wanted: Wanted) -> str:
    taken = {one.name for one in list_accounts(conn, HOME)}
    host = host_of(wanted.url)
    return host if host not in taken else f"{host} ({wanted.username})"
