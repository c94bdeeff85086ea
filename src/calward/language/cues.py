"""What is wanted, as features: classes of cue words, where they stand, and whether a time was said.

Words belong to a language, features do not: a language file maps its words to the classes, and one table of
weights serves all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from calward.language.lexicon import Lexicon, lexicon
from calward.language.tokens import Token, tokenize

ACTIONS = frozenset(
    {
        "add", "create", "schedule", "change", "move", "remove", "decline", "accept", "join", "show", "tell",
        "check", "remind", "alarm", "timer", "invite", "message", "done",
    }
)  # fmt: skip
QUESTIONS = frozenset(
    {
        "what", "which", "when", "where", "who", "how_long", "how_many", "how", "why", "do_i", "am_free",
        "is_it", "there_is", "can_i", "agenda",
    }
)  # fmt: skip
THINGS = frozenset(
    {
        "event",
        "meal",
        "occasion",
        "visit",
        "calendar",
        "room",
        "task",
        "list",
        "remind",
        "alarm",
        "free",
        "person",
    }
)
ELSEWHERE = frozenset(
    {
        "media",
        "weather",
        "mail",
        "home",
        "money",
        "travel",
        "food",
        "facts",
        "news",
        "smalltalk",
        "work",
        "local",
    }
)
COMPANIONS = frozenset(
    {
        "anything",
        "doing",
        "do_i",
        "my",
        "next_one",
        "this_one",
        "new_time",
        "place",
        "repeat",
        "all",
        "to_attend",
    }
)
POLITE = frozenset({"please"})


def features(tokens: Sequence[Token], words: Lexicon, times: frozenset[str]) -> frozenset[str]:
    """The features of an utterance. ``times`` are the kinds of time it names: date, clock, span, cycle,
    lasting."""
    found = find_cues(tokens, words)
    seen = {name for _, _, name in found}
    out = {f"has:{name}" for name in seen} | {f"time:{kind}" for kind in times}
    ordered = [name for _, _, name in found if name not in POLITE]
    actions = [name for name in ordered if name in ACTIONS]
    if actions:
        out.add(f"first:{actions[0]}")
    asked = [name for name in ordered if name in QUESTIONS]
    if asked:
        out.add(f"asked:{asked[0]}")
    start = next((at for at, _, name in found if name not in POLITE), None)
    opening = min((at for at, _, _ in found), default=0)
    if start is not None and start <= opening + 2:
        out.update(f"start:{name}" for at, _, name in found if at == start)
    things = seen & THINGS
    out.update(f"{actions[0]}+{thing}" for thing in things if actions)
    out.update(f"{asked[0]}+{thing}" for thing in things if asked)
    if asked and actions:
        out.add(f"{asked[0]}+{actions[0]}")
    for head in (*actions[:1], *asked[:1]):
        out.update(f"{head}+{other}" for other in seen & COMPANIONS)
    if actions[:1] == ["add"] and _into_event(tokens, found):
        out.add("into_event")
    if not things:
        out.add("no_thing")
        if actions:
            out.add(f"{actions[0]}+nothing")
            out.update(f"{actions[0]}+time:{kind}" for kind in times)
        if asked:
            out.add(f"{asked[0]}+nothing")
            out.update(f"{asked[0]}+time:{kind}" for kind in times)
    if not actions:
        out.add("no_action")
        if not asked:
            out.update(f"bare+{thing}" for thing in things)
            if times:
                out.add("bare+time")
    elsewhere = len(seen & ELSEWHERE)
    if elsewhere:
        out.add(f"elsewhere:{min(elsewhere, 3)}")
        if not things:
            out.add("elsewhere_only")
    if not times:
        out.add("no_time")
    out.add(length_feature(len(tokens)))
    return frozenset(out)


def length_feature(length: int) -> str:
    """The feature of an utterance of so many tokens."""
    return "length:1" if length < 3 else "length:2" if length < 6 else "length:3" if length < 12 else "length:4"


def shorter(names: frozenset[str], length: int, telling: int) -> Iterator[frozenset[str]]:
    """The features of an utterance without some of the words that tell nothing, down to ``telling`` ones."""
    own = length_feature(length)
    for other in {length_feature(n) for n in range(telling, length)} - {own}:
        yield names - {own} | {other}


def _into_event(tokens: Sequence[Token], found: Sequence[tuple[int, int, str]]) -> bool:
    """Whether something is put into an event: "add … to the meeting"."""
    events = [at for at, _, name in found if name == "event"]
    leads = [at for at, token in enumerate(tokens) if token.norm in ("to", "zu", "zum", "zur")]
    return any(lead < event <= lead + 5 for lead in leads for event in events)


def find_cues(tokens: Sequence[Token], words: Lexicon) -> list[tuple[int, int, str]]:
    """(first token, end, class) of every cue, in order; a longer phrase hides the shorter ones inside it."""
    table = _cue_table(words.tag)
    out: list[tuple[int, int, str]] = []
    covered = 0
    for at, token in enumerate(tokens):
        matches = [
            (at + 1 + len(rest), name)
            for rest, name in table.get(token.norm, ())
            if all(at + 1 + n < len(tokens) and tokens[at + 1 + n].norm == w for n, w in enumerate(rest))
        ]
        if not matches:
            continue
        longest = max(end for end, _ in matches)
        if longest <= covered:
            continue
        out.extend((at, end, name) for end, name in matches if end == longest)
        covered = longest
    return out


@lru_cache(maxsize=8)
def _cue_table(tag: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Cue phrases by their first word."""
    out: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, spelled in lexicon(tag).table.get("cues", {}).items():
        for phrase in spelled.split(","):
            pieces = tuple(token.norm for token in tokenize(phrase))
            if pieces:
                out.setdefault(pieces[0], []).append((pieces[1:], name))
    return out
