"""A pytest plugin: somebody's tests, with decompiled code in the place of all code that Dynamo generates.

    python -m pytest -p in_place.dynamo_tests --results FILE TESTS
    python -m pytest -p in_place.dynamo_tests --results OTHER --as-it-is FILE TESTS

One line of JSON per test is added to FILE as the test ends, and tests that are in it are not run again.  The second
command runs Dynamo's own code, and only the tests that failed in the first: what passes then was broken by us.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set

import pytest

from in_place.swapping import Swapped, swapping


class TestResult(NamedTuple):
    """One test: ``outcome`` is ``passed``, ``failed``, ``skipped`` or ``ended the process``."""

    name: str
    outcome: str
    codes: int = 0
    refused: Sequence[str] = ()
    why: str = ""


def known(path: Path) -> Dict[str, TestResult]:
    """Results that a file holds."""
    if not path.exists():
        return {}
    rows = [TestResult(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row.name: row for row in rows}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of this plugin."""
    parser.addoption("--results", type=Path, required=True, help="where results are added, one line of JSON per test")
    parser.addoption("--as-it-is", type=Path, help="run Dynamo's own code, and only the tests that failed in this file")


def failed(results: Dict[str, TestResult]) -> Set[str]:
    """Names of the tests that neither passed nor were skipped."""
    return {name for name, result in results.items() if result.outcome not in ("passed", "skipped")}


def pytest_configure(config: pytest.Config) -> None:
    """A test that is marked as running has ended the process before this one."""
    path: Path = config.getoption("--results")
    running = path.with_suffix(".running")
    if running.exists():
        _keep(path, TestResult(running.read_text(encoding="utf-8"), "ended the process"))
    config.pluginmanager.register(_Recorder(path, running, config.getoption("--as-it-is")))


def _keep(path: Path, result: TestResult) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result._asdict()) + "\n")


class _Recorder:
    def __init__(self, path: Path, running: Path, as_it_is: Optional[Path]) -> None:
        self.path = path
        self.running = running
        self.as_it_is = as_it_is
        self.reports: List[pytest.TestReport] = []

    def pytest_collection_modifyitems(self, config: pytest.Config, items: List[pytest.Item]) -> None:
        wanted = {item.nodeid for item in items} if self.as_it_is is None else failed(known(self.as_it_is))
        wanted -= known(self.path).keys()
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [item for item in items if item.nodeid in wanted]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.running.write_text(item.nodeid, encoding="utf-8")
        self.reports = []
        with contextlib.nullcontext(Swapped()) if self.as_it_is else swapping() as swapped:
            yield
        _keep(self.path, self._result(item.nodeid, swapped))
        self.running.unlink()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reports.append(report)

    def _result(self, name: str, swapped: Swapped) -> TestResult:
        """Failed where any of setup, call and teardown did; skipped or expected to fail, likewise."""
        bad = [report for report in self.reports if report.outcome != "passed"]
        bad.sort(key=lambda report: report.outcome)
        outcome, why = (bad[0].outcome, bad[0].longreprtext[-2000:]) if bad else ("passed", "")
        return TestResult(name, outcome, swapped.codes, swapped.refused, why)
