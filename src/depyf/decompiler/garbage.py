"""No search for garbage while a decompiler works.

It makes many objects and hardly a cycle among them.  The collector would go through all objects of the program again
and again: a tenth of the time for a library, a third next to a program as large as torch, and more than linear in the
length of the code.
"""

from __future__ import annotations

import contextlib
import gc
from typing import Iterator


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Until the block ends, the cyclic collector starts by itself in no thread (Lib: ``gc.disable``)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
