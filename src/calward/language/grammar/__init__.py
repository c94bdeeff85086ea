"""How words combine: rules over categories, the same for every language, in one tuple each a subject."""

from functools import lru_cache

from calward.language.chart import Grammar, compile_rules
from calward.language.grammar import (
    beside,
    bounds,
    clocks,
    cycles,
    dates,
    lengths,
    numbered,
    periods,
    places,
    relative,
    several,
    spans,
    under_way,
)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """All rules, compiled once."""
    return compile_rules(
        (
            *lengths.RULES,
            *clocks.RULES,
            *dates.RULES,
            *periods.RULES,
            *numbered.RULES,
            *places.RULES,
            *beside.RULES,
            *relative.RULES,
            *under_way.RULES,
            *spans.RULES,
            *cycles.RULES,
            *several.RULES,
            *bounds.RULES,
        )
    )
