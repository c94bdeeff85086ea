"""The scores of sentences: how sets are told apart by the words of their names, and numbers made of counts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import language, run
from bench.language import GOALS, Goal, Kept, Scores, mean, share, sure, told
from bench.measure import LeftOut, MissingPart

SCORES: Scores = {
    "time_duckling_en": {"n": 100, "start": 90, "spans": 10, "span_ok": 9},
    "time_duckling_en_locales": {"n": 50, "start": 40},
    "time_duckling_zoo/de": {"n": 10, "start": 9},
    "time_duckling_zoo/tlh": {"n": 10, "start": 1},
    "time_gnu": {"n": 10, "start": 5, "spans": 10, "span_ok": 1},
    "time_yak/en": {"n": 1000, "start": 1000},
    "quickadd_gnu": {"n": 4, "start": 2, "titles": 4, "title_ok": 3, "neg": 2, "neg_ok": 1},
    "recur_gnu": {"n": 8, "start": 6},
    "intent_ms_gnu": {"n": 20, "start": 19},
    "intent_gnu_negatives": {"neg": 50, "neg_ok": 49},
    "_sure": {"n": 60, "right": 57, "all": 100},
}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("time_duckling_en", "times: Duckling's"),
        ("time_duckling_en_locales", "times: Duckling's, by region"),
        ("time_duckling_zoo/de", "times: Duckling's, German"),
        ("time_yak/tlh", "times: others', languages without a file"),
        ("quickadd_gnu", "quick-add: others'"),
        ("intent_ms_gnu", "intents: Microsoft's"),
        ("intent_gnu_negatives", "other talk"),
    ],
)
def test_a_set_is_told_by_the_words_of_its_name(name: str, label: str) -> None:
    assert Kept.of(name).label == label


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("Duckling's own tests: start", 90.0),
        ("the others' tests: start, mean of the sets", 75.0),
        ("span", 50.0),
        ("title", 75.0),
        ("recurrences", 75.0),
        ("assistant's calendar", 95.0),
        ("accepted", 2.0),
        ("German", 90.0),
        ("covers", 60.0),
        ("0.85: right", 95.0),
    ],
)
def test_each_goal_measures_its_own_sets(goal: str, found: float) -> None:
    (chosen,) = (one for one in GOALS if goal in one.name)
    assert chosen.measure(SCORES) == pytest.approx(found)


def test_without_rows_nothing_is_right() -> None:
    assert share({}, lambda _: True) == mean({}, lambda _: True) == sure({}, "n", "all") == 0.0


@pytest.mark.parametrize(
    ("at_most", "target", "verdict"),
    [(False, 60, "holds"), (False, 60.1, "missed"), (True, 60, "holds"), (True, 59.9, "missed")],
)
def test_a_goal_holds_at_its_mark(at_most: bool, target: float, verdict: str) -> None:
    goal = Goal("x", target, lambda _: 60.0, at_most)
    assert goal.row(SCORES).endswith(f"| {verdict} |")


def test_the_page_tells_kinds_and_peers_and_no_names_of_sets() -> None:
    page = told(SCORES)
    assert not [name for name in SCORES if name in page]
    assert "| times: others' | 1010 | 99.5 | 10.0 |  |  |" in page
    for peer in ("Duckling 71.7", "MS Recognizers 52.5", "chrono 49.4", "dateparser 45.4"):
        assert peer in page


def test_without_data_or_script_it_is_left_out_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CALWARD_CORPUS", raising=False)
    assert run.main(["language"]) == 0
    monkeypatch.setenv("CALWARD_CORPUS", str(tmp_path / "data"))
    assert run.main(["language"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [one for one in lines if not one.startswith("--")] == [
        "left out: CALWARD_CORPUS names no data",
        "left out: the scoring script is not beside the data of CALWARD_CORPUS",
    ]


SCRIPT = """
import json
r, dt, moment = {}, 2010, lambda text: text
base = moment(r["reference"]) or dt
print("a table")
print(json.dumps({"_sure": {"n": 1, "right": 1, "all": 1}, "time_gnu": {"n": base - 2008, "start": 1}}))
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CALWARD_CORPUS", str(tmp_path / "data"))
    file: Path = tmp_path / language.SCRIPT
    file.parent.mkdir()
    return file


def test_the_script_runs_as_a_mended_copy_and_is_not_touched(script: Path) -> None:
    script.write_text(SCRIPT)
    assert "| times: others' | 2 | 50.0 |" in language.section(quick=False)
    assert script.read_text() == SCRIPT


def test_a_script_that_fails_is_told_with_its_last_words(script: Path) -> None:
    script.write_text('raise SystemExit("no such animal")')
    with pytest.raises(MissingPart, match="ended with 1: no such animal"):
        language.section(quick=False)


def test_leaving_out_is_no_missing_part() -> None:
    assert not issubclass(LeftOut, MissingPart)
    assert sys.executable in language.COMMAND
