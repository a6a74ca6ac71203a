"""Torch asks ``if trace_log.handlers`` before it renders an event; this list says no where nobody reads it.

A compilation sends hundreds of events (every tensor described, a profile, the input of minifiers), and depyf reads a
dozen kinds. As soon as anybody else reads the trace, torch is told the plain truth.
"""

from __future__ import annotations

import logging
import sys
from types import CodeType, FrameType
from typing import Any, Iterable, List

from depyf.capture.events import WANTED, TraceHandler
from depyf.capture.seams import TRACE_FUNCTION


class Handlers(List[Any]):
    """A logger's handlers, false while torch is about to render an event for readers of depyf's kind only."""

    def __init__(self, handlers: Iterable[Any]) -> None:
        super().__init__(handlers)
        self._trace = getattr(TRACE_FUNCTION.find(), "__code__", None)

    def __bool__(self) -> bool:
        for handler in self:
            if not isinstance(handler, TraceHandler):
                return True
        try:
            return len(self) > 0 and _is_wanted(sys._getframe(1), self._trace)
        except Exception:  # in doubt torch renders what nobody reads
            return True


def add(log: logging.Logger, handler: TraceHandler) -> None:
    """Put ``handler`` first: torch's own may remove itself at its first record, and the one after it then misses it."""
    log.handlers = Handlers([handler, *log.handlers])


def remove(log: logging.Logger, handler: TraceHandler) -> None:
    """Take ``handler`` away, and with the last one everything that :func:`add` did."""
    rest = [each for each in log.handlers if each is not handler]
    log.handlers = Handlers(rest) if any(isinstance(each, TraceHandler) for each in rest) else rest


def _is_wanted(asking: FrameType, trace: CodeType | None) -> bool:
    """Whether ``trace``, when it is what asks, is about to send something that is read; yes in case of doubt."""
    if asking.f_code is not trace:
        return True
    given = asking.f_locals  # a copy each time
    name, describe = given.get("name"), given.get("metadata_fn")
    if name != "artifact" or not callable(describe):
        return name in WANTED
    return describe().get("name") in WANTED
