"""The toy function over backend x dynamic x gradients x one or two shapes: same results, and everything written down.

Every third combination runs by default, all 36 with DEPYF_FULL_MATRIX=1.
"""

from __future__ import annotations

import itertools
import os

import pytest
import torch
from dump import check, entries

import depyf
from depyf.capture import seams

COMBINATIONS = list(itertools.product(("eager", "aot_eager", "inductor"), (None, True, False), (False, True), (1, 2)))
# A stride of 5 meets each value of each parameter; inductor is the slow one, and comes up four times of twelve.
SOME = COMBINATIONS if os.environ.get("DEPYF_FULL_MATRIX") == "1" else COMBINATIONS[::5] + COMBINATIONS[2:24:5]


def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def results(backend, dynamic, grad, shapes):
    torch._dynamo.reset()
    torch.manual_seed(7)
    function = torch.compile(toy, backend=backend, dynamic=dynamic)
    found = []
    for size, sign in itertools.product((10, 8)[:shapes], (1, -1)):
        a = torch.randn(size, requires_grad=grad)
        out = function(a, torch.rand(size) * sign)
        if grad:
            out.sum().backward()
            found.append(a.grad)
        found.append(out.detach())
    found.append(torch.rand(3))
    return found


@pytest.mark.parametrize(("backend", "dynamic", "grad", "shapes"), SOME)
def test_same_results_and_a_complete_record(backend, dynamic, grad, shapes, tmp_path):
    plain = results(backend, dynamic, grad, shapes)
    with depyf.prepare_debug(tmp_path):
        watched = results(backend, dynamic, grad, shapes)
    assert all(torch.equal(one, other) for one, other in zip(plain, watched))
    session = check(tmp_path)
    assert not session.failures
    if seams.TRACE_LOG.find() is None:  # TORCHVERSIONS: before 2.5 only the transformed code is seen
        assert session.missing and len(entries(session)) >= 3
        return
    assert not session.missing
    recompiled = shapes == 2 and dynamic is not True
    listed = entries(session)
    assert len(listed) == (6 if recompiled else 3)
    assert {entry.outcome for entry in listed.values()} == {"compiled"}
    for entry in listed.values():
        assert_complete(entry, backend, grad)
        assert bool(entry.recompile_reasons) == entry.compile_id.endswith("/1")
    assert len(list(tmp_path.glob("full_code_for_toy_*.py"))) == 1
    assert listed["0/0"].breaks[0].reason == "Data-dependent branching"
    assert {resume.frame is not None for resume in listed["0/0"].resumes} == {True}


def assert_complete(entry, backend, grad):
    kinds = {stage.kind for stage in entry.graph.stages}
    expected = {
        "eager": {"Captured_Graph"},
        "aot_eager": {"Captured_Graph", "Forward_graph"},
        "inductor": {"Captured_Graph", "Forward_graph", "AFTER_POST_GRAD"},
    }
    assert expected[backend] <= kinds
    # The unwatched run before this one filled the caches.
    assert bool(entry.graph.caches) == (backend == "inductor")
    if grad and backend != "eager":
        assert {"Joint_graph", "Backward_graph"} <= kinds
    assert len(entry.graph.kernels) == (0 if backend != "inductor" else 2 if grad else 1)
    assert any(guard.kind == "TENSOR_MATCH" and guard.user_line for guard in entry.guards)
    assert all(stage.node_count and stage.shapes for stage in entry.graph.stages)
