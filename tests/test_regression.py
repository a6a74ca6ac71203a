"""A sample of CPython's own tests on decompiled modules: ``tools/regression.py``."""

from __future__ import annotations

from pathlib import Path

import pytest
import regression
from regressions.chosen import LANGUAGE, LEFT_OUT, LIBRARIES

SAMPLE = [
    "test_augassign",
    "test_class",
    "test_decorators",
    "test_genexps",
    "test_global",
    "test_scope",
    "test_unpack_ex",
]
SAMPLE += ["bisect under", "heapq under", "textwrap under"]
HAS_TESTS = (regression.LIBRARY / "test" / "test_grammar.py").exists()
needs_tests = pytest.mark.skipif(not HAS_TESTS, reason="this Python was installed without its tests")


@needs_tests
@pytest.mark.parametrize("name", SAMPLE)
def test_tests_end_as_they_did(name: str) -> None:
    (work,) = list(regression.chosen([name]))
    report = regression.report_of(work)
    assert report.problem == ""
    assert report.different == []
    assert report.same > 0


@needs_tests
def test_another_module_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(root: Path, files: object, decompiled: bool) -> None:
        write(root, files, False)
        if decompiled:
            path = root / "bisect.py"
            path.write_text(path.read_text("utf-8").replace("hi = mid", "hi = mid - 1"), "utf-8")

    write = regression._write
    monkeypatch.setattr(regression, "_write", wrong)
    (work,) = list(regression.chosen(["bisect under"]))
    assert regression.report_of(work).different != []


def test_what_ends_otherwise_differs_unless_it_is_left_out() -> None:
    work = regression.Work("test_x", "test.test_x", ())
    lines = "test.test_patma.TestTracing.test_default"
    original = {"a.B.c": ("ok", ""), "a.B.d": ("ok", ""), lines: ("ok", "")}
    decompiled = {"a.B.c": ("ok", ""), "a.B.e": ("ok", ""), lines: ("failure", "[1, 2] != [1, 2, 3]")}
    report = regression._compared(work, original, decompiled)
    assert (report.same, report.left_out) == (1, 1)
    assert [name for name, _one, _other in report.different] == ["a.B.d", "a.B.e"]
    assert regression.summarize([report], 1.0) == 1


def test_what_is_chosen() -> None:
    assert all(reason.startswith("tests ") for reason in LEFT_OUT.values())
    assert len(set(LANGUAGE)) == len(LANGUAGE) > 40
    assert len(LIBRARIES) > 12
