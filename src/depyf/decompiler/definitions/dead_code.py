"""Traces of code that the compiler threw away: scopes of names, a generator's flag, the first constant.

    def f():                                  LOAD_FAST x
        if 0: x = 1          <=               x is a local of f, though nothing binds it
        return x

The names are said again in code that is thrown away, too: ``if False:`` among statements, and in expressions a
condition that is always true.
"""

from __future__ import annotations

import ast
import inspect
from types import CodeType
from typing import List, Optional, Set

from depyf.decompiler.definitions.names import Names, names_of_comprehensions, nested_codes
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.versions import COMPREHENSIONS_INLINED, DOCSTRING_FLAG

# Cells that the compiler makes for itself.
MADE_BY_COMPILER = {"__classdict__", "__conditional_annotations__", ".type_params", ".generic_base"}
CO_GENERATOR_KINDS = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
# A comprehension with one of these flags waits for something, which one of these operations shows.
_WAITS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_WAITING = {"GET_AITER", "GET_ANEXT", "GET_AWAITABLE"}


def dead_statements(code: CodeType, body: List[ast.stmt], names: Names) -> List[ast.stmt]:
    """What dead code of a function or class said of its names; ``body`` and its ``names`` are what is alive."""
    bound = sorted(_bound_in_dead_code(code, body, names)) if code.co_flags & inspect.CO_OPTIMIZED else []
    binders = [binder(name) for name in bound]
    unused = set(code.co_freevars) - names.used - names.stored
    if "super" in names.used:
        unused.discard("__class__")
    binders += [ast.Expr(reader) for reader in _readers(code, unused)]
    if not code.co_flags & inspect.CO_OPTIMIZED:
        binders += [ast.Expr(_captor(name)) for name in sorted(_passed_on(code) & names.stored)]
    if code.co_flags & CO_GENERATOR_KINDS and not names.yields:
        binders.append(ast.Expr(ast.Yield(None)))
    return binders


def binder(name: str) -> ast.stmt:
    """A statement that makes a name a variable of its scope."""
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None), lineno=0)


def _bound_in_dead_code(code: CodeType, body: List[ast.stmt], names: Names) -> Set[str]:
    """Locals that are used here or captured, and that only dead code binds."""
    cells = set(code.co_cellvars) - MADE_BY_COMPILER
    if COMPREHENSIONS_INLINED:
        cells -= names_of_comprehensions(body)
    found = (names.used.intersection(code.co_varnames + code.co_cellvars) | cells) - names.stored
    # Since 3.12 what a comprehension binds is among the locals, too, even if the name means something else elsewhere.
    elsewhere = {str(node.arg) for node in decoded(code).nodes if node.op == "LOAD_GLOBAL"}.union(code.co_freevars)
    return found - elsewhere - _parameters(code)


def _passed_on(code: CodeType) -> Set[str]:
    """Free variables of a class that no operation uses and nothing alive captures: a function in dead code did.

    The class may have variables of the same names.
    """
    used = {str(node.arg) for node in decoded(code).nodes if "DEREF" in node.op}
    return set(code.co_freevars) - used - _captured(code)


def _captured(code: CodeType) -> Set[str]:
    return {name for inner in nested_codes(code) for name in inner.co_freevars} | MADE_BY_COMPILER


def _captor(name: str) -> ast.expr:
    nothing = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    return ast.Lambda(nothing, ast.Name(name, ast.Load()))


def _parameters(code: CodeType) -> Set[str]:
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred])


def _readers(code: CodeType, unused: Set[str]) -> List[ast.expr]:
    """Expressions that capture the cells of ``code`` that nothing alive captures, and read ``unused`` variables."""
    captured = _captured(code)
    found: List[ast.expr] = [_captor(name) for name in sorted(set(code.co_cellvars) - captured)]
    return found + [ast.Name(name, ast.Load()) for name in sorted(unused - captured)]


def if_said(returned: ast.expr, code: CodeType) -> ast.expr:
    """What a lambda, an alias or a bound returns, with what dead code of it said."""
    condition = dead_condition(code)
    return returned if condition is None else ast.IfExp(condition, returned, ast.Constant(None))


def dead_condition(code: CodeType) -> Optional[ast.expr]:
    """A condition that is always true, says what dead code of an expression said, and leaves no code.

    None where dead code left no trace.
    """
    nodes = decoded(code).nodes
    is_lambda = code.co_name == "<lambda>"
    is_comprehension = code.co_name.startswith("<") and not is_lambda
    alive = {str(node.arg) for node in nodes if "DEREF" in node.op}
    if any(node.arg == "super" for node in nodes):
        alive.add("__class__")  # the compiler adds it wherever it meets the name
    bound = sorted(unbound_locals(code)) if is_lambda else []
    binders: List[ast.expr] = [ast.NamedExpr(ast.Name(name, ast.Store()), ast.Constant(None)) for name in bound]
    binders += _readers(code, set(code.co_freevars) - alive)
    if code.co_flags & CO_GENERATOR_KINDS and all(node.op != "YIELD_VALUE" for node in nodes) and is_lambda:
        binders.append(ast.Yield(None))
    if is_comprehension and code.co_flags & _WAITS and not any(node.op in _WAITING for node in nodes):
        binders.append(ast.Await(ast.Constant(None)))
    first = _first_constant(code) if is_comprehension else []
    if not first and not binders:
        return None
    values = [*first, *([] if first and first[0].value else [ast.Constant(True)]), *binders]
    return ast.BoolOp(ast.Or(), list(values)) if len(values) > 1 else values[0]


def unbound_locals(code: CodeType) -> Set[str]:
    """Locals of a lambda or comprehension that nothing alive binds."""
    nodes = decoded(code).nodes
    stored = {str(node.arg) for node in nodes if node.op.startswith("STORE_")}
    read = {str(node.arg) for node in nodes if node.op == "LOAD_FAST"} | set(code.co_cellvars)
    return read - stored - _parameters(code)


def _first_constant(code: CodeType) -> List[ast.Constant]:
    """The constant that a comprehension has to begin with, if what is alive begins with another: a string there is
    the docstring of its function.
    """
    if DOCSTRING_FLAG or not code.co_consts:
        return []
    alive = {node.arg for node in decoded(code).nodes if isinstance(node.arg, Const)}
    found = next((value for value in code.co_consts if Const(value) in alive), None)
    first = code.co_consts[0]
    if first == found or not (isinstance(first, str) or isinstance(found, str)):
        return []
    return [ast.Constant(first if isinstance(first, str) else True)]
