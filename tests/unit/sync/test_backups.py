"""Whether a version is older than another, by what programs note when they write."""

from __future__ import annotations

import pytest

from calward.sync.backups import is_older


def said(*lines: str) -> bytes:
    return "\r\n".join(("BEGIN:VEVENT", *lines, "END:VEVENT", "")).encode()


@pytest.mark.parametrize(
    ("before", "now", "older"),
    [
        (said("SEQUENCE:10"), said("SEQUENCE:9"), True),
        (said("SEQUENCE:9"), said("SEQUENCE:10"), False),
        (said("DTSTAMP:20260302T090000Z"), said("DTSTAMP:20260301T090000Z"), True),
        (said("LAST-MODIFIED:20260302T090000Z"), said("DTSTAMP:20260303T090000Z"), False),
        (
            said("SEQUENCE:2", "LAST-MODIFIED:20260301T090000Z"),
            said("SEQUENCE:1", "LAST-MODIFIED:20260302T090000Z"),
            False,
        ),
        (said("SEQUENCE:2", "DTSTAMP:20260301T090000Z"), said("SEQUENCE:1", "DTSTAMP:20260301T090000Z"), True),
        (said("SEQUENCE:1"), said("SUMMARY:Tea"), False),
        (said("SUMMARY:Tea"), said("SUMMARY:Lunch"), False),
        (said("SEQUENCE:5"), said("sequence;x-a=b:4 "), True),
    ],
)
def test_older_is_what_goes_back_in_something_and_forward_in_nothing(
    before: bytes, now: bytes, older: bool
) -> None:
    assert is_older(before, now) is older
