"""What prepare_debug costs while torch compiles a transformer of twelve layers, forward and backward, cold.

    python tools/benchmarks/overhead.py [--backend aot_eager] [--pairs 30]

Two measures, both of CPU time, processes that were started included:

* pairs: whole runs in new processes with and without a block, in alternating order: the mean ratio, 95 % interval.
* hooks: in every run with a block, the time inside of depyf and of what torch renders because depyf reads it, over the
  rest. Garbage collections that happen to begin there are not counted: they are as many without the block.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path
from typing import Any, Callable, Iterator

SOURCES = Path(__file__).resolve().parents[2] / "src"
# Two-sided 95 % quantiles of Student's t, by degrees of freedom; beyond, the next lower one.
QUANTILES = {1: 12.71, 2: 4.3, 3: 3.18, 4: 2.78, 5: 2.57, 7: 2.36, 9: 2.26, 14: 2.14, 19: 2.09, 29: 2.05, 59: 2.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", default="aot_eager", choices=["eager", "aot_eager", "inductor"])
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--one", choices=["plain", "watched"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one_run(options.backend, watched=options.one == "watched")))
        return
    ratios, hooks, slower = [], [], []
    for number in range(options.pairs):
        order = ("plain", "watched") if number % 2 else ("watched", "plain")
        pair = {each: in_a_new_process(options.backend, each) for each in order}
        plain, watched = pair["plain"], pair["watched"]
        ratios.append(math.log(watched["cpu"] / plain["cpu"]))
        hooks.append(watched["hooks"] / (watched["cpu"] - watched["hooks"]))
        slower.append(math.log(watched["steady"] / plain["steady"]))
        print(f"{number + 1}: {plain['cpu']:.2f} s, {watched['cpu']:.2f} s, hooks {hooks[-1]:.2%}", flush=True)
    print(f"{options.backend}, {options.pairs} pairs")
    print(f"  whole runs: {shown(ratios, math.expm1)}")
    print(f"  hooks:      {shown(hooks, float)}")
    print(f"  a call afterwards: {shown(slower, math.expm1)}")


def shown(values: list[float], back: Callable[[float], float]) -> str:
    """Mean and 95 % interval, in per cent."""
    mean = statistics.fmean(values)
    freedom = max((each for each in QUANTILES if each < len(values)), default=1)
    half = QUANTILES[freedom] * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return f"{back(mean):+.2%} (95 %: {back(mean - half):+.2%} to {back(mean + half):+.2%})"


def in_a_new_process(backend: str, one: str) -> dict[str, float]:
    """The measurements of one run; nothing is cached from an earlier one."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, __file__, "--backend", backend, "--one", one],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env={
                **os.environ,
                "TORCHINDUCTOR_CACHE_DIR": cache,
                "TORCHINDUCTOR_COMPILE_THREADS": "1",
                "PYTHONPATH": str(SOURCES),
            },
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def one_run(backend: str, watched: bool) -> dict[str, float]:
    """Compile once; what torch imports on first use is imported before."""
    import torch

    model, x = transformer(torch), torch.randn(2, 16, 64)
    warm = torch.compile(lambda a: a.sin() + 1, backend=backend)
    warm(torch.ones(2, requires_grad=True)).sum().backward()
    compiled = torch.compile(model, backend=backend)
    block: Any = contextlib.nullcontext()
    clock = Clock()
    if watched:
        import depyf

        clock.watch()
        block = depyf.prepare_debug(tempfile.mkdtemp())
    gc.collect()
    before = cpu()
    with clock.running(block):
        compiled(x).sum().backward()
    spent = cpu() - before
    return {"cpu": spent, "hooks": clock.total, "steady": steady(lambda: compiled(x))}


def steady(call: Callable[[], object]) -> float:
    """Seconds of CPU time for one call, the least of many."""
    times = []
    for _ in range(30):
        before = time.process_time()
        call()
        times.append(time.process_time() - before)
    return min(times)


def cpu() -> float:
    """Seconds that this process and those it waited for have used."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def transformer(torch: Any) -> Any:
    """Twelve layers, in the words of the library alone."""

    class Block(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, width: int = 64, heads: int = 4) -> None:
            super().__init__()
            self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(width) for _ in range(2))
            self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
            self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)
            self.heads = heads

        def forward(self, x: Any) -> Any:
            batch, length, width = x.shape
            parts = self.qkv(self.norms[0](x)).view(batch, length, 3, self.heads, width // self.heads)
            query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
            found = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.out(found.transpose(1, 2).reshape(batch, length, width))
            return x + self.down(torch.nn.functional.gelu(self.up(self.norms[1](x))))

    torch.manual_seed(0)
    return torch.nn.Sequential(*(Block() for _ in range(12)))


class Clock:
    """CPU time of this thread inside of wrapped functions, counted once where they call each other."""

    def __init__(self) -> None:
        self.total = 0.0
        self._inside = 0
        self._collecting = 0.0
        gc.callbacks.append(self._collected)

    def watch(self) -> None:
        """Wrap what torch calls of depyf's, and the function that renders the trace."""
        import torch._logging._internal as trace

        from depyf.capture import collect, unread

        for name in ("transformed", "ended", "named"):
            setattr(collect.Capture, name, self.timed(getattr(collect.Capture, name)))
        # Everybody has imported the function: its code is exchanged, and the original asks for handlers as before.
        function = trace.trace_structured
        original = types.FunctionType(function.__code__, function.__globals__, function.__name__)
        original.__defaults__, original.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        function.__globals__["_timed_trace"] = self.timed(original)
        unread.TRACE_FUNCTION = types.SimpleNamespace(find=lambda: original)  # type: ignore[assignment]

        def outer(*args: Any, **kwargs: Any) -> Any:
            return _timed_trace(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821

        function.__defaults__ = function.__kwdefaults__ = None
        function.__code__ = outer.__code__

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self._counted():
                return function(*args, **kwargs)

        return wrapped

    @contextlib.contextmanager
    def running(self, block: Any) -> Iterator[None]:
        """``block``, with its beginning and its end counted."""
        with self._counted():
            block.__enter__()
        yield
        with self._counted():
            block.__exit__(None, None, None)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        before, self._inside = time.thread_time(), self._inside + 1
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                self.total += time.thread_time() - before

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = time.thread_time()
        elif self._inside and info["generation"] == 2:
            self.total -= time.thread_time() - self._collecting


if __name__ == "__main__":
    main()
