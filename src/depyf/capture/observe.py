"""Put the observers in place, and take every one of them away again."""

from __future__ import annotations

from logging import LogRecord
from types import CodeType
from typing import Any, Callable

from depyf.capture.collect import Capture
from depyf.capture.events import TraceHandler, event_of
from depyf.capture.fence import Fence
from depyf.capture.inductor_ir import watch_inductor_ir
from depyf.capture.named_graphs import receive_named_graphs
from depyf.capture.seams import BYTECODE_HOOK, COMPILE_CALLBACKS, TRACE_LOG
from depyf.capture.unread import add, remove


class Observers:
    """The hooks of one capture. :meth:`remove` undoes each of them, whatever the others do."""

    def __init__(self, capture: Capture, fence: Fence, inductor_ir: bool = False) -> None:
        self._fence = fence
        self._undo: list[Callable[[], object]] = []
        installing = [self._watch_bytecode, self._watch_trace, self._watch_ends, self._watch_named_graphs]
        if inductor_ir:
            installing.append(self._watch_inductor_ir)
        for install in installing:
            fence.around(f"installing an observer ({install.__name__[1:]})", install)(capture)

    def remove(self) -> None:
        """Take the hooks away, last first."""
        while self._undo:
            self._fence.around("removing an observer", self._undo.pop())()

    def _watch_bytecode(self, capture: Capture) -> None:
        register = BYTECODE_HOOK.find()
        if register is not None:

            def hook(code: CodeType, new_code: CodeType) -> CodeType | None:
                """None leaves Dynamo's code in place."""
                return self._fence.attempt("the bytecode hook", lambda: capture.transformed(code, new_code), None)

            handle = register(hook)
            self._undo.append(handle.remove)

    def _watch_trace(self, capture: Capture) -> None:
        log = TRACE_LOG.find()
        if log is None:
            return

        def receive(record: LogRecord) -> None:
            event = event_of(record)
            if event is not None:
                capture.received(event)

        handler = TraceHandler(self._fence.around("reading the trace", receive))
        self._undo += [handler.close, lambda: remove(log, handler)]
        add(log, handler)

    def _watch_named_graphs(self, capture: Capture) -> None:
        self._undo.append(receive_named_graphs(self._fence.around("reading a named graph", capture.named)))

    def _watch_inductor_ir(self, capture: Capture) -> None:
        self._undo += watch_inductor_ir(self._fence.around("reading Inductor's IR", capture.inductor_ir))

    def _watch_ends(self, capture: Capture) -> None:
        callbacks = COMPILE_CALLBACKS.find()
        if callbacks is None:
            return

        def ended(*args: Any) -> None:
            trigger = getattr(args[0], "callback_trigger", None) if args else None
            capture.ended(str(getattr(trigger, "name", "")))

        observer = self._fence.around("the end of a compilation", ended)
        callbacks.register_end_callback(observer)

        def remove() -> None:
            if observer in callbacks.end_callbacks:  # torch._dynamo.reset() forgets all callbacks
                callbacks.remove_end_callback(observer)

        self._undo.append(remove)
