"""Torch's structured trace -> the few events that matter here.

``torch._logging._internal.trace_structured`` logs one record per event on the logger ``torch.__trace``:
``record.metadata`` is a dict whose first key is the event's name, ``record.payload`` the rendered text. A thousand
chromium events go by per graph: a record is looked at further only when its name is one of ours.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from depyf.capture.kernels import LINES, NODES

AUTOGRAD = "compiled_autograd_graph"

# Event (or artifact) name -> the stage's name in file names.
STAGES: dict[str, str] = {
    "dynamo_output_graph": "Captured_Graph",
    "before_pre_grad_graph": "BEFORE_PRE_GRAD",
    "after_pre_grad_graph": "AFTER_PRE_GRAD",
    "optimize_ddp_split_graph": "DDP_split",
    "optimize_ddp_split_child": "DDP_child",
    "aot_joint_graph": "Joint_graph",
    "aot_forward_graph": "Forward_graph",
    "aot_backward_graph": "Backward_graph",
    "aot_inference_graph": "Forward_graph",
    "before_joint_graph": "BEFORE_JOINT_PASSES",
    "after_joint_graph": "AFTER_JOINT_PASSES",
    "before_post_grad_graph": "BEFORE_POST_GRAD",
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "after_post_grad_graph": "AFTER_POST_GRAD",
    AUTOGRAD: "Compiled_autograd_graph",
}

# Artifacts that say: this came out of a cache, and what is made on the way to it was not made again.
CACHE_HITS: dict[str, str] = {
    "aotautograd_cache_hit": "AOTAutograd's cache",
    "fx_graph_cache_hit": "Inductor's cache",
}

NAMED = "named graph"
START = "dynamo_start"
CAPTURED = "dynamo_output_graph"
KERNEL = "inductor_output_code"
GUARDS = "dynamo_cpp_guards_str"
METRICS = "compilation_metrics"
BACKWARD_METRICS = "bwd_compilation_metrics"
BREAK = "dynamo_graph_break_reason"
RECOMPILE = "recompile_reasons"
SYMBOL = "create_symbol"
SYMBOLS = (SYMBOL, "create_unbacked_symbol")
FIXED = "symbolic_shape_specialization"
PROVENANCE = (NODES, LINES)
IR = "inductor IR"

_OTHERS = {START, KERNEL, GUARDS, METRICS, BACKWARD_METRICS, BREAK, RECOMPILE, *SYMBOLS, FIXED, *PROVENANCE}
WANTED: frozenset[str] = frozenset(STAGES) | frozenset(CACHE_HITS) | _OTHERS


@dataclass(frozen=True)
class Event:
    """``compile_id`` is None for what happens outside of any compilation."""

    name: str
    compile_id: str | None
    attempt: int
    details: Any
    payload: Any


class TraceHandler(logging.Handler):
    """Passes wanted events on. It has no lock of its own: the receiver has one, and two would invite a deadlock."""

    def __init__(self, receive: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(logging.DEBUG)
        self._receive = receive

    def handle(self, record: logging.LogRecord) -> bool:
        """Called by logging for every record of the trace; never raises, `receive` is fenced."""
        self._receive(record)
        return True


def event_of(record: logging.LogRecord) -> Event | None:
    """The event in a trace record, None for those nobody here wants."""
    metadata = getattr(record, "metadata", None)
    if not isinstance(metadata, dict) or not metadata:
        return None
    name = next(iter(metadata))
    details = metadata[name]
    if name == "artifact" and isinstance(details, dict):
        name = details.get("name", name)
    if name not in WANTED:
        return None
    attempt = int(metadata.get("attempt") or 0)
    return Event(name, _compile_id(metadata), attempt, details, getattr(record, "payload", None))


def _compile_id(metadata: Mapping[str, Any]) -> str | None:
    """As ``str(torch._guards.CompileId)``: ``0/1``, ``!2/0/1``, ``!2``."""
    autograd, frame, entry = (metadata.get(key) for key in ("compiled_autograd_id", "frame_id", "frame_compile_id"))
    own = None if frame is None or entry is None else f"{frame}/{entry}"
    if autograd is None:
        return own
    return f"!{autograd}" if own is None else f"!{autograd}/{own}"
