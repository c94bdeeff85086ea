"""Random recurrence rules for the engine's properties: valid ones, and hostile ones."""

from __future__ import annotations

from datetime import datetime
from random import Random

from hypothesis import strategies as st

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")

starts = st.datetimes(datetime(1990, 1, 1), datetime(2030, 12, 31)).map(lambda at: at.replace(microsecond=0))


def _list(low: int, high: int, *, signed: bool = False, size: int = 3) -> st.SearchStrategy[str]:
    numbers = st.integers(low, high)
    if signed:
        numbers = numbers | numbers.map(lambda number: -number)
    return st.lists(numbers, min_size=1, max_size=size, unique=True).map(
        lambda items: ",".join(map(str, items))
    )


_plain_days = st.lists(st.sampled_from(WEEKDAYS), min_size=1, max_size=5, unique=True).map(",".join)


def _nth_days(most: int) -> st.SearchStrategy[str]:
    nth = st.integers(1, most) | st.integers(-most, -1)
    one = st.builds(lambda number, day: f"{number}{day}", nth, st.sampled_from(WEEKDAYS))
    return st.lists(one, min_size=1, max_size=3, unique=True).map(",".join)


@st.composite
def valid_rules(draw: st.DrawFn) -> str:
    """RECUR text that RFC 5545 allows, with neither COUNT nor UNTIL."""
    freq = draw(st.sampled_from(("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY")))
    parts = {"FREQ": freq}
    wanted = draw(
        st.sets(
            st.sampled_from(
                (
                    "INTERVAL",
                    "BYMONTH",
                    "BYMONTHDAY",
                    "BYYEARDAY",
                    "BYWEEKNO",
                    "BYDAY",
                    "BYHOUR",
                    "BYMINUTE",
                    "BYSECOND",
                    "WKST",
                )
            ),
            max_size=4,
        )
    )
    if "INTERVAL" in wanted:
        parts["INTERVAL"] = str(draw(st.integers(1, 5)))
    if "BYMONTH" in wanted:
        parts["BYMONTH"] = draw(_list(1, 12))
    if "BYMONTHDAY" in wanted and freq != "WEEKLY":
        parts["BYMONTHDAY"] = draw(_list(1, 31, signed=True))
    if "BYYEARDAY" in wanted and freq in ("YEARLY", "HOURLY", "MINUTELY", "SECONDLY"):
        parts["BYYEARDAY"] = draw(_list(1, 366, signed=True))
    if "BYWEEKNO" in wanted and freq == "YEARLY":
        parts["BYWEEKNO"] = draw(_list(1, 53, signed=True))
    if "BYDAY" in wanted:
        if freq == "MONTHLY":
            parts["BYDAY"] = draw(_plain_days | _nth_days(5))
        elif freq == "YEARLY" and "BYWEEKNO" not in parts:
            parts["BYDAY"] = draw(_plain_days | _nth_days(5 if "BYMONTH" in parts else 53))
        else:
            parts["BYDAY"] = draw(_plain_days)
    for name, high in (("BYHOUR", 23), ("BYMINUTE", 59), ("BYSECOND", 59)):
        if name in wanted:
            parts[name] = draw(_list(0, high))
    if "WKST" in wanted:
        parts["WKST"] = draw(st.sampled_from(WEEKDAYS))
    if draw(st.booleans()) and any(name.startswith("BY") for name in parts):
        parts["BYSETPOS"] = draw(_list(1, 4, signed=True, size=2))
    return ";".join(f"{name}={value}" for name, value in parts.items())


def hostile_rule(chance: Random) -> str:
    """RECUR text from anyone: parts that cannot stand together, absurd numbers, what never matches."""
    parts = [
        "FREQ=" + chance.choice(("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"))
    ]
    for name in chance.sample(sorted(_HIGHEST), chance.randint(0, 5)):
        high = _HIGHEST[name]
        size = chance.choice((1, 1, 2, 5, 40))
        parts.append(f"{name}=" + ",".join(str(chance.randint(-high, high + 1)) for _ in range(size)))
    if chance.random() < 0.4:
        days = [
            chance.choice(("", "1", "-1", "2", "53")) + chance.choice(WEEKDAYS)
            for _ in range(chance.randint(1, 4))
        ]
        parts.append("BYDAY=" + ",".join(days))
    if chance.random() < 0.5:
        parts.append(
            f"INTERVAL={chance.choice((1, 2, 3, 7, 12, 60, 86_400, 2_000_000_000, chance.randint(1, 100_000)))}"
        )
    if chance.random() < 0.3:
        parts.append(f"COUNT={chance.choice((1, 10, 1000, 10**9))}")
    if chance.random() < 0.2:
        parts.append(f"SKIP={chance.choice(('FORWARD', 'BACKWARD', 'SIDEWAYS'))}")
    chance.shuffle(parts)
    return ";".join(parts)


_HIGHEST = {
    "BYSECOND": 59,
    "BYMINUTE": 59,
    "BYHOUR": 23,
    "BYMONTHDAY": 31,
    "BYYEARDAY": 366,
    "BYWEEKNO": 53,
    "BYMONTH": 12,
    "BYSETPOS": 366,
}
