"""How one person or household means its words, as settings say it, on top of the customs of a locale."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions, DateOrder, NextWeekday

if TYPE_CHECKING:
    from calward.settings import Settings


def conventions_of(settings: Settings, zone: ZoneInfo) -> Conventions:
    """The conventions that are set. What was chosen is settled: readings that rest on it need no question."""
    found = Conventions.for_locale(settings.locale, zone) if settings.locale else Conventions(zone)
    if settings.date_order:
        found = replace(found, date_order=DateOrder(settings.date_order), date_order_is_settled=True)
    if settings.next_weekday:
        meant = NextWeekday(settings.next_weekday)
        found = replace(found, next_weekday=meant, next_weekday_is_settled=True)
    if settings.morning_from:
        found = replace(found, first_morning_hour=settings.morning_from, bare_hours_are_settled=True)
    return found
