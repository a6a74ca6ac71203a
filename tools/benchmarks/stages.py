"""Where the time goes on a library: seconds by stage, beside what CPython itself takes for the same code."""

from __future__ import annotations

import builtins
import contextlib
import dis
import time
import warnings
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple

from depyf.decompiler import DecompilationError, candidate, decompile_code, pipeline
from depyf.decompiler.definitions.assemble import Assembler
from depyf.decompiler.disassemble import decoded

decompile = import_module("depyf.decompiler.decompile")  # as an attribute it is the function

# Where the functions of a stage are called from.
STAGES: Dict[str, Sequence[Tuple[object, str]]] = {
    "decode": [(decoded, "decode")],
    "contraction": [
        (pipeline, "contract_delegation"),
        (pipeline, "contract_inlined"),
        (pipeline, "contract_except_star"),
    ],
    "stacks": [(pipeline, "entry_stacks")],
    "copies": [(pipeline, "merge_copies")],
    "finally": [(pipeline, "drop_finally_copies")],
    "matches": [(pipeline, "contract_matches")],
    "purposes": [(pipeline, "purposes")],
    "lift": [(pipeline, "lift_blocks")],
    "reduce": [(pipeline, "reduce_conditions")],
    "layout": [(pipeline, "Layout")],
    "structure": [(pipeline, "statements")],
    "assemble": [(Assembler, "definition_of")],
    "emit": [(candidate, "emit")],
    "compile": [(candidate, "compile_quietly")],
    "verify": [(decompile, "verify")],
}


class Stopwatch:
    """Seconds by stage; what one stage spends in another counts for the other."""

    def __init__(self) -> None:
        self.seconds: Dict[str, float] = defaultdict(float)
        self._running: List[str] = []
        self._since = 0.0

    def switch(self) -> None:
        """Credit the time since the last switch to the stage that ran."""
        now = time.process_time()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, its time credited to ``stage``."""

        def run(*args: Any, **keywords: Any) -> Any:
            self.switch()
            self._running.append(stage)
            try:
                return function(*args, **keywords)
            finally:
                self.switch()
                self._running.pop()

        return run

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Time every stage until the end of the block."""
        places = [(owner, name, stage) for stage, entries in STAGES.items() for owner, name in entries]
        before = [(owner, name, vars(owner).get(name)) for owner, name, _stage in places]
        for owner, name, stage in places:
            setattr(owner, name, self.timed(stage, getattr(owner, name, None) or getattr(builtins, name)))
        try:
            yield
        finally:
            for owner, name, function in before:
                if function is None:
                    delattr(owner, name)
                else:
                    setattr(owner, name, function)


class Profile(NamedTuple):
    """Seconds that ``modules`` files took; ``python`` is CPython's own work on them, as ``table`` says."""

    modules: int
    refused: int
    stages: Dict[str, float]
    total: float
    python: float


def profile(files: Sequence[Path]) -> Profile:
    """Decompile the modules that Python can compile, and time CPython on each right after."""
    watch = Stopwatch()
    modules = refused = 0
    total = python = 0.0
    for file in files:
        code = _compiled(file)
        if code is None:
            continue
        modules += 1
        start = time.process_time()
        try:
            with watch.watching():
                found = decompile_code(code)
        except (DecompilationError, RecursionError):
            refused += 1
            continue
        finally:
            total += time.process_time() - start
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(found.source, str(file), "exec", dont_inherit=True)
        for each in (*_all_code(code), *_all_code(found.candidate)):
            list(dis.get_instructions(each))
        python += time.process_time() - start
    return Profile(modules, refused, dict(watch.seconds), total, python)


def _compiled(file: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None


def _all_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)


def table(found: Profile) -> str:
    """Seconds and share by stage, and the ratio to CPython's own work."""
    lines = [f"{'stage':12}{'seconds':>9}{'share':>8}"]
    for stage in STAGES:
        seconds = found.stages.get(stage, 0.0)
        lines.append(f"{stage:12}{seconds:9.2f}{seconds / found.total:8.1%}")
    lines.append(f"{'everything':12}{found.total:9.2f}   {found.modules} modules, {found.refused} refused")
    lines.append(f"{'CPython':12}{found.python:9.2f}   compile the printed source, list the instructions of both")
    lines.append(f"{'ratio':12}{found.total / found.python:9.2f}")
    return "\n".join(lines)
