"""Functions that the code makes: a ``def`` whose body only names its free variables, for its code object is put back.

LOAD_CONST <code inner>; MAKE_FUNCTION (closure)    =>    def inner(x): return (y,)      and the code object of inner,
unchanged
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, Dict, Iterator, List, Optional

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.lift.dataflow.expressions import Expressions
from depyf.decompiler.lift.dataflow.flow import Shown
from depyf.decompiler.lift.expressions import LOAD
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.symbolic.machine import CO_VARARGS, CO_VARKEYWORDS
from depyf.decompiler.symbolic.state import Container


class FunctionPrinter:
    """Defines the functions among the operands of an operation."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def define(self, shown: Shown, body: List[ast.stmt]) -> None:
        """Append to ``body`` the definition of every function in ``shown``."""
        for function in _functions(shown):
            if id(function) not in self.expressions.functions:
                body.append(self._definition(function))

    def _definition(self, function: Container) -> ast.stmt:
        attributes: Dict[str, Any] = dict(function.items)
        code = attributes["__code__"]
        if type(code) is not Const or type(code.value) is not CodeType:
            raise Refused(NO_SOURCE_FORM, "a function is made of code that is not a constant")
        name = self.expressions.names.function(code.value)
        self.expressions.functions[id(function)] = name
        body = _body(code.value, self.expressions)
        if not attributes.keys() <= {"__code__", "__qualname__", "__defaults__", "__kwdefaults__", "__closure__"}:
            raise Refused(NO_SOURCE_FORM, "a function is made with annotations")
        parameters = self._parameters(code.value, attributes)
        return definition(name, parameters, body)

    def _parameters(self, code: CodeType, attributes: Dict[str, Any]) -> ast.arguments:
        found = signature(code, self.expressions)
        defaults, keyword_defaults = attributes.get("__defaults__"), attributes.get("__kwdefaults__")
        if defaults is not None:
            found.defaults = self._items(defaults)
        if keyword_defaults is not None:
            by_name = self._pairs(keyword_defaults)
            found.kw_defaults = [by_name.get(parameter.arg) for parameter in found.kwonlyargs]
        return found

    def _items(self, value: Shown) -> List[ast.expr]:
        display = self.expressions.value(value, {})
        if not isinstance(display, ast.Tuple):
            raise Refused(NO_SOURCE_FORM, "defaults of a function that are no display")
        return list(display.elts)

    def _pairs(self, value: Shown) -> Dict[str, ast.expr]:
        if not isinstance(value, Container) or value.kind != "dict":
            raise Refused(NO_SOURCE_FORM, "keyword defaults of a function that are no display")
        return {key.value: self.expressions.value(item, {}) for key, item in value.items}


def _functions(shown: Shown) -> Iterator[Container]:
    """Functions in a value, inner ones first."""
    if isinstance(shown, Container):
        for item in shown.values():
            yield from _functions(item)
        if shown.kind == "function":
            yield shown


def _body(code: CodeType, expressions: Expressions) -> List[ast.stmt]:
    free: List[ast.expr] = [ast.Name(expressions.names.identifier(name), LOAD) for name in code.co_freevars]
    return [ast.Return(ast.Tuple(free, LOAD))]


def signature(code: CodeType, expressions: Expressions) -> ast.arguments:
    """The parameters of ``code``, without defaults."""
    named = code.co_argcount + code.co_kwonlyargcount
    parameters = [ast.arg(expressions.names.identifier(name), None) for name in code.co_varnames]
    extra = iter(parameters[named:])
    vararg: Optional[ast.arg] = next(extra) if code.co_flags & CO_VARARGS else None
    kwarg: Optional[ast.arg] = next(extra) if code.co_flags & CO_VARKEYWORDS else None
    return ast.arguments(
        posonlyargs=parameters[: code.co_posonlyargcount],
        args=parameters[code.co_posonlyargcount : code.co_argcount],
        vararg=vararg,
        kwonlyargs=parameters[code.co_argcount : named],
        kw_defaults=[None] * code.co_kwonlyargcount,
        kwarg=kwarg,
        defaults=[],
    )


def definition(name: str, parameters: ast.arguments, body: List[ast.stmt]) -> ast.FunctionDef:
    """A ``def`` statement with every field that the running Python has."""
    made = ast.FunctionDef(name=name, args=parameters, body=body, decorator_list=[], returns=None, type_comment=None)
    if "type_params" in made._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made
