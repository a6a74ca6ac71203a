import json
from pathlib import Path

import torch

import depyf


@torch.compile(backend="eager")
def halves(x):
    return x[: x.shape[0] // 2] + 1


@torch.compile(backend="eager")
def marked(x):
    return x[: x.shape[0] // 2] + 1


def compilations():
    frames = json.loads(Path("dump/depyf.json").read_text())["frames"]
    return {frame["name"]: len(frame["entries"]) for frame in frames}


with depyf.prepare_debug("dump"):
    for length in (8, 10, 12, 14):
        halves(torch.ones(length))
    for length in (8, 10, 12, 14):
        x = torch.ones(length)
        torch._dynamo.mark_dynamic(x, 0)
        marked(x)

Path("facts.json").write_text(json.dumps(compilations()))
