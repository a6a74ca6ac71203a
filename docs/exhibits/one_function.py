import torch

import depyf


@torch.compile(backend="eager")
def scaled(x, y, factor):
    return (x + y).relu() * factor


with depyf.prepare_debug("dump"):
    x = torch.randn(4)
    scaled(x, torch.randn(4), 2)
    scaled(x, torch.randn(4), 2)  # the guards hold: what was compiled runs
    scaled(x.double(), torch.randn(4).double(), 2)  # another dtype: compiled again
