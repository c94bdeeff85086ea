"""Other ways to count days, as functions from a Gregorian year to dates: Easter, Hebrew, Islamic, Chinese,
Hindu.

Sources: the computus in its anonymous Gregorian form; E. Reingold and N. Dershowitz, Calendrical Calculations,
for the Hebrew calendar; ``skies`` for the lunar months of Islam, China and India. Where a feast waits for a
sighting of the moon, communities may differ from these dates by a day.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from math import floor

from calward.language import skies

CHINA = timedelta(hours=8)
INDIA = timedelta(hours=5, minutes=30)
HEBREW_EPOCH = -1373427
"""Ordinal (1 = 1 January of year 1) of 1 Tishri AM 1."""
ARABIAN_TIME = timedelta(hours=3)
ARABIA = (24.6, 46.7)
"""Latitude and longitude of Riyadh, for sunsets."""
MUHARRAM_OF_1421 = 3
"""The lunation, counted from that of January 2000, that began AH 1421 (April 2000)."""


def easter(year: int) -> date:
    """Easter Sunday of the western churches."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def orthodox_easter(year: int) -> date:
    """Easter Sunday of the eastern churches, in the Gregorian calendar."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    f = d + e + 114
    julian = date(year, f // 31, f % 31 + 1)
    return julian + timedelta(days=year // 100 - year // 400 - 2)


def sun_at(year: int, longitude: int) -> date:
    """The day in UTC on which an equinox (0 or 180 degrees) or solstice (90 or 270) falls."""
    near = datetime(year, 3 + longitude // 30, 21)
    return skies.moment(skies.when_sun_reaches(longitude, skies.day_number(near))).date()


def hebrew(year: int, month: int, day: int) -> list[date]:
    """The days in a Gregorian year that are this Hebrew date. Months count from Nisan = 1; 12 is the Adar of
    Purim."""
    out = []
    for hebrew_year in (year + 3760, year + 3761):
        leap = (7 * hebrew_year + 1) % 19 < 7
        found = _hebrew_ordinal(hebrew_year, 13 if leap and month == 12 else month, day)
        if 1 <= found <= date.max.toordinal() and date.fromordinal(found).year == year:
            out.append(date.fromordinal(found))
    return out


def _hebrew_ordinal(year: int, month: int, day: int) -> int:
    last = 13 if (7 * year + 1) % 19 < 7 else 12
    before = [*range(7, last + 1), *range(1, month)] if month < 7 else range(7, month)
    return _hebrew_new_year(year) + sum(_hebrew_month_length(year, m) for m in before) + day - 1


def _hebrew_month_length(year: int, month: int) -> int:
    length = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    leap = (7 * year + 1) % 19 < 7
    short = month in (2, 4, 6, 10, 13)
    short = short or (month == 12 and not leap)
    short = short or (month == 8 and length % 10 != 5)
    short = short or (month == 9 and length % 10 == 3)
    return 29 if short else 30


@lru_cache(maxsize=256)
def _hebrew_new_year(year: int) -> int:
    def elapsed(of_year: int) -> int:
        months = (235 * of_year - 234) // 19
        parts = 12084 + 13753 * months
        days = 29 * months + parts // 25920
        return days + (1 if 3 * (days + 1) % 7 < 3 else 0)

    before, this, after = elapsed(year - 1), elapsed(year), elapsed(year + 1)
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return HEBREW_EPOCH + this + delay


def islamic(year: int, month: int, day: int) -> list[date]:
    """The days in a Gregorian year that are this Islamic date by the calendar of Umm al-Qura; there may be two.

    A month begins with the first sunset in Arabia after the new moon; until 1999 with the one before it where
    the moon was twelve hours old by then.
    """
    out = []
    first = floor(((year - 1) - 2000) * 12.3685) - 1
    for lunation in range(first, first + 28):
        if (lunation - MUHARRAM_OF_1421 + 1 - month) % 12 == 0:
            found = _islamic_month_start(skies.new_moon(lunation)) + timedelta(days=day - 1)
            if found.year == year:
                out.append(found)
    return out


def _islamic_month_start(new_moon: float) -> date:
    sunset = skies.sunset_after(new_moon, *ARABIA)
    evening = (skies.moment(sunset) + ARABIAN_TIME).date()
    if evening.year < 1999 and sunset - new_moon >= 0.5:
        return evening
    return evening + timedelta(days=1)


def chinese(year: int, month: int, day: int) -> list[date]:
    """A date of the Chinese calendar. A month is the one in which the sun reaches its principal term."""
    middle = skies.day_number(datetime(year, 1, 1)) + 50 + 30.4 * (month - 1)
    term = skies.when_sun_reaches((330 + 30 * (month - 1)) % 360, middle)
    end_of_day = _local_midnight(term, CHINA) + 1
    start = skies.new_moon_before(end_of_day - 1e-9)
    found = (skies.moment(start) + CHINA).date() + timedelta(days=day - 1)
    return [found] if found.year == year else []


def hindu(year: int, month: int, tithi: int, hour: float) -> list[date]:
    """The day on which a tithi holds at an hour of the Indian clock. Months end with the new moon, Chaitra is
    1."""
    middle = skies.day_number(datetime(year, 1, 1)) + 104 + 30.4 * (month - 1)
    out = []
    for near in (middle - 365.2422, middle):
        sankranti = skies.when_sun_reaches(30.0 * (month - 1) % 360, near, sidereal=True)
        start = skies.new_moon_before(sankranti)
        begin = skies.when_moon_leads(12.0 * (tithi - 1), start) if tithi > 1 else start
        end = skies.when_moon_leads(12.0 * tithi, start) if tithi < 30 else skies.new_moon_before(start + 31)
        day = (skies.moment(begin) + INDIA).date()
        if skies.day_number(datetime(day.year, day.month, day.day) - INDIA) + hour / 24 < begin:
            following = day + timedelta(days=1)
            at_hour = (
                skies.day_number(datetime(following.year, following.month, following.day) - INDIA) + hour / 24
            )
            day = following if at_hour < end else day
        if day.year == year:
            out.append(day)
    return out


def sankranti(year: int, sign: int) -> list[date]:
    """The day the sun enters a sidereal sign (Aries 0), by the Indian clock; after sunset it counts to the
    next."""
    near = skies.day_number(datetime(year, 1, 1)) + (104 + 30.4 * sign) % 365.2422
    at = skies.moment(skies.when_sun_reaches(30.0 * sign, near, sidereal=True)) + INDIA
    day = at.date() + timedelta(days=1 if at.hour >= 18 else 0)
    return [day] if day.year == year else []


def nakshatra(year: int, sign: int, number: int) -> list[date]:
    """The day in a solar month on whose sunrise the moon is in a lunar mansion (Ashvini 1)."""
    first = skies.day_number(datetime(*_ymd(sankranti(year, sign)[0])))
    for offset in range(31):
        dawn = first + offset + 0.02
        at = (skies.moon_longitude(dawn) - skies.ayanamsa(dawn)) % 360
        if floor(at / (360 / 27)) + 1 == number:
            return [skies.moment(first + offset).date()]
    return []


def parsi_new_year(year: int) -> list[date]:
    """1 Farvardin by the Shahenshahi count of 365 days, without leap years; counted from 1 August 2075."""
    anchor = date(2075, 8, 3)
    return [
        day for step in (-1, 0, 1) if (day := anchor - timedelta(days=365 * (2075 - year + step))).year == year
    ]


def _local_midnight(day: float, offset: timedelta) -> float:
    local = skies.moment(day) + offset
    return skies.day_number(datetime(local.year, local.month, local.day) - offset)


def _ymd(day: date) -> tuple[int, int, int]:
    return day.year, day.month, day.day
