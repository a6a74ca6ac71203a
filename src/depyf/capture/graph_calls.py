"""The call of a graph with its arguments as a program writes them.

    mark = ….record_pregraph_bytecode_enter()                    ….record_pregraph_bytecode_exit(….enter())
    layers_0_weight = self.layers[0].weight                      graph_out_0 = __compiled_fn_1(
    layers_0_bias = self.layers[0].bias                    =>        self.layers[0].weight,
    ….record_pregraph_bytecode_exit(mark)                            self.layers[0].bias,
    graph_out_0 = __compiled_fn_1(layers_0_weight, …)            )

Only for a view: what runs keeps its variables.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Collection

from depyf.decompiler.symbolic.paths import HELPERS_MODULE, READING_HELPERS
from depyf.decompiler.trees import nodes_of

WIDTH = 110
_MARKS = ("record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit")
_QUIET = (ast.Assign, ast.Expr, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


def with_arguments_in_place(source: str, certain: Collection[str]) -> str:
    """``source`` with each of the ``certain`` paths that only a graph takes written where it takes it.

    Nothing but loads and Dynamo's own reading of sizes may stand between a path and the graph, as A-PATH says.
    """
    function = next((node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)), None)
    body = [] if function is None else function.body
    number = next((number for number, statement in enumerate(body) if _graph_call(statement)), None)
    if function is None or number is None or body[number].lineno != body[number].end_lineno:
        return source
    lines = source.split("\n")
    _rewrite(lines, body[:number], body[number], _used_once(function), certain)
    return "\n".join(lines)


def _rewrite(
    lines: list[str], before: list[ast.stmt], graph: ast.stmt, used_once: Collection[str], certain: Collection[str]
) -> None:
    call = _graph_call(graph)
    assert call is not None
    taken = {argument.id for argument in call.args if isinstance(argument, ast.Name)}
    moved: dict[str, str] = {}
    gone: set[ast.stmt] = set()
    for statement in reversed(before):
        name, text = _assigned(statement, lines)
        if name in taken and name in used_once and text in certain:
            moved[name] = text
            gone.add(statement)
        elif not _only_loads(statement):
            break
    _write_call(lines, call, moved)
    left = [statement for statement in before if statement not in gone]
    _join_marks(lines, left)
    for statement in gone:
        lines[statement.lineno - 1] = _GONE
    lines[:] = [line for line in lines if line is not _GONE]


_GONE = "\0"


def _graph_call(statement: ast.stmt) -> ast.Call | None:
    """The call of a graph with positional arguments, wherever in the statement."""
    calls = (node for node in nodes_of(statement) if isinstance(node, ast.Call))
    graphs = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id.startswith("__compiled_fn_"))
    return next((call for call in graphs if not call.keywords), None)


def _used_once(function: ast.FunctionDef) -> set[str]:
    names = [node for node in nodes_of(function) if isinstance(node, ast.Name)]
    loads = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
    others = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    return {name for name in loads if loads[name] == others[name] == 1}


def _assigned(statement: ast.stmt, lines: list[str]) -> tuple[str, str]:
    """The variable and the text of an assignment on one line."""
    if not isinstance(statement, ast.Assign) or statement.lineno != statement.end_lineno:
        return "", ""
    target, value = statement.targets[0], statement.value
    return (target.id if isinstance(target, ast.Name) else ""), _text(lines, value)


def _text(lines: list[str], node: ast.expr) -> str:
    return lines[node.lineno - 1].encode("utf-8")[node.col_offset : node.end_col_offset].decode("utf-8")


def _only_loads(statement: ast.stmt) -> bool:
    if _mark(statement) is not None:
        return True
    if isinstance(statement, ast.If):
        return isinstance(statement.test, ast.Constant) and statement.test.value is False
    if isinstance(statement, ast.Assign) and not all(isinstance(target, ast.Name) for target in statement.targets):
        return False
    return all(
        isinstance(node, _QUIET) or (isinstance(node, ast.Call) and _helper(node) in READING_HELPERS)
        for node in nodes_of(statement)
    )


def _helper(call: ast.Call) -> str | None:
    """Which of Dynamo's functions is called."""
    function = call.func
    own = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return function.attr if own and function.value.id == HELPERS_MODULE else None  # type: ignore[attr-defined]


def _write_call(lines: list[str], call: ast.Call, moved: dict[str, str]) -> None:
    """The arguments in place; one a line where they are too long for one."""
    line = lines[call.lineno - 1]
    arguments = [_text(lines, argument) for argument in call.args]
    written = [moved.get(text, text) for text in arguments]
    begin, end = call.func.end_col_offset, call.end_col_offset
    before, after = line.encode("utf-8")[:begin].decode("utf-8"), line.encode("utf-8")[end:].decode("utf-8")
    whole = f"{before}({', '.join(written)}){after}"
    if len(whole) > WIDTH and len(written) > 1:
        margin = " " * (len(line) - len(line.lstrip()))
        whole = "\n".join([f"{before}(", *(f"{margin}    {each}," for each in written), f"{margin}){after}"])
    lines[call.lineno - 1] = whole


def _join_marks(lines: list[str], statements: list[ast.stmt]) -> None:
    """Dynamo's two marks are one line where nothing but loads is left between them."""
    marks = [statement for statement in statements if _mark(statement) is not None]
    if [_mark(statement) for statement in marks] != list(_MARKS):
        return
    first, second = marks
    between = statements[statements.index(first) + 1 : statements.index(second)]
    if not isinstance(first, ast.Assign) or not all(map(_only_loads, between)):
        return
    enter, leave, name = _marking(first), _marking(second), _assigned(first, lines)[0]
    assert enter is not None and leave is not None
    joined = _text(lines, leave).replace(f"({name})", f"({_text(lines, enter)})", 1)
    # Since torch 2.15 both are made only while a profiler runs.
    condition = f" if {_text(lines, first.value.test)} else None" if isinstance(first.value, ast.IfExp) else ""
    remark = lines[leave.lineno - 1].encode("utf-8")[leave.end_col_offset :].decode("utf-8")
    for number in range(second.lineno - 1, leave.lineno):
        lines[number] = _GONE
    lines[leave.lineno - 1] = " " * second.col_offset + joined + condition + remark
    lines[first.lineno - 1] = _GONE


def _mark(statement: ast.stmt) -> str | None:
    """Which of Dynamo's marks for profilers a statement is."""
    call = _marking(statement)
    return None if call is None else _helper(call)


def _marking(statement: ast.stmt) -> ast.Call | None:
    """The call by which a statement marks: itself, in a choice, or behind a test."""
    if isinstance(statement, ast.If) and len(statement.body) == 1 and not statement.orelse:
        test = statement.test
        return (
            _marking(statement.body[0]) if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) else None
        )
    value = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
    if isinstance(value, ast.IfExp):
        value = value.body
    return value if isinstance(value, ast.Call) and _helper(value) in _MARKS else None
