"""Zone names, as programs spell them."""

from datetime import UTC, timedelta, timezone

import pytest

from calward.ical.windows_zones import WINDOWS_ZONES
from calward.ical.zone_names import (
    described_zone,
    iana_zone,
    named_zone,
    zone_name,
)


def name_of(tzid: str) -> str:
    zone = named_zone(tzid)
    return zone_name(zone) if zone else "unknown"


@pytest.mark.parametrize(
    "tzid",
    [
        "Europe/Berlin",
        "europe/BERLIN",
        ' "Europe/Berlin" ',
        "'Europe/Berlin'",
        "Europe_Berlin",
        "Europe-Berlin",
        "/Europe/Berlin",
        "/freeassociation.sourceforge.net/Europe/Berlin",
        "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin",
        "/mozilla.org/20070129_1/Europe/Berlin",
        "/citadel.org/20211207_1/Europe/Berlin",
        "/softwarestudio.org/Olson_20011030_5/Europe/Berlin",
        "posix/Europe/Berlin",
        "tzone://Example/Europe/Berlin",
        "W. Europe Standard Time",
        "w. europe standard time",
    ],
)
def test_one_zone_has_many_spellings(tzid: str) -> None:
    assert name_of(tzid) == "Europe/Berlin"


@pytest.mark.parametrize(
    ("tzid", "name"),
    [
        ("America-New_York", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("America-Port-of-Spain", "America/Port_of_Spain"),
        ("America-Port-au-Prince", "America/Port-au-Prince"),
        ("/example.org/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("/example.org/Japan", "Japan"),
        ("US-Eastern", "US/Eastern"),
        ("Etc/GMT+5", "Etc/GMT+5"),
        ("EST5EDT", "EST5EDT"),
        ("Kamchatka Standard Time", "Asia/Kamchatka"),
    ],
)
def test_and_so_have_others(tzid: str, name: str) -> None:
    assert name_of(tzid) == name


@pytest.mark.parametrize(
    "tzid",
    [
        "",
        "/",
        "Moon/Tranquility",
        "Europe",
        "Berlin",
        "Europe/Berlin/Mitte",
        "custom_Europe/Berlin",
        "../../etc/passwd",
        "/../../../etc/passwd",
        "Europe/Berlin\0",
        "localtime",
        "CST",
        "UTC+25:00",
        "UTC+01:99",
        "Europe/Berlin" * 100,
    ],
)
def test_what_names_no_zone_is_none(tzid: str) -> None:
    assert name_of(tzid) == "unknown"


def test_utc_and_fixed_offsets_are_zones() -> None:
    assert named_zone("Z") is UTC
    assert zone_name(UTC) == "UTC"
    assert name_of("UTC") == "UTC"
    assert named_zone("UTC+01:00") == named_zone("(GMT +0100)") == timezone(timedelta(hours=1))
    assert named_zone("-0530") == timezone(-timedelta(hours=5, minutes=30))
    assert zone_name(timezone(timedelta(hours=1))) == ""


def test_every_windows_name_stands_for_a_zone_that_exists() -> None:
    assert len(WINDOWS_ZONES) >= 139
    for windows, iana in WINDOWS_ZONES.items():
        assert name_of(windows) in (iana, windows), "a name of its own only where it is one of IANA's too"


@pytest.mark.parametrize(
    ("tzid", "name"),
    [
        ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Amsterdam"),
        ("(GMT+07.00) Bangkok; Hanoi; Jakarta", "Asia/Bangkok"),
        ("(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"),
        ("(UTC-10:00) Hawaii", "Pacific/Honolulu"),
        ("Kuala Lumpur, Singapore", "Asia/Kuala_Lumpur"),
    ],
)
def test_a_description_by_cities_is_a_zone(tzid: str, name: str) -> None:
    zone = described_zone(tzid)
    assert zone is not None
    assert zone_name(zone) == name


@pytest.mark.parametrize(
    "tzid",
    [
        "Berlin",
        "Berlin, Tokyo",
        "Berlin, Atlantis",
        "(UTC+05:00) Berlin",
        "(UTC+01:00) Atlantis",
        "(UTC+01:00)",
        "",
        "Berlin," * 100,
    ],
)
def test_a_description_that_does_not_agree_with_itself_is_none(tzid: str) -> None:
    assert described_zone(tzid) is None


def test_a_zone_that_this_machine_lacks_is_none() -> None:
    assert iana_zone("Europe/Nowhere") is None
    assert iana_zone("Europe") is None
