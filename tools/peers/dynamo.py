"""Put answers in the place of Dynamo's code: ``dynamo.py NAME``, where ``depyf`` is the package to try.

Each program of ``tests/symbolic/programs`` runs twice with ``torch.compile``: as it is, and with every code object that
Dynamo generates replaced by ``depyf.Decompiler.decompile_and_compile_like``.  A program is

    same          every code object was answered, and it returns, raises and prints the same
    wrong         it does something else
    no answer     a code object was not answered

Prints the counts as JSON.  What is compared is what the program does; nothing else judges here.
"""

from __future__ import annotations

import dataclasses
import io
import json
import runpy
import sys
import time
import warnings
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from types import CodeType
from typing import Any, Callable

import torch
from torch._dynamo.convert_frame import register_bytecode_hook

import depyf

PROGRAMS = Path(__file__).resolve().parent.parent.parent / "tests" / "symbolic" / "programs"


def plain(value: Any) -> Any:
    """``value`` as something that ``==`` compares: tensors by their elements and type."""
    if isinstance(value, torch.Tensor):
        return "tensor", str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return type(value).__name__, plain(vars(value))
    return value


def outcome(program: Callable[..., Any]) -> object:
    """What a compiled program returns or raises, and prints."""
    torch._dynamo.reset()
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            found = plain(program(lambda function, **options: torch.compile(function, backend="eager", **options)))
        except Exception as error:
            found = type(error).__name__, str(error)
    return found, printed.getvalue()


class Replacing:
    """The bytecode hook."""

    def __init__(self) -> None:
        self.asked = self.answered = 0
        self.seconds = 0.0

    def __call__(self, original: CodeType, transformed: CodeType) -> CodeType | None:
        self.asked += 1
        start = time.process_time()
        try:
            with redirect_stdout(io.StringIO()):
                found = depyf.Decompiler.decompile_and_compile_like(transformed, original)
        except Exception:
            return None
        finally:
            self.seconds += time.process_time() - start
        self.answered += 1
        return found


def main() -> int:
    """All programs."""
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    totals = Replacing()
    for path in sorted(PROGRAMS.glob("*.py")):
        for program in runpy.run_path(str(path))["PROGRAMS"]:
            expected = outcome(program)
            hook = Replacing()
            removable = register_bytecode_hook(hook)
            try:
                found = outcome(program)
            finally:
                removable.remove()
            if hook.asked:
                kind = "wrong" if found != expected else "same" if hook.answered == hook.asked else "no answer"
                counts[kind] += 1
                totals.asked, totals.answered = totals.asked + hook.asked, totals.answered + hook.answered
                totals.seconds += hook.seconds
    print(
        json.dumps(
            {
                "torch": torch.__version__.partition("+")[0],
                "version": depyf.__version__,
                "code objects": totals.asked,
                "answered": totals.answered,
                **dict(sorted(counts.items())),
                "seconds per 1000": round(1000 * totals.seconds / totals.asked, 1),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
