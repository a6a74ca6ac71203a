"""What the decompiler says when it cannot answer: a closed list of reasons, never a guess."""

from __future__ import annotations

import os
import traceback
from types import CodeType
from typing import NamedTuple, Optional


class DecompilationError(Exception):
    """The code object cannot be decompiled; the message names the construct and the bytecode offset."""


class InternalError(DecompilationError):
    """A mistake of the decompiler: the message says which one, in which code object, and where in the decompiler."""

    def __init__(self, code: CodeType, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        super().__init__(
            f"{code.co_name} ({code.co_filename}:{code.co_firstlineno}): the decompiler failed: "
            f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno}, {place.name})"
        )


class DamagedCode(DecompilationError):
    """The bytecode is not something that this Python could run."""

    def __init__(self, code: CodeType, offset: int, why: str) -> None:
        super().__init__(
            f"{code.co_name} ({code.co_filename}:{code.co_firstlineno}), offset {offset}: damaged bytecode: {why}"
        )
        self.offset = offset


class Refusal(NamedTuple):
    """A construct that cannot be answered for; ``reason`` says why."""

    name: str
    reason: str


class Refused(DecompilationError):
    """The code runs, but it is outside of what can be proved or written as source.

    ``refusal`` is one of :data:`REFUSALS`; ``within`` is the code object whose statements are in the way, if one is.
    """

    within: Optional[CodeType] = None

    def __init__(self, refusal: Refusal, why: str, where: str = "") -> None:
        super().__init__(f"{where + ': ' if where else ''}{refusal.name}: {why}")
        self.refusal = refusal
        self.why = why


PENDING_OPERANDS = Refusal("PENDING_OPERANDS", "a statement runs while operands of another wait on the stack")
FINALLY_COPY = Refusal("FINALLY_COPY", "the ways out of a try statement do not all run the same finally body")
UNKNOWN_OPERATION = Refusal("UNKNOWN_OPERATION", "symbolic execution has no row for this operation")
STACK_SHAPE = Refusal(
    "STACK_SHAPE", "an operation takes slots that do not hold what it needs, such as half of a method load"
)
PARTLY_KNOWN = Refusal("PARTLY_KNOWN", "a container whose contents are only partly known is changed in place")
TOO_DEEP = Refusal("TOO_DEEP", "the program is nested more deeply than this Python can recurse")
SILENT_LOOP = Refusal("SILENT_LOOP", "a loop in which nothing happens that a program could notice")
TOO_LONG = Refusal("TOO_LONG", "the comparison does not settle within its budget")
NO_SOURCE_FORM = Refusal("NO_SOURCE_FORM", "Python source has no way to write this operation here")
CONTROL_FLOW = Refusal("CONTROL_FLOW", "the jumps form no nesting of Python statements")
NOT_A_FUNCTION = Refusal("NOT_A_FUNCTION", "only code of functions moves its data through locals")
NOT_PROVED = Refusal("NOT_PROVED", "the printed source compiles to code that is not proved to do the same")

REFUSALS = (
    PENDING_OPERANDS, FINALLY_COPY,
    UNKNOWN_OPERATION, STACK_SHAPE, PARTLY_KNOWN, SILENT_LOOP, TOO_LONG, TOO_DEEP,
    NO_SOURCE_FORM, CONTROL_FLOW, NOT_A_FUNCTION, NOT_PROVED,
)  # fmt: skip
