"""Verified code in the place of Dynamo's, over the very guards that torch made, and out again.

    torch's cache of f       tried first: precompiled entries          after reset
      [0/1] guards D1    →     guards of [0/1], V1                      [0/1] guards D1
      [0/0] guards D0          guards of [0/0], D0 (not verified)       [0/0] guards D0

Torch tries precompiled entries before its cache, in the order in which they were loaded, and with the cache's own guard
managers: hits, misses and recompilations stay what they are. Precompiled entries know no backend: those of the backend
that was called last are loaded.
"""

from __future__ import annotations

import os
import weakref
from types import CodeType
from typing import Any, Callable, Mapping, NamedTuple, Union

from depyf.capture.seams import CACHE_ENTRIES, LOAD_PRECOMPILED, PRECOMPILED, RESET_PRECOMPILED
from depyf.debugger.transformed import NotSteppable

# Compile id and Dynamo's code -> what to run in its place. Raises NotSteppable.
StandIn = Callable[[str, CodeType], CodeType]


class Outcome(NamedTuple):
    """Files that run now, and why the code of other compile ids does not run from its file."""

    files: tuple[str, ...]
    refused: Mapping[str, str]


class _Loaded(NamedTuple):
    """A function's code; Dynamo's code objects whose places are taken, which unload all when they die."""

    code: weakref.ref[CodeType]
    own: tuple[weakref.ref[CodeType], ...]


class FrameExchange:
    """The functions for which precompiled entries are loaded now."""

    def __init__(self, directory: str, stand_in: StandIn) -> None:
        self.backend: Any = None  # that of the call that began last; None: nothing was called yet
        self._directory = directory
        self._stand_in = stand_in
        self._loaded: dict[int, _Loaded] = {}
        self._lent: dict[int, tuple[weakref.ref[CodeType], Union[CodeType, NotSteppable]]] = {}

    @staticmethod
    def possible() -> bool:
        """Whether this torch has precompiled entries."""
        return LOAD_PRECOMPILED.find() is not None and RESET_PRECOMPILED.find() is not None

    def exchange(self, code: CodeType) -> Outcome:
        """Let every entry of ``code``, a function as written, run from its file where that can be done."""
        entries = [each for each in CACHE_ENTRIES.call(code) if isinstance(each.code, CodeType)]
        # TORCHVERSIONS: before 2.5 entries have no id
        ids = [str(getattr(each, "compile_id", number)) for number, each in enumerate(entries)]
        why = self._left_alone(code, entries)
        found = [
            self._in_place_of(entry.code, compile_id, why or self._of_another_backend(entry))
            for compile_id, entry in zip(ids, entries)
        ]
        refused = {one: str(each) for one, each in zip(ids, found) if isinstance(each, NotSteppable)}
        loaded = [
            (entry, entry.code if isinstance(each, NotSteppable) else each)
            for entry, each in zip(entries, found)
            if self._of_another_backend(entry) is None
        ]
        if any(run is not entry.code for entry, run in loaded):
            self._load(code, loaded)
        else:
            self._unload(id(code))
        return Outcome(tuple(each.co_filename for each in found if isinstance(each, CodeType)), refused)

    def restore(self) -> None:
        """Dynamo's own code runs again."""
        for number in tuple(self._loaded):
            self._unload(number)
        self._lent.clear()

    def _left_alone(self, code: CodeType, entries: list[Any]) -> str | None:
        if not self.possible():
            return "this torch has no precompiled entries"
        if PRECOMPILED.find() is not None and id(code) not in self._loaded and PRECOMPILED.call(code):
            return "it was loaded from a package, and runs from there"
        if len({getattr(each, "isolate_recompiles_id", -1) for each in entries}) > 1:
            return "it was compiled several times apart, which precompiled entries cannot tell apart"
        if self.backend is None and any(_backend(each) != _backend(entries[0]) for each in entries):
            return "it was compiled for several backends, and runs from here as soon as one is called"
        return None

    def _of_another_backend(self, entry: Any) -> str | None:
        own = _backend(entry)
        if self.backend is None or own is None or bool(own == self.backend):
            return None
        return "it was compiled for another backend than the one that was called last"

    def _in_place_of(self, own: CodeType, compile_id: str, left_alone: str | None) -> CodeType | NotSteppable:
        if own.co_filename.startswith(os.path.join(self._directory, "")):
            return own  # TORCHVERSIONS: until 2.7 it was installed when it was compiled
        if left_alone is not None:
            return NotSteppable(left_alone)
        # By identity: equal code objects are not the same entry.
        known = self._lent.get(id(own))
        if known is not None and known[0]() is own:
            return known[1]
        try:
            made: CodeType | NotSteppable = self._stand_in(compile_id, own)
        except NotSteppable as reason:
            made = reason
        self._lent[id(own)] = (weakref.ref(own), made)
        return made

    def _load(self, code: CodeType, runs: list[tuple[Any, CodeType]]) -> None:
        number = id(code)
        loaded = self._loaded.get(number)
        if loaded is not None and [each() for each in loaded.own] == [entry.code for entry, _ in runs]:
            return
        RESET_PRECOMPILED.call(code)
        # Torch lets an entry's code die when the entry is no longer valid; nothing may run in its place then.
        watch = tuple(weakref.ref(entry.code, lambda _: self._unload(number)) for entry, _ in runs)
        self._loaded[number] = _Loaded(weakref.ref(code), watch)
        for entry, run in runs:
            LOAD_PRECOMPILED.call(code, entry.guard_manager, run)

    def _unload(self, number: int) -> None:
        loaded = self._loaded.pop(number, None)
        code = loaded.code() if loaded is not None else None
        if code is not None:
            RESET_PRECOMPILED.call(code)


def _backend(entry: Any) -> Any:
    # TORCHVERSIONS: those of 2.8 do not tell; there a function of several backends runs what is loaded
    return getattr(entry, "backend", None)
