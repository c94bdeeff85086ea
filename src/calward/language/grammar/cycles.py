"""Recurrences."""

from calward.language.chart import Rule

RULES: tuple[Rule, ...] = ()
