"""``DEPYF_DIR=dir python script.py``: watch a program that knows nothing of depyf.

    Python starts ── depyf_environment.pth ─→ import depyf ── DEPYF_DIR is set ─→ wait()
    the program imports torch._dynamo, that is, it uses torch.compile ─→ the block is entered
    Python ends ─→ the block is left

A program that never compiles anything pays nothing and writes nothing. The main process watches from the import on. Its
children, and processes that torch starts for itself, watch from their first compilation on: most have none, and would
leave empty records.
"""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Callable, List, Optional, Sequence

_TRIGGER = "torch._dynamo"  # the public way to it is the attribute torch.compile, which imports it
_begun: List[Any] = []


def wait() -> None:
    """Watch from the moment on at which the program uses torch.compile, into ``DEPYF_DIR``; once in a process."""
    directory = os.environ.get("DEPYF_DIR")
    if not directory or _begun:
        return
    # The program may change its own folder, and its children start in that.
    directory = os.environ["DEPYF_DIR"] = os.path.abspath(directory)
    _begun.append(directory)
    if _TRIGGER in sys.modules:
        _fenced(_begin, directory)
    else:
        sys.meta_path.insert(0, _Notice(directory))


class _Notice(MetaPathFinder):
    """Finds nothing itself, and notices the import of one module."""

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        """Called for every import; None leaves it to the others."""
        if fullname != _TRIGGER:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        loader: Any = None if spec is None else spec.loader
        if loader is not None:
            loader.exec_module = lambda module: self._execute(loader, module)
        return spec

    def _execute(self, loader: Any, module: ModuleType) -> None:
        del loader.exec_module  # that of its class is back
        loader.exec_module(module)
        _fenced(_begin, self._directory)


def _begin(directory: str) -> None:
    if not _is_a_helper() or not _at_the_first_compilation(directory):
        _enter(directory)


def _enter(directory: str) -> None:
    from depyf.capture.prepare import prepare_debug

    block = prepare_debug(directory)
    block.__enter__()
    atexit.register(block.__exit__)


def _is_a_helper() -> bool:
    """A child of a process that watches, or one of torch's own, such as Inductor's compile workers."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    started_by_torch = str(getattr(spec, "name", "")).startswith("torch.") or "compile_worker" in "".join(sys.argv[:1])
    return started_by_torch or multiprocessing.parent_process() is not None


def _at_the_first_compilation(directory: str) -> bool:
    """Have torch say when it begins to compile; False where it cannot."""
    from depyf.capture.seams import COMPILE_CALLBACKS

    callbacks = COMPILE_CALLBACKS.find()
    if callbacks is None:
        return False
    entered: List[str] = []

    def begin(*_: Any) -> None:
        if not entered:
            entered.append(directory)
            _fenced(_enter, directory)

    callbacks.register_start_callback(begin)
    return True


def _fenced(step: Callable[[str], None], directory: str) -> None:
    try:
        step(directory)
    except Exception as error:  # whatever it is, the program runs as it would without
        logging.getLogger("depyf").warning("DEPYF_DIR=%s: nothing is written: %s", directory, error)
