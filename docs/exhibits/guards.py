import json
import time
from pathlib import Path
from timeit import repeat

import torch

import depyf


def computes_nothing(graph, example_inputs):
    """A backend for measuring everything else: it returns the same result on every call."""
    result = graph(*example_inputs)
    return lambda *inputs: result


model = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(20))).eval()
x = torch.randn(1, 4)
options = {
    "all": {},
    "few": {"guard_filter_fn": torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe},
}
facts = {"layers": len(model)}

for name, choice in options.items():
    torch._dynamo.reset()
    compiled = torch.compile(model, backend=computes_nothing, options=choice)
    with torch.no_grad(), depyf.prepare_debug(name):
        compiled(x)
        calls = repeat("compiled(x)", globals=globals(), number=200, repeat=15, timer=time.process_time)
    facts[f"{name}-us"] = f"{min(calls) / 200 * 1e6:.1f}"
    frames = json.loads(Path(name, "depyf.json").read_text())["frames"]
    facts[f"{name}-guards"] = sum(len(entry["guards"]) for frame in frames for entry in frame["entries"])

Path("facts.json").write_text(json.dumps(facts))
