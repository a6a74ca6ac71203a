"""pdb for code in the dump directory.

What differs from Python's own: file names may be relative to the dump directory; torch's frames are folded, in the
stack and while stepping; when there is nothing (more) to read commands from, it says so and the program goes on; and it
leaves neither signal handlers nor trace functions behind.
"""

from __future__ import annotations

import bdb
import pdb
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Iterable, List, Optional, Tuple

from depyf.capture.seams import outside_dynamo
from depyf.debugger.folded import is_folded

# One conversation at a time: threads that stop meanwhile wait for their turn.
_talking = threading.RLock()


class Shell(pdb.Pdb):
    """One thread's debugger. ``quitted``: the user asked to end the program; ``silent``: it does not stop any more."""

    def __init__(self, directory: Path, places: Callable[[str], List[str]]) -> None:
        super().__init__(nosigint=True)
        # Trace functions are called while Dynamo looks at every frame; it must not compile the debugger.
        self.trace_dispatch: Any = outside_dynamo(self._traced)
        self.quitted = False
        self.silent = False
        self._directory = directory
        self._places = places
        self._others = set(bdb.Breakpoint.bplist)
        self._before: Any = None
        self._is_tracing = False

    def pause_at(self, frame: FrameType) -> None:
        """Stop at the next line of ``frame``, or of whoever comes next."""
        if not self._is_tracing:
            self._is_tracing, self._before = True, sys.gettrace()
        self.set_trace(frame)

    def run_to_breaks(self, frame: FrameType) -> None:
        """Do not stop before a breakpoint is reached."""
        self.pause_at(frame)
        if self.breaks:  # without any there would be nothing to trace for, and later ones would be missed
            self.set_continue()

    def add_breaks(self, lines: Iterable[Tuple[str, int]]) -> None:
        """Stop at these lines as well; those that are no lines of code are left out."""
        for file, line in lines:
            if not self.get_break(file, line):
                self.set_break(file, line)

    def end(self) -> None:
        """Trace no longer, forget the breakpoints that were set here. May be called from another thread."""
        self.silent = True
        for place in set(bdb.Breakpoint.bplist) - self._others:
            self.clear_break(*place)
        if sys.gettrace() == self.trace_dispatch:
            sys.settrace(self._before)
        frame: Optional[FrameType] = sys._getframe()
        while frame is not None:
            if frame.f_trace == self.trace_dispatch:
                del frame.f_trace
            frame = frame.f_back

    def _traced(self, frame: FrameType, event: str, arg: Any) -> Any:
        if self.silent and not self.quitting:
            sys.settrace(None)
            return None
        return super().trace_dispatch(frame, event, arg)

    def stop_here(self, frame: FrameType) -> bool:
        """Never while stepping through torch."""
        return not is_folded(frame) and super().stop_here(frame)

    def get_stack(self, f: Optional[FrameType], t: Any) -> Tuple[List[Tuple[FrameType, int]], int]:
        """Without torch's frames, so that up and down lead from the user's to the graph's."""
        stack, current = super().get_stack(f, t)
        here = stack[current][0] if stack else None
        shown = [each for each in stack if each[0] is here or not is_folded(each[0])]
        return shown, next((number for number, each in enumerate(shown) if each[0] is here), 0)

    def lookupmodule(self, filename: str) -> Optional[str]:
        """A file of the dump directory, or what pdb takes it for."""
        for name in (filename, f"{filename}.py"):
            if (self._directory / name).is_file():
                return self.canonic(str(self._directory / name))
        return super().lookupmodule(filename)

    def interaction(self, *arguments: Any, **others: Any) -> None:
        """Talk, in this thread alone. Every caller on the stack can be stopped in from now on, not only this frame."""
        frame: Optional[FrameType] = sys._getframe(1)
        while frame is not None:
            if frame.f_trace is None and not is_folded(frame):
                frame.f_trace = self.trace_dispatch
            frame = frame.f_back
        with _talking:
            super().interaction(*arguments, **others)

    def cmdloop(self, intro: Any = None) -> None:
        """Read commands for as long as there is something to read from."""
        try:
            if sys.stdin is None or sys.stdin.closed:
                raise ValueError("standard input is closed")
            super().cmdloop(intro)
        except (OSError, ValueError) as error:
            self._go_on(str(error))

    def do_EOF(self, arg: str) -> bool:  # noqa: N802  (pdb's name)
        """End of input: the program goes on, without stopping again."""
        self._go_on("end of input")
        return True

    def do_quit(self, arg: str) -> Optional[bool]:
        """q(uit): end the program; ``finally`` parts run."""
        self.quitted = True
        return super().do_quit(arg)

    do_q = do_exit = do_quit

    def do_places(self, arg: str) -> None:
        """places [FILE:LINE]

        What came from a line, and what it came from: the user's line, transformed code, graphs and kernels. Without
        an argument: the line that the program stopped at.
        """
        frame, line = self.stack[self.curindex]
        here = f"{self.canonic(frame.f_code.co_filename)}:{line}"
        for text in self._places(arg or here):
            self.message(text)

    def _go_on(self, why: str) -> None:
        self.message(f"\ndepyf: {why}; the program goes on without the debugger")
        self.silent = True
        self.set_continue()
