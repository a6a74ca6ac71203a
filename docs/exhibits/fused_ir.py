import json
from pathlib import Path

import torch

import depyf


def normalized(x):
    x = x - x.mean(dim=1, keepdim=True)
    return x / x.std(dim=1, keepdim=True)


compiled = torch.compile(normalized)
with depyf.prepare_debug("dump", inductor_ir=True):
    compiled(torch.randn(64, 256))

(frame,) = json.loads(Path("dump/depyf.json").read_text())["frames"]
graph = frame["entries"][0]["graph"]
counts = {stage["kind"]: stage["node_count"] for stage in graph["stages"]}
computed = [each for kernel in graph["kernels"] for each in kernel["computes"]]
for each in computed:
    print(f"line {each['line']}: {each['name']}")
    print("  computes", ", ".join(each["nodes"]))
    print("  from lines", ", ".join(line.rpartition(":")[2] for line in each["user_lines"]))
facts = {"before": counts["IR_before_fusion"], "after": counts["IR_after_fusion"], "kernels": len(computed)}
Path("facts.json").write_text(json.dumps(facts))
