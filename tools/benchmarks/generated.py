"""What decompiling and proving Dynamo's code costs, beside what compiling it takes: a transformer of 12 layers."""

from __future__ import annotations

import gc
import time
from types import CodeType
from typing import List, NamedTuple, Tuple

import depyf


class Cost(NamedTuple):
    """Seconds of processor time, code units generated, and lines printed."""

    compiling: float
    decompiling: float
    instructions: int
    lines: int

    @property
    def share(self) -> float:
        """Decompiling as a part of compiling."""
        return self.decompiling / self.compiling


def cost(layers: int = 12) -> Cost:
    """Compile forward and backward and decompile what Dynamo made of them, once to warm up and once to measure."""
    import torch
    from torch._dynamo.convert_frame import register_bytecode_hook

    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
    inputs = torch.randn(2, 5, 32)
    made: List[Tuple[CodeType, CodeType]] = []
    handle = register_bytecode_hook(lambda original, generated: made.append((original, generated)))
    try:
        for _ in range(2):
            torch._dynamo.reset()
            made.clear()
            start = time.process_time()
            torch.compile(model, backend="aot_eager")(inputs).sum().backward()
            compiling = time.process_time() - start
            # What compiling leaves behind for the collector is not ours.
            gc.collect()
            start = time.process_time()
            for original, generated in made:
                depyf.Decompiler.decompile_and_compile_like(generated, original)
            decompiling = time.process_time() - start
    finally:
        handle.remove()
    lines = sum(len(depyf.decompile(generated).splitlines()) for _, generated in made)
    return Cost(compiling, decompiling, sum(len(generated.co_code) // 2 for _, generated in made), lines)


def sentence(found: Cost) -> str:
    """The numbers in words."""
    return (
        f"{found.instructions} code units of Dynamo to {found.lines} lines, proved: {found.decompiling:.3f} s, "
        f"{found.share:.1%} of the {found.compiling:.2f} s that aot_eager takes to compile"
    )
