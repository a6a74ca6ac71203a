import json
from pathlib import Path

import torch

import depyf


@torch.compile
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def main():
    torch.manual_seed(0)
    for _ in range(100):
        toy_example(torch.randn(10), torch.randn(10))


with depyf.prepare_debug("dump"):
    main()

record = json.loads(Path("dump/depyf.json").read_text())
entries = [entry for frame in record["frames"] for entry in frame["entries"]]
facts = {
    "compilations": len(entries),
    "breaks": sum(len(entry["breaks"]) for entry in entries),
    "graphs": sum(entry["graph"] is not None for entry in entries),
    "files": len(record["files"]),
}
Path("facts.json").write_text(json.dumps(facts))
