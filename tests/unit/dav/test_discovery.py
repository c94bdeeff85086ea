"""From an address to the calendars, played against scripted servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import pytest

from calward.dav import names
from calward.dav.discovery import Discovery, discover, normal_address
from calward.dav.errors import NotCalDav, NothingFound, NotPermitted, ServerTrouble, SignInRefused
from calward.dav.messages import Answer, Ask, Headers
from calward.dav.options import NO_OFFERS, Offers, read_options
from calward.dav.presets import PRESETS, preset
from calward.dav.quirks import (
    NO_SIGNS,
    QUIRKS,
    Capabilities,
    Quirk,
    Signs,
    capabilities_of,
    quirks_of,
    signs_of,
)
from calward.errors import InvalidInput

Server = Callable[[Ask], Answer]
CALENDAR = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
COLLECTION = "<d:resourcetype><d:collection/></d:resourcetype>"


def principal(href: str) -> str:
    return f"<d:current-user-principal><d:href>{href}</d:href></d:current-user-principal>"


def home_set(*hrefs: str) -> str:
    return f"<c:calendar-home-set>{''.join(f'<d:href>{href}</d:href>' for href in hrefs)}</c:calendar-home-set>"


def named(name: str) -> str:
    return CALENDAR + f"<d:displayname>{name}</d:displayname>"


class Script:
    """A server as a table: path (and depth) → rows of (href, properties), a status, or a place to go on to."""

    def __init__(self, **hosts: Mapping[str, object]) -> None:
        self.table = {
            f"{host.replace('_', '.')}{path}": told
            for host, paths in hosts.items()
            for path, told in paths.items()
        }
        self.asked: list[str] = []
        self.options: tuple[int, Headers] = (200, ())

    def __call__(self, ask: Ask) -> Answer:
        parts = urlsplit(ask.url)
        place = f"{parts.hostname}{parts.path}"
        if ask.method == "OPTIONS":
            return Answer(*self.options, url=ask.url)
        deep = f"{place} depth 1"
        told = self.table.get(deep if dict(ask.headers)["Depth"] == "1" and deep in self.table else place, 404)
        self.asked.append(ask.url)
        if isinstance(
            told, str
        ):  # as the network does it: the redirect is followed, the answer says where it ended
            return self(Ask(ask.method, told, ask.headers, ask.body))
        if isinstance(told, int):
            return Answer(told, url=ask.url)
        assert isinstance(told, list)
        rows = "".join(
            f"<d:response><d:href>{href}</d:href><d:propstat><d:prop>{props}</d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
            for href, props in told
        )
        body = f'<d:multistatus xmlns:d="DAV:" xmlns:c="{names.CALDAV}">{rows}</d:multistatus>'
        return Answer(207, (("Server", "Test/1"),), body.encode(), ask.url)


def play(address: str, server: Server) -> Discovery:
    talk = discover(address)
    try:
        ask = next(talk)
        while True:
            ask = talk.send(server(ask))
    except StopIteration as done:
        found: Discovery = done.value
        return found


WHOLE = {
    "/.well-known/caldav": "https://dav.example/entry/",
    "/entry/": [("/entry/", COLLECTION + principal("/people/alice/"))],
    "/people/alice/": [
        (
            "/people/alice/",
            home_set("/homes/alice/")
            + "<c:calendar-user-address-set><d:href>mailto:alice@example.org</d:href>"
            + "</c:calendar-user-address-set>",
        )
    ],
    "/homes/alice/": [
        ("/homes/alice/", COLLECTION),
        ("/homes/alice/work/", named("Work")),
        ("/homes/alice/inbox/", COLLECTION),
    ],
}


def test_a_bare_host_is_followed_from_its_well_known_place_to_the_calendars() -> None:
    script = Script(dav_example=WHOLE)
    found = play("dav.example", script)
    assert found.url == "https://dav.example/entry/"
    assert found.principal == "https://dav.example/people/alice/"
    assert found.homes == ("https://dav.example/homes/alice/",)
    assert [(calendar.url, calendar.name) for calendar in found.calendars] == [
        ("https://dav.example/homes/alice/work/", "Work")
    ]
    assert found.addresses == ("mailto:alice@example.org",)
    assert found.direct is None
    assert found.signs == Signs("dav.example", "/homes/alice/", "server: test/1")
    assert len(script.asked) == 4  # one of them only a redirect


def test_the_address_of_one_calendar_finds_it_and_its_siblings() -> None:
    direct = "/homes/alice/work/"
    script = Script(dav_example={**WHOLE, direct: [(direct, named("Work") + principal("/people/alice/"))]})
    found = play("https://dav.example/homes/alice/work/", script)
    assert found.direct == "https://dav.example/homes/alice/work/"
    assert [calendar.name for calendar in found.calendars] == ["Work"]
    assert found.homes == ("https://dav.example/homes/alice/",)


def test_one_calendar_on_a_server_that_tells_nothing_else_is_enough() -> None:
    script = Script(dav_example={"/work/": [("/work/", named("Work"))]})
    found = play("https://dav.example/work/", script)
    assert ([calendar.name for calendar in found.calendars], found.homes, found.principal) == (
        ["Work"],
        (),
        None,
    )


def test_a_home_may_be_on_another_host() -> None:
    home = "https://p34-caldav.example:443/7/calendars/"
    script = Script(
        caldav_example={
            "/": [("/", COLLECTION + principal("/7/principal/"))],
            "/7/principal/": [("/7/principal/", home_set(home))],
        },
        **{
            "p34-caldav_example": {
                "/7/calendars/": [("/7/calendars/", COLLECTION), ("/7/calendars/a/", named("A"))]
            }
        },
    )
    found = play("caldav.example", script)
    assert found.homes == (home,)
    assert [calendar.url for calendar in found.calendars] == ["https://p34-caldav.example:443/7/calendars/a/"]


def test_the_old_principal_property_and_a_home_at_once_will_do() -> None:
    old = "<d:principal-URL><d:href>/people/alice/</d:href></d:principal-URL>"
    script = Script(dav_example={**WHOLE, "/dav/": [("/dav/", COLLECTION + old)]})
    assert play("https://dav.example/dav/", script).principal == "https://dav.example/people/alice/"
    straight = Script(
        dav_example={
            **WHOLE,
            "/dav/": [("/dav/", COLLECTION + home_set("/homes/alice/") + principal("/closed/"))],
        }
    )
    found = play("https://dav.example/dav/", straight)
    assert (found.homes, found.principal) == (
        ("https://dav.example/homes/alice/",),
        "https://dav.example/closed/",
    )


def test_an_address_that_is_itself_a_home_is_read_as_one() -> None:
    script = Script(
        dav_example={
            "/alice/": [
                (
                    "/alice/",
                    COLLECTION + "<d:current-user-principal><d:unauthenticated/></d:current-user-principal>",
                )
            ],
            "/alice/ depth 1": [("/alice/", COLLECTION), ("/alice/a/", named("A"))],
        }
    )
    found = play("https://dav.example/alice/", script)
    assert ([calendar.name for calendar in found.calendars], found.homes) == (
        ["A"],
        ("https://dav.example/alice/",),
    )


def test_an_account_without_calendars_is_found_all_the_same() -> None:
    empty = {**WHOLE, "/homes/alice/": [("/homes/alice/", COLLECTION)]}
    found = play("dav.example", Script(dav_example=empty))
    assert found.calendars == ()
    assert found.homes == ("https://dav.example/homes/alice/",)


def test_a_home_that_cannot_be_read_does_not_hide_the_others() -> None:
    two = {
        **WHOLE,
        "/people/alice/": [("/people/alice/", home_set("/homes/bob/", "/homes/alice/"))],
        "/homes/bob/": 403,
    }
    found = play("dav.example", Script(dav_example=two))
    assert found.homes == ("https://dav.example/homes/alice/",)
    assert [calendar.name for calendar in found.calendars] == ["Work"]


def test_an_address_that_leads_nowhere_is_tried_at_the_known_places_too() -> None:
    script = Script(dav_example=WHOLE)
    assert play("https://dav.example/wrong/path/", script).homes == ("https://dav.example/homes/alice/",)
    assert script.asked[:2] == ["https://dav.example/wrong/path/", "https://dav.example/.well-known/caldav"]


def test_a_refused_password_ends_it_at_once() -> None:
    script = Script(dav_example={**WHOLE, "/entry/": 401})
    with pytest.raises(SignInRefused):
        play("dav.example", script)
    assert len(script.asked) == 2


def test_what_the_home_offers_and_shows_of_itself_is_asked_of_it_alone() -> None:
    script = Script(dav_example=WHOLE)
    script.options = (
        200,
        (("Server", "Cyrus-HTTP/3.6.1"), ("DAV", "1, Calendar-Auto-Schedule, x"), ("Allow", "options,REPORT")),
    )
    found = play("dav.example", script)
    assert found.offers == Offers(
        frozenset({"1", "calendar-auto-schedule", "x"}), frozenset({"OPTIONS", "REPORT"})
    )
    assert found.offers.schedules
    assert capabilities_of(found.signs).pages_changes
    assert "server: test/1" in found.signs.headers


@pytest.mark.parametrize("status", [401, 405, 500, 501])
def test_a_server_that_does_not_say_what_it_offers_is_not_known_to_offer_anything(status: int) -> None:
    script = Script(dav_example=WHOLE)
    script.options = (status, (("DAV", "1, calendar-auto-schedule"),))
    found = play("dav.example", script)
    assert (found.offers, found.offers.schedules) == (NO_OFFERS, None)
    assert [calendar.name for calendar in found.calendars] == ["Work"]


def test_a_server_that_says_what_it_offers_and_names_no_scheduling_does_none() -> None:
    assert read_options(Answer(200, (("DAV", "1, calendar-access"),))).schedules is False


def test_trouble_of_the_server_is_not_taken_for_a_wrong_address() -> None:
    with pytest.raises(ServerTrouble):
        play("dav.example", Script(dav_example={"/.well-known/caldav": 500}))


def test_a_place_that_stumbles_over_what_it_is_asked_is_asked_for_less() -> None:
    script = Script(dav_example=WHOLE)

    def stumbling(ask: Ask) -> Answer:
        return Answer(500, url=ask.url) if "/entry" in ask.url and b"sync-token" in ask.body else script(ask)

    found = play("https://dav.example/entry/", stumbling)
    assert [calendar.name for calendar in found.calendars] == ["Work"]


def test_a_host_that_speaks_no_caldav_is_told_apart_from_one_that_shows_nothing() -> None:
    with pytest.raises(NotCalDav, match=r"No calendar server answers at dav\.example"):
        play("dav.example", Script(dav_example={}))
    with pytest.raises(NothingFound, match="shows this account no calendars"):
        play("dav.example", Script(dav_example={"/": [("/", COLLECTION)], "/ depth 1": [("/", COLLECTION)]}))
    with pytest.raises(NotPermitted):
        play("dav.example", Script(dav_example={"/.well-known/caldav": 403}))


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("dav.example", "https://dav.example/"),
        (" https://dav.example ", "https://dav.example/"),
        ("dav.example:8443/x/#y", "https://dav.example:8443/x/"),
        ("http://127.0.0.1:5232", "http://127.0.0.1:5232/"),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, url: str) -> None:
    assert normal_address(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "ftp://dav.example/", "https://", "file:///etc/passwd", "javascript://x/"]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInput):
        normal_address(typed)


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(InvalidInput) as caught:
        normal_address("https://alice:canary@dav.example/")
    assert "canary" not in caught.value.message


def test_every_preset_starts_somewhere_and_names_its_source() -> None:
    assert {row.name for row in PRESETS} == {
        "icloud",
        "fastmail",
        "nextcloud",
        "mailbox.org",
        "posteo",
        "synology",
        "radicale",
        "baikal",
        "generic",
    }
    for row in PRESETS:
        assert normal_address(row.url("cloud.example")).startswith("https://")
        assert row.source
        assert not row.password_page or row.password_hint


def test_a_preset_is_found_by_name_and_asks_for_its_host() -> None:
    row = preset(" Nextcloud ")
    assert row.url("https://cloud.example/") == "https://cloud.example/remote.php/dav/"
    assert preset("radicale").url("http://127.0.0.1:5232/") == "http://127.0.0.1:5232"
    assert preset("icloud").url("ignored") == "https://caldav.icloud.com/"
    with pytest.raises(InvalidInput, match="host name"):
        row.url(" ")
    with pytest.raises(InvalidInput, match="icloud, fastmail"):
        preset("hotmail")


def test_a_server_that_shows_nothing_is_taken_to_follow_the_rfcs() -> None:
    assert capabilities_of(NO_SIGNS) == Capabilities()


@pytest.mark.parametrize(
    ("signs", "name", "capability", "value"),
    [
        (Signs(headers="server: cyrus-http/3.6.1 cyrus-sasl/2.1"), "cyrus", "pages_changes", True),
        (Signs(headers="server: cyrus-http/3.6.1 cyrus-sasl/2.1"), "cyrus", "keeps_bytes", False),
        (Signs(headers="x-davical-version: davical/1.1.12"), "davical", "tells_bad_token", False),
        (Signs(path="/sogo/dav/alice/calendar/personal/"), "sogo", "checks_if_match", False),
        (Signs(path="/caldav.php/alice/home/"), "synology", "tells_bad_token", False),
        (Signs("dav.mailbox.org"), "open-xchange", "put_etag", False),
        (Signs("caldav.gmx.net"), "broken-sync", "sync_tokens", False),
        (Signs("caldav.gmx.net"), "weak-etag", "put_etag", False),
        (Signs("p34-caldav.icloud.com"), "icloud", "pages_changes", False),
        (Signs(path="/remote.php/dav/calendars/alice/"), "nextcloud", "pages_changes", False),
        (Signs(headers="server: stalwart/0.9"), "stalwart", "sync_tokens", False),
        (Signs("sync.infomaniak.com"), "infomaniak", "sync_tokens", False),
    ],
)
def test_a_server_is_known_by_what_it_shows(signs: Signs, name: str, capability: str, value: bool) -> None:
    assert name in [quirk.name for quirk in quirks_of(signs)]
    assert getattr(capabilities_of(signs), capability) is value


def test_a_host_is_meant_as_a_whole_and_not_by_its_last_letters() -> None:
    assert quirks_of(Signs("notgmx.net")) == ()
    assert quirks_of(Signs("posteo.de.example")) == ()


def test_every_quirk_has_a_source_and_changes_what_exists() -> None:
    assert len({quirk.name for quirk in QUIRKS}) == len(QUIRKS)
    for quirk in QUIRKS:
        assert quirk.source
        assert quirk.says
        assert quirk.hosts or quirk.paths or quirk.headers
        for capability, value in quirk.changes.items():
            assert getattr(Capabilities(), capability) is not value
    assert not Quirk("x", "x", "x", {}).fits(Signs("h", "/p", "server: y"))


def test_an_answer_shows_its_host_path_and_telling_headers() -> None:
    answer = Answer(
        207, (("Server", "Foo/1"), ("DAV", "1, calendar-access"), ("Date", "x")), url="https://H.Example:1/P/"
    )
    assert signs_of(answer) == Signs("h.example", "/p/", "server: foo/1\ndav: 1, calendar-access")
