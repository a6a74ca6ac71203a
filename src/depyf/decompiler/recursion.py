"""Room for programs that are nested deeply: they run on a larger stack than the caller's.

Long code objects do from the start, others once the caller's stack was too small for them: work that is begun twice
would take twice the time.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from types import CodeType
from typing import Callable, List, Optional, TypeVar

T = TypeVar("T")

# Frames of Python, and bytes of the stack that they may need where each of them takes C stack, too (until CPython
# 3.10).
FRAMES = 100_000
STACK_BYTES = 512 * 1024 * 1024
# Code units (two bytes), those of nested code objects included.  Nothing shorter was seen to need a larger stack, and
# next to so many the thread takes no time.
LONG = 500
_NAME = "depyf, on a larger stack"
_one_at_a_time = threading.Lock()


class _NoThread(Exception):
    """There are no threads, or no memory for the stack of one."""


def with_enough_stack(work: Callable[[], T], code: CodeType) -> T:
    """What ``work``, on ``code``, returns; it has to be something that can be run twice.

    Raises what ``work`` raises; RecursionError only when the larger stack is too small as well, or cannot be had.
    """
    if threading.current_thread().name == _NAME:
        return work()
    too_deep: Optional[RecursionError] = None
    if not _is_long(code):
        try:
            return work()
        except RecursionError as error:
            too_deep = error
    try:
        return _on_a_larger_stack(work)
    except _NoThread:
        if too_deep is not None:
            raise too_deep from None
    return work()


def _is_long(code: CodeType) -> bool:
    units = 0
    codes = [code]
    while codes and units < LONG:
        one = codes.pop()
        units += len(one.co_code) // 2
        codes += [constant for constant in one.co_consts if isinstance(constant, CodeType)]
    return units >= LONG


def _on_a_larger_stack(work: Callable[[], T]) -> T:
    results: List[T] = []
    errors: List[BaseException] = []

    context = contextvars.copy_context()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=_NAME, daemon=True)
    # The limit and the size belong to the process: they are changed by one thread at a time, and put back.
    with _one_at_a_time:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, FRAMES))
        try:
            _start(thread)
            thread.join()
        finally:
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _start(thread: threading.Thread) -> None:
    size = threading.stack_size(STACK_BYTES)
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        raise _NoThread from None
    finally:
        threading.stack_size(size)
