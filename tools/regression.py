"""CPython's own tests, run on decompiled modules: what the original does, the decompiled one does.

    python tools/regression.py [--jobs N] [WORD ...]

Language tests (``test_grammar``, …) are decompiled themselves; library modules (``json``, …) are decompiled under their
own tests.  Every test is run twice, with the original and with the decompiled source, and has to come to the same end.
Which tests, and what is left out for which reason: tools/regressions/chosen.py.  Exit status 0 if nothing differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from regressions.chosen import LANGUAGE, LEFT_OUT, LIBRARIES

from depyf.decompiler import DecompilationError, decompile_code

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
RUN_ONE = Path(__file__).resolve().parent / "regressions" / "run_one.py"
SECONDS = 600
# The rest of the test package is found where it is.
PACKAGE = "import os, sys\n__path__.append({!r})\n"

Ends = Dict[str, Tuple[str, str]]


class Work(NamedTuple):
    """A test to run, and the files to decompile for it, relative to the library's folder."""

    name: str
    test: str
    files: Tuple[Path, ...]


class Report(NamedTuple):
    """What came of one test file; ``problem`` says why it could not be compared."""

    work: Work
    same: int
    different: List[Tuple[str, Tuple[str, str], Tuple[str, str]]]
    left_out: int
    problem: str = ""


def chosen(words: Sequence[str]) -> Iterator[Work]:
    """The tests that this Python has, those with one of ``words`` in their name if there are any."""
    for test in LANGUAGE:
        file = Path("test") / f"{test}.py"
        package = Path("test") / test
        files = (file,) if (LIBRARY / file).exists() else tuple(_files_of(package))
        if files and _is_wanted(test, words):
            yield Work(test, f"test.{test}", files)
    for test, modules in LIBRARIES:
        files = tuple(file for module in modules for file in [_file_of(module)] if file is not None)
        name = f"{modules[0]} under {test}"
        if files and _is_wanted(name, words) and _exists(test):
            yield Work(name, f"test.{test}", files)


def _files_of(package: Path) -> List[Path]:
    return [path.relative_to(LIBRARY) for path in sorted((LIBRARY / package).rglob("*.py"))]


def _file_of(module: str) -> Optional[Path]:
    base = Path(*module.split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if (LIBRARY / file).exists()), None)


def _exists(test: str) -> bool:
    return (LIBRARY / "test" / test).exists() or (LIBRARY / "test" / f"{test}.py").exists()


def _is_wanted(name: str, words: Sequence[str]) -> bool:
    return not words or any(word in name for word in words)


def report_of(work: Work) -> Report:
    """Run the test with the original and with decompiled files, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        ends: List[Ends] = []
        for kind in ("original", "decompiled"):
            root = Path(folder, kind)
            try:
                _write(root, work.files, kind == "decompiled")
            except DecompilationError as error:
                return Report(work, 0, [], 0, f"not decompiled: {str(error).splitlines()[0]}")
            found, problem = run_test(root, work.test)
            if problem:
                return Report(work, 0, [], 0, f"{kind}: {problem}")
            ends.append(found)
    return _compared(work, *ends)


def _write(root: Path, files: Sequence[Path], decompiled: bool) -> None:
    for file in files:
        content = (LIBRARY / file).read_bytes()
        if decompiled:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = compile(content, str(LIBRARY / file), "exec", dont_inherit=True)
            content = decompile_code(code).source.encode("utf-8", "surrogatepass")
        for parent in reversed(list(file.parents)[:-1]):
            package = root / parent / "__init__.py"
            package.parent.mkdir(parents=True, exist_ok=True)
            if not package.exists():
                package.write_text(PACKAGE.format(str(LIBRARY / parent)), "utf-8")
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(content)


def run_test(root: Path, test: str) -> Tuple[Ends, str]:
    """How each single test ends when modules in ``root`` come first; or why nothing ran."""
    result = root / "result.json"
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-W", "ignore", str(RUN_ONE), test, str(result)]
    try:
        ended = subprocess.run(
            command, cwd=str(root), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {}, f"did not end in {SECONDS} s"
    if not result.exists():
        return {}, f"exit status {ended.returncode}: {ended.stdout.decode(errors='replace')[-400:]}"
    return {name: (end, why) for name, (end, why) in json.loads(result.read_text("utf-8")).items()}, ""


def _compared(work: Work, original: Ends, decompiled: Ends) -> Report:
    different, same, left_out = [], 0, 0
    nothing = ("did not run", "")
    for name in sorted(set(original) | set(decompiled)):
        one, other = original.get(name, nothing), decompiled.get(name, nothing)
        if one[0] == other[0]:
            same += 1
        elif reason(name):
            left_out += 1
        else:
            different.append((name, one, other))
    return Report(work, same, different, left_out, "" if same else "no test ran")


def reason(name: str) -> str:
    """Why a test is left out; empty for the others."""
    return next((why for pattern, why in LEFT_OUT.items() if fnmatch(name, pattern)), "")


def summarize(reports: Sequence[Report], seconds: float) -> int:
    """Print what differs, and the totals; the exit status."""
    for report in reports:
        for name, one, other in report.different:
            print(f"DIFFERENT {name}: {one[0]}, decompiled: {other[0]}: {other[1] or one[1]}")
        if report.problem:
            print(f"NOT RUN {report.work.name}: {report.problem}")
    counts = Counter(
        {
            "the same": sum(report.same for report in reports),
            "different": sum(len(report.different) for report in reports),
            "left out": sum(report.left_out for report in reports),
        }
    )
    ran = [report for report in reports if not report.problem]
    print(
        f"Python {sys.version.split()[0]}: {len(ran)} of {len(reports)} test files, single tests: {dict(counts)}, "
        f"{seconds:.0f} s"
    )
    return 1 if counts["different"] or len(ran) < len(reports) else 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="only tests with one of these in their name")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    started = time.perf_counter()
    with ThreadPoolExecutor(options.jobs) as threads:
        reports = list(threads.map(report_of, chosen(options.words)))
    return summarize(reports, time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
