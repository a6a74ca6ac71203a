"""Acceptance of the verifier: the same module in another layout has to be equal.

Every module of the standard library is compiled twice, as it is and in another layout, and verified:

    unparse    ast.unparse of its syntax tree (Python 3.9+)
    flatten    its syntax tree with every statement on one line, which is what line-dependent optimisations depend on
    emit       its syntax tree printed by depyf

    python tools/roundtrip.py [--how unparse|flatten|emit] [--jobs N] [--every N] [PATH ...]

Exit status 0 if every module that Python itself can compile is accepted.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple, Union

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from depyf.decompiler.verify.lockstep import lockstep
from depyf.decompiler.verify.verdict import Certificate

LIBRARY = Path(os.__file__).parent


class Report(NamedTuple):
    """What became of one module: ``outcome`` is accepted, rejected, failed, or the reason why it does not count."""

    path: str
    outcome: str
    detail: str = ""
    rules: Sequence[str] = ()
    pairs: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


def flattened(tree: ast.Module) -> ast.Module:
    """``tree`` with every expression moved to the line where its statement starts."""
    pending: List[Tuple[ast.AST, int]] = [(tree, 1)]
    while pending:
        node, line = pending.pop()
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            line = node.lineno
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
        pending += [(child, line) for child in ast.iter_child_nodes(node)]
    return tree


def unparsed(tree: ast.Module) -> str:
    """``tree`` as ``ast`` prints it."""
    return ast.unparse(tree)


def emitted(tree: ast.Module) -> str:
    """``tree`` as depyf prints it."""
    from depyf.decompiler.emit import emit

    return emit(tree)


LAYOUTS: Dict[str, Callable[[ast.Module], Union[str, ast.Module]]] = {
    "unparse": unparsed,
    "flatten": flattened,
    "emit": emitted,
}


def check(path: str, how: str) -> Report:
    """Compile the module at ``path`` twice and compare."""
    sys.setrecursionlimit(20000)
    warnings.simplefilter("ignore")
    raw = Path(path).read_bytes()
    started = time.perf_counter()
    try:
        original = compile(raw, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        return Report(path, "not Python", str(error))
    compiled = time.perf_counter() - started
    tree = ast.parse(raw)
    try:
        layout = LAYOUTS[how](tree)
        candidate = compile(layout, path, "exec", dont_inherit=True)
        if isinstance(layout, str) and ast.dump(ast.parse(layout)) != ast.dump(tree):
            return Report(path, "printed wrong", "the printed text has another syntax tree")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Report(path, "printed wrong", f"{type(error).__name__}: {error}")
    started = time.perf_counter()
    try:
        verdict = lockstep(original, candidate, {}, skip_identical=False)
    except Exception:
        return Report(path, "failed", traceback.format_exc())
    seconds = time.perf_counter() - started
    if isinstance(verdict, Certificate):
        return Report(path, "accepted", "", sorted(verdict.rules), verdict.pairs, seconds, compiled)
    return Report(path, "rejected", str(verdict), (), 0, seconds, compiled)


def _check_one(job: Sequence[str]) -> Report:
    return check(*job)


def modules(paths: Sequence[str], every: int) -> List[str]:
    """Python files under ``paths``, the standard library by default."""
    roots = [Path(path) for path in paths] or [LIBRARY]
    files: Iterator[Path] = (file for root in roots for file in ([root] if root.is_file() else root.rglob("*.py")))
    return sorted(str(file) for file in files if "site-packages" not in file.parts)[::every]


def run(files: Sequence[str], how: str, jobs: int) -> List[Report]:
    """Check all ``files`` in ``jobs`` processes; progress goes to a terminal only."""
    reports: List[Report] = []
    with multiprocessing.Pool(jobs) as pool:
        for report in pool.imap_unordered(_check_one, [(file, how) for file in files], chunksize=4):
            reports.append(report)
            if sys.stderr.isatty():
                print(f"\r{len(reports)}/{len(files)}", end="", file=sys.stderr, flush=True)
    return reports


def summarize(reports: Sequence[Report]) -> int:
    """Print what was rejected and a summary; returns the exit status."""
    outcomes = Counter(report.outcome for report in reports)
    for report in sorted(reports):
        if report.outcome != "accepted" and report.outcome != "not Python":
            print(f"{report.outcome}: {report.path}\n    " + report.detail.replace("\n", "\n    "))
    rules = Counter(rule for report in reports for rule in report.rules)
    counted = [report for report in reports if report.outcome == "accepted"]
    print(
        f"Python {sys.version.split()[0]}: {dict(outcomes)}; rules used in {dict(rules)} modules; "
        f"{sum(report.pairs for report in counted)} pairs, verify {sum(report.seconds for report in reports):.1f} s, "
        f"compile {sum(report.compile_seconds for report in reports):.1f} s"
    )
    return 1 if outcomes["rejected"] or outcomes["failed"] else 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*")
    default = "unparse" if hasattr(ast, "unparse") else "flatten"
    parser.add_argument("--how", choices=sorted(LAYOUTS), default=default)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    return summarize(run(modules(options.paths, options.every), options.how, options.jobs))


if __name__ == "__main__":
    sys.exit(main())
