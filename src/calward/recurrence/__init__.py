"""Recurrence: RRULE, RDATE, EXDATE and RECURRENCE-ID to occurrences, and edits of series as line edits.

``series.expand`` gives the occurrences of one calendar object in a window; ``rule`` reads and writes rules;
``expand`` is the engine below them, on wall-clock time.
"""
