"""Changes of functions, classes, imports and of what belongs to their headers."""

from __future__ import annotations

import ast
from typing import Any, Iterator, List

from mutations.sites import (
    FUNCTIONS,
    Site,
    bodies,
    drop_item,
    every,
    exchange_items,
    insert_item,
    kind,
    put_item,
    set_field,
)


def docstrings(tree: ast.AST) -> Iterator[ast.Expr]:
    for node in every(tree, *FUNCTIONS, ast.ClassDef, ast.Module):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield first


@kind
def docstring(tree: ast.AST) -> Iterator[Site]:
    for statement in docstrings(tree):
        text = statement.value
        assert isinstance(text, ast.Constant)
        yield set_field(text, "value", text.value + "x", "docstring changed")
        yield set_field(statement, "value", ast.copy_location(ast.Constant(0), text), "docstring dropped")


def _arguments(tree: ast.AST) -> Iterator[ast.arguments]:
    return every(tree, ast.arguments)


@kind
def default_value(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for at, _ in enumerate(arguments.defaults):
            yield put_item(arguments.defaults, at, ast.Constant("other default"), "default changed")
        if arguments.defaults:
            yield drop_item(arguments.defaults, 0, "first default dropped")


@kind
def keyword_default(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for at, default in enumerate(arguments.kw_defaults):
            yield put_item(arguments.kw_defaults, at, ast.Constant("other default"), "keyword default changed")
            if default is not None:
                yield put_item(arguments.kw_defaults, at, None, "keyword default dropped")


@kind
def parameter_name(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for arg in arguments.args + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]:
            yield set_field(arg, "arg", arg.arg + "_", f"parameter {arg.arg} renamed")


@kind
def parameter_order(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        if len(arguments.args) > 1:
            yield exchange_items(
                arguments.args, 0, 1, f"parameters exchanged: {arguments.args[0].arg}, {arguments.args[1].arg}"
            )
        if len(arguments.kwonlyargs) > 1 and arguments.kw_defaults[0] is None and arguments.kw_defaults[1] is None:
            yield exchange_items(arguments.kwonlyargs, 0, 1, "keyword parameters exchanged")


@kind
def parameter_kind(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        if arguments.args:
            yield _move(arguments.args, 0, arguments.posonlyargs, "made positional-only")
        if arguments.args and not arguments.defaults:
            yield _to_keyword(arguments)
        if arguments.vararg is not None:
            yield set_field(arguments, "vararg", None, "*args dropped")
        if arguments.kwarg is not None:
            yield set_field(arguments, "kwarg", None, "**kwargs dropped")


def _move(items: List[Any], at: int, to: List[Any], what: str) -> Site:
    def change() -> str:
        to.append(items.pop(at))
        return what

    return change


def _to_keyword(arguments: ast.arguments) -> Site:
    def change() -> str:
        arguments.kwonlyargs.append(arguments.args.pop())
        arguments.kw_defaults.append(None)
        return "made keyword-only"

    return change


@kind
def annotation(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.arg, *FUNCTIONS):
        field = "annotation" if isinstance(node, ast.arg) else "returns"
        if getattr(node, field) is not None:
            yield set_field(node, field, None, f"{field} dropped")
            yield set_field(node, field, ast.Name("other", ast.Load()), f"{field} changed")
    for node in every(tree, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and statement.simple:
                yield set_field(statement, "annotation", ast.Name("other", ast.Load()), "annotation changed")


@kind
def scope(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Global, ast.Nonlocal)):
                yield put_item(
                    body,
                    at,
                    ast.copy_location(ast.Pass(), statement),
                    f"{type(statement).__name__} dropped, line {statement.lineno}",
                )
    for node in every(tree, *FUNCTIONS):
        for name in sorted({n.id for n in every(node, ast.Name) if isinstance(n.ctx, ast.Store)}):
            yield insert_item(node.body, 0, ast.Global([name]), f"global {name} added")


@kind
def decorator(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, *FUNCTIONS, ast.ClassDef):
        if node.decorator_list:
            yield drop_item(node.decorator_list, 0, f"decorator dropped, line {node.lineno}")
        if len(node.decorator_list) > 1:
            yield exchange_items(node.decorator_list, 0, 1, f"decorators exchanged, line {node.lineno}")


@kind
def class_header(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.ClassDef):
        if node.bases:
            yield drop_item(node.bases, len(node.bases) - 1, f"base dropped, line {node.lineno}")
        yield insert_item(node.keywords, 0, ast.keyword("extra", ast.Constant(1)), f"class keyword, line {node.lineno}")
        yield set_field(node, "name", node.name + "_", f"class {node.name} renamed")
    for node in every(tree, *FUNCTIONS):
        yield set_field(node, "name", node.name + "_", f"function {node.name} renamed")


@kind
def imports(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.ImportFrom):
        yield set_field(node, "level", (node.level or 0) + 1, f"import level, line {node.lineno}")
        if node.module:
            yield set_field(node, "module", node.module + "_", f"module renamed, line {node.lineno}")
    for node in every(tree, ast.alias):
        if node.name != "*":
            yield set_field(node, "name", node.name + "_", f"imported name {node.name}")
        if node.asname:
            yield set_field(node, "asname", None, f"as {node.asname} dropped")


@kind
def asynchronous(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith):
        other = {ast.AsyncFunctionDef: ast.FunctionDef, ast.AsyncFor: ast.For, ast.AsyncWith: ast.With}[type(node)]
        yield set_field(node, "__class__", other, f"async dropped, line {node.lineno}")
    for node in every(tree, ast.FunctionDef):
        yield set_field(node, "__class__", ast.AsyncFunctionDef, f"async added, line {node.lineno}")


@kind
def type_parameters(tree: ast.AST) -> Iterator[Site]:
    if not hasattr(ast, "TypeVar"):
        return
    for node in every(tree, ast.TypeVar, ast.ParamSpec, ast.TypeVarTuple):
        yield set_field(node, "name", node.name + "_", f"type parameter {node.name} renamed")
        if isinstance(node, ast.TypeVar):
            yield set_field(node, "bound", ast.Name("other", ast.Load()) if node.bound is None else None, "bound")
    for node in every(tree, ast.TypeAlias):
        yield set_field(node, "value", ast.Name("other", ast.Load()), f"alias, line {node.lineno}")
