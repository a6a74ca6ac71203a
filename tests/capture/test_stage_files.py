"""Each stage file runs by itself, and gives what its annotations say."""

from __future__ import annotations

import runpy
import subprocess
import sys

import pytest
import torch
from dump import check

import depyf
from depyf.capture import seams

if seams.TRACE_LOG.find() is None:  # TORCHVERSIONS: graphs are seen from 2.5 on
    pytest.skip("this torch does not show its graphs", allow_module_level=True)


def arithmetic(x, y):
    return (x * 2 + y).sum(0), x.t().contiguous().view(-1).half()


def dtypes(x, i, b, c):
    return x.to(torch.bfloat16)[i], torch.where(b, 1, 2), c.real.sum() + i.sum()


def branching(x):
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,)) + torch.tensor([1.0, 2.0, 3.0])


def dropping(x):
    return torch.nn.functional.dropout(x, 0.5, training=True).relu()


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)
        self.embedding = torch.nn.Embedding(5, 3)

    def forward(self, x):
        return self.norm(self.embedding(x)).sum()


def sized(x, n, s):
    return x.view(x.shape[0] // 2, -1) * n + s, x[: x.shape[0] - 1].expand(2, -1, -1)


VERSION = tuple(map(int, torch.__version__.split(".")[:2]))
GRAD = {"requires_grad": True}
PROGRAMS = {
    "arithmetic": (arithmetic, lambda: (torch.ones(2, 3), torch.ones(6)[::2]), {}),
    "with gradients": (arithmetic, lambda: (torch.ones(2, 3, **GRAD), torch.ones(3)), {}),
    "dtypes": (
        dtypes,
        lambda: (torch.ones(4), torch.tensor([0, 1]), torch.tensor([True]), torch.ones(2, dtype=torch.complex64)),
        {},
    ),
    "graphs inside": (branching, lambda: (torch.ones(3),), {}),
    "random numbers": (dropping, lambda: (torch.ones(3, **GRAD),), {}),
    "a module": (Layer(), lambda: (torch.tensor([1, 2, 0]),), {}),
    "dynamic sizes": (sized, lambda: (torch.ones(6, 4, **GRAD), 3, 2.5), {"dynamic": True}),
}


def forms(values):
    return [(tuple(each.shape), each.dtype) for each in values if isinstance(each, torch.Tensor)]


def run(path):
    """What a stage file computes when it is imported and called."""
    scope = runpy.run_path(str(path))
    with torch.no_grad():
        return torch.utils._pytree.tree_leaves(scope["graph"]()(*scope["example_inputs"]()))


# One is enough for inductor: its stages are printed as the others are.
@pytest.mark.parametrize(
    ("name", "backend"), [*((name, "aot_eager") for name in PROGRAMS), ("with gradients", "inductor")]
)
def test_each_stage_runs(name, backend, tmp_path):
    if VERSION < (2, 8) and name in ("graphs inside", "dynamic sizes"):
        pytest.skip("TORCHVERSIONS: 2.5 does not annotate all that these need")
    function, arguments, options = PROGRAMS[name]
    with depyf.prepare_debug(tmp_path):
        found = torch.compile(function, backend=backend, **options)(*arguments())
        leaves = torch.utils._pytree.tree_leaves(found)
        if any(each.requires_grad for each in leaves):
            sum(each.float().sum() for each in leaves if each.requires_grad).backward()
    session = check(tmp_path)
    assert not session.failures
    (graph,) = [entry.graph for frame in session.frames for entry in frame.entries]
    made = {stage.kind: run(tmp_path / stage.file) for stage in graph.stages}
    assert {"Captured_Graph", "Forward_graph"} <= set(made)
    assert set(forms(leaves)) <= set(forms(made["Captured_Graph"]))
    assert set(forms(leaves)) <= set(forms(made["Forward_graph"]))
    if any(each.requires_grad for each in leaves):
        assert made["Backward_graph"] and made["Joint_graph"]


def test_a_stage_file_runs_as_a_program(tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(arithmetic, backend="eager")(torch.ones(2, 3), torch.ones(3))
    (path,) = tmp_path.glob("*Captured_Graph*.py")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0 and "tensor(" in done.stdout and not done.stderr


@pytest.mark.skipif(VERSION < (2, 8), reason="TORCHVERSIONS: 2.5 does not tell its symbols")
def test_symbols_and_what_the_code_fixed(tmp_path):
    def half(x, y):
        assert y.shape[0] == 4
        return x[: x.shape[0] // 2] + y.sum()

    with depyf.prepare_debug(tmp_path):
        torch.compile(half, backend="eager", dynamic=True)(torch.ones(8), torch.ones(4))
    (entry,) = check(tmp_path).frames[0].entries
    found = {symbol.words: symbol for symbol in entry.symbols}
    assert (found["x.shape[0]"].value, found["x.shape[0]"].low, found["x.shape[0]"].high) == ("8", "2", None)
    assert found["y.shape[0]"].fixed == "4" and "y.shape[0] == 4" in found["y.shape[0]"].user_code
    story = (tmp_path / "full_code_for_half_0.py").read_text()
    assert "x.shape[0], 8 here, 2 or more" in story and "not dynamic: y.shape[0] must be 4   line" in story
