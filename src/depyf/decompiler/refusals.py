"""What the decompiler says when it cannot answer: a closed list of reasons, never a guess."""

from __future__ import annotations

from types import CodeType


class DecompilationError(Exception):
    """The code object cannot be decompiled; the message names the construct and the bytecode offset."""


class DamagedCode(DecompilationError):
    """The bytecode is not something that this Python could run."""

    def __init__(self, code: CodeType, offset: int, why: str) -> None:
        super().__init__(f"{code.co_name} ({code.co_filename}:{code.co_firstlineno}), offset {offset}: damaged bytecode: {why}")
        self.offset = offset
