"""Code objects that say they come from a file of the dump directory: only where they stand changes, not what runs."""

from __future__ import annotations

from types import CodeType


def located(code: CodeType, file: str, lines_down: int) -> CodeType:
    """``code`` and what is nested in it as code of ``file``, ``lines_down`` lines further down.

    Line tables count from ``co_firstlineno`` on every Python, so that the tables themselves stay as they are.
    """
    constants = tuple(
        located(constant, file, lines_down) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename=file, co_firstlineno=code.co_firstlineno + lines_down, co_consts=constants)
