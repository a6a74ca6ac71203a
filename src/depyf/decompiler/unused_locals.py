"""Local variables that a recompiled function does not use, and that whoever runs it looks up.

Torch 2.2 to 2.4 copies each local variable of a frame by its name into the code that runs in its place (eval_frame.c),
and stops the program when one is not there.
"""

from __future__ import annotations

import sys
from types import CodeType
from typing import Optional

from depyf.decompiler.verify import Certificate
from depyf.decompiler.verify.symbolic import verify_symbolic

CELLS_FOLLOW_LOCALS = sys.version_info >= (3, 11)  # one row of numbers for both


def with_locals_of(reference: CodeType, candidate: CodeType, original: CodeType) -> Optional[CodeType]:
    """``candidate``, proved to do what ``original`` does, with every local variable of ``reference``.

    None where that is not possible: more locals would change the numbers of its cells.
    """
    unused = tuple(name for name in reference.co_varnames if name not in candidate.co_varnames)
    if not unused:
        return candidate
    if CELLS_FOLLOW_LOCALS and (candidate.co_cellvars or candidate.co_freevars):
        return None
    names = candidate.co_varnames + unused
    wider = candidate.replace(co_varnames=names, co_nlocals=len(names))
    return wider if isinstance(verify_symbolic(original, wider), Certificate) else None
