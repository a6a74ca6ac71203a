"""One small function per operation that makes an expression of its operands; the signature is the stack effect.

BINARY_SUBSCR:  container, index  ->  container[index]
"""

from __future__ import annotations

import ast
from keyword import iskeyword
from random import Random
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.refusals import STACK_SHAPE, Refused
from depyf.decompiler.versions import (
    BUILDS_UNPACKED_DISPLAYS,
    CONSTANT_KEYS_ARE_ONE_TUPLE,
    CONSTANT_SLICES,
    SUBSCRIPTS_WRAP_THEIR_INDEX,
)

LOAD = ast.Load()
STORE = ast.Store()
DELETE = ast.Del()

Builder = Callable[..., ast.expr]
F = TypeVar("F", bound=Builder)

EXPRESSIONS: Dict[str, Builder] = {}


def operation(*ops: str) -> Callable[[F], F]:
    """Register a builder, called with the operand of the instruction and the popped values, deepest first."""

    def register(builder: F) -> F:
        for op in ops:
            EXPRESSIONS[op] = builder
        return builder

    return register


BINARY: Dict[str, Type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "@": ast.MatMult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**":
    ast.Pow,
    "<<": ast.LShift, ">>": ast.RShift, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor,
}  # fmt: skip
COMPARE: Dict[str, Type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, "==": ast.Eq, "!=": ast.NotEq, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip


def constant(value: object) -> Any:
    """The expression whose value the compiler folds back to ``value``."""
    if isinstance(value, tuple):
        return ast.Tuple([constant(item) for item in value], LOAD)
    if isinstance(value, frozenset):
        return ast.Set([constant(item) for item in insertion_order(value)])
    if isinstance(value, slice):
        return ast.Slice(*(None if part is None else constant(part) for part in (value.start, value.stop, value.step)))
    if type(value) in (int, float) and str(value).startswith("-"):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))  # type: ignore[operator]
    return ast.Constant(value)


def insertion_order(elements: FrozenSet[object]) -> List[object]:
    """An order in which inserting the elements gives a set that is iterated over like this one, if one is found.

    Elements whose hashes collide change places with the order of insertion (Objects/setobject.c), and a loop over the
    set shows it.
    """
    wanted = list(elements)
    return next((order for order in _orders(wanted) if _order_of_constant(order) == wanted), wanted)


def _order_of_constant(order: List[object]) -> List[object]:
    """The order of the frozenset that the compiler makes of a display: it builds it, and builds it again from what it
    finds there (Python/compile.c, merge_consts_recursive).
    """
    return list(frozenset(list(frozenset(order))))


def _orders(wanted: List[object]) -> Iterator[List[object]]:
    """Orders to try: that of the set, the one that people write numbers in, and others."""
    yield wanted
    if all(type(element) in (int, float) for element in wanted):
        yield sorted(wanted)  # type: ignore[type-var]
    shuffled = Random(len(wanted))
    order = list(wanted)
    for _try in range(_ORDERS_TRIED):
        shuffled.shuffle(order)
        yield order


_ORDERS_TRIED = 200


@operation("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF")
def variable(name: str) -> ast.expr:
    """A variable, whatever its scope."""
    return ast.Name(name, LOAD)


@operation("LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS")
def variable_of_class(name: str, _namespace: object) -> ast.expr:
    """A variable looked up in the class namespace first."""
    return ast.Name(name, LOAD)


@operation("LOAD_COMMON_CONSTANT")
def common_constant(name: str) -> ast.expr:
    """``AssertionError`` as the compiler loads it for ``assert``, whatever the global of that name is."""
    found = ast.Name(name, LOAD)
    found.is_common_constant = name == "AssertionError"  # type: ignore[attr-defined]
    return found


@operation("UNARY_NEGATIVE")
def negative(_arg: None, operand: ast.expr) -> ast.expr:
    """-operand"""
    return ast.UnaryOp(ast.USub(), operand)


@operation("UNARY_POSITIVE")
def positive(_arg: None, operand: ast.expr) -> ast.expr:
    """+operand"""
    return ast.UnaryOp(ast.UAdd(), operand)


@operation("UNARY_INVERT")
def inverted(_arg: None, operand: ast.expr) -> ast.expr:
    """~operand"""
    return ast.UnaryOp(ast.Invert(), operand)


@operation("UNARY_NOT")
def logical_not(_arg: None, operand: ast.expr) -> ast.expr:
    """Not operand."""
    return ast.UnaryOp(ast.Not(), operand)


@operation("TO_BOOL")
def truth(_arg: None, operand: ast.expr) -> ast.expr:
    """Not not operand, of which the compiler keeps the truth test alone since 3.13."""
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), operand))


@operation("BINARY_SUBSCR")
def subscript(_arg: None, container: ast.expr, index: ast.expr) -> ast.expr:
    """container[index]"""
    return ast.Subscript(container, index_of(index), LOAD)


@operation("COMPARE_OP")
def comparison(symbol: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Left op right."""
    return ast.Compare(left, [COMPARE[symbol]()], [right])


@operation("IS_OP")
def identity(inverted_: int, left: ast.expr, right: ast.expr) -> ast.expr:
    """Left is right."""
    return ast.Compare(left, [ast.IsNot() if inverted_ else ast.Is()], [right])


@operation("CONTAINS_OP")
def membership(inverted_: int, left: ast.expr, right: ast.expr) -> ast.expr:
    """Left in right."""
    if isinstance(right, ast.Set) and getattr(right, "from_constant", False):
        # The order of a set differs from run to run, and nobody sees it here.
        right.elts.sort(key=ast.dump)
    return ast.Compare(left, [ast.NotIn() if inverted_ else ast.In()], [right])


@operation("LOAD_ATTR")
def attribute(name: str, owner: ast.expr) -> ast.expr:
    """owner.name"""
    return ast.Attribute(owner, name, LOAD)


@operation("BUILD_SLICE")
def slice_of(_count: int, *parts: ast.expr) -> Any:
    """start:stop:step"""
    if len(parts) not in (2, 3):
        raise Refused(STACK_SHAPE, f"a slice of {len(parts)} parts")
    explicit = [None if is_none(part) else part for part in parts[:2]]
    # The compiler loads None for a missing start or stop, but never for a missing step.
    explicit.append(parts[2] if len(parts) == 3 else None)
    if CONSTANT_SLICES and all(part is None or isinstance(part, ast.Constant) for part in explicit):
        _compute_a_bound(explicit)
    return ast.Slice(*explicit)


def _compute_a_bound(bounds: List[Optional[ast.expr]]) -> None:
    """Make the first number among ``bounds`` an expression that is folded only after slices have been looked at."""
    for place, bound in enumerate(bounds):
        if isinstance(bound, ast.Constant) and type(bound.value) in (int, float):
            bounds[place] = ast.UnaryOp(ast.UAdd(), bound)
            return


@operation("BUILD_SET")
def set_display(_count: int, *elements: ast.expr) -> ast.expr:
    """{a, b}"""
    are_constants = all(getattr(element, "from_constant", False) for element in elements)
    if len(elements) > 2 and are_constants and not BUILDS_UNPACKED_DISPLAYS:
        # A display of as many constants would be a frozenset, which has an order of its own.
        return ast.Set([ast.Starred(ast.Tuple(list(elements), LOAD), LOAD)])
    return ast.Set(list(elements))


@operation("BUILD_LIST")
def list_display(_count: int, *elements: ast.expr) -> ast.expr:
    """[a, b]"""
    return ast.List(list(elements), LOAD)


@operation("BUILD_MAP")
def dict_display(_count: int, *items: ast.expr) -> ast.expr:
    """{a: b}"""
    keys: List[Optional[ast.expr]] = list(items[0::2])
    if CONSTANT_KEYS_ARE_ONE_TUPLE and len(keys) > 1 and all(getattr(key, "from_constant", False) for key in keys):
        # They were no constants yet when the compiler chose the operation: `2 or 3`, which it folds later.
        keys[0] = folded_late(items[0])
    return ast.Dict(keys, list(items[1::2]))


def folded_late(value: ast.expr) -> ast.expr:
    """A condition that the compiler folds to a constant as late as it can."""
    is_true = bool(ast.literal_eval(value))
    return ast.BoolOp(ast.Or() if is_true else ast.And(), [value, value])


@operation("BUILD_CONST_KEY_MAP")
def dict_of_constant_keys(_count: int, *items: ast.expr) -> ast.expr:
    """{'a': b}, the keys being one constant tuple."""
    keys = items[-1]
    if not isinstance(keys, ast.Tuple) or len(keys.elts) != _count:
        raise Refused(STACK_SHAPE, "the keys of a display are no tuple of as many constants")
    return ast.Dict(list(keys.elts), list(items[:-1]))


@operation("BUILD_TUPLE_UNPACK_WITH_CALL")
def argument_list(_count: int, *parts: ast.expr) -> ast.expr:
    """The positional arguments of f(*a, b)."""
    arguments = ast.Tuple(_joined(parts, ast.Tuple), LOAD)
    arguments.is_argument_list = True  # type: ignore[attr-defined]
    return arguments


@operation("BUILD_TUPLE_UNPACK")
def tuple_of_parts(_count: int, *parts: ast.expr) -> ast.expr:
    """(*a, *b)"""
    return _written_out(ast.Tuple(_joined(parts, ast.Tuple), LOAD))


@operation("BUILD_LIST_UNPACK")
def list_of_parts(_count: int, *parts: ast.expr) -> ast.expr:
    """[*a, *b]"""
    return ast.List(_joined(parts, ast.Tuple), LOAD)


@operation("BUILD_SET_UNPACK")
def set_of_parts(_count: int, *parts: ast.expr) -> ast.expr:
    """{*a, *b}"""
    return _written_out(ast.Set(_joined(parts, ast.Set)))


@operation("BUILD_MAP_UNPACK")
def dict_of_parts(_count: int, *parts: ast.expr) -> ast.expr:
    """{**a, **b}"""
    return _written_out(_merged(parts))


@operation("BUILD_MAP_UNPACK_WITH_CALL")
def keyword_list(_count: int, *parts: ast.expr) -> ast.expr:
    """The keyword arguments of f(**a, b=c, **{d: e})."""
    return _merged([part if _names_keywords(part) else _written_out(part) for part in parts])


def _names_keywords(part: ast.expr) -> bool:
    return isinstance(part, ast.Dict) and names_keywords(part)


def names_keywords(mapping: ast.Dict) -> bool:
    """Whether every key can be written as the name of a keyword argument."""
    keys = [key.value if isinstance(key, ast.Constant) else None for key in mapping.keys if key is not None]
    return all(isinstance(key, str) and key.isidentifier() and not iskeyword(key) for key in keys)


D = TypeVar("D", bound=ast.expr)


def _written_out(display: D) -> D:
    """``display``, which inside of another one or of a call is not part of that: ``**{**a, **b}``."""
    display.is_written_out = True  # type: ignore[attr-defined]
    return display


def _merged(parts: Sequence[ast.expr]) -> ast.Dict:
    merged = ast.Dict([], [])
    for earlier, part in zip((None, *parts), parts):
        if isinstance(part, ast.Dict) and _is_run(part, ast.Dict) and not _is_run(earlier, ast.Dict):
            merged.keys += part.keys
            merged.values += part.values
        else:
            merged.keys.append(None)
            merged.values.append(part)
    return merged


def _is_run(part: Optional[ast.expr], display: type) -> bool:
    return isinstance(part, display) and not getattr(part, "is_written_out", False)


def _joined(parts: Sequence[ast.expr], display: type) -> List[ast.expr]:
    if len(parts) == 1:
        return [ast.Starred(parts[0], LOAD)]
    elements: List[ast.expr] = []
    for earlier, part in zip((None, *parts), parts):
        run = part.elts if _is_run(part, display) and not _is_run(earlier, display) else []  # type: ignore[attr-defined]
        elements += run or [ast.Starred(part, LOAD)]
    return elements


CONVERSION_CODES = {"": -1, "s": 115, "r": 114, "a": 97}


@operation("FORMAT_VALUE")
def formatted(arg: Tuple[str, bool], value: ast.expr, *spec: ast.expr) -> ast.expr:
    """f"{value!r:spec}" until CPython 3.12."""
    return replacement_field(value, CONVERSION_CODES[arg[0]], *spec)


@operation("CONVERT_VALUE")
def converted(conversion: str, value: ast.expr) -> ast.expr:
    """The ``!r`` of a replacement field; FORMAT_SIMPLE or FORMAT_WITH_SPEC completes it."""
    field = replacement_field(value, CONVERSION_CODES[conversion])
    field.is_open = True  # type: ignore[attr-defined]
    return field


@operation("FORMAT_SIMPLE", "FORMAT_WITH_SPEC")
def formatted_value(_arg: None, value: ast.expr, *spec: ast.expr) -> ast.expr:
    """f"{value:spec}" since CPython 3.13."""
    if getattr(value, "is_open", False):
        field = value.values[0]  # type: ignore[attr-defined]
        return replacement_field(field.value, field.conversion, *spec)
    return replacement_field(value, -1, *spec)


def replacement_field(value: ast.expr, conversion: int, *spec: ast.expr) -> ast.JoinedStr:
    """An f-string that consists of one replacement field."""
    format_spec = None
    if spec:
        format_spec = spec[0] if isinstance(spec[0], ast.JoinedStr) else ast.JoinedStr([spec[0]])
    return ast.JoinedStr([ast.FormattedValue(value, conversion, format_spec)])


@operation("BUILD_STRING")
def joined_string(_count: int, *pieces: ast.expr) -> ast.expr:
    """f"{a} and {b}" """
    values: List[ast.expr] = []
    for piece in pieces:
        values += piece.values if isinstance(piece, ast.JoinedStr) else [piece]
    return ast.JoinedStr(values)


@operation("BUILD_INTERPOLATION")
def interpolation(arg: Tuple[str, bool], value: ast.expr, text: ast.expr, *spec: ast.expr) -> ast.expr:
    """The ``{value!r:spec}`` of a t-string, which keeps its text (PEP 750)."""
    format_spec = replacement_field(value, -1, *spec).values[0].format_spec if spec else None  # type: ignore[attr-defined]
    made: ast.expr = ast.Interpolation(value, ast.literal_eval(text), CONVERSION_CODES[arg[0]], format_spec)  # type: ignore[attr-defined]
    return made


@operation("BUILD_TEMPLATE")
def template(_arg: None, strings: ast.expr, interpolations: ast.expr) -> ast.expr:
    """t"a {b} c": the strings around the interpolations, empty ones included."""
    assert isinstance(strings, ast.Tuple) and isinstance(interpolations, ast.Tuple)
    values: List[ast.expr] = []
    for place, piece in enumerate(strings.elts):
        values += [piece] if isinstance(piece, ast.Constant) and piece.value else []
        values += interpolations.elts[place : place + 1]
    made: ast.expr = ast.TemplateStr(values)  # type: ignore[attr-defined]
    return made


@operation("YIELD_VALUE")
def yielded(_arg: None, value: ast.expr) -> ast.expr:
    """Yield value."""
    return ast.Yield(None if is_none(value) else value)


@operation("ASYNC_GEN_WRAP")
def wrapped(_arg: None, value: ast.expr) -> ast.expr:
    """What an asynchronous generator yields."""
    return value


def is_none(value: object) -> bool:
    """Whether an expression is the constant None."""
    return isinstance(value, ast.Constant) and value.value is None


def index_of(index: Any) -> Any:
    """A subscript's index; ``ast`` wraps it until CPython 3.8, tuples of slices included."""
    if not SUBSCRIPTS_WRAP_THEIR_INDEX or isinstance(index, ast.Slice):
        return index
    if isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) for part in index.elts):
        return ast.ExtSlice([index_of(part) for part in index.elts])
    return ast.Index(index)


def constant_of(const: Const) -> Any:
    """Expression of a constant operand."""
    return constant(const.value)
