"""Compile printed source without a word about it.

Warnings about the program were shown when it was compiled the first time.  ``warnings.catch_warnings`` is the last
resort: it lets warnings that a program
shows once per place show again, and other threads see it (Lib/warnings.py, ``_filters_mutated``).
"""

from __future__ import annotations

import re
import warnings
from types import CodeType

# What the compiler warns about (Python/compile.c and codegen.c, the callers of _PyCompile_Warn): a literal that is
# called, indexed or compared by identity, an assertion of a tuple, a jump out of a `finally`. Displays that are called
# are left to the compiler: no program that runs has them.
_MAY_WARN = re.compile(
    r"""\bis\ (not\ )?[-'"\d(\[{bfr]|(?<![\w])[\d.]+[(\[]|['"}][(\[]|[\[(=,]\ ?\[[^\[\]]*\][(\[]|\bassert\
    \(|\bfinally:""",
    re.VERBOSE,
)


def compile_quietly(source: str, filename: str, flags: int = 0) -> CodeType:
    """The module code object of ``source``, compiled with the ``__future__`` features in ``flags`` and no others.

    Raises what ``compile`` raises: SyntaxError, ValueError, RecursionError, MemoryError.
    """
    if not _MAY_WARN.search(source):
        return _compiled(source, filename, flags)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _compiled(source, filename, flags)


def _compiled(source: str, filename: str, flags: int) -> CodeType:
    code: CodeType = compile(source, filename, "exec", flags=flags, dont_inherit=True)
    return code
