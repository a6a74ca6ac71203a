"""Inductor's own form of a graph, before and after it decides which operations share a kernel.

Torch writes it to two artifact loggers while it compiles; a result that comes out of a cache has none. Which graph
nodes and lines of the user a kernel computes is told by the trace when provenance tracking is on. That is part of the
key of Inductor's cache, so both are asked for (``prepare_debug(..., inductor_ir=True)``) and not always on.
"""

from __future__ import annotations

import logging
from typing import Any, Callable

from depyf.capture.seams import IR_LOGS, PROVENANCE

STAGE_OF = {"IR before fusion": "IR_before_fusion", "IR after fusion": "IR_after_fusion"}

Receive = Callable[[str, str], None]


def watch_inductor_ir(receive: Receive) -> list[Callable[[], object]]:
    """Call ``receive(name, text)`` for each IR from now on; the results undo that, to be called last first."""
    undo: list[Callable[[], object]] = []
    for name, seam in zip(STAGE_OF, IR_LOGS):
        log = seam.find()
        if log is not None:
            undo += _watch(log, name, receive)
    config = PROVENANCE.find()
    if config is not None and not config.provenance_tracking_level:
        config.provenance_tracking_level = 1
        undo.append(lambda: setattr(config, "provenance_tracking_level", 0))
    return undo


def _watch(log: logging.Logger, name: str, receive: Receive) -> list[Callable[[], object]]:
    handler = _Handler(name, receive)
    level, propagate = log.level, log.propagate
    log.addHandler(handler)
    if not log.isEnabledFor(logging.INFO):  # nobody else wants it: it is ours alone
        log.setLevel(logging.INFO)
        log.propagate = False

    def restore() -> None:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagate

    return [restore]


class _Handler(logging.Handler):
    def __init__(self, name: str, receive: Receive) -> None:
        super().__init__(logging.INFO)
        self._kind = name
        self._receive = receive

    def handle(self, record: Any) -> bool:
        """Without a lock of its own, as the handler of the trace."""
        self._receive(self._kind, record.getMessage().partition("\n")[2])
        return True
