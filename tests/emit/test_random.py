"""Random trees of the kinds that the parser makes come back the same."""

from __future__ import annotations

import ast
import random
from typing import Any, Callable, Dict, List, Optional

import pytest

from depyf.decompiler.emit import EmitError, emit
from depyf.decompiler.emit.expressions import BINARY, COMPARISONS, UNARY
from depyf.decompiler.versions import FIELDS_HOLD_ANY_TEXT, SUBSCRIPTS_WRAP_THEIR_INDEX

STRINGS = ["", "a", "'", '"', "\\", "\n", "{}", 'it\'s "both"', "é\t\ud800"]


class Forest:
    """Grows random expressions: every method makes a node whose children are one level less deep."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kinds: List[Callable[[int], ast.expr]] = [
            method for name, method in sorted(vars(Forest).items()) if name.startswith("grow_")
        ]

    def expression(self, depth: int) -> ast.expr:
        if depth <= 0:
            return self.leaf()
        kind: Any = self.random.choice(self.kinds)
        node: ast.expr = kind(self, depth - 1)
        return node

    def leaf(self) -> ast.expr:
        value = self.random.choice([1, 1.5, 2j, ..., None, True, b"a'", *STRINGS])
        return self.random.choice([ast.Name("a", ast.Load()), ast.Constant(value=value, kind=None)])

    def some(self, depth: int, least: int = 0, starred: bool = False) -> List[ast.expr]:
        return [self.item(depth, starred) for _ in range(self.random.randint(least, 3))]

    def item(self, depth: int, starred: bool) -> ast.expr:
        node = self.expression(depth)
        return ast.Starred(node, ast.Load()) if starred and self.random.random() < 0.3 else node

    def maybe(self, depth: int) -> Any:
        return self.expression(depth) if self.random.random() < 0.6 else None

    def grow_binary(self, depth: int) -> ast.expr:
        operator = self.random.choice(list(BINARY))
        return ast.BinOp(self.expression(depth), operator(), self.expression(depth))

    def grow_unary(self, depth: int) -> ast.expr:
        return ast.UnaryOp(self.random.choice(list(UNARY))(), self.expression(depth))

    def grow_boolean(self, depth: int) -> ast.expr:
        return ast.BoolOp(self.random.choice([ast.And, ast.Or])(), self.some(depth, least=2))

    def grow_comparison(self, depth: int) -> ast.expr:
        operands = self.some(depth, least=1)
        operators = [self.random.choice(list(COMPARISONS))() for _ in operands]
        return ast.Compare(self.expression(depth), operators, operands)

    def grow_conditional(self, depth: int) -> ast.expr:
        return ast.IfExp(self.expression(depth), self.expression(depth), self.expression(depth))

    def grow_lambda(self, depth: int) -> ast.expr:
        names = [ast.arg(name, None, None) for name in "abcdef"]
        defaults = [self.expression(depth) for _ in range(self.random.randint(0, 2))]
        arguments: Dict[str, Any] = {
            "posonlyargs": names[: self.random.randint(0, 1)],
            "args": names[1:3],
            "vararg": self.random.choice([None, names[3]]),
            "kwonlyargs": names[4:5],
            "kw_defaults": [self.maybe(depth)],
            "kwarg": self.random.choice([None, names[5]]),
            "defaults": defaults,
        }
        return ast.Lambda(ast.arguments(**arguments), self.expression(depth))

    def grow_walrus(self, depth: int) -> ast.expr:
        return ast.NamedExpr(ast.Name("a", ast.Store()), self.expression(depth))

    def grow_yield(self, depth: int) -> ast.expr:
        return self.random.choice([ast.Yield(self.maybe(depth)), ast.YieldFrom(self.expression(depth))])

    def grow_await(self, depth: int) -> ast.expr:
        return ast.Await(self.expression(depth))

    def grow_attribute(self, depth: int) -> ast.expr:
        return ast.Attribute(self.expression(depth), "b", ast.Load())

    def grow_subscript(self, depth: int) -> ast.expr:
        index: Any = self.random.choice([self.expression(depth), self.slice(depth), self.slices(depth)])
        if SUBSCRIPTS_WRAP_THEIR_INDEX:
            index = self.wrapped(index)
        return ast.Subscript(self.expression(depth), index, ast.Load())

    def slice(self, depth: int) -> ast.AST:
        return ast.Slice(self.maybe(depth), self.maybe(depth), self.maybe(depth))

    def slices(self, depth: int) -> ast.AST:
        items: List[Any] = [self.slice(depth), *self.some(depth)]
        self.random.shuffle(items)
        return ast.Tuple(items, ast.Load())

    def wrapped(self, index: Any) -> ast.AST:
        """The index as Python 3.8 keeps it."""
        if isinstance(index, ast.Slice):
            return index
        if isinstance(index, ast.Tuple) and any(isinstance(item, ast.Slice) for item in index.elts):
            items: List[Any] = [self.wrapped(item) for item in index.elts]
            return ast.ExtSlice(items)
        return ast.Index(index)

    def grow_call(self, depth: int) -> ast.expr:
        keywords = [ast.keyword(self.random.choice([None, "k"]), self.expression(depth)) for _ in range(1)]
        return ast.Call(self.expression(depth), self.some(depth, starred=True), self.random.choice([[], keywords]))

    def grow_display(self, depth: int) -> ast.expr:
        items = self.some(depth, least=1, starred=True)
        return self.random.choice([ast.Tuple(items, ast.Load()), ast.List(items, ast.Load()), ast.Set(items)])

    def grow_dict(self, depth: int) -> ast.expr:
        values = self.some(depth)
        return ast.Dict([self.maybe(depth) for _ in values], values)

    def grow_comprehension(self, depth: int) -> ast.expr:
        targets: List[ast.expr] = [ast.Name("a", ast.Store()), ast.Name("b", ast.Store())]
        target = self.random.choice([targets[0], ast.Tuple(targets, ast.Store()), ast.Tuple(targets[:1], ast.Store())])
        clause = ast.comprehension(target, self.expression(depth), self.some(depth), self.random.randint(0, 1))
        kind: Any = self.random.choice([ast.ListComp, ast.SetComp, ast.GeneratorExp])
        candidates: List[ast.expr] = [
            kind(self.expression(depth), [clause]),
            ast.DictComp(self.expression(depth), self.expression(depth), [clause]),
        ]
        return self.random.choice(candidates)

    def grow_fstring(self, depth: int) -> ast.expr:
        return ast.JoinedStr(self.parts(depth, specs=2))

    def parts(self, depth: int, specs: int) -> List[ast.expr]:
        text = self.random.choice(STRINGS[1:])
        field = ast.FormattedValue(self.expression(depth), self.random.choice([-1, 114, 115, 97]), None)
        if specs > 1 and self.random.random() < 0.4:
            field.format_spec = ast.JoinedStr(self.parts(depth - 1, specs - 1))
        return self.random.choice([[], [ast.Constant(value=text, kind=None), field], [field, field]])


def text_or_refusal(tree: ast.AST) -> Optional[str]:
    """The text, or None for an f-string that only Python 3.12 can say."""
    if FIELDS_HOLD_ANY_TEXT:
        return emit(tree)
    try:
        return emit(tree)
    except EmitError as error:
        if "before Python 3.12" in str(error):
            return None
        raise


def without_empty_text(tree: ast.AST) -> ast.AST:
    """Python 3.12's parser ends a format spec of several fields with an empty string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = [
                value for value in node.values if not (isinstance(value, ast.Constant) and value.value == "")
            ]
    return tree


@pytest.mark.parametrize("seed", range(40))
def test_random_expressions(seed: int) -> None:
    forest = Forest(seed)
    for _ in range(50):
        tree = ast.Expression(forest.expression(4))
        text = text_or_refusal(tree)
        if text is not None:
            assert ast.dump(without_empty_text(ast.parse(text, mode="eval"))) == ast.dump(tree), text
