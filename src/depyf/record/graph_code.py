"""A captured graph as a short function, to be read next to the code that calls it.

    class GraphModule(torch.nn.Module):
        def forward(self, L_a_: "f32[10][1]cpu"):
            l_a_ = L_a_                                          def __compiled_fn_1(L_a_):
            # File: toy.py:7 in toy, code: ...             =>        abs_1 = torch.abs(L_a_)    # f32[10]
            abs_1: "f32[10][1]cpu" = torch.abs(l_a_);  l_a_ = None   return (abs_1,)
            return (abs_1,)

Plain renaming of values, ``x = None`` and annotations go; every operation stays, in order.
"""

from __future__ import annotations

import ast
import re
import sys

LONGEST = 30

_STRIDE_AND_DEVICE = re.compile(r"(\[[^\]]*\])(?:\[[^\]]*\])(?:\w+(?::\d+)?)?\Z")


def graph_code(tree: ast.Module, name: str) -> str | None:
    """The function, or None for graphs that are long or have graphs inside."""
    forwards = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if sys.version_info < (3, 9) or len(forwards) != 1:
        return None
    forward, same = forwards[0], _Same()
    lines = [line for statement in forward.body for line in _line(statement, same)]
    if len(lines) > LONGEST:
        return None
    arguments = ", ".join(arg.arg for arg in forward.args.args if arg.arg != "self")
    width = max((len(code) for code, note in lines if note and len(code) < 60), default=0)
    body = "".join(f"    {code:{width}}    # {note}\n" if note else f"    {code}\n" for code, note in lines)
    return f"def {name}({arguments}):\n{body or '    pass' + chr(10)}"


class _Same(ast.NodeTransformer):
    """Puts the first name of a value in place of its later ones."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.first.get(node.id, node.id), node.ctx), node)


def _line(statement: ast.stmt, same: _Same) -> list[tuple[str, str]]:
    """Nothing, or the statement's code with the shape of what it makes."""
    note = ""
    if isinstance(statement, ast.AnnAssign):
        if statement.value is None:
            return []
        if isinstance(statement.annotation, ast.Constant):
            note = shape(str(statement.annotation.value))
        statement = ast.Assign([statement.target], statement.value, lineno=statement.lineno)
    if isinstance(statement, ast.Assign) and _is_dropped(statement, same):
        return []
    if sys.version_info < (3, 9):  # no ast.unparse; graph_code has no answer there
        return []
    return [(ast.unparse(same.visit(statement)), note)]


def _is_dropped(statement: ast.Assign, same: _Same) -> bool:
    """``x = None`` frees a value, ``x = y`` names it again."""
    value, target = statement.value, statement.targets[0]
    if isinstance(value, ast.Constant) and value.value is None:
        return True
    if isinstance(value, ast.Name) and isinstance(target, ast.Name):
        same.first[target.id] = same.first.get(value.id, value.id)
        return True
    return False


def shape(annotation: str) -> str:
    """Torch's annotation without stride and device: ``f32[10][1]cpu`` becomes ``f32[10]``."""
    return _STRIDE_AND_DEVICE.sub(r"\1", annotation)
