"""Understanding sentences: the scores of ``calward understand --jsonl`` on openly published, labelled data.

Data and script lie outside the project: where ``CALWARD_CORPUS`` points, and beside it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import MissingPart

COMMAND = (sys.executable, "-P", "-m", "calward", "understand", "--jsonl")
SETS = ("intent_", "quickadd_", "time_", "recur_recurrent")
ALONE = "recur_rrulejs"
"""A set whose rows name no moment they are said at, which the script wants once a rule is answered."""
MISTAKE, MENDED = 'r["reference"]) or dt', 'r.get("reference")) or dt'

Counts = Mapping[str, int]
Scores = dict[str, Counts]
"""By set: how many rows there are of a kind, and how many were right, as the script names them."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A number to reach. ``measure`` gives it in percent; ``at_most`` turns the comparison round."""

    name: str
    target: float
    measure: Callable[[Scores], float]
    at_most: bool = False

    def row(self, scores: Scores) -> str:
        found = round(self.measure(scores), 1)
        holds = found <= self.target if self.at_most else found >= self.target
        sign = "≤" if self.at_most else "≥"
        return f"| {self.name} | {found:.1f} | {sign} {self.target:g} | {'holds' if holds else 'missed'} |"


GOALS: Sequence[Goal] = (
    Goal("English times, Duckling's own tests: start", 93, lambda all_: _share(all_, _is("time_duckling_en"))),
    Goal("English times, the others' tests: start, mean of the sets", 72, lambda all_: _mean(all_, _others)),
    Goal("English times: span", 65, lambda all_: _share(all_, _english, "span_ok", "spans")),
    Goal("quick-add: title", 75, lambda all_: _share(all_, _begins("quickadd_"), "title_ok", "titles")),
    Goal("recurrences", 95, lambda all_: _share(all_, _begins("recur_"))),
    Goal(
        "intents, of a public assistant's calendar", 90, lambda all_: _share(all_, _is("intent_ms_calendar_lu"))
    ),
    Goal(
        "talk of other things, accepted", 4, lambda all_: 100 - _share(all_, _negative, "neg_ok", "neg"), True
    ),
    Goal(
        "German times, Duckling's tests: start",
        80,
        lambda all_: _share(all_, _is("time_duckling_other_langs/de")),
    ),
    Goal("confidence ≥ 0.85: covers", 50, lambda all_: _share(all_, _is("_sure"), "n", "all")),
    Goal("confidence ≥ 0.85: right", 95, lambda all_: _share(all_, _is("_sure"), "right", "n")),
)

HEAD = """
## Understanding sentences

Scores in percent of `calward understand --jsonl` on openly published tests of others; of large sets a fixed
sample. The weights of intents and the costs of doubts were fitted on the same data, so their scores tell
how well they fit; other data will give less.

| what | score | target | verdict |
|---|---|---|---|
"""

PEERS = """
Peers on times, each scored on the tests of the others (on their own all are near-perfect): Duckling 71.7,
MS Recognizers 52.5, chrono 49.4, dateparser 45.4.

| set | rows | right | span | title | rejected |
|---|---|---|---|---|---|
"""

NOTES = """
`{alone}` was scored by a copy of the script in which a missing `reference` counts as none; the script
itself stops there. Languages other than English and German have no file yet; what of them is right is digits.

What still fails, and why:

{account}"""

ACCOUNT = """\
- **Conventions that differ.** Hours of morning, evening and night, the start of the weekend, ends counted
  in or out, and a date without a year as the nearest or the next: `docs/language.md` lists what was chosen.
  Much of what is missing in the others' times and spans is of this kind; right in one set is wrong in
  another.
- **Talk of the past.** A bare date in a report is read as the next one, unless the sentence has a verb that
  looks back.
- **Questions without a calendar word.** "Do I have anything today" is taken for other talk: the weights
  know cues one by one and in pairs, and hold back where a question could be about anything.
- **Two wishes at once**, as to cancel and to book anew, are answered as two where the label names only the
  second.
"""


def section(quick: bool) -> str:
    """The part of the page that tells of sentences. Raises ``MissingPart`` without the data or the script."""
    corpus = os.environ.get("CALWARD_CORPUS")
    if not corpus:
        raise MissingPart("CALWARD_CORPUS names no data")
    script, data = Path(corpus).parent / "eval" / "score_language.py", Path(corpus) / "language"
    if not script.is_file():
        raise MissingPart("the scoring script is not beside the data of CALWARD_CORPUS")
    if quick:
        return _told(_scored(script, data, ("quickadd_silver", "recur_recurrent")))
    scores = _scored(script, data, SETS)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / script.name
        copy.write_text(script.read_text(encoding="utf-8").replace(MISTAKE, MENDED), encoding="utf-8")
        added = _scored(copy, data, (ALONE,))
    sure = {name: count + added["_sure"].get(name, 0) for name, count in scores["_sure"].items()}
    scores |= {**added, "_sure": sure}
    return _told(scores)


def _scored(script: Path, data: Path, sets: Sequence[str]) -> Scores:
    chosen = ("--data", str(data), "--sets", ",".join(sets), "--json")
    done = subprocess.run(
        [sys.executable, str(script), *chosen, "--", *COMMAND], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise MissingPart(f"the scoring script ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    found: Scores = json.loads(done.stdout.splitlines()[-1])
    return found


def _told(scores: Scores) -> str:
    goals = "".join(f"{goal.row(scores)}\n" for goal in GOALS)
    sets = "".join(f"{_set_row(name, of)}\n" for name, of in sorted(scores.items()) if name != "_sure")
    return HEAD + goals + PEERS + sets + NOTES.format(alone=ALONE, account=ACCOUNT)


def _set_row(name: str, of: Counts) -> str:
    columns = (("start", "n"), ("span_ok", "spans"), ("title_ok", "titles"), ("neg_ok", "neg"))
    cells = [f"{100 * of.get(right, 0) / of[count]:.1f}" if of.get(count) else "" for right, count in columns]
    return f"| {name} | {of.get('n', 0) + of.get('neg', 0)} | {' | '.join(cells)} |"


Choice = Callable[[str], bool]


def _share(scores: Scores, chosen: Choice, right: str = "start", count: str = "n") -> float:
    """Percent right of all rows of the chosen sets together."""
    sets = [of for name, of in scores.items() if chosen(name)]
    rows = sum(of.get(count, 0) for of in sets)
    return 100 * sum(of.get(right, 0) for of in sets) / rows if rows else 0.0


def _mean(scores: Scores, chosen: Choice) -> float:
    """Percent right, each chosen set counting the same."""
    shares = [100 * of.get("start", 0) / of["n"] for name, of in scores.items() if chosen(name) and of.get("n")]
    return sum(shares) / len(shares) if shares else 0.0


def _is(wanted: str) -> Choice:
    return lambda name: name == wanted


def _begins(wanted: str) -> Choice:
    return lambda name: name.startswith(wanted)


def _negative(name: str) -> bool:
    return name.endswith("_negatives")


def _english(name: str) -> bool:
    return bool(re.fullmatch(r"time_[^/]*(/en)?", name))


def _others(name: str) -> bool:
    return _english(name) and not name.startswith("time_duckling")
