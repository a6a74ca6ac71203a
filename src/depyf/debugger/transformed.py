"""Dynamo's code -> verified code whose lines are those of its file in the dump directory.

    D (in torch's cache)  ── decompile, recompile, verify ─→  V
    __transformed_code_0_for_f.py  ── holds the very source of V, from line 3 on ─→  V, moved to that line of that file

A file that was edited says something else than V, and is not run.
"""

from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType

from depyf.debugger.located import located
from depyf.decompiler.decompile import decompile_code
from depyf.decompiler.refusals import DecompilationError
from depyf.decompiler.verify.checks import parameters
from depyf.record.names import without_uuid


class NotSteppable(Exception):
    """Why something cannot be run from its file."""


def runnable(code: CodeType, path: Path) -> CodeType:
    """What can run in the place of ``code``, a code object of Dynamo's that ``path`` shows.

    Raises :class:`NotSteppable` when nothing was verified, or the file shows something else.
    """
    try:
        found = decompile_code(code)
    except DecompilationError as error:
        raise NotSteppable(f"no verified source: {error}") from error
    candidate = found.candidate
    if _variables(candidate) != _variables(code):
        raise NotSteppable("its variables have another order once compiled, which torch does not take")
    line = _line_of(without_uuid(found.source), _text(path))
    if line is None:
        raise NotSteppable("the file was edited")
    return located(candidate, str(path), line - candidate.co_firstlineno)


def _variables(code: CodeType) -> tuple[tuple[str, ...], ...]:
    return parameters(code), code.co_freevars, code.co_cellvars


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise NotSteppable(f"the file cannot be read: {error.strerror or error}") from error


def _line_of(source: str, text: str) -> int | None:
    """The line at which ``text`` defines the function that ``source`` defines, at whatever indentation."""
    try:
        wanted = _definition_lines(ast.parse(source), source)
        present = _definition_lines(ast.parse(text), text)
    except (SyntaxError, ValueError):
        return None
    body = next(iter(wanted.values()), None)
    return next((line for line, lines in present.items() if lines == body), None)


def _definition_lines(tree: ast.Module, text: str) -> dict[int, list[str]]:
    """Line -> the lines of the function that is defined there, outermost first, without indentation."""
    lines = text.split("\n")
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {node.lineno: [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]] for node in functions}
