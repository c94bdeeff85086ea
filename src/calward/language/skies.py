"""Sun and moon well enough to date a feast: new moons and solar longitudes to within minutes.

Truncated series after J. Meeus, Astronomical Algorithms (2nd ed.), chapters 25, 47 and 49. Moments are days
since J2000.0 (2000-01-01 12:00), taken as UTC; the seconds between time scales do not matter for a calendar
day.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from math import acos, floor, pi, radians, sin, tan

J2000 = datetime(2000, 1, 1, 12)
TROPICAL_YEAR = 365.2422
SYNODIC_MONTH = 29.530588861

# Argument multiples (elongation, sun's anomaly, moon's anomaly, argument of latitude) and size in degrees.
_MOON_TERMS = (
    (0, 0, 1, 0, 6.288774),
    (2, 0, -1, 0, 1.274027),
    (2, 0, 0, 0, 0.658314),
    (0, 0, 2, 0, 0.213618),
    (0, 1, 0, 0, -0.185116),
    (0, 0, 0, 2, -0.114332),
    (2, 0, -2, 0, 0.058793),
    (2, -1, -1, 0, 0.057066),
    (2, 0, 1, 0, 0.053322),
    (2, -1, 0, 0, 0.045758),
    (0, 1, -1, 0, -0.040923),
    (1, 0, 0, 0, -0.034720),
    (0, 1, 1, 0, -0.030383),
    (2, 0, 0, -2, 0.015327),
)


def sun_longitude(day: float) -> float:
    """Apparent ecliptic longitude of the sun in degrees (Meeus 25)."""
    century = day / 36525
    anomaly = radians(357.52911 + 35999.05029 * century)
    mean = 280.46646 + 36000.76983 * century
    centre = (1.914602 - 0.004817 * century) * sin(anomaly) + 0.019993 * sin(2 * anomaly)
    return (mean + centre - 0.00569) % 360


def moon_longitude(day: float) -> float:
    """Ecliptic longitude of the moon in degrees (Meeus 47, the largest terms)."""
    t = day / 36525
    elongation = radians(297.8501921 + 445267.1114034 * t)
    sun = radians(357.5291092 + 35999.0502909 * t)
    moon = radians(134.9633964 + 477198.8675055 * t)
    latitude = radians(93.2720950 + 483202.0175233 * t)
    total = 218.3164477 + 481267.88123421 * t
    for d, m, n, f, size in _MOON_TERMS:
        total += size * sin(d * elongation + m * sun + n * moon + f * latitude)
    return total % 360


def elongation(day: float) -> float:
    """How far the moon is ahead of the sun, 0 to 360 degrees."""
    return (moon_longitude(day) - sun_longitude(day)) % 360


def ayanamsa(day: float) -> float:
    """What to take from a tropical longitude for a sidereal one, after Lahiri."""
    return 23.85306 + 0.0000382474 * day


@lru_cache(maxsize=512)
def new_moon(number: int) -> float:
    """The new moon ``number`` lunations after that of January 2000 (Meeus 49, the largest terms)."""
    t = number / 1236.85
    day = 5.09766 + SYNODIC_MONTH * number + 0.00015437 * t * t
    sun = radians(2.5534 + 29.10535670 * number)
    moon = radians(201.5643 + 385.81693528 * number)
    latitude = radians(160.7108 + 390.67050284 * number)
    day += -0.40720 * sin(moon) + 0.17241 * sin(sun) + 0.01608 * sin(2 * moon) + 0.01039 * sin(2 * latitude)
    day += 0.00739 * sin(moon - sun) - 0.00514 * sin(moon + sun) + 0.00208 * sin(2 * sun)
    return day


def new_moon_before(day: float) -> float:
    """The last new moon at or before a moment."""
    number = floor((day - 5.1) / SYNODIC_MONTH) + 1
    while new_moon(number) > day:
        number -= 1
    return new_moon(number)


def when_sun_reaches(longitude: float, near: float, sidereal: bool = False) -> float:
    """The moment closest to ``near`` at which the sun stands at a longitude."""
    day = near
    for _ in range(6):
        at = sun_longitude(day) - (ayanamsa(day) if sidereal else 0)
        day += ((longitude - at + 180) % 360 - 180) * TROPICAL_YEAR / 360
    return day


def when_moon_leads(degrees: float, start: float) -> float:
    """The first moment after a new moon at ``start`` at which the moon is that far ahead."""
    day = start + degrees / 360 * SYNODIC_MONTH
    for _ in range(6):
        day += ((degrees - elongation(day) + 180) % 360 - 180) * SYNODIC_MONTH / 360
    return day


def sunset_after(day: float, latitude: float, longitude: float) -> float:
    """The first sunset after a moment, good to some minutes in the tropics."""
    noon = floor(day + longitude / 360) - longitude / 360
    declination = radians(23.44 * sin(radians(sun_longitude(noon))))
    half_day = acos(max(-1.0, min(1.0, -tan(radians(latitude)) * tan(declination)))) / (2 * pi)
    return noon + half_day if noon + half_day > day else noon + 1 + half_day


def day_number(moment: datetime) -> float:
    """Days since J2000.0."""
    return (moment - J2000) / timedelta(days=1)


def moment(day: float) -> datetime:
    """A day number as a moment in UTC."""
    return J2000 + timedelta(days=day)
