"""What torch itself writes about a compilation, beside depyf: ``python tools/torch_dumps.py [--rounds 3]``.

The same function, forward and backward with Inductor, compiled from nothing in a new process for each way of looking:
torch's log, its debug folder, its structured trace, the pages that tlparse makes of that, and a dump of depyf. CPU
seconds of the whole process (the smallest of all rounds), files, kilobytes and lines of text go to
``docs/evidence/dumps.json``. tlparse is installed from the package index into an environment of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from compare_decompilers import Peer, environment

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "evidence" / "dumps.json"
TLPARSE = Peer("tlparse", "0.4.3", [], [])
PROGRAM = """
import torch, contextlib, depyf

def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b

def step(function):
    a = torch.linspace(-1, 1, 10).requires_grad_()
    function(a, torch.ones(10)).sum().backward()

with {block}:
    {step}
"""
COMPILED = "step(torch.compile(toy))"


class Way(NamedTuple):
    """How to look: a name for readers, the environment, the block around the program, what the block holds."""

    name: str
    variables: dict[str, str]
    block: str = "contextlib.nullcontext()"
    step: str = COMPILED


WAYS = (
    Way("nothing", {}),
    Way(
        "TORCH_LOGS, everything it has on Dynamo, guards, graphs and code",
        {"TORCH_LOGS": "+dynamo,guards,graph_breaks,recompiles,bytecode,aot_graphs,output_code"},
    ),
    Way("TORCH_COMPILE_DEBUG=1", {"TORCH_COMPILE_DEBUG": "1"}),
    Way("TORCH_TRACE", {"TORCH_TRACE": "trace"}),
    Way("torch._dynamo.explain", {}, step="print(torch._dynamo.explain(step)(toy))"),
    Way("depyf.prepare_debug", {}, block="depyf.prepare_debug('dump')"),
)


def cpu() -> float:
    """Seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def looked(way: Way, folder: Path, cache: Path) -> float:
    """CPU seconds of the program; what was printed is a file of the folder, as everything else that it left there."""
    own = {
        "PYTHONPATH": str(ROOT / "src"),
        "TORCHINDUCTOR_CACHE_DIR": str(cache),  # shared object files stay, so that no C++ compiler is timed
        "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1",
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
    }
    before = cpu()
    program = PROGRAM.format(block=way.block, step=way.step)
    with open(folder / "printed.txt", "w", encoding="utf-8") as printed:
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env={**os.environ, **own, **way.variables},
            stdout=printed,
            stderr=printed,
            check=True,
        )
    return cpu() - before


def pages_of(trace: Path, folder: Path) -> float | None:
    """CPU seconds in which tlparse makes its pages; None where it cannot be installed."""
    python = environment(TLPARSE, f"{sys.version_info[0]}.{sys.version_info[1]}")
    if python is None:
        return None
    (log,) = (trace / "trace").iterdir()
    before = cpu()
    command = [str(python.parent / "tlparse"), str(log), "-o", str(folder / "pages"), "--no-browser"]
    subprocess.run(command, check=True, capture_output=True)
    return cpu() - before


def left_in(folder: Path) -> dict[str, int]:
    """Files that are not empty, their kilobytes, the lines of those that are text."""
    files = [each for each in folder.rglob("*") if each.is_file() and each.stat().st_size]
    texts = [each.read_bytes() for each in files]
    lines = sum(text.count(b"\n") for text in texts if b"\0" not in text)
    return {"files": len(files), "kilobytes": round(sum(map(len, texts)) / 1000), "lines": lines}


def one_round(cache: Path) -> dict[str, dict[str, Any]]:
    """Every way once; tlparse reads the trace of this round."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for number, way in enumerate(WAYS):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            seconds = looked(way, folder, cache)
            found[way.name] = {"seconds": seconds, **left_in(folder)}
            if "TORCH_TRACE" in way.variables:
                pages = Path(temporary) / "pages"
                more = pages_of(folder, pages)
                if more is not None:
                    found["TORCH_TRACE and tlparse"] = {"seconds": seconds + more, **left_in(pages)}
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        looked(WAYS[0], Path(cache), Path(cache))
        rounds = [one_round(Path(cache)) for _ in range(options.rounds)]
    smallest = {name: min(each[name]["seconds"] for each in rounds) for name in rounds[0]}
    import torch

    measured = {
        "torch": torch.__version__,
        "python": sys.version.split()[0],
        "tlparse": TLPARSE.version,
        "rounds": options.rounds,
        "ways": {name: {**rounds[-1][name], "seconds": round(seconds, 2)} for name, seconds in smallest.items()},
    }
    options.out.write_text(json.dumps(measured, indent=1) + "\n")
    print(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
