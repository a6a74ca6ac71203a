"""Torch renders what somebody reads, and nothing else."""

from __future__ import annotations

import logging

import pytest
import torch

import depyf
from depyf.capture import seams

LOG = seams.TRACE_LOG.find()
pytestmark = pytest.mark.skipif(LOG is None, reason="before torch 2.5 there is no trace")


def rendered() -> list[str]:
    """Emits two events, one that depyf reads and one that it does not, and two artifacts alike: what was rendered."""
    seen: list[str] = []
    for name in ("aot_joint_graph", "describe_tensor"):
        torch._logging.trace_structured(name, payload_fn=lambda name=name: seen.append(name), expect_trace_id=False)
    for name in ("recompile_reasons", "fx_graph_runnable"):
        torch._logging.trace_structured(
            "artifact",
            metadata_fn=lambda name=name: {"name": name},
            payload_fn=lambda name=name: seen.append(name),
            expect_trace_id=False,
        )
    return seen


def test_what_nobody_reads_is_not_rendered(monkeypatch, tmp_path):
    monkeypatch.setattr(LOG, "handlers", [])  # pytest reads every logger
    assert rendered() == []
    with depyf.prepare_debug(tmp_path / "a"), depyf.prepare_debug(tmp_path / "b"):
        assert rendered() == ["aot_joint_graph", "recompile_reasons"]
    assert rendered() == [] and type(LOG.handlers) is list


def test_another_reader_gets_everything(monkeypatch, tmp_path):
    monkeypatch.setattr(LOG, "handlers", [])
    other = logging.NullHandler()
    everything = ["aot_joint_graph", "describe_tensor", "recompile_reasons", "fx_graph_runnable"]
    with depyf.prepare_debug(tmp_path):
        LOG.addHandler(other)
        assert rendered() == everything
    assert rendered() == everything and LOG.handlers == [other]


def test_whoever_else_asks_is_told_that_there_are_handlers(tmp_path):
    with depyf.prepare_debug(tmp_path):
        assert LOG.handlers and LOG.hasHandlers()
