"""Judge answers: ``judge.py FOLDER``, on the Python of the sample.

    same          compiles to a function that ``tools/listings.py`` finds the same, instruction by instruction
    alike         it does not, but runs on objects that write down everything done to them show no difference
    wrong         takes other parameters, or such a run shows a difference
    no Python     does not compile, or holds no function of that name
    no answer     the decompiler raised, said nothing, or took too long

Neither ``tools/listings.py`` (what ``dis`` lists) nor ``tests/symbolic/tracing.py`` (what CPython does) shares code
with a decompiler or with depyf's verifier.  ``alike`` is the benefit of the doubt: docstrings, bodies of generators
and of inner functions are not compared then.  All answers are judged alike.
"""

from __future__ import annotations

import builtins
import json
import signal
import sys
import warnings
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Dict, Iterator, Optional

TOOLS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOOLS), str(TOOLS.parent / "tests" / "symbolic")]

from listings import harmless  # noqa: E402  (after the path)
from tracing import Enough, Globals, Traced, difference  # noqa: E402

from peers.answer import code_of  # noqa: E402

SAME, ALIKE, WRONG, NO_PYTHON, NO_ANSWER = "same", "alike", "wrong", "no Python", "no answer"
MOST_LINES = 20_000
SECONDS = 10.0
RUNS_LATER = 0x20 | 0x80 | 0x200  # generator, coroutine, asynchronous generator


def verdict(original: CodeType, answer: Dict[str, object]) -> str:
    """One of the five."""
    source = answer.get("source")
    if not source or not str(source).strip():
        return NO_ANSWER
    try:
        module = compile(str(source), "answer.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NO_PYTHON
    found = function(module, original.co_name)
    if found is None:
        return NO_PYTHON
    if harmless(original, found):
        return SAME
    return ALIKE if _parameters(original) == _parameters(found) and _behave_alike(original, found) else WRONG


def _parameters(code: CodeType) -> object:
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_argcount, code.co_kwonlyargcount, code.co_flags & 0x2AC, code.co_varnames[:count]


def _behave_alike(one: CodeType, other: CodeType) -> bool:
    """Whether runs show no difference; one that does not end is one.  A generator's body does not run when called."""
    if one.co_flags & RUNS_LATER:
        return True
    lines = [0]

    def count(frame: FrameType, event: str, _argument: object) -> Any:
        if frame.f_code.co_filename not in (one.co_filename, other.co_filename):
            return None
        lines[0] += event == "line"
        if lines[0] > MOST_LINES:
            raise Enough
        return count

    def stop(*_: object) -> None:
        raise Enough

    def traced_import(name: str, into: Any = None, *others: Any) -> object:
        """Functions that are judged import nothing; what they do with a module is written down, too."""
        if not isinstance(into, Globals):
            return genuine(name, into, *others)
        into.record.note("import", name, into.record.shown(others[1:]))
        return Traced(into.record, name)

    genuine = builtins.__import__
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.1)
    builtins.__import__ = traced_import  # type: ignore[assignment]
    sys.settrace(count)
    try:
        return difference(one, other) is None
    except BaseException:
        return True  # the runs break off without having shown anything
    finally:
        sys.settrace(None)
        builtins.__import__ = genuine
        if alarm:
            signal.setitimer(signal.ITIMER_PROF, 0)


def function(module: CodeType, name: str) -> Optional[CodeType]:
    """The function of this name, wherever in the answer it stands."""
    return next((code for code in _codes(module) if code.co_name == name), None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def main(folder: Path) -> int:
    """Writes ``NAME.verdicts.json`` for every ``NAME.jsonl``: one verdict per function."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    sample = json.loads((folder / "sample.json").read_text())["functions"]
    originals = [code_of(folder / row["place"] / "function.pyc") for row in sample]
    for path in sorted(folder.glob("*.jsonl")):
        answers = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        verdicts = [verdict(original, answer) for original, answer in zip(originals, answers)]
        path.with_suffix(".verdicts.json").write_text(json.dumps(verdicts))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
