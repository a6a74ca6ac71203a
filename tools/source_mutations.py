"""Single changes of a syntax tree that change what a program does, as a table of kinds.

A kind yields sites: callables that change the tree in place and say what they did.  The caller picks one site of a fresh
copy.  A few sites turn out to change nothing (dead code, equal operands); ``mutants.py`` tells those apart.
"""

from __future__ import annotations

import ast
import copy
from typing import Any, Callable, Dict, Iterator, List, Tuple, Type

Site = Callable[[], str]
Kind = Callable[[ast.AST], Iterator[Site]]

KINDS: Dict[str, Kind] = {}

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def kind(function: Kind) -> Kind:
    """Register a kind under its name."""
    KINDS[function.__name__.strip("_").replace("_", " ")] = function
    return function


def _all(tree: ast.AST, *types: Type[Any]) -> Iterator[Any]:
    return (node for node in ast.walk(tree) if isinstance(node, types))


def _set(node: ast.AST, field: str, value: object, what: str) -> Site:
    def change() -> str:
        setattr(node, field, value)
        return f"{what} (line {getattr(node, 'lineno', '?')})"

    return change


def _put(items: List[Any], at: int, value: object, what: str) -> Site:
    def change() -> str:
        items[at] = value
        return what

    return change


def _drop(items: List[Any], at: int, what: str) -> Site:
    def change() -> str:
        del items[at]
        return what

    return change


def _exchange(items: List[Any], at: int, other: int, what: str) -> Site:
    def change() -> str:
        items[at], items[other] = items[other], items[at]
        return what

    return change


def _bodies(tree: ast.AST) -> Iterator[Tuple[ast.AST, List[ast.stmt]]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield node, body


def _docstrings(tree: ast.AST) -> Iterator[ast.Expr]:
    for node in _all(tree, *_FUNCTIONS, ast.ClassDef, ast.Module):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield first


def _constants(tree: ast.AST) -> Iterator[ast.Constant]:
    unseen = {id(statement.value) for statement in _all(tree, ast.Expr) if isinstance(statement.value, ast.Constant)}
    inside = {id(part) for text in _all(tree, ast.JoinedStr) for part in ast.walk(text)}
    return (node for node in _all(tree, ast.Constant) if id(node) not in unseen and id(node) not in inside)


@kind
def constant_value(tree: ast.AST) -> Iterator[Site]:
    for node in _constants(tree):
        changed = {int: lambda v: v + 1, str: lambda v: v + "x", bytes: lambda v: v + b"x", float: lambda v: v + 1, bool: lambda v: not v}
        if type(node.value) in changed:
            value = changed[type(node.value)](node.value)
            yield _set(node, "value", value, f"{node.value!r:.30} -> {value!r:.30}")


@kind
def constant_type(tree: ast.AST) -> Iterator[Site]:
    for node in _constants(tree):
        for value in _same_but_for_type(node.value):
            yield _set(node, "value", value, f"{node.value!r:.30} -> {value!r:.30}")


def _same_but_for_type(value: object) -> Iterator[object]:
    if type(value) is int:
        if -(2**53) < value < 2**53:
            yield float(value)
            yield complex(value)
        if value in (0, 1):
            yield bool(value)
    elif type(value) is bool:
        yield int(value)
    elif type(value) is float:
        yield -value if value == 0.0 else complex(value)
    elif type(value) is str and value.isascii():
        yield value.encode()
    elif type(value) is bytes:
        yield value.decode("latin-1")
    elif value is None:
        yield False


@kind
def tuple_items(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Tuple, ast.List, ast.Set):
        if len(node.elts) > 1 and ast.dump(node.elts[0]) != ast.dump(node.elts[1]):
            yield _exchange(node.elts, 0, 1, f"items exchanged, line {node.lineno}")
        if len(node.elts) > 1 and isinstance(node.ctx if hasattr(node, "ctx") else ast.Load(), ast.Load):
            yield _drop(node.elts, len(node.elts) - 1, f"last item dropped, line {node.lineno}")


@kind
def display_type(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Tuple, ast.List):
        if isinstance(node.ctx, ast.Load):
            other = ast.List if isinstance(node, ast.Tuple) else ast.Tuple
            yield _set(node, "__class__", other, f"{type(node).__name__} -> {other.__name__}")


@kind
def docstring(tree: ast.AST) -> Iterator[Site]:
    for statement in _docstrings(tree):
        text = statement.value
        assert isinstance(text, ast.Constant)
        yield _set(text, "value", text.value + "x", "docstring changed")  # type: ignore[operator]
        yield _set(statement, "value", ast.copy_location(ast.Constant(0), text), "docstring dropped")


def _arguments(tree: ast.AST) -> Iterator[ast.arguments]:
    return _all(tree, ast.arguments)


@kind
def default_value(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for at, _ in enumerate(arguments.defaults):
            yield _put(arguments.defaults, at, ast.Constant("other default"), "default changed")
        if arguments.defaults:
            yield _drop(arguments.defaults, 0, "first default dropped")


@kind
def keyword_default(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for at, default in enumerate(arguments.kw_defaults):
            yield _put(arguments.kw_defaults, at, ast.Constant("other default"), "keyword default changed")
            if default is not None:
                yield _put(arguments.kw_defaults, at, None, "keyword default dropped")


@kind
def parameter_name(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        for arg in arguments.args + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]:
            yield _set(arg, "arg", arg.arg + "_", f"parameter {arg.arg} renamed")


@kind
def parameter_order(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        if len(arguments.args) > 1:
            yield _exchange(arguments.args, 0, 1, f"parameters exchanged: {arguments.args[0].arg}, {arguments.args[1].arg}")
        if len(arguments.kwonlyargs) > 1 and arguments.kw_defaults[0] is None and arguments.kw_defaults[1] is None:
            yield _exchange(arguments.kwonlyargs, 0, 1, "keyword parameters exchanged")


@kind
def parameter_kind(tree: ast.AST) -> Iterator[Site]:
    for arguments in _arguments(tree):
        if arguments.args:
            yield _move(arguments.args, 0, arguments.posonlyargs, "made positional-only")
        if arguments.args and not arguments.defaults:
            yield _to_keyword(arguments)
        if arguments.vararg is not None:
            yield _set(arguments, "vararg", None, "*args dropped")
        if arguments.kwarg is not None:
            yield _set(arguments, "kwarg", None, "**kwargs dropped")


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
    for node in _all(tree, ast.arg, *_FUNCTIONS):
        field = "annotation" if isinstance(node, ast.arg) else "returns"
        if getattr(node, field) is not None:
            yield _set(node, field, None, f"{field} dropped")
            yield _set(node, field, ast.Name("other", ast.Load()), f"{field} changed")
    for node in _all(tree, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and statement.simple:
                yield _set(statement, "annotation", ast.Name("other", ast.Load()), "annotation changed")


_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)


@kind
def comparison(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in _COMPARISONS:
                if not isinstance(operator, other):
                    yield _put(node.ops, at, other(), f"{type(operator).__name__} -> {other.__name__}, line {node.lineno}")


@kind
def identity_for_equality(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Compare):
        for at, operator in enumerate(node.ops):
            swapped = {ast.Is: ast.Eq, ast.Eq: ast.Is, ast.IsNot: ast.NotEq, ast.NotEq: ast.IsNot}.get(type(operator))
            if swapped:
                yield _put(node.ops, at, swapped(), f"{type(operator).__name__} -> {swapped.__name__}, line {node.lineno}")


@kind
def chained_comparison(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in _expressions(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 2:
            a, b, c = node.left, node.comparators[0], node.comparators[1]
            left = ast.Compare(a, [node.ops[0]], [b])
            right = ast.Compare(copy.deepcopy(b), [node.ops[1]], [c])
            yield _set(owner, field, ast.BoolOp(ast.And(), [left, right]), f"chain -> and, line {node.lineno}")


def _expressions(tree: ast.AST) -> Iterator[Tuple[ast.AST, str, ast.expr]]:
    """Every expression that is one field of its parent."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield node, field, value


_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitOr, ast.BitAnd, ast.MatMult)


@kind
def binary_operator(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.BinOp, ast.AugAssign):
        for other in _OPERATORS:
            if not isinstance(node.op, other):
                yield _set(node, "op", other(), f"{type(node.op).__name__} -> {other.__name__}")


@kind
def operand_order(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.BinOp):
        if ast.dump(node.left) != ast.dump(node.right):
            yield _swap_fields(node, "left", "right")


def _swap_fields(node: ast.AST, one: str, other: str) -> Site:
    def change() -> str:
        first, second = getattr(node, one), getattr(node, other)
        setattr(node, one, second)
        setattr(node, other, first)
        return f"{one} <-> {other} (line {getattr(node, 'lineno', '?')})"

    return change


@kind
def unary_operator(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.UnaryOp):
        other = ast.Invert if isinstance(node.op, (ast.USub, ast.Not)) else ast.USub
        yield _set(node, "op", other(), f"{type(node.op).__name__} -> {other.__name__}")


@kind
def and_for_or(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.BoolOp):
        yield _set(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And(), "and <-> or")
        yield _exchange(node.values, 0, 1, f"operands of and/or exchanged, line {node.lineno}")


@kind
def swapped_arms(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.If):
        if node.orelse:
            yield _swap_fields(node, "body", "orelse")
    for node in _all(tree, ast.IfExp):
        yield _swap_fields(node, "body", "orelse")


@kind
def negated_test(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.If, ast.While, ast.IfExp, ast.Assert):
        yield _set(node, "test", ast.UnaryOp(ast.Not(), node.test), "test negated")


@kind
def dropped_statement(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at, statement in enumerate(body):
            if not isinstance(statement, ast.Pass):
                yield _put(body, at, ast.copy_location(ast.Pass(), statement), f"dropped {type(statement).__name__}, line {statement.lineno}")


@kind
def duplicated_statement(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Try, ast.With, ast.Delete, ast.Import)):
                yield _insert(body, at, copy.deepcopy(statement), f"duplicated {type(statement).__name__}, line {statement.lineno}")


def _insert(items: List[Any], at: int, value: object, what: str) -> Site:
    def change() -> str:
        items.insert(at, value)
        return what

    return change


@kind
def swapped_statements(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at in range(len(body) - 1):
            if ast.dump(body[at]) != ast.dump(body[at + 1]):
                yield _exchange(body, at, at + 1, f"statements exchanged, line {body[at].lineno}")


_BLOCKS = (ast.Try, ast.With, ast.AsyncWith, ast.If, *_LOOPS)


@kind
def moved_out(tree: ast.AST) -> Iterator[Site]:
    for _, outer in _bodies(tree):
        for at, block in enumerate(outer):
            if isinstance(block, _BLOCKS):
                arms = [block.body, getattr(block, "orelse", []), getattr(block, "finalbody", [])]
                arms += [handler.body for handler in getattr(block, "handlers", [])]
                for arm in arms:
                    if len(arm) > 1:
                        yield _move_to(arm, len(arm) - 1, outer, at + 1, f"{type(arm[-1]).__name__} moved after {type(block).__name__}, line {arm[-1].lineno}")
                        yield _move_to(arm, 0, outer, at, f"{type(arm[0]).__name__} moved before {type(block).__name__}, line {arm[0].lineno}")


@kind
def moved_in(tree: ast.AST) -> Iterator[Site]:
    for _, outer in _bodies(tree):
        for at, block in enumerate(outer[:-1]):
            if isinstance(block, _BLOCKS):
                arms = [block.body, getattr(block, "orelse", []), getattr(block, "finalbody", [])]
                arms += [handler.body for handler in getattr(block, "handlers", [])]
                for arm in arms:
                    if arm:
                        yield _move_to(outer, at + 1, arm, len(arm), f"{type(outer[at + 1]).__name__} moved into {type(block).__name__}, line {outer[at + 1].lineno}")


def _move_to(items: List[Any], at: int, to: List[Any], place: int, what: str) -> Site:
    def change() -> str:
        to.insert(place, items.pop(at))
        return what

    return change


@kind
def break_for_continue(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Break, ast.Continue)):
                other = ast.Continue if isinstance(statement, ast.Break) else ast.Break
                yield _put(body, at, ast.copy_location(other(), statement), f"{type(statement).__name__} -> {other.__name__}, line {statement.lineno}")


@kind
def loop_else(tree: ast.AST) -> Iterator[Site]:
    for _, outer in _bodies(tree):
        for at, loop in enumerate(outer):
            if isinstance(loop, _LOOPS) and loop.orelse:
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
            yield _exchange(node.handlers, 0, 1, f"handlers exchanged, line {node.lineno}")
        if len(node.handlers) > 1:
            yield _drop(node.handlers, 0, f"handler dropped, line {node.lineno}")
        for handler in node.handlers:
            yield _set(handler, "type", ast.Name("OtherError", ast.Load()), "exception type changed")
            if handler.name:
                yield _set(handler, "name", handler.name + "_", "exception name changed")
        if node.handlers[-1:] and node.handlers[-1].type is not None and not isinstance(node, _STARRED):
            yield _set(node.handlers[-1], "type", None, "exception type dropped")


_STARRED: Tuple[Type[Any], ...] = (ast.TryStar,) if hasattr(ast, "TryStar") else ()


def _tries(tree: ast.AST) -> Iterator[Any]:
    return _all(tree, ast.Try, *_STARRED)


@kind
def try_parts(tree: ast.AST) -> Iterator[Site]:
    for _, outer in _bodies(tree):
        for at, node in enumerate(outer):
            if not isinstance(node, ast.Try):
                continue
            if node.finalbody:
                yield _unwrap(outer, at, [*(node.body if not node.handlers else [_without_finally(node)]), *node.finalbody], "finally unwrapped")
            if node.handlers:
                yield _unwrap(outer, at, node.body + node.orelse, "except dropped")
            if node.handlers and not node.finalbody and not node.orelse and len(node.handlers) == 1:
                yield _put(outer, at, ast.Try(node.body, [], [], node.handlers[0].body), f"except -> finally, line {node.lineno}")
            if node.finalbody and not node.handlers:
                bare = ast.ExceptHandler(None, None, node.finalbody)
                yield _put(outer, at, ast.Try(node.body, [bare], [], []), f"finally -> except, line {node.lineno}")
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
    for _, outer in _bodies(tree):
        for at, node in enumerate(outer):
            if isinstance(node, (ast.With, ast.AsyncWith)):
                yield _unwrap(outer, at, node.body, "with unwrapped")
                if len(node.items) > 1:
                    yield _exchange(node.items, 0, 1, f"contexts exchanged, line {node.lineno}")
                for item in node.items:
                    if item.optional_vars is not None:
                        yield _set(item, "optional_vars", None, "as dropped")


@kind
def result(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Return):
        yield _set(node, "value", ast.Constant("other result"), f"return changed, line {node.lineno}")
        if node.value is not None:
            yield _set(node, "value", None, f"returned value dropped, line {node.lineno}")
    for node in _all(tree, ast.Raise):
        if node.exc is not None:
            yield _set(node, "cause", ast.Constant(None) if node.cause is None else None, f"cause, line {node.lineno}")
    for node in _all(tree, ast.Assert):
        yield _set(node, "msg", ast.Constant("other") if node.msg is None else None, f"message of assert, line {node.lineno}")


@kind
def generator(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in _expressions(tree):
        if isinstance(node, ast.Yield) and node.value is not None:
            yield _set(owner, field, ast.YieldFrom(node.value), f"yield -> yield from, line {node.lineno}")
            yield _set(owner, field, node.value, f"yield dropped, line {node.lineno}")
        if isinstance(node, ast.YieldFrom):
            yield _set(owner, field, ast.Yield(node.value), f"yield from -> yield, line {node.lineno}")
        if isinstance(node, ast.Await):
            yield _set(owner, field, node.value, f"await dropped, line {node.lineno}")


@kind
def scope(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Global, ast.Nonlocal)):
                yield _put(body, at, ast.copy_location(ast.Pass(), statement), f"{type(statement).__name__} dropped, line {statement.lineno}")
    for node in _all(tree, *_FUNCTIONS):
        for name in sorted({n.id for n in _all(node, ast.Name) if isinstance(n.ctx, ast.Store)}):
            yield _insert(node.body, 0, ast.Global([name]), f"global {name} added")


@kind
def decorator(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, *_FUNCTIONS, ast.ClassDef):
        if node.decorator_list:
            yield _drop(node.decorator_list, 0, f"decorator dropped, line {node.lineno}")
        if len(node.decorator_list) > 1:
            yield _exchange(node.decorator_list, 0, 1, f"decorators exchanged, line {node.lineno}")


@kind
def call_arguments(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Call):
        if len(node.args) > 1 and ast.dump(node.args[0]) != ast.dump(node.args[1]):
            yield _exchange(node.args, 0, 1, f"arguments exchanged, line {node.lineno}")
        if node.args:
            yield _drop(node.args, len(node.args) - 1, f"argument dropped, line {node.lineno}")
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield _set(keyword, "arg", keyword.arg + "_", f"keyword {keyword.arg} renamed, line {node.lineno}")
        if len(node.keywords) > 1:
            yield _exchange(node.keywords, 0, 1, f"keywords exchanged, line {node.lineno}")
        if node.keywords and node.keywords[0].arg is not None and not node.args:
            yield _keyword_to_argument(node)


def _keyword_to_argument(node: ast.Call) -> Site:
    def change() -> str:
        node.args.append(node.keywords.pop(0).value)
        return f"keyword made positional, line {node.lineno}"

    return change


@kind
def star(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Call):
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                yield _put(node.args, at, argument.value, f"star dropped, line {node.lineno}")
        for keyword in node.keywords:
            if keyword.arg is None:
                yield _set(keyword, "arg", "name", f"stars dropped, line {node.lineno}")
    for node in _all(tree, ast.Tuple, ast.List, ast.Set):
        for at, element in enumerate(node.elts):
            if isinstance(element, ast.Starred):
                yield _put(node.elts, at, element.value, f"star dropped, line {node.lineno}")


@kind
def variable(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Name):
        yield _set(node, "id", node.id + "_", f"{node.id} renamed")


@kind
def other_variable(tree: ast.AST) -> Iterator[Site]:
    names = sorted({node.id for node in _all(tree, ast.Name)})
    for node in _all(tree, ast.Name):
        for name in names[:6]:
            if name != node.id:
                yield _set(node, "id", name, f"{node.id} -> {name}")


@kind
def attribute(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Attribute):
        yield _set(node, "attr", node.attr + "_", f".{node.attr} renamed, line {node.lineno}")


@kind
def comprehension(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.comprehension):
        for at, condition in enumerate(node.ifs):
            yield _drop(node.ifs, at, "condition dropped")
            yield _put(node.ifs, at, ast.UnaryOp(ast.Not(), condition), "condition negated")
        if node.is_async:
            yield _set(node, "is_async", 0, "async dropped")
    for node in _all(tree, ast.ListComp, ast.SetComp, ast.GeneratorExp):
        for other in (ast.ListComp, ast.SetComp, ast.GeneratorExp):
            if not isinstance(node, other):
                yield _set(node, "__class__", other, f"{type(node).__name__} -> {other.__name__}")
        if len(node.generators) > 1:
            yield _exchange(node.generators, 0, 1, "generators exchanged")
    for node in _all(tree, ast.DictComp):
        yield _swap_fields(node, "key", "value")


@kind
def asynchronous(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith):
        other = {ast.AsyncFunctionDef: ast.FunctionDef, ast.AsyncFor: ast.For, ast.AsyncWith: ast.With}[type(node)]
        yield _set(node, "__class__", other, f"async dropped, line {node.lineno}")
    for node in _all(tree, ast.FunctionDef):
        yield _set(node, "__class__", ast.AsyncFunctionDef, f"async added, line {node.lineno}")


@kind
def assignment(tree: ast.AST) -> Iterator[Site]:
    for _, body in _bodies(tree):
        for at, statement in enumerate(body):
            if isinstance(statement, ast.AugAssign):
                loaded = copy.deepcopy(statement.target)
                loaded.ctx = ast.Load()
                value = ast.BinOp(loaded, statement.op, statement.value)
                plain = ast.copy_location(ast.Assign([statement.target], value), statement)
                yield _put(body, at, ast.fix_missing_locations(plain), f"augmented -> plain, line {statement.lineno}")
            if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
                yield _exchange(statement.targets, 0, 1, f"targets exchanged, line {statement.lineno}")
                yield _drop(statement.targets, 0, f"target dropped, line {statement.lineno}")


@kind
def named_expression(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in _expressions(tree):
        if isinstance(node, ast.NamedExpr):
            yield _set(owner, field, node.value, f"walrus dropped, line {node.lineno}")


@kind
def imports(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.ImportFrom):
        yield _set(node, "level", (node.level or 0) + 1, f"import level, line {node.lineno}")
        if node.module:
            yield _set(node, "module", node.module + "_", f"module renamed, line {node.lineno}")
    for node in _all(tree, ast.alias):
        if node.name != "*":
            yield _set(node, "name", node.name + "_", f"imported name {node.name}")
        if node.asname:
            yield _set(node, "asname", None, f"as {node.asname} dropped")


@kind
def formatted(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.FormattedValue):
        yield _set(node, "conversion", ord("r") if node.conversion != ord("r") else -1, "conversion changed")
        if node.format_spec is not None:
            yield _set(node, "format_spec", None, "format dropped")
    for node in _all(tree, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.Constant):
                yield _set(part, "value", part.value + "x", "text changed")  # type: ignore[operator]


@kind
def subscript(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Slice):
        for field in ("lower", "upper", "step"):
            present = getattr(node, field) is not None
            yield _set(node, field, None if present else ast.Constant(7), f"{field} of a slice")
    for owner, field, node in _expressions(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            yield _set(owner, field, node.value, f"subscript dropped, line {node.lineno}")


@kind
def dictionary(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Dict):
        if len(node.keys) > 1:
            yield _exchange(node.values, 0, 1, f"values exchanged, line {node.lineno}")
        for at, key in enumerate(node.keys):
            if key is None:
                yield _put(node.keys, at, ast.Constant("key"), f"stars dropped, line {node.lineno}")


@kind
def class_header(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.ClassDef):
        if node.bases:
            yield _drop(node.bases, len(node.bases) - 1, f"base dropped, line {node.lineno}")
        yield _insert(node.keywords, 0, ast.keyword("extra", ast.Constant(1)), f"class keyword, line {node.lineno}")
        yield _set(node, "name", node.name + "_", f"class {node.name} renamed")
    for node in _all(tree, *_FUNCTIONS):
        yield _set(node, "name", node.name + "_", f"function {node.name} renamed")


@kind
def deleted(tree: ast.AST) -> Iterator[Site]:
    for node in _all(tree, ast.Delete):
        if len(node.targets) > 1:
            yield _exchange(node.targets, 0, 1, f"deletions exchanged, line {node.lineno}")


@kind
def matching(tree: ast.AST) -> Iterator[Site]:
    if not hasattr(ast, "Match"):
        return
    for node in _all(tree, ast.match_case):
        if node.guard is not None:
            yield _set(node, "guard", None, "guard dropped")
    for node in _all(tree, ast.Match):
        if len(node.cases) > 1:
            yield _drop(node.cases, 0, f"case dropped, line {node.lineno}")
    for node in _all(tree, ast.MatchAs):
        if node.name:
            yield _set(node, "name", node.name + "_", f"capture {node.name} renamed")
    for node in _all(tree, ast.MatchStar):
        yield _set(node, "name", "other_rest" if node.name is None else None, "starred capture")
    for node in _all(tree, ast.MatchSequence, ast.MatchOr):
        if len(node.patterns) > 2:
            yield _exchange(node.patterns, 0, 1, f"patterns exchanged, line {node.lineno}")
            yield _drop(node.patterns, 0, f"pattern dropped, line {node.lineno}")
    for node in _all(tree, ast.MatchSingleton):
        yield _set(node, "value", None if node.value is not None else True, "singleton pattern")
    for node in _all(tree, ast.MatchClass):
        yield _set(node, "cls", ast.Name("Other", ast.Load()), "class pattern")


@kind
def type_parameters(tree: ast.AST) -> Iterator[Site]:
    if not hasattr(ast, "TypeVar"):
        return
    for node in _all(tree, ast.TypeVar, ast.ParamSpec, ast.TypeVarTuple):
        yield _set(node, "name", node.name + "_", f"type parameter {node.name} renamed")
        if isinstance(node, ast.TypeVar):
            yield _set(node, "bound", ast.Name("other", ast.Load()) if node.bound is None else None, "bound")
    for node in _all(tree, ast.TypeAlias):
        yield _set(node, "value", ast.Name("other", ast.Load()), f"alias, line {node.lineno}")
