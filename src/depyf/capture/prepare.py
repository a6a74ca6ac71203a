"""``prepare_debug``: watch what torch.compile does in a block of code and write it down."""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Callable

from depyf.capture import seams
from depyf.capture.collect import Capture
from depyf.capture.fence import Fence
from depyf.capture.live import codes_behind
from depyf.capture.observe import Observers
from depyf.capture.write import Writer
from depyf.record.directory import Directory, claim
from depyf.record.schema import SCHEMA, Session

_lock = threading.Lock()
_running: dict[Any, Run] = {}
_latest: list[Run] = []


class prepare_debug:  # noqa: N801  (a context manager that reads like a function; the name is public)
    """Write down everything that ``torch.compile`` does inside the block.

        with depyf.prepare_debug("./dump"):
            main()

    The program itself runs as it would without: nothing is exchanged, and no failure of the observer reaches it. The
    object can be created now and entered later, entered again, and entered by hand. Blocks on different directories
    may overlap, in one thread or in several: each writes what is compiled while it is open. Blocks that overlap on
    *one* directory share one record, which is complete when the last of them ends.

    Args:
        dump_src_dir: the directory (made when it is not there). Start reading at its ``index.md``.
        clean_wild_fx_code: leave out graphs that belong to no compilation.
        log_bytecode: also keep the code objects, loadable with ``dill`` (which must be installed; loading runs code).

        inductor_ir: also write Inductor's IR before and after fusion, and which operations and lines each kernel
            computes. This is another key of Inductor's cache: the first run with it compiles anew. The default is what
            the environment variable ``DEPYF_INDUCTOR_IR`` says (``1``: yes).

    The form ``prepare_debug(function, dump_src_dir)`` writes down that function only.

    Raises:
        TypeError: no directory was given.
        ImportError: torch (or, for ``log_bytecode``, dill) is not installed. On entering.
        RuntimeError: torch is older than 2.2; or the block is left without having been entered.
        OSError: the directory cannot be made or written to. On entering.
    """

    def __init__(
        self,
        dump_src_dir: Any,
        clean_wild_fx_code: Any = True,
        log_bytecode: bool = False,
        inductor_ir: bool | None = None,
    ) -> None:
        self._function: Callable[..., Any] | None = None
        if callable(dump_src_dir) and not isinstance(dump_src_dir, (str, os.PathLike)):
            if not isinstance(clean_wild_fx_code, (str, os.PathLike)):
                raise TypeError(
                    "prepare_debug(function, dump_src_dir): the second argument must be a directory, "
                    f"not {type(clean_wild_fx_code).__name__}"
                )
            self._function, dump_src_dir, clean_wild_fx_code = dump_src_dir, clean_wild_fx_code, True
        if not isinstance(dump_src_dir, (str, os.PathLike)):
            raise TypeError(f"dump_src_dir must be a path, not {type(dump_src_dir).__name__}")
        self._path = Path(os.fspath(dump_src_dir))
        self._clean = bool(clean_wild_fx_code)
        self._log_bytecode = log_bytecode
        self._inductor_ir = os.environ.get("DEPYF_INDUCTOR_IR") == "1" if inductor_ir is None else bool(inductor_ir)
        self._entered: list[Run] = []

    def __enter__(self) -> None:
        version = seams.torch_version()
        if self._log_bytecode:
            _require_dill()
        self._entered.append(seams.outside_dynamo(_enter)(self, version))

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if not self._entered:
            raise RuntimeError("this prepare_debug block is left without having been entered")
        seams.outside_dynamo(_leave)(self._entered.pop())


class Run:
    """What one or more overlapping blocks on one directory share."""

    def __init__(
        self,
        key: Any,
        directory: Directory,
        block: prepare_debug,
        version: str,
        rank: int | None,
        only: frozenset[CodeType] | None,
    ) -> None:
        self.key = key
        self.blocks = 1
        self.keep_outside = not block._clean
        self.directory = directory
        fence = Fence()
        missing = tuple(f"This torch has no {seam.name}: {seam.without}." for seam in seams.missing())
        session = Session(
            schema=SCHEMA,
            versions={"depyf": _own_version(), "torch": version, "python": platform.python_version()},
            command=tuple(sys.argv),
            rank=rank,
            pid=os.getpid(),
            started=time.time(),
            missing=missing,
        )
        writer = Writer(directory, session, fence, block._log_bytecode)
        self.fence, self.writer = fence, writer
        self.capture = Capture(writer, fence, only)
        self.observers = Observers(self.capture, fence, block._inductor_ir)

    def end(self) -> None:
        """Undo the hooks first: whatever writing does, the process is as it was."""
        self.observers.remove()
        self.fence.around("ending the block", self.capture.finish)(self.keep_outside)
        self.fence.around("closing the record", self.writer.close)()
        self.fence.around("letting go of code", self.capture.rest)()
        self.directory.release()

    def go_on(self) -> None:
        """Watch again after :meth:`end`. Raises OSError when the directory is gone or taken."""
        self.directory.hold_again()
        self.blocks = 1
        self.capture.wake()
        self.observers = Observers(self.capture, self.fence)


class latest_run:  # noqa: N801  (a context manager that reads like a function)
    """The run of the latest ``prepare_debug`` block goes on recording inside this block; its files stay.

    Raises (on entering):
        LookupError: there was none in this process.
        OSError: its directory is gone, or another process writes to it now.
    """

    def __enter__(self) -> Run:
        self._run: Run = seams.outside_dynamo(_continue)()
        return self._run

    def __exit__(self, *error: object) -> None:
        seams.outside_dynamo(_leave)(self._run)


def newest_directory() -> str | None:
    """Where the run that began last writes to, None while there is none."""
    with _lock:
        return str(list(_running.values())[-1].directory.path) if _running else None


def _enter(block: prepare_debug, version: str) -> Run:
    rank, only = _rank(), _code_of(block._function)
    # In this order: a backend may enter a block while its thread holds the compile lock.
    with seams.while_nobody_compiles(), _lock:
        key = (os.getpid(), os.path.realpath(block._path), block._function)
        run = _running.get(key)
        if run is None:
            run = _running[key] = Run(key, claim(block._path, rank), block, version, rank, only)
        else:
            run.blocks += 1
        _latest[:] = [run]
        return run


def _continue() -> Run:
    with seams.while_nobody_compiles(), _lock:
        if not _latest or _latest[0].key[0] != os.getpid():
            raise LookupError("no prepare_debug block was entered in this process")
        (run,) = _latest
        if run.key in _running:
            run.blocks += 1
        else:
            run.go_on()
            _running[run.key] = run
        return run


def _leave(run: Run) -> None:
    with seams.while_nobody_compiles(), _lock:
        run.blocks -= 1
        if run.blocks:
            return
        _running.pop(run.key, None)
        run.end()


def _rank() -> int | None:
    world, rank = os.environ.get("WORLD_SIZE", ""), os.environ.get("RANK", "")
    if world.isdigit() and rank.isdigit() and int(world) > 1:
        return int(rank)
    return seams.distributed_rank()


def _code_of(function: Callable[..., Any] | None) -> frozenset[CodeType] | None:
    if function is None or seams.INNERMOST.find() is None:
        return None
    found = codes_behind(function)
    if not found:
        raise TypeError(f"prepare_debug(function, dump_src_dir): {function!r} has no Python code")
    return found


def _require_dill() -> None:
    try:
        import_module("dill")
    except ImportError as error:
        raise ImportError("log_bytecode=True writes code objects with dill: pip install dill") from error


def _own_version() -> str:
    import depyf

    return depyf.__version__
