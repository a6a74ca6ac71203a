"""What runs from the dump directory inside of debug(), with the torch that is here: ``python tools/steppable.py``.

A tracer writes down which files of the directory lines are executed in: of a function that was compiled before the
block, and in the first and second call of one that is compiled inside, forward and backward. The answers of this torch
take their place in ``docs/evidence/steppable.json``.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Iterator

import torch

import depyf

OUT = Path(__file__).resolve().parent.parent / "docs" / "evidence" / "steppable.json"
GRAPHS = {
    "eager": ("Captured_Graph",),
    "aot_eager": ("Forward_graph", "Backward_graph"),
    "inductor": ("kernel_0", "kernel_1"),
}
CALLS = ("compiled before", "compiled inside, first call", "second call", "in the next block")


def function(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A graph break, and a graph on each side of it."""
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def step(backend: str) -> None:
    """Forward and backward, compiled when it is not yet."""
    a = torch.ones(10, requires_grad=True)
    torch.compile(function, backend=backend)(a, torch.ones(10)).sum().backward()


@contextmanager
def files_run(directory: Path) -> Iterator[set[str]]:
    """Kinds of files in which lines are executed."""
    seen: set[str] = set()

    def trace(frame, event, argument):  # type: ignore[no-untyped-def]
        file = Path(frame.f_code.co_filename)
        if file.parent != directory:
            return None
        seen.add(
            re.sub(r"__(transformed)_.*|__compiled_fn_\d+\.(\w+).*", lambda found: found[1] or found[2], file.name)
        )
        return None

    sys.settrace(trace)
    try:
        yield seen
    finally:
        sys.settrace(None)


def measured(backend: str, directory: Path) -> dict[str, list[str]]:
    """Kind of file -> in which of CALLS it ran."""
    found = []

    def calls(times: int) -> None:
        with depyf.debug():
            for _ in range(times):
                with files_run(directory) as seen:
                    step(backend)
                found.append(seen)

    with depyf.prepare_debug(directory):
        step(backend)
    calls(1)
    torch._dynamo.reset()
    calls(2)
    calls(1)
    with files_run(directory) as after:
        step(backend)
    found.append(after)
    names = (*CALLS, "after the block")
    return {
        kind: [name for name, seen in zip(names, found) if kind in seen] for kind in ("transformed", *GRAPHS[backend])
    }


def main() -> None:
    """Measure and write."""
    os.environ["PYTHONBREAKPOINT"] = "0"
    answers = {}
    for backend in GRAPHS:
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
            torch._dynamo.reset()
            answers[backend] = measured(backend, Path(folder).resolve())
    known = json.loads(OUT.read_text()) if OUT.exists() else {}
    version = torch.__version__.partition("+")[0]
    known[version] = answers
    order = sorted(known, key=lambda each: [int(part) for part in each.split(".")])
    OUT.write_text(json.dumps({each: known[each] for each in order}, indent=1) + "\n")
    print(version, json.dumps(answers, indent=1))


if __name__ == "__main__":
    main()
