"""What is told of Inductor: kernels and what they compute, its IR, and its caches, which we leave as they are."""

from __future__ import annotations

import logging

import pytest
import torch
from dump import check
from torch._dynamo.utils import counters

import depyf
from depyf.capture import seams

if seams.TRACE_LOG.find() is None:  # TORCHVERSIONS: kernels are seen from 2.5 on
    pytest.skip("this torch does not show its kernels", allow_module_level=True)


@pytest.fixture
def empty_caches(tmp_path, monkeypatch):
    """Caches that no other test fills."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))


def soft(a, b):
    x = torch.softmax(a @ b, -1)
    return (x * 2).sum()


def compiled(function=soft):
    torch._dynamo.reset()
    return torch.compile(function)(torch.ones(8, 8), torch.ones(8, 8))  # at 4 there is nothing to fuse


def hits():
    return counters["aot_autograd"]["autograd_cache_hit"] + counters["inductor"]["fxgraph_cache_hit"]


def test_cache_keys_are_the_same_with_and_without_depyf(tmp_path, empty_caches):
    def other(a, b):
        return torch.softmax(a @ b, -1).sum() + 1

    plain, before = compiled(), hits()
    with depyf.prepare_debug(tmp_path / "warm"):
        assert torch.equal(compiled(), plain)
    assert hits() > before, "a run of ours hits what one without us has filled"
    with depyf.prepare_debug(tmp_path / "cold"):
        compiled(other)
    before = hits()
    compiled(other)
    assert hits() > before, "a run without us hits what one of ours has filled"
    warm, cold = check(tmp_path / "warm"), check(tmp_path / "cold")
    graph = warm.frames[0].entries[0].graph
    assert graph.caches and not cold.frames[0].entries[0].graph.caches
    assert {"Captured_Graph", "Forward_graph", "AFTER_POST_GRAD"} <= {stage.kind for stage in graph.stages}
    assert graph.kernels[0].computes
    page = (tmp_path / "warm" / "index.md").read_text()
    assert "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1" in page and "BEFORE_POST_GRAD" in page
    assert "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1" not in (tmp_path / "cold" / "index.md").read_text()


def test_ir_and_provenance_on_request(tmp_path, empty_caches):
    logs = [seam.find() for seam in seams.IR_LOGS]
    config = seams.PROVENANCE.find()
    before = [(log.level, log.propagate, list(log.handlers)) for log in logs], config.provenance_tracking_level
    with depyf.prepare_debug(tmp_path / "dump", inductor_ir=True):
        compiled()
    after = [(log.level, log.propagate, list(log.handlers)) for log in logs], config.provenance_tracking_level
    assert before == after
    session = check(tmp_path / "dump")
    assert not session.failures
    graph = session.frames[0].entries[0].graph
    stages = {stage.kind: stage for stage in graph.stages}
    assert stages["IR_before_fusion"].node_count > stages["IR_after_fusion"].node_count > 0
    assert "buf0" in (tmp_path / "dump" / stages["IR_after_fusion"].file).read_text()
    product, fused = graph.kernels[0].computes
    first = soft.__code__.co_firstlineno
    assert product.name == "extern_kernels.mm" and product.user_lines == (f"{__file__}:{first + 1}",)
    assert set(fused.user_lines) == {f"{__file__}:{first + 1}", f"{__file__}:{first + 2}"}
    assert {"exp", "div"} <= set(fused.nodes)
    source = (tmp_path / "dump" / graph.kernels[0].file).read_text().split("\n")
    assert all(each.name in source[each.line - 1] for each in graph.kernels[0].computes)


def test_a_log_that_is_in_use_keeps_its_readers(tmp_path, empty_caches, caplog):
    log = seams.IR_LOGS[0].find()
    seen = []
    reader = logging.Handler()
    reader.emit = lambda record: seen.append(record.getMessage())
    log.addHandler(reader)
    try:
        with depyf.prepare_debug(tmp_path / "dump", inductor_ir=True):
            compiled()
    finally:
        log.removeHandler(reader)
    assert seen and seen[0].startswith("BEFORE FUSION")
