"""Depth of a tree is no limit, and time is linear in its size."""

from __future__ import annotations

import ast
import time
from typing import Any, Callable

import pytest

from depyf.decompiler.emit import emit

DEPTH = 2_000


def name(text: str = "a") -> ast.expr:
    return ast.Name(text, ast.Load())


def conditional(inner: Any) -> ast.stmt:
    return ast.If(test=name(), body=[ast.Pass()], orelse=[inner])


NESTINGS = {
    "a + a + a": lambda inner: ast.BinOp(inner, ast.Add(), name()),
    "a + (a + (a))": lambda inner: ast.BinOp(name(), ast.Add(), inner),
    "a and (a or (a))": lambda inner: ast.BoolOp(ast.Or(), [name(), ast.BoolOp(ast.And(), [name(), inner])]),
    "not not a": lambda inner: ast.UnaryOp(ast.Not(), inner),
    "a.b.c": lambda inner: ast.Attribute(inner, "b", ast.Load()),
    "f(f(a))": lambda inner: ast.Call(name("f"), [inner], []),
    "a()()": lambda inner: ast.Call(inner, [], []),
    "[[a]]": lambda inner: ast.List([inner], ast.Load()),
    "lambda: lambda: a": lambda inner: ast.Lambda(
        ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[], vararg=None, kwarg=None),
        inner,
    ),
    "a if a else a if a else a": lambda inner: ast.IfExp(name(), name(), inner),
}


def nested(wrap: Callable[[Any], Any], node: Any, depth: int) -> Any:
    for _ in range(depth):
        node = wrap(node)
    return node


@pytest.mark.parametrize("wrap", NESTINGS.values(), ids=NESTINGS)
def test_expressions_nest_without_limit(wrap: Callable[[ast.expr], ast.expr]) -> None:
    short = emit(nested(wrap, name(), 20))
    assert ast.dump(ast.parse(short)) == ast.dump(ast.parse(emit(ast.parse(short))))
    growth = len(emit(nested(wrap, name(), 21))) - len(short)
    assert len(emit(nested(wrap, name(), DEPTH))) == len(short) + (DEPTH - 20) * growth


def test_elif_chains_stay_flat() -> None:
    text = emit(nested(conditional, ast.Pass(), DEPTH))
    assert text == "if a:\n    pass\n" + "elif a:\n    pass\n" * (DEPTH - 1) + "else:\n    pass\n"


def test_blocks_nest_without_limit() -> None:
    tree = nested(lambda inner: ast.While(test=name(), body=[inner], orelse=[]), ast.Pass(), DEPTH)
    assert emit(tree, indent=1).splitlines()[-1] == " " * DEPTH + "pass"


def test_constants_nest_without_limit() -> None:
    value = nested(lambda inner: (inner,), 1, DEPTH)
    assert emit(ast.Constant(value=value, kind=None)) == "(" * DEPTH + "1" + ",)" * DEPTH + "\n"


def test_time_is_linear() -> None:
    def seconds(depth: int) -> float:
        tree = nested(NESTINGS["a + a + a"], name(), depth)
        start = time.perf_counter()
        emit(tree)
        return time.perf_counter() - start

    # Sixteen times as deep: about sixteen times as long; quadratic time would make it 256 times.
    assert min(seconds(64_000) for _ in range(3)) < 64 * min(seconds(4_000) for _ in range(5))
