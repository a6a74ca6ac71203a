"""Decompile the standard library of the running Python, count what came of it, and compare with the committed counts.

    python tools/corpus.py                  every code object on its own, and every module as a whole
    python tools/corpus.py --sample 40      one file in forty
    python tools/corpus.py --update         write the counts to tools/corpus/scoreboard.json
    python tools/corpus.py --fidelity       also: the share of functions that read as they were written

Where there are no processes (CPython in WebAssembly), parts of the work make a score together:

    python tools/corpus.py --part 0 2 half-0.json
    python tools/corpus.py --part 1 2 half-1.json
    python tools/corpus.py --parts half-0.json half-1.json

Exits with 1 when a count is worse than the committed one of the same Python and the same sample.
"""

from __future__ import annotations

import argparse
import ast
import json
import signal
import sys
import sysconfig
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from contextlib import contextmanager
from multiprocessing import Pool
from pathlib import Path
from types import CodeType, FrameType
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from normalisations import dumped, normalised

from depyf.cli._progress import progress
from depyf.decompiler import DecompilationError, Decompiled, decompile_code
from depyf.decompiler.refusals import DamagedCode, InternalError, Refused
from depyf.decompiler.verify.verdict import BISIMILAR, EXACT, SYMBOLIC

SCOREBOARD = Path(__file__).resolve().parent / "corpus" / "scoreboard.json"
PROCESSES = 2
SECONDS_PER_CODE = 60.0
WITHOUT_PROCESSES = sys.platform == "emscripten"  # nor timers
PYODIDE_LIBRARY = Path("/lib/python_stdlib.zip")
LEVELS = (EXACT, BISIMILAR, SYMBOLIC)
Definitions = Dict[Tuple[str, int], ast.AST]


class Outcome(NamedTuple):
    """What came of one code object: a level, ``refused NAME`` or ``failed WHY``; ``reads`` is None for no function."""

    whole_module: bool
    kind: str
    where: str
    why: str
    reads: Optional[bool]


class TimeIsUp(BaseException):
    """One code object took too long."""


def library(roots: List[Path], every: int) -> List[Path]:
    """One file in ``every`` of folders or archives, without what was installed into the standard library."""
    folders = [_unpacked(root) if zipfile.is_zipfile(str(root)) else root for root in roots]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.parts]
    return files[::every]


def _unpacked(archive: Path) -> Path:
    folder = tempfile.mkdtemp()
    with zipfile.ZipFile(str(archive)) as content:
        content.extractall(folder)
    return Path(folder)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def outcomes_of(work: Tuple[Path, bool]) -> List[Outcome]:
    """Every code object of a file, the module first; nothing for files that are no Python (tests have some)."""
    path, fidelity = work
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            content = path.read_bytes()
            module = compile(content, str(path), "exec", dont_inherit=True)
            written = definitions(ast.parse(content)) if fidelity else {}
        except (SyntaxError, ValueError):
            return []
        return [outcome_of(code, code is module, written, fidelity) for code in codes(module)]


def outcome_of(code: CodeType, whole_module: bool, written: Definitions, fidelity: bool) -> Outcome:
    """Decompile one code object within the limit of time."""
    where = f"{Path(code.co_filename).name}:{code.co_firstlineno}:{code.co_name}"
    try:
        with limited(SECONDS_PER_CODE):
            found = decompile_code(code)
    except (DamagedCode, InternalError) as error:
        return Outcome(whole_module, f"failed {type(error).__name__}", where, str(error), None)
    except DecompilationError as error:
        name = error.refusal.name if isinstance(error, Refused) else type(error).__name__
        return Outcome(whole_module, f"refused {name}", where, str(error), None)
    except TimeIsUp:
        return Outcome(whole_module, "failed TimeIsUp", where, f"after {SECONDS_PER_CODE} s", None)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{error} ({Path(place.filename).name}:{place.lineno})"
        return Outcome(whole_module, f"failed {type(error).__name__}", where, why, None)
    reads = reads_as_written(code, found, written) if fidelity else None
    return Outcome(whole_module, found.certificate.level, where, "", reads)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`TimeIsUp` inside of the block after that time, where there are timers."""
    if WITHOUT_PROCESSES:
        yield
        return
    signal.signal(signal.SIGALRM, _time_is_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_is_up(_signal: int, _frame: Optional[FrameType]) -> None:
    raise TimeIsUp


def definitions(tree: ast.Module) -> Definitions:
    """Every ``def`` of a file as the compiler sees it, by name and first line."""
    found: Definitions = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name, first] = node
    normalised(tree)  # in place
    return found


def reads_as_written(code: CodeType, found: Decompiled, written: Definitions) -> Optional[bool]:
    """Whether a function is printed as it was written; decorators, defaults and annotations are not in its code."""
    original = written.get((code.co_name, code.co_firstlineno))
    if original is None:
        return None
    printed = normalised(found.tree).body[-1]
    return dumped(_own_part(original)) == dumped(_own_part(printed))


def _own_part(node: ast.AST) -> ast.Module:
    names = [arg.arg for arg in ast.walk(getattr(node, "args", node)) if isinstance(arg, ast.arg)]
    parameters = [ast.Expr(ast.Constant(name)) for name in names]
    return ast.Module([*parameters, *getattr(node, "body", [])], [])


class Score(NamedTuple):
    """Counts of one run.

    ``reads`` and ``functions`` are what fidelity was measured on, ``others`` names what is neither exact nor bisimilar.
    """

    code_objects: Dict[str, int]
    modules: Dict[str, int]
    reads: int
    functions: int
    others: List[str]


def score_of(outcomes: List[Outcome]) -> Score:
    """Count outcomes by kind."""
    return Score(
        dict(sorted(Counter(outcome.kind for outcome in outcomes if not outcome.whole_module).items())),
        dict(sorted(Counter(outcome.kind for outcome in outcomes if outcome.whole_module).items())),
        sum(outcome.reads is True for outcome in outcomes),
        sum(outcome.reads is not None for outcome in outcomes),
        sorted(f"{outcome.kind}: {outcome.where}" for outcome in outcomes if outcome.kind not in (EXACT, BISIMILAR)),
    )


def verified(counts: Dict[str, int]) -> int:
    """How many have a proof."""
    return sum(counts.get(level, 0) for level in LEVELS)


def worse(now: Score, before: Dict[str, object]) -> List[str]:
    """What is worse than it was, in words."""
    found = []
    for name in ("code_objects", "modules"):
        counts: Dict[str, int] = getattr(now, name)
        old = {str(kind): int(count) for kind, count in dict(before[name]).items()}  # type: ignore[call-overload]
        if verified(counts) < verified(old):
            found.append(f"{verified(counts)} {name} verified, {verified(old)} before")
        failed, old_failed = (sum(n for kind, n in them.items() if kind.startswith("failed")) for them in (counts, old))
        if failed > old_failed:
            found.append(f"{failed} {name} failed, {old_failed} before")
    reads = int(before.get("reads", 0))  # type: ignore[call-overload]
    if now.functions and now.reads < reads:
        found.append(f"{now.reads} functions read as written, {reads} before")
    return found


def shown(score: Score, outcomes: List[Outcome], seconds: float, top: int) -> Iterator[str]:
    """The report, line by line."""
    version = ".".join(map(str, sys.version_info[:3]))
    for name, counts in (("code objects", score.code_objects), ("modules", score.modules)):
        total = sum(counts.values())
        share = 100 * verified(counts) / max(total, 1)
        yield f"Python {version}: {total} {name}, {verified(counts)} verified ({share:.2f} %)"
        yield from (f"    {count:7} {kind}" for kind, count in sorted(counts.items(), key=lambda row: -row[1]))
    if score.functions:
        share = 100 * score.reads / score.functions
        yield f"{score.reads} of {score.functions} functions read as written ({share:.2f} %)"
        otherwise = [outcome.where for outcome in outcomes if outcome.reads is False]
        yield from (f"      {where}" for where in otherwise[:top])
    yield f"{seconds:.0f} s"
    kinds = Counter(f"{o.kind}: {_one_line(o.why)}" for o in outcomes if o.why)
    for text, count in kinds.most_common(top):
        where = next(o.where for o in outcomes if o.why and text == f"{o.kind}: {_one_line(o.why)}")
        yield f"{count:5} {text}   {where}"


def _one_line(text: str) -> str:
    return text.split("\n")[0].rsplit(": ", 1)[-1][:110]


def outcomes_of_all(files: List[Tuple[Path, bool]]) -> List[Outcome]:
    """What came of every file, with as many processes as there may be."""
    if WITHOUT_PROCESSES:
        return [outcome for work in files for outcome in outcomes_of(work)]
    with Pool(PROCESSES) as pool:
        groups = progress(pool.imap_unordered(outcomes_of, files, chunksize=4), len(files))
        return [outcome for group in groups for outcome in group]


def options_of(arguments: List[str]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stdlib = PYODIDE_LIBRARY if WITHOUT_PROCESSES else Path(sysconfig.get_paths()["stdlib"])
    parser.add_argument("--library", type=Path, nargs="+", default=[stdlib], metavar="PLACE", help="folders, archives")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="one file in N")
    parser.add_argument("--update", action="store_true", help="write the counts to the scoreboard")
    parser.add_argument("--fidelity", action="store_true", help="also compare syntax trees")
    parser.add_argument("--top", type=int, default=15, metavar="N", help="reasons to show (default: %(default)s)")
    parser.add_argument("--part", nargs=3, metavar=("I", "N", "FILE"), help="part I of N, into a file")
    parser.add_argument("--parts", type=Path, nargs="+", metavar="FILE", help="score what these files say")
    return parser.parse_args(arguments)


def main(arguments: List[str]) -> int:
    """Run the command."""
    options = options_of(arguments)
    start = time.perf_counter()
    if options.parts:
        outcomes = [Outcome(*row) for part in options.parts for row in json.loads(part.read_text("utf-8"))]
    else:
        first, step = (int(number) for number in options.part[:2]) if options.part else (0, 1)
        files = [(path, options.fidelity) for path in library(options.library, options.sample)[first::step]]
        outcomes = outcomes_of_all(files)
    if options.part:
        Path(options.part[2]).write_text(json.dumps(outcomes), "utf-8")
        return 0
    score = score_of(outcomes)
    print("\n".join(shown(score, outcomes, time.perf_counter() - start, options.top)))
    return ratchet(score, options.sample, options.update)


def ratchet(score: Score, sample: int, update: bool) -> int:
    """Compare with the committed counts, or write them."""
    board = json.loads(SCOREBOARD.read_text("utf-8")) if SCOREBOARD.exists() else {}
    key = "Python {}.{}.{}".format(*sys.version_info) + (f", one file in {sample}" if sample > 1 else "")
    before = board.get(key)
    if update:
        kept = {} if score.functions or before is None else {name: before[name] for name in ("reads", "functions")}
        board[key] = {**score._asdict(), **kept}
        SCOREBOARD.write_text(json.dumps(board, indent=1, sort_keys=True) + "\n", "utf-8")
        return 0
    if before is None:
        print(f"no committed counts for {key}: nothing to compare with (--update writes them)")
        return 0
    found = worse(score, before)
    print("\n".join(f"worse: {line}" for line in found) or "no count is worse than the committed one")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
