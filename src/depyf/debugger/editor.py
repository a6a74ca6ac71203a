"""An editor that is attached through debugpy (VS Code, or any client of the Debug Adapter Protocol).

debugpy's public functions neither stop at a given frame nor set breakpoints; pydevd, which it brings along, does. All
that is used of pydevd is in this file.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import FrameType
from typing import Any, Iterable

# Far from those that the editor counts.
_FIRST_NUMBER = 1_000_000


class Editor:
    """The editor that is connected to this process."""

    def __init__(self, pydevd: Any, debugger: Any) -> None:
        self._pydevd = pydevd
        self._debugger = debugger
        self._set: dict[tuple[str, int], int] = {}

    def pause_at(self, frame: FrameType) -> None:
        """Stop in ``frame`` as soon as it runs on."""
        self._pydevd.settrace(
            suspend=True, trace_only_current_thread=True, patch_multiprocessing=False, stop_at_frame=frame
        )

    def look_again(self) -> None:
        """Breakpoints in files that were not there when they were set count from now on."""
        self._api().reapply_breakpoints(self._debugger)

    def add_breaks(self, lines: Iterable[tuple[str, int]]) -> None:
        """Stop at these lines as well."""
        for file, line in lines:
            if (file, line) not in self._set:
                number = self._set[file, line] = _FIRST_NUMBER + len(self._set)
                self._api().add_breakpoint(
                    self._debugger, file, "python-line", number, line, None, "None", None, "ALL", None, None
                )

    def end(self) -> None:
        """Take the breakpoints of :meth:`add_breaks` away again."""
        for (file, _), number in self._set.items():
            self._api().remove_breakpoint(self._debugger, file, "python-line", number)

    def _api(self) -> Any:
        return import_module("_pydevd_bundle.pydevd_api").PyDevdAPI()


def attached() -> Editor | None:
    """The editor, None when none is connected."""
    pydevd = sys.modules.get("pydevd")
    debugger = pydevd.get_global_debugger() if pydevd is not None else None
    return Editor(pydevd, debugger) if debugger is not None and debugger.is_attached() else None
