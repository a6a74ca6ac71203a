import torch

import depyf
from depyf.cli import main


@torch.compile(backend="eager")
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


with depyf.prepare_debug("dump"):
    toy_example(torch.ones(10), torch.ones(10))

main(["check", "dump"])
