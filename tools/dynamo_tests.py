"""Run PyTorch's own tests with decompiled code in the place of all code that Dynamo generates, and compare with runs
without.

    python tools/dynamo_tests.py PYTORCH/test/dynamo/test_misc.py ...

Each file runs in a process of its own, from PYTORCH/test, and what fails runs once more with Dynamo's own code.
Results are kept in ``--results``, by file; what is there is not run again, so that a run can be stopped and goes on
where it was.  Ends with counts and with every test that passes without us only; the exit status is 0 when there is
none and nothing was refused.  PyTorch's tests want ``pip install expecttest hypothesis numpy setuptools``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

from in_place.dynamo_tests import TestResult, failed, known

ROOT = Path(__file__).resolve().parent.parent
# pytest's exit status when no test is left to run.
NOTHING_COLLECTED = 5


def run(tests: Path, results: Path, arguments: List[str]) -> None:
    """Run one file to its end, with a new process after each test that ends the process."""
    inside = next(folder for folder in tests.parents if folder.name == "test")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "in_place.dynamo_tests"]
    # PyTorch's tests of its own log allow no handlers but their own.
    command += ["--rootdir", str(inside), "--noconftest", "-p", "no:cacheprovider", "-p", "no:logging"]
    path = os.pathsep.join([str(ROOT / "tools"), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    while True:
        with results.with_suffix(".log").open("ab") as log:
            status = subprocess.call(
                [*command, "--results", str(results), *arguments, str(tests.relative_to(inside))],
                cwd=inside,
                env={**os.environ, "PYTHONPATH": path},
                stdout=log,
                stderr=log,
            )
        if not results.with_suffix(".running").exists():
            break
    if status not in (0, 1, NOTHING_COLLECTED):
        print(f"{tests.name}: pytest ended with {status}, see {results.with_suffix('.log')}", file=sys.stderr)


def broken(found: Dict[str, TestResult], again: Dict[str, TestResult]) -> List[str]:
    """The tests that fail with us only."""
    return [test for test in sorted(failed(found)) if again[test].outcome == "passed"]


def refused(found: Dict[str, TestResult]) -> List[str]:
    """What was refused, each with its test."""
    return [f"{test}: {why.splitlines()[0]}" for test, result in found.items() for why in result.refused]


def counts(found: Dict[str, TestResult], again: Dict[str, TestResult]) -> str:
    """One line."""
    ours = len(broken(found, again))
    return (
        f"{len(found)} tests, {sum(result.outcome == 'passed' for result in found.values())} pass, "
        f"{len(failed(found)) - ours} fail without us, too, {ours} only with us; "
        f"{sum(result.codes for result in found.values())} code objects, {len(refused(found))} refused"
    )


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="+", type=Path)
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "dynamo_tests")
    options = parser.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)
    all_found: Dict[str, TestResult] = {}
    all_again: Dict[str, TestResult] = {}
    for tests in options.tests:
        results, again = (options.results / f"{tests.stem}.{kind}" for kind in ("in_place", "as_it_is"))
        run(tests.resolve(), results, [])
        if failed(known(results)):
            run(tests.resolve(), again, ["--as-it-is", str(results)])
        all_found.update(known(results))
        all_again.update(known(again))
        print(f"{tests.stem}: {counts(known(results), known(again))}", flush=True)
    print(f"all: {counts(all_found, all_again)}")
    for test in broken(all_found, all_again):
        print(f"  differs: {test}")
    for refusal in refused(all_found):
        print(f"  refused: {refusal}")
    return 1 if broken(all_found, all_again) or refused(all_found) else 0


if __name__ == "__main__":
    sys.exit(main())
