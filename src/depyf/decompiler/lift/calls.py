"""Calls: five layouts of the operand stack, one ``ast.Call``.

callable, a, b                    CALL_FUNCTION 2        3.8-3.10
NULL, callable, a, b              CALL 2                 3.11, 3.12
callable, NULL, a, b              CALL 2                 3.13+
callable, self, a                 CALL 1                 a method, or a decorator and what it decorates
[NULL] callable [NULL] args kw    CALL_FUNCTION_EX
"""

from __future__ import annotations

import ast
from typing import List, Optional, Tuple, cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.expressions import LOAD, names_keywords
from depyf.decompiler.lift.machine import Machine, operation
from depyf.decompiler.lift.values import (
    NULL,
    BuildClass,
    Class,
    Entered,
    Exit,
    ExitCall,
    Function,
    Iter,
    Marker,
    Null,
    Value,
)
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.versions import BUILDS_UNPACKED_DISPLAYS, NULL_ABOVE_CALLABLE


class EnterMethod(Marker):
    """The bound ``__enter__`` that LOAD_SPECIAL found (3.14+)."""

    __slots__ = ("exit",)

    def __init__(self, exit_: Exit) -> None:
        self.exit = exit_


@operation("LOAD_METHOD")
def _load_method(machine: Machine, node: Node) -> None:
    method = ast.Attribute(machine.operand(), cast(str, node.arg), LOAD)
    _push_callable(machine, method)


def _push_callable(machine: Machine, function: Value) -> None:
    for value in (function, NULL) if NULL_ABOVE_CALLABLE else (NULL, function):
        machine.push(value)


@operation("LOAD_SUPER_ATTR")
def _load_super_attr(machine: Machine, node: Node) -> None:
    name, is_method, two_arguments = cast(Tuple[str, bool, bool], node.arg)
    owner, instance = machine.pop(), None
    if not isinstance(owner, ast.expr):
        raise machine.refused(STACK_SHAPE, "looks up super() of something that is no value")
    instance = owner
    cls = machine.pop()
    function = machine.operand()
    arguments = [cast(ast.expr, cls), instance] if two_arguments else []
    attribute = ast.Attribute(ast.Call(function, arguments, []), name, LOAD)
    if is_method:
        _push_callable(machine, attribute)
    else:
        machine.push(attribute)


@operation("LOAD_SPECIAL")
def _load_special(machine: Machine, node: Node) -> None:
    name = cast(str, node.arg)
    context = machine.operand()
    if name in ("__exit__", "__aexit__"):
        exit_ = Exit(context, name == "__aexit__")
        machine.push(exit_)
        machine.push(NULL)
        return
    for value in machine.stack:
        if isinstance(value, Exit) and value.context is context:
            machine.push(EnterMethod(value))
            machine.push(NULL)
            return
    raise machine.refused(STACK_SHAPE, "enters something that is not left")


@operation("CALL_FUNCTION")
def _call_function(machine: Machine, node: Node) -> None:
    arguments = _pop_arguments(machine, cast(int, node.arg))
    call(machine, machine.pop(), arguments, [])


@operation("CALL_FUNCTION_KW")
def _call_function_kw(machine: Machine, node: Node) -> None:
    names = _pop_names(machine)
    arguments = _pop_arguments(machine, cast(int, node.arg))
    call(machine, machine.pop(), *_with_names(arguments, names))


@operation("CALL")
def _call(machine: Machine, node: Node) -> None:
    arguments = _pop_arguments(machine, cast(int, node.arg))
    function, bound = _pop_callable(machine)
    call(machine, function, bound + arguments, [])


@operation("CALL_KW")
def _call_kw(machine: Machine, node: Node) -> None:
    names = _pop_names(machine)
    arguments = _pop_arguments(machine, cast(int, node.arg))
    function, bound = _pop_callable(machine)
    call(machine, function, *_with_names(bound + arguments, names))


def _pop_arguments(machine: Machine, count: int) -> List[Value]:
    if len(machine.stack) < count:
        raise machine.refused(STACK_SHAPE, "pops from an empty stack")
    arguments = machine.stack[len(machine.stack) - count :]
    del machine.stack[len(machine.stack) - count :]
    return arguments


def _pop_names(machine: Machine) -> List[str]:
    names = machine.operand()
    found = [getattr(name, "value", None) for name in names.elts] if isinstance(names, ast.Tuple) else [None]
    if not all(isinstance(name, str) for name in found):
        raise machine.refused(STACK_SHAPE, "names its keywords with something that is no tuple of strings")
    return cast(List[str], found)


def _with_names(arguments: List[Value], names: List[str]) -> Tuple[List[Value], List[ast.keyword]]:
    first = len(arguments) - len(names)
    keywords = [ast.keyword(name, cast(ast.expr, value)) for name, value in zip(names, arguments[first:])]
    return arguments[:first], keywords


def _pop_callable(machine: Machine) -> Tuple[Value, List[Value]]:
    upper, lower = machine.pop(), machine.pop()
    if isinstance(lower, Null):
        return upper, []
    if isinstance(upper, Null):
        return lower, []
    return lower, [upper]


def call(machine: Machine, function: Value, arguments: List[Value], keywords: List[ast.keyword]) -> None:
    """Push the result of a call, whatever kind of construct the callee makes it."""
    if isinstance(function, Exit):
        machine.push(ExitCall(function))
    elif isinstance(function, EnterMethod):
        if function.exit.is_async:
            machine.push(Entered(function.exit))
        else:
            machine.enter(function.exit)
    elif isinstance(function, BuildClass):
        machine.push(_class(machine, arguments, keywords))
    elif isinstance(function, Function) and len(arguments) == 1 and isinstance(arguments[0], Iter):
        machine.push(ast.Call(function, [arguments[0]], []))  # type: ignore[list-item]
    elif isinstance(function, ast.expr) and all(isinstance(argument, ast.expr) for argument in arguments):
        machine.push(ast.Call(function, cast(List[ast.expr], arguments), keywords))
    else:
        raise machine.refused(
            STACK_SHAPE, f"calls {type(function).__name__} with {[type(a).__name__ for a in arguments]}"
        )


def _class(machine: Machine, arguments: List[Value], keywords: List[ast.keyword]) -> Class:
    body, name = arguments[0], arguments[1]
    if not isinstance(body, Function) or not isinstance(name, ast.Constant):
        raise machine.refused(STACK_SHAPE, "builds a class of something that is no class body")
    return Class(body, name.value, cast(List[ast.expr], arguments[2:]), keywords)


@operation("CALL_FUNCTION_EX")
def _call_function_ex(machine: Machine, node: Node) -> None:
    null_slot, has_kwargs = cast(Tuple[bool, bool], node.arg)
    kwargs = machine.pop() if has_kwargs else NULL
    positional = machine.operand()
    function: Optional[Value] = machine.pop()
    if null_slot:
        other = machine.pop()
        function = other if isinstance(function, Null) else function
    keywords = [] if isinstance(kwargs, Null) else _keywords(cast(ast.expr, kwargs))
    arguments = _arguments(positional, keywords)
    if BUILDS_UNPACKED_DISPLAYS and _needs_no_unpacking(arguments, keywords):
        keywords = [ast.keyword(None, cast(ast.expr, kwargs))]
    call(machine, cast(Value, function), list(arguments), keywords)


def _needs_no_unpacking(arguments: List[ast.expr], keywords: List[ast.keyword]) -> bool:
    """Whether a call with these arguments would not be a CALL_FUNCTION_EX."""
    starred = any(isinstance(argument, ast.Starred) for argument in arguments)
    return not starred and len(arguments) + len(keywords) <= _MOST_ON_STACK and all(word.arg for word in keywords)


# Longer argument lists are built as a tuple (Python/compile.c, STACK_USE_GUIDELINE).
_MOST_ON_STACK = 30


def _arguments(positional: ast.expr, keywords: List[ast.keyword]) -> List[ast.expr]:
    if not isinstance(positional, ast.Tuple):
        return [ast.Starred(positional, LOAD)]
    plain = not any(isinstance(element, ast.Starred) for element in positional.elts)
    if BUILDS_UNPACKED_DISPLAYS and not plain and not getattr(positional, "is_argument_list", False):
        return [ast.Starred(positional, LOAD)]
    spread = any(BUILDS_UNPACKED_DISPLAYS or word.arg is None for word in keywords)
    if plain and not spread and len(positional.elts) + 2 * len(keywords) <= _MOST_ON_STACK:
        return [ast.Starred(positional, LOAD)]
    return positional.elts


def _keywords(mapping: ast.expr) -> List[ast.keyword]:
    written_out = getattr(mapping, "is_written_out", False)
    if not isinstance(mapping, ast.Dict) or not mapping.keys or not names_keywords(mapping) or written_out:
        return [ast.keyword(None, mapping)]
    found = []
    for key, value in zip(mapping.keys, mapping.values):
        if key is None:
            found.append(ast.keyword(None, value))
        else:
            found.append(ast.keyword(cast(ast.Constant, key).value, value))
    return found
