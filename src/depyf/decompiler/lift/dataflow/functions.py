"""Functions that the code makes: definitions, lambdas and comprehensions, printed like any other compiled code.

    LOAD_CONST <code inner>; MAKE_FUNCTION (closure)    =>    def inner(x): return x + y

Nested code comes from a compiler.  Where it cannot be printed, a function that names the same free variables stands for
it, and its code object is put back as it is.
"""

from __future__ import annotations

import ast
import contextlib
from types import CodeType
from typing import Any, Dict, Iterator, List

from depyf.decompiler.definitions.assemble import Assembler
from depyf.decompiler.definitions.comprehensions import COMPREHENSION_NAMES, comprehension
from depyf.decompiler.definitions.signature import arguments, plain_parameters
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.emit import Comment, EmitError, emit
from depyf.decompiler.lift.dataflow.expressions import Expressions
from depyf.decompiler.lift.dataflow.names import Names
from depyf.decompiler.lift.dataflow.shown import Shown
from depyf.decompiler.lift.expressions import LOAD
from depyf.decompiler.lift.values import Function
from depyf.decompiler.pipeline import body_of
from depyf.decompiler.refusals import NO_SOURCE_FORM, DecompilationError, Refused
from depyf.decompiler.symbolic.state import Container

_ATTRIBUTES = frozenset(
    ["__code__", "__qualname__", "__defaults__", "__kwdefaults__", "__annotations__", "__closure__"]
)


class FunctionPrinter:
    """Defines the functions among the operands of an operation; unless ``prints``, as code objects that are kept."""

    def __init__(self, expressions: Expressions, prints: bool = True) -> None:
        self.expressions = expressions
        self.prints = prints
        self.assembler = Assembler(body_of)

    def define(self, shown: Shown, body: List[ast.stmt]) -> None:
        """Make the expression of every function in ``shown``; those with a name are defined in ``body``."""
        for function in functions_in(shown):
            if id(function) not in self.expressions.functions:
                self.expressions.functions[id(function)] = self._expression(function, body)

    def _expression(self, shown: Container, body: List[ast.stmt]) -> ast.expr:
        function = self._function(shown)
        if self.prints:
            with contextlib.suppress(DecompilationError, EmitError):
                return self._printed(function, body)
        return _defined(self._stand_in(function), body)

    def _printed(self, function: Function, body: List[ast.stmt]) -> ast.expr:
        if function.code.co_name in COMPREHENSION_NAMES:
            return self._comprehension(function)
        if function.code.co_name == "<lambda>":
            return self._lambda(function)
        return _defined(self._definition(function), body)

    def _function(self, shown: Container) -> Function:
        attributes: Dict[str, Any] = dict(shown.items)
        code = attributes["__code__"]
        if type(code) is not Const or type(code.value) is not CodeType:
            raise Refused(NO_SOURCE_FORM, "a function is made of code that is not a constant")
        if not attributes.keys() <= _ATTRIBUTES:
            raise Refused(NO_SOURCE_FORM, "a function is made with annotations that are computed later")
        function = Function(code.value)
        values = {name: self.expressions.value(attributes[name], {}) for name in attributes if name in _EVALUATED}
        function.defaults = values.get("__defaults__")
        function.kwdefaults = values.get("__kwdefaults__")
        function.annotations = values.get("__annotations__")
        return function

    def _comprehension(self, function: Function) -> ast.expr:
        """A function that is called with an iterator, once the iterable is known."""
        iterable = ast.Name("iterable", LOAD)
        made = comprehension(self.assembler, function.code, iterable)
        emit(made)
        self.expressions.names.nested.append(function.code)
        return ComprehensionFunction(made)

    def _lambda(self, function: Function) -> ast.expr:
        (statement,) = self.assembler.definition_of(function.code).body
        assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda)
        statement.value.args, _returns = arguments(function)
        emit(statement.value)
        self.expressions.names.nested.append(function.code)
        return statement.value

    def _definition(self, function: Function) -> ast.FunctionDef:
        made = self.assembler.function(function, "function")
        if not isinstance(made, ast.FunctionDef):
            raise Refused(NO_SOURCE_FORM, "a coroutine is defined under a name of its own")
        emit(made)
        made.name = self.expressions.names.function(function.code)
        return made

    def _stand_in(self, function: Function) -> ast.FunctionDef:
        names = self.expressions.names
        free: List[ast.expr] = [ast.Name(names.identifier(name), LOAD) for name in function.code.co_freevars]
        name = names.function(function.code)
        names.kept.add(name)
        comment = Comment("not printed: the code object of this function is kept as it is")
        parameters = with_identifiers(arguments(function)[0], names)
        made = definition(name, parameters, [comment, ast.Return(ast.Tuple(free, LOAD))])
        return made


def _defined(definition: ast.FunctionDef, body: List[ast.stmt]) -> ast.expr:
    body.append(definition)
    return ast.Name(definition.name, LOAD)


_EVALUATED = frozenset(["__defaults__", "__kwdefaults__", "__annotations__"])


class ComprehensionFunction(ast.expr):
    """The function of a comprehension: printed where it is called, over what it is called with."""

    _fields = ()

    def __init__(self, made: ast.expr) -> None:
        super().__init__()
        self.made = made


def functions_in(shown: Shown) -> Iterator[Container]:
    """Functions in a value, inner ones first."""
    if isinstance(shown, Container):
        for item in shown.values():
            yield from functions_in(item)
        if shown.kind == "function":
            yield shown


def is_comprehension(shown: Shown) -> bool:
    """Whether a value is the function of a comprehension."""
    if not isinstance(shown, Container) or shown.kind != "function":
        return False
    code = dict(shown.items)["__code__"]
    return type(code) is Const and getattr(code.value, "co_name", "") in COMPREHENSION_NAMES


def signature(code: CodeType, expressions: Expressions) -> ast.arguments:
    """The parameters of ``code``, without defaults."""
    return with_identifiers(plain_parameters(code), expressions.names)


def with_identifiers(parameters: ast.arguments, names: Names) -> ast.arguments:
    """``parameters`` under names that source can say."""
    for node in (
        *parameters.posonlyargs,
        *parameters.args,
        *parameters.kwonlyargs,
        parameters.vararg,
        parameters.kwarg,
    ):
        if node is not None:
            node.arg = names.identifier(node.arg)
    return parameters


def definition(name: str, parameters: ast.arguments, body: List[ast.stmt]) -> ast.FunctionDef:
    """A ``def`` statement with every field that the running Python has."""
    made = ast.FunctionDef(name=name, args=parameters, body=body, decorator_list=[], returns=None, type_comment=None)
    if "type_params" in made._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made
