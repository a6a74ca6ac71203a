"""Programs to step through, pdb driven by a list of commands, and what must be true afterwards."""

from __future__ import annotations

import bdb
import io
import sys
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import torch
from torch._dynamo.convert_frame import _bytecode_hooks
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

import depyf
from depyf.capture.seams import BEFORE_RUN_NOW, PRECOMPILED
from depyf.debugger.reach import functions_behind


def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


class Program:
    """The toy function on both of its ways, forward and backward, compiled while ``directory`` is written."""

    def __init__(self, directory: Path, backend: str) -> None:
        self.directory = directory
        self.compiled = torch.compile(toy, backend=backend)
        with depyf.prepare_debug(directory):
            self.first = self.main()

    def main(self, size: int = 10) -> list[torch.Tensor]:
        results = []
        for sign in (1, -1):
            a = torch.linspace(-1, 1, size).requires_grad_()
            out = self.compiled(a, sign * torch.ones(size))
            out.sum().backward()
            results += [out.detach(), a.grad]
        return results

    def same(self, results: list[torch.Tensor]) -> bool:
        return all(torch.equal(one, other) for one, other in zip(self.first, results))


def own_code(code=toy.__code__) -> dict[str, object]:
    """Everything that debug() may exchange, as it is now."""
    entries = _debug_get_cache_entry_list(code)
    found: dict[str, object] = {
        "entries": [(str(each.compile_id), each.code) for each in entries],
        "precompiled": PRECOMPILED.call(code) if PRECOMPILED.find() else [],
        "trace": sys.gettrace(),
        "breakpoint": sys.breakpointhook,
        "breakpoints": dict(bdb.Breakpoint.bplist),
        "threads": torch._C._is_multithreading_enabled(),
        "hooks": len(_bytecode_hooks),
        "before run": BEFORE_RUN_NOW.find() and BEFORE_RUN_NOW.call(),
    }
    for entry in entries:
        scope = entry.guard_manager.global_scope["G"]
        for name in entry.code.co_names:
            if name.startswith("__compiled_fn"):
                found[name] = [function.__code__ for function in functions_behind(scope[name])]
    return found


@contextmanager
def talking(*commands: str):
    """pdb reads ``commands``; what it says is in the result."""
    said, before = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("".join(f"{command}\n" for command in commands))
    try:
        with redirect_stdout(said):
            yield said
    finally:
        sys.stdin = before


@contextmanager
def lines_run(directory: Path):
    """File name -> lines, of what runs from files of ``directory``."""
    seen: dict[str, list[int]] = {}

    def trace(frame, event, argument):
        file = Path(frame.f_code.co_filename)
        if file.parent != directory:
            return None
        if event == "line":
            seen.setdefault(file.name, []).append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield seen
    finally:
        sys.settrace(before)
