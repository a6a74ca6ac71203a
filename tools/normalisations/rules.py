"""What a rule is, the tables that rules are in, and what several of them ask of a tree."""

from __future__ import annotations

import ast
from typing import Any, Callable, List, NamedTuple, Tuple, Type

Statements = List[ast.stmt]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
LOAD = ast.Load()


class Rule(NamedTuple):
    """``rewrite`` returns what takes the place of a node of one of ``types``, or None for the node itself."""

    picture: str
    reason: str
    types: Tuple[Type[ast.AST], ...]
    rewrite: Callable[[Any], Any]


EXPRESSIONS: List[Rule] = []
STATEMENTS: List[Rule] = []
BLOCKS: List[Rule] = []


def expression(
    picture: str, reason: str, *types: Type[ast.AST]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from node to node."""
    return _registering(EXPRESSIONS, picture, reason, types)


def statement(
    picture: str, reason: str, *types: Type[ast.AST]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from one statement to the statements that take its place."""
    return _registering(STATEMENTS, picture, reason, types)


def block(picture: str, reason: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from the statements of a block to others."""
    return _registering(BLOCKS, picture, reason, ())


def _registering(
    table: List[Rule], picture: str, reason: str, types: Tuple[Type[ast.AST], ...]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        table.append(Rule(picture, reason, types, function))
        return function

    return register


def rewritten(item: ast.stmt) -> Statements:
    """What takes the place of one statement."""
    for rule in STATEMENTS:
        if isinstance(item, rule.types):
            replacement = rule.rewrite(item)
            if replacement is not None:
                return list(replacement)
    return [item]


def literal(node: ast.AST) -> Tuple[object, ...]:
    """The value of a literal in a tuple of one, or nothing."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, ast.Tuple):
        values = [literal(item) for item in node.elts]
        return (tuple(value[0] for value in values),) if all(values) else ()
    return ()


def literal_node(value: object) -> ast.expr:
    """The tree of a literal."""
    return ast.Tuple([literal_node(item) for item in value], LOAD) if isinstance(value, tuple) else ast.Constant(value)
