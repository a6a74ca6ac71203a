"""Names of earlier releases."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator

from depyf.capture.live import session_of
from depyf.capture.seams import current_compile_id
from depyf.record.full_code import full_code
from depyf.record.schema import to_json


class DynamoOptimizationResult:
    """What torch keeps of the compilations of one function.

    Raises:
        TypeError: there is no Python code behind ``fn``.
        ImportError: torch is not installed.
    """

    def __init__(self, fn: Any) -> None:
        self.session = session_of(fn)
        self.name = self.session.frames[0].name

    def to_src(self) -> str:
        """Valid Python, as in ``full_code_for_<fn>_<n>.py``."""
        return full_code(self.session, self.session.frames[0])

    def to_data(self) -> Dict[str, Any]:
        """As in ``depyf.json``."""
        found: Dict[str, Any] = json.loads(to_json(self.session))
        return found


def get_current_compiled_fn_name() -> str:
    """A name for files about what is compiled now: ``__compiled_fn_<frame>_<entry>``, or ``__compiled_fn_unknown``."""
    compile_id = current_compile_id()
    return "__compiled_fn_" + (compile_id or "unknown").replace("!", "").replace("/", "_")


def write_code_to_file_template(src: str, path_template: str) -> str:
    """Write ``src`` into ``path_template`` with the first number in place of ``%s`` that gives a new file, or one with
    this very text. Returns the path. Raises OSError when it cannot be written."""
    number = 0
    while True:
        path = Path(path_template % number)
        if _is_new(path, src) or path.read_text(encoding="utf-8", errors="replace") == src:
            return str(path)
        number += 1


def _is_new(path: Path, content: str) -> bool:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        return False
    return True


@contextmanager
def lock_on_file(path_template: str) -> Iterator[None]:
    """One process at a time may be inside of this block with the same ``path_template``; no file is left behind."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    folder = os.open(os.path.dirname(os.path.abspath(path_template)), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
