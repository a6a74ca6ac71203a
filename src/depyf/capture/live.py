"""The compilations of a function that torch keeps, as a record: no hook was there when they were made.

Guards, transformed code and resume functions can be told from torch's cache entries; graphs and kernels cannot.
"""

from __future__ import annotations

import platform
import sys
import time
from types import CodeType
from typing import Any

from depyf.capture import seams
from depyf.capture.compilation import Compilation, Function, origin_of, source_of
from depyf.capture.decompiled import show
from depyf.capture.guards import guards_from_tree
from depyf.capture.links import codes_of_resumes
from depyf.record.names import without_uuid
from depyf.record.schema import SCHEMA, Entry, Frame, Resume, Session

_OUTSIDE = "Graphs and kernels: only prepare_debug, while they are compiled, sees them."


def codes_behind(target: Any) -> frozenset[CodeType]:
    """The code objects behind a function, a method, a module or what torch.compile made of one; empty for others."""
    if isinstance(target, CodeType):
        return frozenset({target})
    innermost = seams.INNERMOST.find() or (lambda each: each)
    # A compiled module runs torch's wrapper around its own forward where that is torch's, or its own forward.
    modules = [target, getattr(target, "_orig_mod", target)]
    targets = [innermost(getattr(each, "forward", each)) for each in modules]
    codes = [getattr(getattr(each, "__func__", each), "__code__", None) for each in targets]
    return frozenset(code for code in codes if isinstance(code, CodeType))


def session_of(target: Any) -> Session:
    """The first frame is the function's, the others are what continues it.

    Raises:
        TypeError: there is no Python code behind ``target``.
        ImportError: torch is not installed. RuntimeError: it is too old.
    """
    version = seams.torch_version()
    codes = codes_behind(target)
    if not codes:
        raise TypeError(f"{target!r} has no Python code")
    frames = _Frames()
    # Of a module's codes the one that was compiled; any will do when none was.
    frames.add(max(codes, key=lambda code: len(_entries(code))), None)
    return Session(
        schema=SCHEMA,
        versions={"torch": version, "python": platform.python_version()},
        command=tuple(sys.argv),
        rank=None,
        pid=0,
        started=time.time(),
        frames=tuple(frames.found),
        missing=(_OUTSIDE,),
    )


class _Frames:
    """Frames by the code that they are made of, in the order in which they are met."""

    def __init__(self) -> None:
        self.found: list[Frame] = []
        self._numbers: dict[int, int] = {}

    def add(self, code: CodeType, continues: int | None) -> int:
        """The number of the frame of ``code``."""
        known = self._numbers.get(id(code))
        if known is not None:
            return known
        number = self._numbers[id(code)] = len(self.found)
        function = Function(number, code.co_name, code.co_filename, code.co_firstlineno, code=code)
        source = source_of(code) if continues is None else None
        frame = Frame(number, code.co_name, function.qualname, code.co_filename, code.co_firstlineno, source, continues)
        self.found.append(frame)
        entries = tuple(self._entry(entry, function) for entry in _entries(code))
        self.found[number] = Frame(**{**vars(frame), "entries": entries})
        return number

    def _entry(self, entry: Any, function: Function) -> Entry:
        compilation = Compilation(str(getattr(entry, "compile_id", None) or "?"), function=function)
        compilation.take_transformed(entry.code)
        shown = show(entry.code)
        checker = getattr(entry, "guard_manager", None) or getattr(entry, "check_fn", None)
        return Entry(
            compilation.compile_id,
            "compiled",
            guards=guards_from_tree(str(checker), function.file),
            transformed_source=None if shown.source is None else without_uuid(shown.source),
            certificate=shown.certificate,
            refusal=shown.refusal,
            resumes=tuple(self._resume(name, compilation, function.number) for name in compilation.resumes),
        )

    def _resume(self, name: str, compilation: Compilation, caller: int) -> Resume:
        codes = (code for code in codes_of_resumes(compilation, name) if origin_of(code.co_name) is not None)
        code = next(codes, None)  # not that of a factory around it
        return Resume(name, None if code is None or not _entries(code) else self.add(code, caller))


def _entries(code: CodeType) -> list[Any]:
    """Torch lists the newest first."""
    listed = seams.CACHE_ENTRIES.find()
    return [] if listed is None else list(listed(code))[::-1]
