"""Changes of statements: their order, their arms, what is inside of what."""

from __future__ import annotations

import ast
import copy
from typing import Any, Iterator, List, Tuple, Type

from mutations.sites import (
    LOOPS,
    Site,
    bodies,
    drop_item,
    every,
    exchange_fields,
    exchange_items,
    insert_item,
    kind,
    move_item,
    put_item,
    set_field,
)


@kind
def swapped_arms(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.If):
        if node.orelse:
            yield exchange_fields(node, "body", "orelse")
    for node in every(tree, ast.IfExp):
        yield exchange_fields(node, "body", "orelse")


@kind
def negated_test(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.If, ast.While, ast.IfExp, ast.Assert):
        yield set_field(node, "test", ast.UnaryOp(ast.Not(), node.test), "test negated")


@kind
def dropped_statement(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at, statement in enumerate(body):
            if not isinstance(statement, ast.Pass):
                yield put_item(
                    body,
                    at,
                    ast.copy_location(ast.Pass(), statement),
                    f"dropped {type(statement).__name__}, line {statement.lineno}",
                )


@kind
def duplicated_statement(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(
                statement,
                (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Try, ast.With, ast.Delete, ast.Import),
            ):
                yield insert_item(
                    body,
                    at,
                    copy.deepcopy(statement),
                    f"duplicated {type(statement).__name__}, line {statement.lineno}",
                )


@kind
def swapped_statements(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at in range(len(body) - 1):
            if ast.dump(body[at]) != ast.dump(body[at + 1]):
                yield exchange_items(body, at, at + 1, f"statements exchanged, line {body[at].lineno}")


_BLOCKS = (ast.Try, ast.With, ast.AsyncWith, ast.If, *LOOPS)


@kind
def moved_out(tree: ast.AST) -> Iterator[Site]:
    for _, outer in bodies(tree):
        for at, block in enumerate(outer):
            if isinstance(block, _BLOCKS):
                arms = [block.body, getattr(block, "orelse", []), getattr(block, "finalbody", [])]
                arms += [handler.body for handler in getattr(block, "handlers", [])]
                for arm in arms:
                    if len(arm) > 1:
                        yield move_item(
                            arm,
                            len(arm) - 1,
                            outer,
                            at + 1,
                            f"{type(arm[-1]).__name__} moved after {type(block).__name__}, line {arm[-1].lineno}",
                        )
                        yield move_item(
                            arm,
                            0,
                            outer,
                            at,
                            f"{type(arm[0]).__name__} moved before {type(block).__name__}, line {arm[0].lineno}",
                        )


@kind
def moved_in(tree: ast.AST) -> Iterator[Site]:
    for _, outer in bodies(tree):
        for at, block in enumerate(outer[:-1]):
            if isinstance(block, _BLOCKS):
                arms = [block.body, getattr(block, "orelse", []), getattr(block, "finalbody", [])]
                arms += [handler.body for handler in getattr(block, "handlers", [])]
                for arm in arms:
                    if arm:
                        yield move_item(
                            outer,
                            at + 1,
                            arm,
                            len(arm),
                            f"statement moved into {type(block).__name__}, line {outer[at + 1].lineno}",
                        )


@kind
def break_for_continue(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Break, ast.Continue)):
                other = ast.Continue if isinstance(statement, ast.Break) else ast.Break
                yield put_item(
                    body,
                    at,
                    ast.copy_location(other(), statement),
                    f"{type(statement).__name__} -> {other.__name__}, line {statement.lineno}",
                )


@kind
def loop_else(tree: ast.AST) -> Iterator[Site]:
    for _, outer in bodies(tree):
        for at, loop in enumerate(outer):
            if isinstance(loop, LOOPS) and loop.orelse:
                yield _after(outer, at, loop)


def _after(outer: List[ast.stmt], at: int, loop: Any) -> Site:
    def change() -> str:
        outer[at + 1 : at + 1] = loop.orelse
        loop.orelse = []
        return f"else of a loop moved after it, line {loop.lineno}"

    return change


@kind
def handlers(tree: ast.AST) -> Iterator[Site]:
    for node in _tries(tree):
        if len(node.handlers) > 1 and node.handlers[-1].type is not None:
            yield exchange_items(node.handlers, 0, 1, f"handlers exchanged, line {node.lineno}")
        if len(node.handlers) > 1:
            yield drop_item(node.handlers, 0, f"handler dropped, line {node.lineno}")
        for handler in node.handlers:
            yield set_field(handler, "type", ast.Name("OtherError", ast.Load()), "exception type changed")
            if handler.name:
                yield set_field(handler, "name", handler.name + "_", "exception name changed")
        if node.handlers[-1:] and node.handlers[-1].type is not None and not isinstance(node, _STARRED):
            yield set_field(node.handlers[-1], "type", None, "exception type dropped")


_STARRED: Tuple[Type[Any], ...] = (ast.TryStar,) if hasattr(ast, "TryStar") else ()


def _tries(tree: ast.AST) -> Iterator[Any]:
    return every(tree, ast.Try, *_STARRED)


@kind
def try_parts(tree: ast.AST) -> Iterator[Site]:
    for _, outer in bodies(tree):
        for at, node in enumerate(outer):
            if not isinstance(node, ast.Try):
                continue
            if node.finalbody:
                yield _unwrap(
                    outer,
                    at,
                    [*(node.body if not node.handlers else [_without_finally(node)]), *node.finalbody],
                    "finally unwrapped",
                )
            if node.handlers:
                yield _unwrap(outer, at, node.body + node.orelse, "except dropped")
            if node.handlers and not node.finalbody and not node.orelse and len(node.handlers) == 1:
                yield put_item(
                    outer,
                    at,
                    ast.Try(node.body, [], [], node.handlers[0].body),
                    f"except -> finally, line {node.lineno}",
                )
            if node.finalbody and not node.handlers:
                bare = ast.ExceptHandler(None, None, node.finalbody)
                yield put_item(outer, at, ast.Try(node.body, [bare], [], []), f"finally -> except, line {node.lineno}")
            if node.orelse:
                yield _else_into_body(node)
            if node.orelse and not node.finalbody:
                yield _else_after(outer, at, node)


def _without_finally(node: ast.Try) -> ast.Try:
    return ast.Try(node.body, node.handlers, node.orelse, [])


def _unwrap(outer: List[ast.stmt], at: int, body: List[ast.stmt], what: str) -> Site:
    def change() -> str:
        line = getattr(outer[at], "lineno", "?")
        outer[at : at + 1] = body
        return f"{what}, line {line}"

    return change


def _else_into_body(node: ast.Try) -> Site:
    def change() -> str:
        node.body = node.body + node.orelse
        node.orelse = []
        return f"else of try moved into its body, line {node.lineno}"

    return change


def _else_after(outer: List[ast.stmt], at: int, node: ast.Try) -> Site:
    def change() -> str:
        outer[at + 1 : at + 1] = node.orelse
        node.orelse = []
        return f"else of try moved after it, line {node.lineno}"

    return change


@kind
def with_parts(tree: ast.AST) -> Iterator[Site]:
    for _, outer in bodies(tree):
        for at, node in enumerate(outer):
            if isinstance(node, (ast.With, ast.AsyncWith)):
                yield _unwrap(outer, at, node.body, "with unwrapped")
                if len(node.items) > 1:
                    yield exchange_items(node.items, 0, 1, f"contexts exchanged, line {node.lineno}")
                for item in node.items:
                    if item.optional_vars is not None:
                        yield set_field(item, "optional_vars", None, "as dropped")


@kind
def result(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Return):
        yield set_field(node, "value", ast.Constant("other result"), f"return changed, line {node.lineno}")
        if node.value is not None:
            yield set_field(node, "value", None, f"returned value dropped, line {node.lineno}")
    for node in every(tree, ast.Raise):
        if node.exc is not None:
            yield set_field(
                node, "cause", ast.Constant(None) if node.cause is None else None, f"cause, line {node.lineno}"
            )
    for node in every(tree, ast.Assert):
        yield set_field(
            node, "msg", ast.Constant("other") if node.msg is None else None, f"message of assert, line {node.lineno}"
        )


@kind
def assignment(tree: ast.AST) -> Iterator[Site]:
    for _, body in bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, ast.AugAssign):
                loaded = copy.deepcopy(statement.target)
                loaded.ctx = ast.Load()
                value = ast.BinOp(loaded, statement.op, statement.value)
                plain = ast.copy_location(ast.Assign([statement.target], value), statement)
                yield put_item(
                    body, at, ast.fix_missing_locations(plain), f"augmented -> plain, line {statement.lineno}"
                )
            if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
                yield exchange_items(statement.targets, 0, 1, f"targets exchanged, line {statement.lineno}")
                yield drop_item(statement.targets, 0, f"target dropped, line {statement.lineno}")


@kind
def deleted(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Delete):
        if len(node.targets) > 1:
            yield exchange_items(node.targets, 0, 1, f"deletions exchanged, line {node.lineno}")


@kind
def matching(tree: ast.AST) -> Iterator[Site]:
    if not hasattr(ast, "Match"):
        return
    for node in every(tree, ast.match_case):
        if node.guard is not None:
            yield set_field(node, "guard", None, "guard dropped")
    for node in every(tree, ast.Match):
        if len(node.cases) > 1:
            yield drop_item(node.cases, 0, f"case dropped, line {node.lineno}")
    for node in every(tree, ast.MatchAs):
        if node.name:
            yield set_field(node, "name", node.name + "_", f"capture {node.name} renamed")
    for node in every(tree, ast.MatchStar):
        yield set_field(node, "name", "other_rest" if node.name is None else None, "starred capture")
    for node in every(tree, ast.MatchSequence, ast.MatchOr):
        if len(node.patterns) > 2:
            yield exchange_items(node.patterns, 0, 1, f"patterns exchanged, line {node.lineno}")
            yield drop_item(node.patterns, 0, f"pattern dropped, line {node.lineno}")
    for node in every(tree, ast.MatchSingleton):
        yield set_field(node, "value", None if node.value is not None else True, "singleton pattern")
    for node in every(tree, ast.MatchClass):
        yield set_field(node, "cls", ast.Name("Other", ast.Load()), "class pattern")
