"""What is said where the code that runs goes on in a resume function: the user's line, and why Dynamo stopped there.

return __resume_at_102_2([], [], b, x)  # after the graph break at toy.py:5: Data-dependent branching
"""

from __future__ import annotations

import ast
from typing import Sequence

from depyf.record.names import RESUME_NAME
from depyf.record.schema import Break
from depyf.record.text import comment, one_line
from depyf.record.why import short

_LEAVES = (ast.Return, ast.Assign, ast.Expr)


def break_words(breaks: Sequence[Break]) -> str | None:
    """The break that the code of an entry ends with, in a few words; None when it ends with none."""
    if not breaks:
        return None
    stop = breaks[-1]
    where = f" at {short(f'{stop.file}:{stop.line}')}" if stop.file and stop.line is not None else ""
    return one_line(f"after the graph break{where}: {stop.reason}", 120)


def with_breaks(source: str, breaks: Sequence[Break]) -> str:
    """``source`` with a comment behind each statement that calls a resume function; no line moves."""
    words = break_words(breaks)
    if words is None or "__resume_at_" not in source:
        return source
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        # A line that says something already is left alone.
        if isinstance(node, _LEAVES) and node.end_lineno and _resumes(node):
            line = lines[node.end_lineno - 1]
            if len(line.encode("utf-8")) == node.end_col_offset:
                lines[node.end_lineno - 1] = f"{line}  {comment(words)}".rstrip()
    return "\n".join(lines)


def _resumes(statement: ast.stmt) -> bool:
    calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    return any(isinstance(function, ast.Name) and RESUME_NAME.match(function.id) for function in calls)
