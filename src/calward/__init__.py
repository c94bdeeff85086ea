"""Calward: a calendar you can hand to any AI assistant."""

__version__ = "0.1.0"
