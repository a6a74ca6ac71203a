"""Before torch 2.8 compiled code cannot be exchanged later: verified code takes its place when it is compiled.

    Dynamo's code ── decompile, recompile, verify ─→ code at the lines of __transformed_code_<n>_for_<fn>.py, which runs

What was not verified, or has its variables in an order that torch does not take, stays Dynamo's. Newer torch is only
observed; ``DEPYF_OBSERVE=1`` leaves everything in place on older torch as well.
"""

from __future__ import annotations

import os
from types import CodeType

from depyf.capture.decompiled import Shown
from depyf.capture.seams import LOAD_PRECOMPILED


def installs() -> bool:
    """Whether verified code is put in place at once."""
    return LOAD_PRECOMPILED.find() is None and os.environ.get("DEPYF_OBSERVE") != "1"


def runnable(code: CodeType, shown: Shown) -> CodeType | None:
    """What ``shown`` proves as code that torch takes in the place of ``code``; None when it would not take it."""
    proved = shown.proved
    return None if proved is None or _variables(proved) != _variables(code) else proved


def _variables(code: CodeType) -> tuple[object, ...]:
    from depyf.decompiler.verify.checks import parameters

    return code.co_argcount, code.co_kwonlyargcount, parameters(code), code.co_freevars, code.co_cellvars
