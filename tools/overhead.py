"""What prepare_debug costs: ``python tools/overhead.py [--rounds 3] [--out docs/evidence/overhead.json]``.

CPU seconds of the first training step of a small transformer, compiled from nothing, each in a new process with empty
caches, without depyf and inside of ``prepare_debug``; and microseconds for each later call of a small function.
The smallest of all rounds counts: noise only ever adds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "evidence" / "overhead.json"
BACKENDS = ("eager", "aot_eager", "inductor")
WATCHED = {"without": "contextlib.nullcontext()", "with": "depyf.prepare_debug('dump')"}

COMPILING = """
import contextlib, json, resource, sys, torch
if {watched!r} != "without": import depyf
torch.set_num_threads(1)
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
model = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
x = torch.randn(2, 8, 32)
def seconds():
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)
model(x).sum().backward()
start = seconds()
with {block}:
    torch.compile(model, backend={backend!r})(x).sum().backward()
print(json.dumps(seconds() - start))
"""

CALLING = """
import contextlib, json, time, timeit, torch
import depyf
torch.set_num_threads(1)
function = torch.compile(lambda x: x + 1, backend="eager")
x = torch.ones(4)
def call():
    return min(timeit.repeat(lambda: function(x), number=2000, repeat=25, timer=time.process_time)) / 2000 * 1e6
function(x)
found = {"never watched": call()}
torch._dynamo.reset()
with depyf.prepare_debug("dump"):
    function(x)
    found["inside the block"] = call()
found["after the block"] = call()
print(json.dumps(found))
"""


def measured(program: str) -> object:
    """What a program prints, run in a new process and an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TORCHINDUCTOR_CACHE_DIR": folder + "/inductor"}
        environment["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # in this process, so that its time is counted
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    compiling: dict[str, dict[str, float]] = {}
    for backend in BACKENDS:
        rounds: dict[str, list[float]] = {watched: [] for watched in WATCHED}
        for _ in range(options.rounds):  # in turn, so that both meet the same noise
            for watched, block in WATCHED.items():
                found = measured(COMPILING.format(watched=watched, block=block, backend=backend))
                rounds[watched].append(float(str(found)))
        compiling[backend] = {watched: round(min(seconds), 2) for watched, seconds in rounds.items()}
        print(backend, compiling[backend], flush=True)
    calls = [measured(CALLING) for _ in range(options.rounds)]
    calling = {name: round(min(each[name] for each in calls), 2) for name in calls[0]}  # type: ignore[index,attr-defined]
    print(calling)
    import torch

    versions = {"torch": torch.__version__, "python": sys.version.split()[0]}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({**versions, "compiling": compiling, "calling": calling}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
