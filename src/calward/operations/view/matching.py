"""Whether an occurrence that is in no index matches a search, by the same rules as the store's."""

from __future__ import annotations

from calward.model.grant import Level
from calward.operations.seen import Seen
from calward.store.search import Wanted, normalise


def says(seen: Seen, wanted: Wanted) -> bool:
    """Every word somewhere in what is seen of it; people count where all of it is seen."""
    if seen.level < Level.TITLES:
        return False
    people = seen.people if seen.level >= Level.DETAILS else ()
    who = normalise(" ".join(f"{person.name} {person.email}" for person in people))
    texts = (*map(normalise, (seen.summary, seen.description, seen.location)), who)
    return (
        all(any(word in text for text in texts) for word in wanted.words)
        and all(word in who for word in wanted.people)
        and (wanted.member is None or any(person.member == wanted.member for person in people))
    )
