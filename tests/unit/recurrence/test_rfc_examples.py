"""The examples of RFC 5545 §3.8.5.3 and RFC 7529 §3, written down anew: rule, start, and the days it gives."""

from datetime import datetime, timedelta

import pytest

from calward.recurrence.expand import expand_rule
from calward.recurrence.rule import parse_rule

NINE = datetime(1997, 9, 2, 9)


def days(text: str) -> list[datetime]:
    """``1997-9: 2 3; 10: 14`` as times at nine; a year or month stays until the next is named."""
    found: list[datetime] = []
    year = 0
    for group in text.split(";"):
        head, _, tail = group.partition(":")
        *years, month = head.strip().split("-")
        year = int(years[0]) if years else year
        found += [datetime(year, int(month), int(day), 9) for day in tail.split()]
    return found


def first(rule_text: str, start: datetime, number: int) -> list[datetime]:
    rule = parse_rule(rule_text)
    until = rule.until.wall if rule.until else None
    walls = expand_rule(rule, start, start, start + timedelta(days=365 * 60), until=until)
    assert not walls.partial
    return list(walls.moments[:number])


EXAMPLES = [
    ("daily ten times", "FREQ=DAILY;COUNT=10", "1997-9: 2", "1997-9: 2 3 4 5 6 7 8 9 10 11"),
    (
        "every other day",
        "FREQ=DAILY;INTERVAL=2",
        "1997-9: 2",
        "1997-9: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 10: 2",
    ),
    ("every ten days, five times", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-9: 2", "1997-9: 2 12 22; 10: 2 12"),
    ("weekly ten times", "FREQ=WEEKLY;COUNT=10", "1997-9: 2", "1997-9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4"),
    (
        "weekly until Christmas Eve",
        "FREQ=WEEKLY;UNTIL=19971224T000000Z",
        "1997-9: 2",
        "1997-9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4 11 18 25; 12: 2 9 16 23",
    ),
    (
        "every other week",
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
        "1997-9: 2",
        "1997-9: 2 16 30; 10: 14 28; 11: 11 25; 12: 9",
    ),
    (
        "Tuesdays and Thursdays for five weeks",
        "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
        "1997-9: 2",
        "1997-9: 2 4 9 11 16 18 23 25 30; 10: 2",
    ),
    (
        "three days of every other week",
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
        "1997-9: 1",
        "1997-9: 1 3 5 15 17 19 29; 10: 1 3 13 15 17 27 29 31; 11: 10 12 14 24 26 28; 12: 8 10 12 22",
    ),
    (
        "two days of every other week, eight times",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
        "1997-9: 2",
        "1997-9: 2 4 16 18 30; 10: 2 14 16",
    ),
    (
        "the first Friday, ten times",
        "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
        "1997-9: 5",
        "1997-9: 5; 10: 3; 11: 7; 12: 5; 1998-1: 2; 2: 6; 3: 6; 4: 3; 5: 1; 6: 5",
    ),
    (
        "the first and last Sunday of every other month",
        "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
        "1997-9: 7",
        "1997-9: 7 28; 11: 2 30; 1998-1: 4 25; 3: 1 29; 5: 3 31",
    ),
    (
        "the last Monday but one",
        "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
        "1997-9: 22",
        "1997-9: 22; 10: 20; 11: 17; 12: 22; 1998-1: 19; 2: 16",
    ),
    (
        "the third day from the end of the month",
        "FREQ=MONTHLY;BYMONTHDAY=-3",
        "1997-9: 28",
        "1997-9: 28; 10: 29; 11: 28; 12: 29; 1998-1: 29; 2: 26",
    ),
    (
        "the 2nd and 15th",
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
        "1997-9: 2",
        "1997-9: 2 15; 10: 2 15; 11: 2 15; 12: 2 15; 1998-1: 2 15",
    ),
    (
        "the first and last day of the month",
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
        "1997-9: 30",
        "1997-9: 30; 10: 1 31; 11: 1 30; 12: 1 31; 1998-1: 1 31; 2: 1",
    ),
    (
        "the 10th to 15th every 18 months",
        "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
        "1997-9: 10",
        "1997-9: 10 11 12 13 14 15; 1999-3: 10 11 12 13",
    ),
    (
        "every Tuesday of every other month",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
        "1997-9: 2",
        "1997-9: 2 9 16 23 30; 11: 4 11 18 25; 1998-1: 6 13 20 27; 3: 3",
    ),
    (
        "in June and July",
        "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
        "1997-6: 10",
        "1997-6: 10; 7: 10; 1998-6: 10; 7: 10; 1999-6: 10; 7: 10; 2000-6: 10; 7: 10; 2001-6: 10; 7: 10",
    ),
    (
        "in the first three months of every other year",
        "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
        "1997-3: 10",
        "1997-3: 10; 1999-1: 10; 2: 10; 3: 10; 2001-1: 10; 2: 10; 3: 10; 2003-1: 10; 2: 10; 3: 10",
    ),
    (
        "the 1st, 100th and 200th day every third year",
        "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
        "1997-1: 1",
        "1997-1: 1; 4: 10; 7: 19; 2000-1: 1; 4: 9; 7: 18; 2003-1: 1; 4: 10; 7: 19; 2006-1: 1",
    ),
    (
        "the 20th Monday of the year",
        "FREQ=YEARLY;BYDAY=20MO",
        "1997-5: 19",
        "1997-5: 19; 1998-5: 18; 1999-5: 17",
    ),
    (
        "the Monday of week 20",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
        "1997-5: 12",
        "1997-5: 12; 1998-5: 11; 1999-5: 17",
    ),
    (
        "every Thursday in March",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
        "1997-3: 13",
        "1997-3: 13 20 27; 1998-3: 5 12 19 26; 1999-3: 4 11 18 25",
    ),
    (
        "every Thursday of summer",
        "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
        "1997-6: 5",
        "1997-6: 5 12 19 26; 7: 3 10 17 24 31; 8: 7 14 21 28; 1998-6: 4",
    ),
    (
        "Friday the 13th",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "1998-2: 13",
        "1998-2: 13; 3: 13; 11: 13; 1999-8: 13; 2000-10: 13",
    ),
    (
        "the Saturday after the first Sunday",
        "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
        "1997-9: 13",
        "1997-9: 13; 10: 11; 11: 8; 12: 13; 1998-1: 10; 2: 7; 3: 7; 4: 11; 5: 9; 6: 13",
    ),
    (
        "election day",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "1996-11: 5",
        "1996-11: 5; 2000-11: 7; 2004-11: 2",
    ),
    (
        "the third of Tuesday, Wednesday, Thursday",
        "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
        "1997-9: 4",
        "1997-9: 4; 10: 7; 11: 6",
    ),
    (
        "the last working day but one",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
        "1997-9: 29",
        "1997-9: 29; 10: 30; 11: 27; 12: 30; 1998-1: 29; 2: 26; 3: 30",
    ),
    (
        "weeks from Monday",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
        "1997-8: 5",
        "1997-8: 5 10 19 24",
    ),
    (
        "weeks from Sunday",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
        "1997-8: 5",
        "1997-8: 5 17 19 31",
    ),
    (
        "a date that is not there is left out",
        "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
        "2007-1: 15",
        "2007-1: 15 30; 2: 15; 3: 15 30",
    ),
    (
        "the last of February, moved back",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4",
        "2014-1: 31",
        "2014-1: 31; 2: 28; 3: 31; 4: 30",
    ),
    (
        "the last of February, moved on",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4",
        "2014-1: 31",
        "2014-1: 31; 3: 1 31; 5: 1",
    ),
    (
        "a leap day every year, moved on",
        "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=5",
        "2016-2: 29",
        "2016-2: 29; 2017-3: 1; 2018-3: 1; 2019-3: 1; 2020-2: 29",
    ),
]


@pytest.mark.parametrize(
    ("rule", "start", "expected"), [row[1:] for row in EXAMPLES], ids=[row[0] for row in EXAMPLES]
)
def test_the_examples_of_the_rfc_hold(rule: str, start: str, expected: str) -> None:
    wanted = days(expected)
    assert first(rule, days(start)[0], len(wanted)) == wanted


def test_every_day_in_january_is_the_same_said_by_year_and_by_day() -> None:
    start = datetime(1998, 1, 1, 9)
    yearly = first("FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", start, 1000)
    assert yearly == first("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", start, 1000)
    assert len(yearly) == 93
    assert {moment.month for moment in yearly} == {1}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "9:00 12:00 15:00"),
        ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "9:00 9:15 9:30 9:45 10:00 10:15"),
        ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "9:00 10:30 12:00 13:30"),
        ("FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40;COUNT=5", "9:00 9:20 9:40 10:00 10:20"),
        ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16;COUNT=5", "9:00 9:20 9:40 10:00 10:20"),
    ],
)
def test_rules_finer_than_a_day_follow_the_rfc(rule: str, expected: str) -> None:
    times = [f"{moment.hour}:{moment.minute:02}" for moment in first(rule, NINE, 6)]
    assert times == expected.split()


def test_every_twenty_minutes_of_office_hours_is_the_same_said_by_day_and_by_minute() -> None:
    by_day = first("FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40;COUNT=100", NINE, 100)
    assert by_day == first("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16;COUNT=100", NINE, 100)
