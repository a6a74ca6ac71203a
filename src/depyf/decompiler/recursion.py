"""Room for programs that are nested deeply: what recurses too deep for the caller's stack runs once more on a larger
one.
"""

from __future__ import annotations

import sys
import threading
from typing import Callable, List, TypeVar

T = TypeVar("T")

# Frames of Python, and bytes of the stack that they may need where each of them takes C stack, too (until CPython
# 3.10).
FRAMES = 100_000
STACK_BYTES = 512 * 1024 * 1024
_one_at_a_time = threading.Lock()


def with_enough_stack(work: Callable[[], T]) -> T:
    """What ``work`` returns; it has to be something that can be run twice.

    Raises what ``work`` raises; RecursionError only when the larger stack is too small as well, or cannot be had.
    """
    try:
        return work()
    except RecursionError as error:
        shallow = error
    if threading.current_thread().name == _NAME:
        raise shallow
    return _on_a_larger_stack(work, shallow)


_NAME = "depyf, on a larger stack"


def _on_a_larger_stack(work: Callable[[], T], shallow: RecursionError) -> T:
    results: List[T] = []
    errors: List[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=_NAME, daemon=True)
    # The limit and the size belong to the process: they are changed by one thread at a time, and put back.
    with _one_at_a_time:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, FRAMES))
        try:
            _start(thread, shallow)
            thread.join()
        finally:
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _start(thread: threading.Thread, shallow: RecursionError) -> None:
    size = threading.stack_size(STACK_BYTES)
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        raise shallow from None
    finally:
        threading.stack_size(size)
