"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from typing import Iterable, Iterator, TypeVar

Item = TypeVar("Item")
WIDTH = 30


def progress(items: Iterable[Item], total: int) -> Iterator[Item]:
    """``items``, one after the other, with a bar on standard error while they come."""
    shown = sys.stderr.isatty()
    for done, item in enumerate(items, 1):
        yield item
        if shown:
            filled = WIDTH * done // max(total, 1)
            sys.stderr.write(f"\r[{'#' * filled}{' ' * (WIDTH - filled)}] {done}/{total}")
            sys.stderr.flush()
    if shown:
        sys.stderr.write("\r\x1b[K")
