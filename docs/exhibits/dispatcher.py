import json
import time
from pathlib import Path
from timeit import repeat

import torch

from depyf.optimization import TorchCompileWrapperWithCustomDispatcher


def computes_nothing(graph, example_inputs):
    """A backend for measuring everything else: it returns the same result on every call."""
    result = graph(*example_inputs)
    return lambda *inputs: result


class Server(TorchCompileWrapperWithCustomDispatcher):
    """Compiles on the first call, with guards; runs what was compiled on every later call, without."""

    def __init__(self, model, use_custom_dispatcher):
        self.model = model
        super().__init__(torch.compile(self.forward, backend=computes_nothing), use_custom_dispatcher)

    def forward(self, x):
        return self.model(x)

    def __call__(self, x):
        if not self.compiled_codes or not self.use_custom_dispatcher:
            return self.compiled_callable(x)
        with self.dispatch_to_code(0):
            return self.forward(x)


model = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(20))).eval()
x = torch.randn(1, 4)
facts = {}

for name in ("with-guards", "without-guards"):
    server = Server(model, use_custom_dispatcher=name == "without-guards")
    with torch.no_grad():
        server(x)
        calls = repeat("server(x)", globals=globals(), number=200, repeat=15, timer=time.process_time)
    facts[name] = f"{min(calls) / 200 * 1e6:.1f}"

Path("facts.json").write_text(json.dumps(facts))
