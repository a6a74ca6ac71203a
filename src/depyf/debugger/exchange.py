"""What torch.compile made of a program runs from the files of the dump directory, and from torch's own again.

    record: frames, entries, graphs, files  ─→  frames.py      transformed code, resume functions
                                                functions.py   graphs (eager, AOTAutograd) and Inductor's wrappers

What is compiled meanwhile follows as soon as it is written down and torch has it in its cache.
"""

from __future__ import annotations

import linecache
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Iterator

from depyf.capture import compiling
from depyf.capture.compilation import Compilation, Function
from depyf.capture.links import global_scopes
from depyf.capture.prepare import Run
from depyf.capture.seams import BEFORE_RUN, BEFORE_RUN_NOW, outside_dynamo
from depyf.debugger.backends import told_of_backends
from depyf.debugger.frames import FrameExchange
from depyf.debugger.functions import FunctionExchange
from depyf.debugger.transformed import NotSteppable, runnable
from depyf.record.text import count


@dataclass
class Running:
    """What runs from the dump directory: files that something runs from now, and why other files are only shown."""

    files: set[Path] = field(default_factory=set)
    shown_only: dict[str, str] = field(default_factory=dict)

    def words(self, directory: Path) -> Iterator[str]:
        """For the user: where to set breakpoints."""
        yield f"depyf: what runs now is in {directory} ({count(len(self.files), 'file')}):"
        yield from (f"    {file.name}" for file in sorted(self.files))
        yield from (f"    {name} is only shown: {why}" for name, why in sorted(self.shown_only.items()))


class Exchange:
    """Holds everything that was exchanged for one run of ``prepare_debug``; :meth:`restore` undoes it all."""

    def __init__(self, run: Run) -> None:
        self.running = Running()
        self.told = False
        self.after_exchange: list[Callable[[], object]] = []
        self._run = run
        # Absolute, but with its links: an editor sets breakpoints under the name that the user opened.
        self.directory = Path(run.directory.path).absolute()
        self._frames = FrameExchange(str(self.directory), self._stand_in)
        self._functions = FunctionExchange()
        self._lock = threading.RLock()
        self._files: dict[str, str] = {}
        self._waiting = False
        self._read_before = frozenset(linecache.cache)
        self._before: Any = None
        self._hook = outside_dynamo(self._before_run)
        self._patches = ExitStack()

    def start(self) -> None:
        """Exchange everything that is there, and watch for more."""
        self.exchange()
        self._run.capture.after_writing.append(self._written)
        self._patches.enter_context(told_of_backends(self._called))
        if BEFORE_RUN.find() is not None:
            self._before = BEFORE_RUN_NOW.call()
            BEFORE_RUN.call(self._hook)

    def exchange(self) -> None:
        """Exchange what is in torch's caches now. What runs from its file already stays."""
        with self._lock:
            self._waiting = False
            self.running = Running()
            for function in self._run.capture.functions():
                self._exchange(function)
            for each in self.after_exchange:
                each()

    def restore(self) -> None:
        """Everything is torch's own again, in whatever state it was left."""
        with self._lock:
            if self._written in self._run.capture.after_writing:
                self._run.capture.after_writing.remove(self._written)
            if BEFORE_RUN.find() is not None and BEFORE_RUN_NOW.call() is self._hook:
                BEFORE_RUN.call(self._before)
            self._patches.close()
            self._frames.restore()
            self._functions.restore()
            self._forget_sources()

    def _forget_sources(self) -> None:
        """Python keeps the text of every file that a debugger or a traceback showed."""
        for file in {*linecache.cache} - self._read_before:
            if Path(file).parent == self.directory:
                linecache.cache.pop(file, None)

    def _called(self, backend: Any) -> None:
        """A call of compiled code begins: what other backends made of the same functions must not run."""
        if self._frames.backend is None or bool(self._frames.backend != backend):
            self._frames.backend = backend
            self._exchange_fenced()

    def _written(self) -> None:
        """Something was compiled: its graphs are there now, and its entry is as soon as its code runs."""
        self._exchange_fenced()
        self._waiting = True

    def _before_run(self, code: CodeType) -> None:
        """Torch calls this before it runs any code of Dynamo's: now what was compiled last is in its cache."""
        if self._waiting:
            self._exchange_fenced()
        if self._before is not None:
            self._before(code)

    def _exchange_fenced(self) -> None:
        self._run.fence.around("exchanging what was just compiled", self.exchange)()

    def _exchange(self, function: Function) -> None:
        assert function.code is not None
        compilations = [each for each in function.compilations if each.entry is not None]
        self._files = {
            each.compile_id: each.entry.transformed_file
            for each in compilations
            if each.entry is not None and each.entry.transformed_file is not None
        }
        outcome = self._frames.exchange(function.code)
        self.running.files.update(map(Path, outcome.files))
        for compile_id, why in outcome.refused.items():
            self.running.shown_only[self._files.get(compile_id, f"[{compile_id}] {function.name}")] = why
        for compilation in compilations:
            # A compilation that is about to end is in no cache yet.
            for scope in (*global_scopes(compilation), *compiling.scopes()):
                self._exchange_graphs(compilation, scope)

    def _exchange_graphs(self, compilation: Compilation, scope: Any) -> None:
        files = list(self._graph_files(compilation))
        for name in compilation.graph_names:
            if name in scope:
                running = self._functions.exchange(scope[name], files)
                self.running.files.update(running)
                if not running:
                    self.running.shown_only[f"{compilation.graph_file_name}"] = _why_not(files)

    def _graph_files(self, compilation: Compilation) -> Iterator[Path]:
        files = [*(kernel.file for kernel in compilation.kernels), *(stage.file for stage in compilation.stages)]
        return (self.directory / file for file in files if file.endswith(".py"))

    def _stand_in(self, compile_id: str, code: CodeType) -> CodeType:
        file = self._files.get(compile_id)
        if file is None:
            raise NotSteppable("it was compiled before prepare_debug, or is not written down")
        return runnable(code, self.directory / file)


def _why_not(files: list[Path]) -> str:
    if not files:
        return "this torch printed none of its stages"
    if not any(file.exists() for file in files):
        return "its files are gone"
    return "what runs is not what its files show (edited, or a form that torch never printed)"
