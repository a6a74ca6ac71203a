"""Effects and values to expressions: one small function per kind of effect that has a value.

("CALL", 1, ("dim",)) on f, a, b   =>   f(a, dim=b)
"""

from __future__ import annotations

import ast
import keyword
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.lift.dataflow.names import Names
from depyf.decompiler.lift.dataflow.shown import Shown
from depyf.decompiler.lift.expressions import BINARY, EXPRESSIONS, LOAD, constant, index_of
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.symbolic.state import Container, Spread
from depyf.decompiler.symbolic.values import Cell, Identity, Installed, Negation, Output, Symbol

_LITERALS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


def is_literal(value: object) -> bool:
    """Whether source text can say a constant."""
    if type(value) is tuple:
        return all(is_literal(item) for item in value)
    return type(value) in _LITERALS


def no_parameters() -> ast.arguments:
    """An empty parameter list."""
    return ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


class Expressions:
    """Builds expressions with the names of one function; ``variables`` says which symbol is in which variable."""

    def __init__(self, names: Names, variables: Dict[Symbol, str]) -> None:
        self.names = names
        self.variables = variables
        self.functions: Dict[int, ast.expr] = {}
        # A-PATH: what is loaded again wherever it is needed.
        self.paths: Dict[Symbol, ast.expr] = {}

    def value(self, shown: Shown, ready: Mapping[Symbol, ast.expr]) -> ast.expr:
        """The expression of a value; ``ready`` holds those that are evaluated in the same statement."""
        if isinstance(shown, Symbol):
            found = ready.get(shown)
            return found if found is not None else self._variable(shown)
        if isinstance(shown, Container):
            return self._display(shown, ready)
        if isinstance(shown, Const):
            return self.constant(shown)
        if isinstance(shown, Installed):
            return self._installed(*shown.parts)  # type: ignore[arg-type]
        if isinstance(shown, Cell):
            return self._cell(shown.parts[0])  # type: ignore[arg-type]
        if isinstance(shown, Output):
            returned, number = shown.parts
            return ast.Subscript(self.value(returned, ready), index_of(ast.Constant(number)), LOAD)  # type: ignore[arg-type]
        if isinstance(shown, Identity):
            left, right = (self.value(part, ready) for part in shown.parts)  # type: ignore[arg-type]
            return ast.Compare(left, [ast.Is()], [right])
        if isinstance(shown, Negation):
            return _negated(self.value(shown.parts[0], ready))  # type: ignore[arg-type]
        raise Refused(NO_SOURCE_FORM, f"a slot that holds {shown!r}")

    def _installed(self, name: str, *attributes: str) -> ast.expr:
        installed: ast.expr = ast.Name(self.names.global_variable(name), LOAD)
        for attribute in attributes:
            installed = ast.Attribute(installed, attribute, LOAD)
        return installed

    def _variable(self, symbol: Symbol) -> ast.expr:
        again = self.paths.get(symbol)
        if again is not None:
            return again
        name = self.variables.get(symbol)
        if name is None:
            raise Refused(NO_SOURCE_FORM, f"a value that no variable holds: {symbol!r}")
        return ast.Name(name, LOAD)

    def constant(self, const: Const) -> ast.expr:
        """A constant: a literal, or the name of an object."""
        if is_literal(const.value):
            literal: ast.expr = constant(const.value)
            return literal
        if type(const.value) is tuple:
            return ast.Tuple([self.constant(Const(item)) for item in const.value], LOAD)
        return ast.Name(self.names.constant(const), LOAD)

    def _cell(self, name: str) -> ast.expr:
        """R-CELL: the cell of a variable is in the closure of any function that uses it."""
        user = ast.Lambda(no_parameters(), ast.Name(self.names.identifier(name), LOAD))
        return ast.Subscript(ast.Attribute(user, "__closure__", LOAD), index_of(ast.Constant(0)), LOAD)

    def _display(self, shown: Container, ready: Mapping[Symbol, ast.expr]) -> ast.expr:
        if shown.kind == "function":
            return self.functions[id(shown)]
        if shown.kind == "set" and len(shown.items) == 1 and isinstance(shown.items[0], Spread):
            elements: ast.expr = constant(shown.items[0].elements.value)  # type: ignore[union-attr]
            return elements
        items = [self.value(item, ready) for item in shown.values()]
        if shown.kind == "slice":
            return ast.Slice(*(None if item == NONE else part for item, part in zip(shown.items, items)))  # type: ignore[return-value]
        if shown.kind == "dict":
            return ast.Dict([None if key is None else self.constant(key) for key, _ in shown.items], items)
        for number, item in enumerate(shown.items):
            if isinstance(item, Spread):
                items[number] = ast.Starred(items[number], LOAD)
        if shown.kind == "set":
            return _set_display(items)
        return (ast.List if shown.kind == "list" else ast.Tuple)(items, LOAD)

    def operation(self, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
        """The expression whose evaluation is the effect ``kind``."""
        builder = _BUILDERS.get(kind[0])
        if builder is not None:
            return builder(self, kind, operands)
        plain = EXPRESSIONS.get(kind[0])
        if plain is None:
            raise Refused(NO_SOURCE_FORM, f"{kind[0]} where its value is used")
        return plain(kind[1] if len(kind) > 1 else None, *operands)

    def keywords(self, names: Sequence[Optional[str]], values: Sequence[ast.expr]) -> List[ast.keyword]:
        """Keyword arguments; names that are no identifiers go through a mapping."""
        if all(name is None or (name.isidentifier() and not keyword.iskeyword(name)) for name in names):
            return [ast.keyword(name, value) for name, value in zip(names, values)]
        return [ast.keyword(None, ast.Dict([ast.Constant(name) for name in names], list(values)))]


NONE = Const(None)


def _negated(expression: ast.expr) -> ast.expr:
    opposites = {ast.Is: ast.IsNot, ast.In: ast.NotIn}
    if isinstance(expression, ast.Compare) and type(expression.ops[0]) in opposites:
        return ast.Compare(expression.left, [opposites[type(expression.ops[0])]()], expression.comparators)
    return ast.UnaryOp(ast.Not(), expression)


def _set_display(items: List[ast.expr]) -> ast.expr:
    """A set in its order of insertion: a longer display of constants becomes a frozenset, which may have another."""
    if 0 < len(items) < 3:
        return ast.Set(items)
    return ast.Set([ast.Starred(ast.Tuple(items, LOAD), LOAD)])


def _global(build: Expressions, kind: Sequence[Any], _operands: List[ast.expr]) -> ast.expr:
    return ast.Name(build.names.global_variable(kind[1]), LOAD)


def _closure_variable(build: Expressions, kind: Sequence[Any], _operands: List[ast.expr]) -> ast.expr:
    return ast.Name(build.names.identifier(kind[1]), LOAD)


def _attribute(build: Expressions, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.Attribute(operands[0], build.names.identifier(kind[1]), LOAD)


def _call(build: Expressions, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    over = getattr(operands[0], "made", None)
    if over is not None:
        over.generators[0].iter = operands[1]
        return over  # type: ignore[no-any-return]
    positional, names = kind[1], kind[2]
    values = operands[1 + positional : 1 + positional + len(names)]
    return ast.Call(operands[0], operands[1 : 1 + positional], build.keywords(names, values))


def _call_ex(build: Expressions, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    _, shape, names = kind
    count = 1 if shape is None else len(shape)
    letters = "*" if shape is None else shape
    positional = [ast.Starred(value, LOAD) if letter == "*" else value for letter, value in zip(letters, operands[1:])]
    rest = operands[1 + count :]
    if names is None:
        return ast.Call(operands[0], positional, [ast.keyword(None, rest[0])])
    return ast.Call(operands[0], positional, build.keywords(names, rest))


def _contains(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.Compare(operands[0], [ast.In()], [operands[1]])


def _to_bool(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), operands[0]))


def _iterated(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    """What a star iterates: the star is printed with the display that the elements went into."""
    return operands[0]


def _subscript(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.Subscript(operands[0], index_of(operands[1]), LOAD)


def _super_attribute(build: Expressions, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    arguments = operands[1:] if kind[2] else []
    return ast.Attribute(ast.Call(operands[0], arguments, []), build.names.identifier(kind[1]), LOAD)


def _set(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.Set(operands) if operands else _set_display([])


def _dict(_build: Expressions, _kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.Dict(list(operands[::2]), list(operands[1::2]))


def _binary(_build: Expressions, kind: Sequence[Any], operands: List[ast.expr]) -> ast.expr:
    return ast.BinOp(operands[0], BINARY[kind[1]](), operands[1])


Builder = Callable[[Expressions, Sequence[Any], List[ast.expr]], ast.expr]
_BUILDERS: Dict[str, Builder] = {
    "LOAD_GLOBAL": _global,
    "LOAD_DEREF": _closure_variable,
    "LOAD_ATTR": _attribute,
    "CALL": _call,
    "CALL_EX": _call_ex,
    "CONTAINS_OP": _contains,
    "TO_BOOL": _to_bool,
    "ITERATE": _iterated,
    "MERGE": _iterated,
    "BINARY_SUBSCR": _subscript,
    "LOAD_SUPER_ATTR": _super_attribute,
    "BINARY_OP": _binary,
    "BUILD_SET": _set,
    "BUILD_MAP": _dict,
}
