"""Functions that run a graph, given the code object that its file compiles to, and their own again.

    forward.__code__:  <eval_with_key>.3  ── the same instructions ──  __compiled_fn_1.Forward_graph.0.py

Only code that is identical takes the place: what runs stays the same to the instruction, and so do caches, which know
graphs by their nodes. A method that was taken from its object earlier runs the new code as well.
"""

from __future__ import annotations

import weakref
from pathlib import Path
from types import CodeType, FunctionType
from typing import Iterable

from depyf.debugger.graphs import programs
from depyf.debugger.interpreted import calling_forward, interpreted_graph
from depyf.debugger.reach import functions_behind
from depyf.decompiler.verify.exact import identical


class FunctionExchange:
    """The functions that run from files now."""

    def __init__(self) -> None:
        self._own: list[tuple[weakref.ref[FunctionType], CodeType, CodeType]] = []
        self._programs: dict[Path, list[CodeType]] = {}

    def exchange(self, compiled: object, files: Iterable[Path]) -> set[Path]:
        """Let what ``compiled`` runs run from ``files``; the files that something runs from now.

        A file is read once: editing it while it runs changes nothing.
        """
        candidates = [(file, code) for file in files for code in self._programs_of(file)]
        names = {code.co_name for _, code in candidates}
        running = set()
        functions = list(functions_behind(compiled))
        for function in functions:
            if function.__code__.co_name in names:
                found = _same(function.__code__, candidates)
                if found is not None:
                    running.add(found[0])
                    self._exchange(function, found[1])
        for function in functions:
            graph = interpreted_graph(function)
            if graph is not None and any(Path(graph.forward.__code__.co_filename) == file for file in running):
                self._exchange(function, calling_forward(graph).__code__)
        return running

    def restore(self) -> None:
        """Give every function that is still alive its own code."""
        while self._own:
            reference, own, lent = self._own.pop()
            function = reference()
            if function is not None and function.__code__ is lent:
                function.__code__ = own

    def _programs_of(self, file: Path) -> list[CodeType]:
        if file not in self._programs:
            self._programs[file] = programs(file)
        return self._programs[file]

    def _exchange(self, function: FunctionType, code: CodeType) -> None:
        own = function.__code__
        if own.co_filename != code.co_filename:
            function.__code__ = code
            self._own.append((weakref.ref(function), own, code))


def _same(code: CodeType, candidates: list[tuple[Path, CodeType]]) -> tuple[Path, CodeType] | None:
    return next((each for each in candidates if identical(code, each[1])), None)
