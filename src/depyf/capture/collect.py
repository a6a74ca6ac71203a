"""Gather what torch tells during a run, and write it down as each compilation ends.

``received`` (trace), ``transformed`` (bytecode hook) and ``ended`` (callback) may be called from any thread; one lock
orders them. Nothing here may change what torch does.
"""

from __future__ import annotations

import os
import threading
import weakref
from types import CodeType
from typing import Any, Callable, Iterator

from depyf.capture import events
from depyf.capture.compilation import RESUME_CODE, Compilation, Function, source_at, source_of
from depyf.capture.earlier import MOST, compiled_codes, earlier_compilations
from depyf.capture.events import Event
from depyf.capture.fence import Fence
from depyf.capture.installing import installs
from depyf.capture.links import link
from depyf.capture.module_paths import modules_of
from depyf.capture.seams import COMPILE_CONTEXT, SIDE_EFFECTS, TRACE_LOG
from depyf.capture.taken import TAKES, keep
from depyf.capture.wrappers import stands_for
from depyf.capture.write import Writer
from depyf.decompiler.garbage import without_collections
from depyf.record.text import count


class Capture:
    """One capture; ``only`` holds the code objects it is limited to, None for all."""

    def __init__(self, writer: Writer, fence: Fence, only: frozenset[CodeType] | None = None) -> None:
        self._writer = writer
        self._fence = fence
        self._only = None if only is None else {id(code): code for code in only}
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._has_trace = TRACE_LOG.find() is not None
        self._latest: dict[str, Compilation] = {}
        going_on = fence.attempt("asking what is being compiled", self._current_id, None)
        if going_on is not None:  # a backend watches what it is called for
            self._latest[going_on] = Compilation(going_on, started=True)
        self._functions: list[Function] = []
        self._by_code: dict[int, Function] = {}
        self._outside = Compilation("outside")
        self._resting: list[tuple[Function, weakref.ref[CodeType]]] = []
        self._written = False
        self.after_writing: list[Callable[[], object]] = []
        self._takes: dict[str, Callable[[Compilation, Event], None]] = {
            **TAKES,
            events.METRICS: self._take_metrics,
            events.BACKWARD_METRICS: self._take_backward_metrics,
        }

    def transformed(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """The bytecode hook: Dynamo made ``new_code`` of ``code``. Returns what is to run in its place, None for
        Dynamo's own."""
        if os.getpid() != self._pid:  # a forked child has no business in this directory
            return None
        with self._lock:
            compilation = self._current()
            compilation.take_transformed(new_code)
            compilation.modules = modules_of(code)
            side_effects = SIDE_EFFECTS.find()
            compilation.side_effects = tuple(side_effects(new_code) or ()) if side_effects else ()
            self._assign(compilation, self._function_of(code, stands_for(code)))
            link(self._functions, self._by_code)
            compilation.changed = True
            # Without a trace nothing will say that the compilation ended; what is installed is needed now.
            if not self._has_trace or installs():
                self.settle()
            installed, compilation.installed = compilation.installed, None
        self._tell()
        return installed

    def received(self, event: Event) -> None:
        """One event of the trace."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            compilation = self._compilation(event)
            if compilation is self._outside:
                keep(compilation, event)
                return
            if event.attempt > compilation.attempt:  # Dynamo started over: what it made before is gone
                compilation.attempt = event.attempt
                compilation.pending.clear()
                compilation.symbols.clear()
            compilation.changed = True
            self._takes.get(event.name, keep)(compilation, event)
        self._tell()

    def named(self, name: str, graph: Any) -> None:
        """A framework prints a graph under a name of its own."""
        if os.getpid() != self._pid:
            return
        compile_id = self._current_id()
        text = graph.print_readable(print_output=False)
        with self._lock:
            known = self._latest.get(compile_id) if compile_id is not None else None
            self.received(Event(events.NAMED, compile_id, known.attempt if known else 0, name, text))

    def inductor_ir(self, name: str, text: str) -> None:
        """Inductor's form of the graph that it compiles now."""
        if os.getpid() != self._pid:
            return
        compile_id = self._current_id()
        with self._lock:
            known = self._latest.get(compile_id) if compile_id is not None else None
            self.received(Event(events.IR, compile_id, known.attempt if known else 0, name, text))

    def _current_id(self) -> str | None:
        context = COMPILE_CONTEXT.find()
        current = getattr(context.try_get(), "compile_id", None) if context is not None else None
        return str(current) if current is not None else None

    def ended(self, trigger: str) -> None:
        """A compilation ended. Dynamo's own are written when their metrics arrive, a moment later."""
        if os.getpid() == self._pid and trigger != "DYNAMO":
            with self._lock:
                self.settle()
            self._tell()

    def settle(self, closing: bool = False) -> None:
        """Write everything that changed since the last time; ``closing``: the record itself is written next."""
        with self._lock, without_collections():
            self._writer.settle([function for function in self._functions if self._wanted(function)], closing)
            self._written = True

    def _tell(self) -> None:
        """Without the lock: who is told may hold one of their own, and ask for what was gathered."""
        if self._written:
            self._written = False
            for told in tuple(self.after_writing):
                told()

    def functions(self) -> Iterator[Function]:
        """The functions whose code is alive."""
        with self._lock:
            return iter([function for function in self._functions if function.code is not None])

    def rest(self) -> None:
        """Nobody watches from now on: hold no function's code, so that what dies meanwhile is gone."""
        with self._lock:
            self._resting = [(each, weakref.ref(each.code)) for each in self._functions if each.code is not None]
            for function, _ in self._resting:
                function.code = None
            self._by_code.clear()

    def wake(self) -> None:
        """Go on after :meth:`rest`."""
        with self._lock:
            for function, reference in self._resting:
                function.code = reference()
                if function.code is not None:
                    self._by_code[id(function.code)] = function
            self._resting = []

    def finish(self, keep_outside: bool) -> None:
        """The last writing; ``keep_outside``: also graphs that belong to no compilation."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            self._fence.attempt("matching resume functions", lambda: link(self._functions, self._by_code), None)
            for compilation in self._latest.values():
                if compilation.function is None and not compilation.started:  # aot_compile starts no frame
                    self._outside.pending += compilation.pending
                    compilation.pending = []
            self._fence.attempt(
                "writing graphs outside of compilations",
                lambda: self._writer.outside(self._outside, keep_outside),
                None,
            )
            self._fence.attempt("reading earlier entries", self._read_all_earlier, None)
            self._fence.attempt("writing", lambda: self.settle(closing=True), None)
            for compilation in self._latest.values():
                if compilation.function is None and compilation.pending:
                    self._fence.around("writing graphs of unfinished compilations", self._writer.unfinished)(
                        compilation
                    )

    def _current(self) -> Compilation:
        """The compilation that the hook is called for."""
        compile_id = self._current_id() or f"?/{len(self._latest)}"
        known = self._latest.get(compile_id)
        if known is None or known.called is not None:
            known = self._latest[compile_id] = Compilation(compile_id)
        return known

    def _compilation(self, event: Event) -> Compilation:
        if event.compile_id is None:
            return self._outside
        known = self._latest.get(event.compile_id)
        # torch._dynamo.reset() lets compile ids begin anew: a second start is another compilation.
        again = known is not None and known.started and event.name in (events.START, events.RECOMPILE)
        if known is None or again:
            known = self._latest[event.compile_id] = Compilation(event.compile_id)
        known.started = known.started or event.name == events.START
        return known

    def _take_metrics(self, compilation: Compilation, event: Event) -> None:
        metrics: dict[str, Any] = event.details if isinstance(event.details, dict) else {}
        if metrics.get("is_forward") is False and compilation.metrics:  # of a late backward: the times stay Dynamo's
            self.settle()
            return
        compilation.metrics = metrics
        compilation.ended = True
        if compilation.function is None:
            self._assign(compilation, self._function_named(metrics))
            link(self._functions, self._by_code)
        self.settle()

    def _take_backward_metrics(self, compilation: Compilation, event: Event) -> None:
        compilation.backward_metrics = event.details if isinstance(event.details, dict) else {}
        self.settle()

    def _assign(self, compilation: Compilation, function: Function) -> None:
        compilation.function = function
        function.compilations.append(compilation)
        traced = self._latest.get(compilation.compile_id.partition("/")[0])
        if traced is not None and traced is not compilation:  # what compiled autograd had [!0] make of it: [!0/1/0]
            compilation.pending[:0] = traced.pending
            traced.pending.clear()
        elif function.file.startswith("<eval_with_key>"):  # TORCHVERSIONS: 2.5 tells it under no id, a moment before
            graphs = [each for each in self._outside.pending if each.name == events.AUTOGRAD]
            compilation.pending[:0] = graphs
            self._outside.pending = [each for each in self._outside.pending if each not in graphs]

    def _function_of(self, code: CodeType, wrapped: str | None) -> Function:
        function = self._by_code.get(id(code))
        if function is not None and function.stands_for != wrapped:  # one wrapper around several modules
            same = (each for each in self._functions if each.code is code and each.stands_for == wrapped)
            function = next(same, None)
        if function is None:
            function = self._add(code.co_name, code.co_filename, code.co_firstlineno)
            function.code = code
            function.stands_for = wrapped
            function.source = None if RESUME_CODE.match(code.co_name) else source_of(code)
            self._by_code[id(code)] = function
            self._fence.attempt("reading earlier entries", lambda: self._read_earlier(code, function), None)
        self._by_code[id(code)] = function
        return function

    def _read_earlier(self, code: CodeType, function: Function) -> None:
        """Entries of the function that are there already were compiled before depyf watched."""
        for compilation in earlier_compilations(code):
            if compilation.compile_id not in self._latest:
                self._latest[compilation.compile_id] = compilation
                self._assign(compilation, function)

    def _read_all_earlier(self) -> None:
        """Functions of which nothing was compiled in the block."""
        codes = [code for code in compiled_codes() if id(code) not in self._by_code]
        if self._only is not None:
            codes = [code for code in codes if id(code) in self._only or RESUME_CODE.match(code.co_name)]
        for code in codes[:MOST]:
            self._function_of(code, None)
        link(self._functions, self._by_code)
        left = len(codes) - MOST
        if left > 0:
            more = count(left, "more function")
            self._writer.add_missing(f"{more} compiled before the block: prepare_debug(function, directory) shows one.")

    def _function_named(self, metrics: dict[str, Any]) -> Function:
        """For a compilation that never reached the hook: torch says only name and place."""
        name, file = str(metrics.get("co_name") or "unknown"), str(metrics.get("co_filename") or "unknown")
        line = int(metrics.get("co_firstlineno") or 0)
        for function in self._functions:
            if (function.name, function.file, function.line) == (name, file, line):
                return function
        function = self._add(name, file, line)
        function.source = source_at(file, line)
        return function

    def _add(self, name: str, file: str, line: int) -> Function:
        function = Function(len(self._functions), name, file, line)
        self._functions.append(function)
        return function

    def _wanted(self, function: Function) -> bool:
        return self._only is None or id(function.root.code) in self._only
