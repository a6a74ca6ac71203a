"""What was compiled before the block: torch's live cache entries.

An entry knows its compile id, its code and its guards. Its graphs and kernels were told to whoever listened then.
"""

from __future__ import annotations

from types import CodeType
from typing import Any, Iterator

from depyf.capture.compilation import Compilation
from depyf.capture.seams import CACHE_ENTRIES, INPUT_CODES, SIDE_EFFECTS

# Showing one costs some ten milliseconds at the end of the block.
MOST = 64


def compiled_codes() -> list[CodeType]:
    """The code objects that have live entries, in the order in which Dynamo was given them."""
    tracker = INPUT_CODES.find()
    cache_entries = CACHE_ENTRIES.find()
    found = (reference() for reference in tuple(getattr(tracker, "seen", ())))
    return [code for code in found if code is not None and cache_entries is not None and cache_entries(code)]


def earlier_compilations(code: CodeType) -> Iterator[Compilation]:
    """The live entries of ``code``, the oldest first."""
    cache_entries = CACHE_ENTRIES.find()
    listed = list(cache_entries(code)) if cache_entries is not None else []
    for entry in sorted(listed, key=_number):
        compile_id = getattr(entry, "compile_id", None)
        if compile_id is not None:
            yield _compilation(str(compile_id), entry)


def _number(entry: Any) -> int:
    """Torch moves the entry that was used last to the front."""
    return int(getattr(getattr(entry, "compile_id", None), "frame_compile_id", None) or 0)


def _compilation(compile_id: str, entry: Any) -> Compilation:
    found = Compilation(compile_id, started=True, ended=True, earlier=True, changed=True)
    found.take_transformed(entry.code)
    manager = getattr(entry, "guard_manager", None) or getattr(entry, "check_fn", None)  # TORCHVERSIONS: until 2.7
    if getattr(manager, "root", None) is not None:  # TORCHVERSIONS: before 2.5 guards are a function
        found.guard_tree = str(manager)
    side_effects = SIDE_EFFECTS.find()
    found.side_effects = tuple(side_effects(entry.code) or ()) if side_effects else ()
    return found
