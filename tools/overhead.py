"""What prepare_debug costs: ``python tools/overhead.py [--backend aot_eager inductor] [--pairs 30]``.

While torch compiles a transformer of twelve layers, forward and backward, cold. Each run is a new process with empty
caches; a run without and one with a block make a pair, side by side, so that both meet what else the machine does:

* hooks: in the run with a block, the time inside of depyf and of what torch renders because depyf reads it, over the
  rest. Garbage collections that happen to begin there are not counted: they are as many without the block. Nor is
  what is imported on first use, by torch or by us.
* whole runs: the ratio within the pair, processes that were started included.

And when everything is compiled: a small compiled function is called often in one process, before any block, inside of
one, and afterwards. All times are CPU times. ``docs/evidence/overhead.json`` gets the numbers of every run, after each
pair; ``--more`` adds to what is there.
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
import timeit
import types
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "evidence" / "overhead.json"
BACKENDS = ("aot_eager", "inductor")
WAYS = ("plain", "watched")
# Two-sided 95 % quantiles of Student's t, by degrees of freedom; beyond, the next lower one.
QUANTILES = {1: 12.71, 2: 4.3, 3: 3.18, 4: 2.78, 5: 2.57, 7: 2.36, 9: 2.26, 14: 2.14, 19: 2.09, 29: 2.05, 59: 2.0}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", nargs="*", default=BACKENDS, choices=BACKENDS)
    parser.add_argument("--pairs", type=int, default=30, metavar="N")
    parser.add_argument("--more", action="store_true", help="keep the pairs that are there")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_ONE[options.one[0]](options.one[1])))
        return 0
    import torch

    measured = json.loads(options.out.read_text()) if options.out.exists() else {"compiling": {}, "calling": []}
    if not options.more:  # other backends stay as they are
        measured["compiling"].update({backend: [] for backend in options.backend})
        measured["calling"] = []
    measured.update(torch=torch.__version__, python=sys.version.split()[0])
    for number in range(options.pairs):
        for backend in options.backend:
            pair = side_by_side(backend, WAYS[:: -1 if number % 2 else 1])
            measured["compiling"].setdefault(backend, []).append(pair)
        if number % 6 == 0:
            measured["calling"].append(finished(started("calling", "eager")))
        options.out.write_text(json.dumps(measured, indent=1) + "\n")
        print("; ".join(f"{row.backend}: hooks {row.hooks}, whole runs {row.whole}" for row in compiling(measured)))
    print("; ".join(f"{when}: {us:.2f} us {more}" for when, us, more in calling(measured)))
    return 0


class Cost(NamedTuple):
    """A row of the page: ``seconds`` of CPU without a block, the median; shares as text, with their intervals."""

    backend: str
    pairs: int
    seconds: float
    hooks: str
    whole: str


def compiling(measured: Mapping[str, Any]) -> Iterator[Cost]:
    """What a file of measurements says of each backend."""
    for backend, pairs in measured["compiling"].items():
        hooks = [pair["hooks"] / (pair["watched"] - pair["hooks"]) for pair in pairs]
        whole = [math.log(pair["watched"] / pair["plain"]) for pair in pairs]
        seconds = statistics.median(pair["plain"] for pair in pairs)
        yield Cost(backend, len(pairs), seconds, shown(hooks, float), shown(whole, math.expm1))


def calling(measured: Mapping[str, Any]) -> Iterator[tuple[str, float, str]]:
    """When, microseconds for a call, and how much more than a call of a function that never was watched."""
    rounds = measured["calling"]
    for when in rounds[0]:
        more = [math.log(each[when] / each["never watched"]) for each in rounds]
        text = "" if when == "never watched" else shown(more, math.expm1)
        yield when, statistics.median(each[when] for each in rounds), text


def shown(values: list[float], back: Callable[[float], float]) -> str:
    """Mean and 95 % interval, in per cent."""
    mean = statistics.fmean(values)
    freedom = max((each for each in QUANTILES if each < len(values)), default=1)
    half = QUANTILES[freedom] * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    low, high = (back(each) if math.isfinite(each) else math.nan for each in (mean - half, mean + half))
    return f"{back(mean):+.1%} (95 %: {low:+.1%} to {high:+.1%})"


def side_by_side(backend: str, order: tuple[str, ...]) -> dict[str, float]:
    """Both ways at the same time: CPU seconds of each, and of our hooks."""
    running = {way: started(way, backend) for way in order}
    found = {way: finished(run) for way, run in running.items()}
    return {**{way: round(found[way]["cpu"], 4) for way in WAYS}, "hooks": round(found["watched"]["hooks"], 4)}


def started(what: str, backend: str) -> Any:
    """A process of its own, with a folder of its own that holds nothing from an earlier one."""
    folder = tempfile.TemporaryDirectory()
    environment = {
        **os.environ,
        "TORCHINDUCTOR_CACHE_DIR": folder.name,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",  # in this process, so that its time is counted
        "PYTHONPATH": str(ROOT / "src"),
    }
    command = [sys.executable, __file__, "--one", what, backend]
    process = subprocess.Popen(command, cwd=folder.name, stdout=subprocess.PIPE, text=True, env=environment)
    return process, folder


def finished(run: Any) -> dict[str, float]:
    """What the process printed last."""
    process, folder = run
    said, _ = process.communicate()
    folder.cleanup()
    if process.returncode:
        raise RuntimeError(f"{process.args} failed")
    found: dict[str, float] = json.loads(said.splitlines()[-1])
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
    return {"cpu": spent, "hooks": clock.total}


def calls() -> dict[str, float]:
    """Microseconds for a call of a small compiled function, the least of many rounds."""
    import torch

    import depyf

    x = torch.ones(4)
    never, watched = (torch.compile(each, backend="eager") for each in (lambda a: a + 1, lambda a: a + 2))
    never(x)

    def microseconds(function: Any) -> float:
        return timeit.timeit(lambda: function(x), number=1000, timer=time.process_time) / 1000 * 1e6

    with depyf.prepare_debug("dump"):
        watched(x)
        inside = min(microseconds(watched) for _ in range(20))
    turns = [(microseconds(never), microseconds(watched)) for _ in range(20)]  # so that both meet the same noise
    without, after = map(min, zip(*turns))
    return {"never watched": without, "inside the block": inside, "after the block": after}


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

    torch.set_num_threads(1)
    torch.manual_seed(0)
    return torch.nn.Sequential(*(Block() for _ in range(12)))


class Clock:
    """CPU time inside of wrapped functions, of all threads, counted once where they call each other."""

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
        before, self._inside = time.process_time(), self._inside + 1
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                self.total += time.process_time() - before

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = time.process_time()
        elif self._inside and info["generation"] == 2:
            self.total -= time.process_time() - self._collecting


_ONE: dict[str, Callable[[str], dict[str, float]]] = {
    "plain": lambda backend: one_run(backend, watched=False),
    "watched": lambda backend: one_run(backend, watched=True),
    "calling": lambda backend: calls(),
}

if __name__ == "__main__":
    sys.exit(main())
