"""Single changes of a syntax tree that change what a program does: the table of kinds, and what kinds are made of.

A kind yields sites: callables that change the tree in place and say what they did.  The caller picks one site of a
fresh copy.  A few sites turn out to change nothing (dead code, equal operands); ``mutants.py`` tells those apart.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, Iterator, List, Tuple, Type

Site = Callable[[], str]


Kind = Callable[[ast.AST], Iterator[Site]]


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


LOOPS = (ast.For, ast.AsyncFor, ast.While)


KINDS: Dict[str, Kind] = {}


def kind(function: Kind) -> Kind:
    """Register a kind under its name."""
    KINDS[function.__name__.strip("_").replace("_", " ")] = function
    return function


def every(tree: ast.AST, *types: Type[Any]) -> Iterator[Any]:
    return (node for node in ast.walk(tree) if isinstance(node, types))


def set_field(node: ast.AST, field: str, value: object, what: str) -> Site:
    def change() -> str:
        setattr(node, field, value)
        return f"{what} (line {getattr(node, 'lineno', '?')})"

    return change


def put_item(items: List[Any], at: int, value: object, what: str) -> Site:
    def change() -> str:
        items[at] = value
        return what

    return change


def drop_item(items: List[Any], at: int, what: str) -> Site:
    def change() -> str:
        del items[at]
        return what

    return change


def insert_item(items: List[Any], at: int, value: object, what: str) -> Site:
    def change() -> str:
        items.insert(at, value)
        return what

    return change


def move_item(items: List[Any], at: int, to: List[Any], place: int, what: str) -> Site:
    def change() -> str:
        to.insert(place, items.pop(at))
        return what

    return change


def exchange_items(items: List[Any], at: int, other: int, what: str) -> Site:
    def change() -> str:
        items[at], items[other] = items[other], items[at]
        return what

    return change


def exchange_fields(node: ast.AST, one: str, other: str) -> Site:
    def change() -> str:
        first, second = getattr(node, one), getattr(node, other)
        setattr(node, one, second)
        setattr(node, other, first)
        return f"{one} <-> {other} (line {getattr(node, 'lineno', '?')})"

    return change


def bodies(tree: ast.AST) -> Iterator[Tuple[ast.AST, List[ast.stmt]]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield node, body


def expressions(tree: ast.AST) -> Iterator[Tuple[ast.AST, str, ast.expr]]:
    """Every expression that is one field of its parent."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield node, field, value
