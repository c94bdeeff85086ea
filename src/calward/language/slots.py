"""Title, people and place of what was said: the words that are left when time and command are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calward.language.phrases import match_at, match_ending, phrase_table
from calward.language.tokens import Token, ends_compound

MOST_LEADS = 6
MOST_PEOPLE = 20


@dataclass(frozen=True, slots=True)
class Slots:
    """``title`` is the bare subject ("lunch"); ``summary`` keeps the people ("lunch with Ann")."""

    title: str = ""
    summary: str = ""
    people: tuple[str, ...] = ()
    place: str = ""


def read_slots(text: str, tokens: Sequence[Token], taken: frozenset[int], tag: str) -> Slots:
    """Slots of a sentence. ``taken`` are the tokens that tell the time."""
    rest = _Rest(text, list(enumerate(tokens)), taken, tag)
    rest.drop_calendar()
    rest.drop_lead()
    people, place = rest.cut_people_and_place()
    title = rest.wording(rest.core)
    summary = rest.wording([*rest.core, *rest.with_people])
    return Slots(title, summary or title, people, place)


class _Rest:
    """The tokens that are left, and the cuts made in them one after the other."""

    def __init__(self, text: str, tokens: list[tuple[int, Token]], taken: frozenset[int], tag: str) -> None:
        self.text = text
        self.all = [token for _, token in tokens]
        self.tag = tag
        self.taken = taken
        self.left = [at for at, _ in tokens if at not in taken]
        self.core: list[int] = []
        self.with_people: list[int] = []

    def table(self, name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
        return phrase_table(self.tag, "title", name)

    def run(self) -> list[Token]:
        return [self.all[at] for at in self.left]

    def drop_calendar(self) -> None:
        """ "To my calendar", wherever it stands."""
        table, tokens = self.table("calendar"), self.run()
        at = 0
        keep: list[int] = []
        while at < len(tokens):
            length = match_at(table, tokens, at)
            if not length:
                keep.append(self.left[at])
            at += length or 1
        if keep:
            self.left = keep

    def drop_lead(self) -> None:
        """ "Schedule a", "remind me to", "an appointment for": the words of the command."""
        dropped = False
        for _ in range(MOST_LEADS):
            length = match_at(self.table("lead"), self.run(), 0)
            if not length or length >= len(self.left):
                break
            self.left = self.left[length:]
            dropped = True
        if dropped:
            self._drop_articles()
            self._drop_kind()
            self._drop_container()

    def _drop_articles(self) -> None:
        length = match_at(self.table("article"), self.run(), 0)
        if length and length < len(self.left):
            self.left = self.left[length:]

    def _drop_kind(self) -> None:
        """ "New meeting: budget" is about the budget."""
        run = self.run()
        if len(run) > 2 and run[0].is_word and run[1].norm == ":":
            self.left = self.left[2:]

    def _drop_container(self) -> None:
        """ "Appointment to groom the dogs" is about grooming the dogs."""
        tokens = self.run()
        length = match_at(self.table("container"), tokens, 0)
        if not length:
            return
        link = match_at(self.table("link"), tokens, length)
        after = length + link
        if link and after < len(tokens) and self.wording(self.left[after:]):
            self.left = self.left[after:]
            self._drop_articles()
        elif not link and after < len(tokens) and self._is_subject(tokens[after:]):
            # "An appointment Thursday at 3 haircut", "event gym day": the kind, then the subject.
            self.left = self.left[after:]

    def _is_subject(self, tokens: Sequence[Token]) -> bool:
        """Whether words after the kind of event name it, and are no company, place or afterthought."""
        names = ("people", "place", "tail", "trim", "copula")
        return tokens[0].is_word and not any(match_at(self.table(name), tokens, 0) for name in names)

    def cut_people_and_place(self) -> tuple[tuple[str, ...], str]:
        """Take off "with …" and "at …", and what trails."""
        tokens = self.run()
        people_at = self._first(self.table("people"), tokens)
        place_at = self._first(self.table("place"), tokens)
        cuts = sorted(at for at in (people_at, place_at) if at is not None)
        self.core = self._trimmed(self.left[: cuts[0]] if cuts else self.left)
        people: tuple[str, ...] = ()
        place = ""
        for index, at in enumerate(cuts):
            end = cuts[index + 1] if index + 1 < len(cuts) else len(self.left)
            body = self._trimmed(self.left[at + 1 : end])
            if at == people_at:
                self.with_people = [self.left[at], *body] if body else []
                people = self._names(self._before_topic(body))
            else:
                place = self.wording(body)
        return people, place

    def _first(self, table: dict[str, tuple[tuple[str, ...], ...]], tokens: Sequence[Token]) -> int | None:
        return next((at for at in range(1, len(tokens) - 1) if match_at(table, tokens, at)), None)

    def _before_topic(self, body: list[int]) -> list[int]:
        """ "With the team about the budget": the topic is no name."""
        table = self.table("topic")
        end = next((n for n, at in enumerate(body) if match_at(table, self.all, at)), len(body))
        return body[:end]

    def _names(self, body: list[int]) -> tuple[str, ...]:
        names: list[list[int]] = [[]]
        joint = self.table("joint")
        for at in body:
            if self.all[at].norm == "," or match_at(joint, self.all, at):
                names.append([])
            else:
                names[-1].append(at)
        return tuple(found for name in names[:MOST_PEOPLE] if (found := self.wording(name)))

    def _trimmed(self, run: list[int]) -> list[int]:
        """Without marks, copulas and loose small words at the ends."""
        changed = True
        while run and changed:
            changed = False
            tokens = [self.all[at] for at in run]
            for name in ("tail", "copula"):
                length = match_ending(self.table(name), tokens, len(tokens))
                if 0 < length < len(run):
                    run, changed = run[:-length], True
                    break
            if not changed and (_is_mark(tokens[-1]) or self._is_loose(tokens)):
                run, changed = run[:-1], True
            elif not changed and (_is_mark(tokens[0]) or self._leads_nowhere(tokens, run)):
                run, changed = run[1:], True
        return [] if len(run) == 1 and match_at(self.table("article"), [self.all[run[0]]], 0) else run

    def _is_loose(self, tokens: Sequence[Token]) -> bool:
        """A small word at the end, but not that of "check-in"."""
        hangs = len(tokens) > 1 and ends_compound(tokens[-2], tokens[-1])
        return tokens[-1].norm in self.table("trim") and not hangs

    def _leads_nowhere(self, tokens: list[Token], run: list[int]) -> bool:
        """A small word at the front whose time was taken away: "on … we shall eat", "… for the report"."""
        first = run[0]
        after_time = first - 1 in self.taken
        if tokens[0].norm == "'s" or (after_time and len(run) > 1 and tokens[0].norm in self.table("link")):
            # "Tomorrow's meeting", "block Friday for the report"
            return True
        gap = first + 1 < len(self.all) and (len(run) < 2 or run[1] != first + 1)
        return tokens[0].norm in self.table("trim") and gap

    def wording(self, run: list[int]) -> str:
        """The words as they were written, gaps closed."""
        out = ""
        for index, at in enumerate(run):
            token = self.all[at]
            if index and token.norm == "," and self.all[run[index - 1]].norm in ",:":
                # What stood between the two told the time.
                continue
            if index and not (token.glued and run[index - 1] == at - 1):
                out += " "
            out += self.text[token.start : token.end]
        return out.strip()


def _is_mark(token: Token) -> bool:
    """Punctuation, as against words, numbers and the ending of "Luigi's"."""
    return not (token.is_word or token.is_number or token.norm == "'s")
