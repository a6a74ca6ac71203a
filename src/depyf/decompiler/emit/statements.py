"""Statements: one function a node type, yielding lines and blocks; ``STATEMENTS`` is the table.

While(test, body)   =>   Line(["while ", Child(test), ":"]), Block(body)
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, List, Optional, Sequence

from depyf.decompiler.emit.expressions import BINARY
from depyf.decompiler.emit.pieces import (
    STARRED_TUPLE,
    TEST,
    TUPLE,
    YIELD,
    Block,
    Child,
    Comment,
    EmitError,
    Layout,
    Line,
    Pieces,
    after,
    joined,
    listed,
    or_walrus,
)
from depyf.decompiler.emit.strings import docstring, visible

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def statements(body: Sequence[ast.AST], top: bool = False) -> Layout:
    """The lines of a block; ``top`` is the outermost one, where definitions stand two lines apart."""
    for position, node in enumerate(body):
        printer = STATEMENTS.get(type(node).__name__)
        if printer is None:
            raise EmitError(f"{type(node).__name__}: not a statement that can be printed")
        yield from [Line(())] * _blank_lines(body, position, top)
        yield from printer(node) if not hasattr(node, "remark") else _remarked(printer(node), node)
    if not top and all(type(node) is Comment for node in body):
        yield Line(["pass"])


def _remarked(layout: Layout, node: Any) -> Layout:
    for item in layout:
        if isinstance(item, Line) and item.node is node:
            item = Line([*item.pieces, f"  # {visible(node.remark)}"], node)
        yield item


def _blank_lines(body: Sequence[ast.AST], position: int, top: bool) -> int:
    """How many blank lines separate a statement from the previous one; comments belong to what follows them."""
    previous = body[position - 1]
    if position == 0 or type(previous) is Comment:
        return 0
    following = next((node for node in body[position:] if type(node) is not Comment), None)
    if isinstance(previous, _DEFINITIONS) or isinstance(following, _DEFINITIONS):
        return 2 if top else 1
    ends_imports = isinstance(previous, _IMPORTS) and not isinstance(following, _IMPORTS)
    return int(top and (ends_imports or (position == 1 and _is_string(previous))))


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and type(node.value.value) is str


# Simple statements


def expression_statement(node: ast.Expr) -> Layout:
    if _is_string(node):
        yield Line([docstring(node.value)], node)  # type: ignore[arg-type]
    else:
        yield Line([Child(node.value, YIELD)], node)


def comment(node: Comment) -> Layout:
    for position, text in enumerate(node.text.splitlines() or [""]):
        yield Line([f"# {visible(text)}".rstrip()], None if position else node)


def assignment(node: ast.Assign) -> Layout:
    targets = joined(([Child(target, STARRED_TUPLE)] for target in node.targets), " = ")
    yield Line([*targets, " = ", Child(node.value, YIELD)], node)


def augmented_assignment(node: ast.AugAssign) -> Layout:
    operator, _ = BINARY[type(node.op)]
    # Python 3.8 wants parentheses around a tuple with a star here.
    yield Line([Child(node.target), f" {operator}= ", Child(node.value, _yield_or(TUPLE, node.value))], node)


def annotated_assignment(node: ast.AnnAssign) -> Layout:
    bare = node.simple or not isinstance(node.target, ast.Name)
    target: Pieces = [Child(node.target)] if bare else ["(", Child(node.target), ")"]
    yield Line([*target, ": ", Child(node.annotation), *after(" = ", node.value, _yield_or(TEST, node.value))], node)


def _yield_or(level: int, node: Optional[ast.AST]) -> int:
    """The level of a place where a yield needs no parentheses, though what binds more tightly does."""
    return YIELD if isinstance(node, (ast.Yield, ast.YieldFrom)) else level


def return_statement(node: ast.Return) -> Layout:
    yield Line(["return", *after(" ", node.value, STARRED_TUPLE)], node)


def delete(node: ast.Delete) -> Layout:
    yield Line(["del ", *listed(node.targets)], node)


def raise_statement(node: ast.Raise) -> Layout:
    yield Line(["raise", *after(" ", node.exc), *after(" from ", node.cause)], node)


def assertion(node: ast.Assert) -> Layout:
    yield Line(["assert ", Child(node.test), *after(", ", node.msg)], node)


def global_statement(node: ast.Global) -> Layout:
    yield Line([f"global {', '.join(node.names)}"], node)


def nonlocal_statement(node: ast.Nonlocal) -> Layout:
    yield Line([f"nonlocal {', '.join(node.names)}"], node)


def import_statement(node: ast.Import) -> Layout:
    yield Line(["import ", *listed(node.names)], node)


def import_from(node: ast.ImportFrom) -> Layout:
    yield Line([f"from {'.' * (node.level or 0)}{node.module or ''} import ", *listed(node.names)], node)


def pass_statement(node: ast.Pass) -> Layout:
    yield Line(["pass"], node)


def break_statement(node: ast.Break) -> Layout:
    yield Line(["break"], node)


def continue_statement(node: ast.Continue) -> Layout:
    yield Line(["continue"], node)


def type_alias(node: Any) -> Layout:
    yield Line(["type ", Child(node.name), *_type_parameters(node), " = ", Child(node.value)], node)


def _type_parameters(node: Any) -> Pieces:
    """PEP 695: Python 3.12 gave definitions type parameters."""
    parameters: List[ast.AST] = getattr(node, "type_params", [])
    return ["[", *listed(parameters), "]"] if parameters else []


# Compound statements


def function(node: ast.FunctionDef) -> Layout:
    return _function(node, "def ")


def async_function(node: ast.AsyncFunctionDef) -> Layout:
    return _function(node, "async def ")


def _function(node: Any, keyword: str) -> Layout:
    yield from _decorators(node.decorator_list)
    signature: Pieces = [*_type_parameters(node), "(", Child(node.args), ")", *after(" -> ", node.returns)]
    yield Line([keyword, node.name, *signature, ":"], node)
    yield Block(node.body)


def class_definition(node: ast.ClassDef) -> Layout:
    yield from _decorators(node.decorator_list)
    bases = listed([*node.bases, *node.keywords])
    yield Line(["class ", node.name, *_type_parameters(node), *(["(", *bases, ")"] if bases else []), ":"], node)
    yield Block(node.body)


def _decorators(decorators: List[ast.expr]) -> Layout:
    for decorator in decorators:
        yield Line(["@", Child(decorator)])


def if_statement(node: ast.If) -> Layout:
    """An if with all its elifs in one loop: a chain of them is nested as deeply as it is long."""
    keyword = "if "
    while True:
        yield Line([keyword, or_walrus(node.test), ":"], node)
        yield Block(node.body)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node, keyword = node.orelse[0], "elif "
    yield from _otherwise("else:", node.orelse)


def while_statement(node: ast.While) -> Layout:
    yield Line(["while ", or_walrus(node.test), ":"], node)
    yield Block(node.body)
    yield from _otherwise("else:", node.orelse)


def for_statement(node: ast.For) -> Layout:
    return _for(node, "for ")


def async_for(node: ast.AsyncFor) -> Layout:
    return _for(node, "async for ")


def _for(node: Any, keyword: str) -> Layout:
    yield Line([keyword, Child(node.target, STARRED_TUPLE), " in ", Child(node.iter, TUPLE), ":"], node)
    yield Block(node.body)
    yield from _otherwise("else:", node.orelse)


def _otherwise(head: str, body: Sequence[ast.AST]) -> Layout:
    if body:
        yield Line([head])
        yield Block(body)


def with_statement(node: ast.With) -> Layout:
    return _with(node, "with ")


def async_with(node: ast.AsyncWith) -> Layout:
    return _with(node, "async with ")


def _with(node: Any, keyword: str) -> Layout:
    items: Pieces = listed(node.items)
    if len(node.items) == 1 and not node.items[0].optional_vars and isinstance(node.items[0].context_expr, ast.Tuple):
        # One pair of parentheses would be those of several items (Python 3.9).
        items = ["(", *items, ")"]
    yield Line([keyword, *items, ":"], node)
    yield Block(node.body)


def try_statement(node: ast.Try) -> Layout:
    return _try(node, "except")


def try_star(node: Any) -> Layout:
    return _try(node, "except*")


def _try(node: Any, keyword: str) -> Layout:
    yield Line(["try:"], node)
    yield Block(node.body)
    for handler in node.handlers:
        name = f" as {handler.name}" if handler.name else ""
        yield Line([keyword, *after(" ", handler.type), name, ":"], handler)
        yield Block(handler.body)
    yield from _otherwise("else:", node.orelse)
    yield from _otherwise("finally:", node.finalbody)


def match(node: Any) -> Layout:
    yield Line(["match ", or_walrus(node.subject, STARRED_TUPLE), ":"], node)
    yield Block(node.cases)


def match_case(node: Any) -> Layout:
    guard: Pieces = [] if node.guard is None else [" if ", or_walrus(node.guard)]
    yield Line(["case ", Child(node.pattern, 0), *guard, ":"], node)
    yield Block(node.body)


STATEMENTS: Dict[str, Callable[[Any], Layout]] = {
    "AnnAssign": annotated_assignment,
    "Assert": assertion,
    "Assign": assignment,
    "AsyncFor": async_for,
    "AsyncFunctionDef": async_function,
    "AsyncWith": async_with,
    "AugAssign": augmented_assignment,
    "Break": break_statement,
    "ClassDef": class_definition,
    "Comment": comment,
    "Continue": continue_statement,
    "Delete": delete,
    "Expr": expression_statement,
    "For": for_statement,
    "FunctionDef": function,
    "Global": global_statement,
    "If": if_statement,
    "Import": import_statement,
    "ImportFrom": import_from,
    "Match": match,
    "Nonlocal": nonlocal_statement,
    "Pass": pass_statement,
    "Raise": raise_statement,
    "Return": return_statement,
    "Try": try_statement,
    "TryStar": try_star,
    "TypeAlias": type_alias,
    "While": while_statement,
    "With": with_statement,
    "match_case": match_case,
}
