"""Replace the lifter's own expressions by what they turned out to be.

Phi -> the conditional expression bound to it;  Chain -> (name := value);  and/or towers become flat
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, List, Optional

from depyf.decompiler.lift.expressions import STORE
from depyf.decompiler.lift.formatting import printable_string
from depyf.decompiler.lift.values import Chain, Class, Comprehension, Function, Inplace, Phi
from depyf.decompiler.refusals import PENDING_OPERANDS, Refused

Special = Callable[[ast.expr, "Resolver"], Optional[ast.expr]]


class Resolver:
    """One rewriting walk, in which ``special`` makes lambdas and comprehensions.

    A node that stands in two places (augmented targets) is rewritten once.
    """

    def __init__(self, special: Special) -> None:
        self.special = special
        self.done: Dict[int, Any] = {}
        self.alive: List[Any] = []

    def visit(self, node: Any) -> Any:
        """The node that stands for ``node``."""
        known = self.done.get(id(node))
        if known is not None:
            return known
        replaced = self._replace(node)
        self.done[id(node)] = replaced
        self.alive.append(node)
        return replaced

    def _replace(self, node: Any) -> Any:
        if isinstance(node, Phi):
            if node.value is None:
                raise Refused(
                    PENDING_OPERANDS, "a value depends on the way that led here, and is no conditional expression"
                )
            return self.visit(node.value)
        if isinstance(node, Chain):
            return self._walrus(node)
        if isinstance(node, Inplace):
            raise Refused(PENDING_OPERANDS, "the result of an in-place operation is not stored")
        if isinstance(node, (Function, Comprehension, ast.Call, ast.Await)):
            found = self.special(node, self)
            if found is not None:
                return found
        if isinstance(node, Class):
            raise Refused(PENDING_OPERANDS, "a class is used before it has a name")
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, self._flat(node))
        made = self._fields(node)
        return printable_string(made) if isinstance(made, ast.JoinedStr) else made

    def _walrus(self, chain: Chain) -> ast.expr:
        value: ast.expr = self.visit(chain.value)
        for target in chain.targets:
            if not isinstance(target, ast.Name):
                raise Refused(PENDING_OPERANDS, "a value is stored and used, and its target is no name")
            value = ast.NamedExpr(ast.Name(target.id, STORE), value)
        return value

    def _flat(self, node: ast.BoolOp) -> List[ast.expr]:
        values: List[ast.expr] = []
        pending: List[ast.expr] = [node]
        while pending:
            value = pending.pop()
            while isinstance(value, Phi) and value.value is not None:
                value = value.value
            if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op):
                pending += reversed(value.values)
            else:
                values.append(self.visit(value))
        return values

    def _fields(self, node: Any) -> Any:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(item) if isinstance(item, ast.AST) else item for item in value])
        return node
