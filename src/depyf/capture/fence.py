"""No failure of ours reaches the user's program: each hook runs behind a fence that keeps the error for the index."""

from __future__ import annotations

import threading
from typing import Any, Callable, TypeVar

from depyf.record.names import without_addresses
from depyf.record.schema import Failure

T = TypeVar("T")


class Fence:
    """Collects what went wrong; the same failure is kept once and counted."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def note(self, during: str, error: BaseException) -> None:
        """Keep one failure."""
        key = (during, without_addresses(f"{type(error).__name__}: {error}"))
        with self._lock:
            self._counts[key] = self._counts.get(key, 0) + 1

    def around(self, during: str, function: Callable[..., object]) -> Callable[..., None]:
        """``function`` without its result and exceptions; KeyboardInterrupt and SystemExit are the user's."""

        def fenced(*args: Any, **kwargs: Any) -> None:
            try:
                function(*args, **kwargs)
            except Exception as error:  # the promise: whatever it is, the user's program goes on
                self.note(during, error)

        return fenced

    def attempt(self, during: str, function: Callable[[], T], otherwise: T) -> T:
        """``function()``, or ``otherwise`` when it fails."""
        try:
            return function()
        except Exception as error:  # as in `around`
            self.note(during, error)
            return otherwise

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What went wrong so far, in the order it was first seen."""
        with self._lock:
            return tuple(Failure(during, what, count) for (during, what), count in self._counts.items())
