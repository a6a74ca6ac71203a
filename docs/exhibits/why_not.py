import sys

import torch

import depyf


@torch.compile(backend="eager")
def scaled(x, y, factor):
    return (x + y).relu() * factor


with depyf.prepare_debug("dump"):
    x, y = torch.randn(4), torch.randn(4)
    scaled(x, y, 2)

sys.path.insert(0, "dump")
from full_code_for_scaled_0 import guards_0_0  # noqa: E402

print(guards_0_0(x, y, 2))
print(guards_0_0(x, y.double(), 2))
print(guards_0_0.why_not(x, y.double(), 2))
print(guards_0_0.why_not(x, y, 3))
