"""Single statements that compile to the same as others."""

from __future__ import annotations

import ast
from typing import Any, List, Optional

from normalisations.blocks import breaks
from normalisations.expressions import flattened, negated
from normalisations.rules import LOOPS, Statements, literal, rewritten, statement

ANNOTATION = ("x: int = 1  =>  x = 1   (in a function)", "annotations of local variables are never evaluated (PEP 526)")


def without_annotation(node: ast.AnnAssign) -> ast.stmt:
    """What remains of an annotated assignment in a function."""
    if node.value is not None:
        return ast.Assign([node.target], node.value)
    owner = getattr(node.target, "value", None)
    return ast.Pass() if owner is None else ast.Expr(owner)


@statement("pass; 1  =>  (nothing)", "nothing is compiled", ast.Pass, ast.Expr)
def nothing(node: Any) -> Optional[Statements]:
    return [] if isinstance(node, ast.Pass) or literal(node.value) else None


@statement(
    "global a  =>  (nothing)",
    "declarations steer the compiler; that every name has its scope is verified",
    ast.Global,
    ast.Nonlocal,
)
def declaration(_node: ast.stmt) -> Statements:
    return []


@statement("import a, b  =>  import a; import b", "each has its own instruction", ast.Import)
def imports(node: ast.Import) -> Statements:
    return [ast.Import([alias]) for alias in node.names]


@statement("del a, (b, c)  =>  del a; del b; del c", "each has its own instruction", ast.Delete)
def deletions(node: ast.Delete) -> Statements:
    targets: List[ast.expr] = []
    for target in node.targets:
        targets += target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return [ast.Delete([target]) for target in targets]


@statement(
    "with a, b: ...  =>  with a: with b: ...",
    "a with statement of two is two (Doc/reference/compound_stmts.rst)",
    ast.With,
    ast.AsyncWith,
)
def nested_with(node: Any) -> Optional[Statements]:
    if len(node.items) < 2:
        return None
    inner = rewritten(type(node)(node.items[1:], node.body))
    return [type(node)(node.items[:1], inner)]


@statement(
    "try: a except: b finally: c  =>  try: (try: a except: b) finally: c", "one range inside of another", ast.Try
)
def nested_try(node: ast.Try) -> Optional[Statements]:
    if not (node.finalbody and node.handlers):
        return None
    return [ast.Try([ast.Try(node.body, node.handlers, node.orelse, [])], [], [], node.finalbody)]


@statement(
    "if True: a else: b  =>  a;  while 0: a  =>  (nothing)", "what cannot be reached is dropped", ast.If, ast.While
)
def constant_test(node: Any) -> Optional[Statements]:
    value = literal(node.test)
    if not value:
        return None
    if isinstance(node, ast.If):
        return list(node.body if value[0] else node.orelse)
    node.test = ast.Constant(True)
    return None if value[0] else list(node.orelse)


@statement("if a: (if b: c)  =>  if a and b: c", "both tests jump past c", ast.If)
def nested_if(node: ast.If) -> Optional[Statements]:
    inner = node.body[0] if len(node.body) == 1 else None
    if node.orelse or not isinstance(inner, ast.If) or inner.orelse:
        return None
    both = flattened(ast.BoolOp(ast.And(), [node.test, inner.test]))
    assert both is not None
    return [ast.If(both, inner.body, [])]


@statement("if a: pass else: b  =>  if not a: b", "an empty arm leaves a jump", ast.If)
def empty_arm(node: ast.If) -> Optional[Statements]:
    if not all(isinstance(item, ast.Pass) for item in node.body):
        return None
    return [ast.If(negated(node.test), node.orelse, [])] if node.orelse else [ast.Expr(node.test)]


@statement("for ...: a else: b  =>  for ...: a; b   (no break in a)", "only break skips the else part", *LOOPS)
def loop_else(node: Any) -> Optional[Statements]:
    if not node.orelse or breaks(node.body):
        return None
    rest, node.orelse = node.orelse, []
    return [node, *rest]
