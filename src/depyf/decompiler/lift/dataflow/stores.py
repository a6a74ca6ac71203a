"""Attributes that Dynamo sets on one object, one call after the other, are set in a loop.

set_attribute(new, "keys", k)
set_attribute(new, "values", v)     =>   for name, value in ("keys", k), ("values", v), ("size", 3):
set_attribute(new, "size", 3)                set_attribute(new, name, value)

A guess that costs nothing: where a value takes an operation, it would run too early, and the proof (R-UNROLL) fails.
"""

from __future__ import annotations

import ast
from itertools import groupby
from typing import List, Optional

from depyf.decompiler.emit import with_remark
from depyf.decompiler.lift.dataflow.descriptions import GRAPH_OUTPUT, SETS_ATTRIBUTE
from depyf.decompiler.lift.dataflow.names import Names
from depyf.decompiler.lift.expressions import LOAD, STORE
from depyf.decompiler.trees import rewrite_blocks

# As many calls as the loop has lines would gain nothing.
_FEWEST = 3
_VALUES = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.expr_context)


class StoreLoops:
    """Writes such calls in one function as loops, all with the same two variables."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._variables: List[str] = []

    def within(self, body: List[ast.stmt]) -> List[ast.stmt]:
        """``body`` with the loops in it."""
        found: List[ast.stmt] = []
        for target, group in groupby(body, _target):
            statements = list(group)
            if target is not None and len(statements) >= _FEWEST:
                found.append(self._loop(target, [call for call in map(_call, statements) if call is not None]))
                continue
            for statement in statements:
                rewrite_blocks(statement, self.within)
            found += statements
        return found

    def _loop(self, target: str, calls: List[ast.Call]) -> ast.stmt:
        self._variables = self._variables or [self._names.unused("name"), self._names.unused("value")]
        pairs: List[ast.expr] = [ast.Tuple(call.args[1:], LOAD) for call in calls]
        variables = ast.Tuple([ast.Name(name, STORE) for name in self._variables], STORE)
        arguments = [calls[0].args[0], *(ast.Name(name, LOAD) for name in self._variables)]
        call = with_remark(
            ast.Expr(ast.Call(calls[0].func, arguments, [])), f"setattr({target}, {', '.join(self._variables)})"
        )
        return ast.For(variables, ast.Tuple(pairs, LOAD), [call], [], None)


def _call(statement: ast.stmt) -> Optional[ast.Call]:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value if isinstance(value, ast.Call) else None


def _target(statement: ast.stmt) -> Optional[str]:
    """The variable whose attribute a statement sets to something that is at hand."""
    call = _call(statement)
    if call is None or not isinstance(call.func, ast.Attribute) or len(call.args) != 3:
        return None
    target, name, value = call.args
    if call.func.attr not in SETS_ATTRIBUTE or not isinstance(target, ast.Name) or not isinstance(name, ast.Constant):
        return None
    return target.id if _at_hand(value) else None


def _at_hand(value: ast.AST) -> bool:
    """Whether no operation is in a value but taking items of what a graph returned."""
    if isinstance(value, ast.Subscript):
        return isinstance(value.value, ast.Name) and value.value.id.startswith(GRAPH_OUTPUT)
    return isinstance(value, _VALUES) and all(_at_hand(part) for part in ast.iter_child_nodes(value))
