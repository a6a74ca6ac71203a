import re
from pathlib import Path

import torch

import depyf


def loss(x, weight):
    return torch.nn.functional.gelu(x @ weight).sum()


def stages(folder):
    names = [path.name for path in sorted(Path(folder).glob("__compiled_fn_*.py"))]
    return sorted({re.sub(r"__compiled_fn_\d+\.|(?:\.|_)\d+\.\w+$", "", name) for name in names})


for backend in ("eager", "aot_eager", "inductor"):
    torch._dynamo.reset()
    with depyf.prepare_debug(backend):
        x, weight = torch.randn(8, 16), torch.randn(16, 4, requires_grad=True)
        torch.compile(loss, backend=backend)(x, weight).backward()
    print(f"{backend:11}" + ("\n" + 11 * " ").join(stages(backend)))
