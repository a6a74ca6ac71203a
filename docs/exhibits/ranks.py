"""What two ranks of torchrun leave behind; the ranks are two processes with the variables that torchrun sets."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import torch, depyf

@torch.compile(backend="eager")
def step(x):
    return x + 1

with depyf.prepare_debug("dump"):
    step(torch.ones(2))
"""

for rank in ("0", "1"):
    subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "RANK": rank, "WORLD_SIZE": "2"}, check=True)
for path in sorted(Path("dump").rglob("*")):
    print(path)
