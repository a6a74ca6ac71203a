"""The corpus: what is counted, and that counts only get better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict

import corpus
import pytest

PROGRAM = """
class A:
    @property
    def f(self):
        return [x for x in self.__items if x]

def g(a, b=1):
    if not a: return b
    else: return a
"""


def test_outcomes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(PROGRAM)
    outcomes = corpus.outcomes_of((path, True))
    assert [outcome.whole_module for outcome in outcomes].count(True) == 1
    assert {outcome.kind for outcome in outcomes} <= {"exact", "bisimilar"}
    reads = {outcome.where.rsplit(":", 1)[1]: outcome.reads for outcome in outcomes if outcome.reads is not None}
    assert reads == {"f": True, "g": True}


def test_what_is_no_python_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("def f(:\n")
    assert corpus.outcomes_of((path, True)) == []


def test_code_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "SECONDS_PER_CODE", 0.01)
    monkeypatch.setattr(corpus, "decompile_code", lambda code: [None for _ in iter(int, 1)])
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    assert [outcome.kind for outcome in corpus.outcomes_of((path, False))] == ["failed TimeIsUp"]


def score(exact: int, failed: int = 0, reads: int = 0) -> corpus.Score:
    counts: Dict[str, int] = {"exact": exact, "refused CONTROL_FLOW": 9 - exact, "failed ValueError": failed}
    return corpus.Score(counts, {"exact": 1}, reads, 9, [])


@pytest.mark.parametrize(
    ("now", "before", "message"),
    [
        (score(5), score(6), "5 code_objects verified, 6 before"),
        (score(6, failed=1), score(6), "1 code_objects failed, 0 before"),
        (score(6, reads=3), score(6, reads=4), "3 functions read as written, 4 before"),
    ],
)
def test_worse_counts_are_told(now: corpus.Score, before: corpus.Score, message: str) -> None:
    assert corpus.worse(now, before._asdict()) == [message]


def test_better_counts_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "SCOREBOARD", tmp_path / "scoreboard.json")
    assert corpus.ratchet(score(5), 40, update=True) == 0
    assert corpus.ratchet(score(6), 40, update=False) == 0
    assert corpus.ratchet(score(4), 40, update=False) == 1
    assert corpus.ratchet(score(4), 1, update=False) == 0
    assert len(json.loads((tmp_path / "scoreboard.json").read_text())) == 1


def test_what_needs_more_than_a_comparison_is_named(tmp_path: Path) -> None:
    outcomes = [corpus.Outcome(False, kind, f"a.py:1:{kind}", "", None) for kind in ("exact", "bisimilar", "symbolic")]
    outcomes.append(corpus.Outcome(True, "refused CONTROL_FLOW", "b.py:1:<module>", "why", None))
    assert corpus.score_of(outcomes).others == [
        "refused CONTROL_FLOW: b.py:1:<module>",
        "symbolic: a.py:1:symbolic",
    ]
