"""Put statements into the definition that they belong to.

<code f>, <code f.<locals>.<lambda>>      =>      def f(a): return sorted(a, key=lambda x: x.b)
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Callable, List, Optional, Sequence, Union

from depyf.decompiler.definitions.annotated_targets import with_annotated_targets
from depyf.decompiler.definitions.annotations import (
    STORED_AS,
    Annotations,
    annotate_on_its_own,
    annotations_of,
    parameter_annotations,
    with_annotations,
    without_format_check,
    written_out,
)
from depyf.decompiler.definitions.classes import class_definition
from depyf.decompiler.definitions.comprehensions import COMPREHENSION_NAMES, comprehension, inlined_comprehension
from depyf.decompiler.definitions.dead_code import if_said
from depyf.decompiler.definitions.declarations import declared, declared_in_module
from depyf.decompiler.definitions.signature import arguments
from depyf.decompiler.definitions.tidy import annotated_assignments, without_final_return
from depyf.decompiler.definitions.type_parameters import (
    alias_definition,
    computed_on_its_own,
    generic_definition,
    generic_name,
    is_computed_later,
    is_generic_call,
    with_some_type_parameters,
)
from depyf.decompiler.disassemble import Graph
from depyf.decompiler.lift.generics import Alias
from depyf.decompiler.lift.resolve import Resolver
from depyf.decompiler.lift.values import Class, Comprehension, Function, Iter
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.versions import DOCSTRING_FLAG

CO_OPTIMIZED = 0x1
CO_COROUTINE = 0x80
CO_ASYNC_GENERATOR = 0x200
CO_FUTURE_ANNOTATIONS = 0x1000000
CO_HAS_DOCSTRING = 0x4000000

Body = Callable[[Union[CodeType, Graph]], List[ast.stmt]]


class Assembler:
    """Makes definitions; ``body`` gives the raw statements of a code object."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.around: List[CodeType] = []

    def definition_of(self, code: CodeType) -> ast.Module:
        """A code object on its own: a module, or the one definition that its code belongs to."""
        tree = self._definition_of(code)
        return written_out(tree) if code.co_flags & CO_FUTURE_ANNOTATIONS else tree

    def _definition_of(self, code: CodeType) -> ast.Module:
        name = code.co_name
        if name == "<module>":
            return self.module(code)
        if name == "<lambda>":
            return ast.Module([ast.Expr(self._lambda(Function(code)))], [])
        if generic_name(code) is not None:
            return ast.Module([generic_definition(self, ast.Call(Function(code), [], []), [])], [])
        if is_computed_later(code):
            return ast.Module([computed_on_its_own(self, code)], [])
        if name in COMPREHENSION_NAMES:
            # What it iterates over is evaluated by the code around it.
            return ast.Module([ast.Expr(comprehension(self, code, ast.Name("iterable", ast.Load())))], [])
        if not code.co_flags & CO_OPTIMIZED:
            made = class_definition(self, Class(Function(code), name, [], []), [], Resolver(self.expression))
            return ast.Module([with_some_type_parameters(self, made, code)], [])
        return ast.Module(annotate_on_its_own(self, code) or [self.function(Function(code), name)], [])

    def module(self, code: CodeType) -> ast.Module:
        """A module's statements."""
        statements = with_annotations(self.statements(code))
        first = statements[0] if statements else None
        if (
            isinstance(first, ast.Assign)
            and _is_name(first.targets, "__doc__")
            and isinstance(first.value, ast.Constant)
        ):
            statements[0] = ast.Expr(first.value)
        statements = with_annotated_targets(code, annotated_assignments(without_final_return(statements)))
        return ast.Module(declared_in_module(code, statements), [])

    def function(self, function: Function, name: str, decorators: Sequence[ast.expr] = ()) -> ast.stmt:
        """A ``def``."""
        code = function.code
        parameters, returns = arguments(function)
        body = self.function_body(code)
        is_async = code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)
        kind = ast.AsyncFunctionDef if is_async else ast.FunctionDef
        made = kind(name=name, args=parameters, body=body, decorator_list=list(decorators), returns=returns, lineno=0)
        if "type_params" in kind._fields:
            setattr(made, "type_params", [])  # noqa: B010 - mypy knows the fields of one Python only
        return made

    def function_body(self, code: CodeType) -> List[ast.stmt]:
        """Docstring, declarations and statements of a function."""
        self.around.append(code)
        statements = without_final_return(self.statements(code))
        self.around.pop()
        statements = declared(code, statements, self.around)
        documentation = docstring(code)
        if documentation is not None:
            statements.insert(0, ast.Expr(ast.Constant(documentation)))
        elif statements:
            statements[0] = _without_documentation(statements[0])
        return statements or [ast.Pass()]

    def statements(self, code: Union[CodeType, Graph]) -> List[ast.stmt]:
        """The finished statements of a code object, or of an inlined comprehension."""
        raw = self.body(code)
        resolver = Resolver(self.expression)
        try:
            return [self._finished(statement, resolver) for statement in raw]
        except Refused as refused:
            refused.within = refused.within or (code.code if isinstance(code, Graph) else code)
            raise

    def _finished(self, statement: ast.stmt, resolver: Resolver) -> ast.stmt:
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list):
                setattr(statement, name, [self._finished(item, resolver) for item in inner])
        if isinstance(statement, ast.Assign):
            definition = self._definition(statement, resolver)
            if definition is not None:
                return definition
        return _resolve_own_fields(statement, resolver)

    def _definition(self, statement: ast.Assign, resolver: Resolver) -> Optional[ast.stmt]:
        """The ``def`` or ``class`` that an assignment of a decorated function or class is."""
        target = statement.targets[0]
        if len(statement.targets) != 1 or not isinstance(target, ast.Name):
            return None
        decorators: List[ast.expr] = []
        value = statement.value
        while (
            isinstance(value, ast.Call)
            and len(value.args) == 1
            and not value.keywords
            and not _is_comprehension_call(value)
            and not is_generic_call(value)
        ):
            decorators.append(value.func)
            value = value.args[0]
        if isinstance(value, Function) and target.id in STORED_AS:
            annotations = annotations_of(self, value.code)
            if annotations is not None:
                return Annotations(annotations)
        if isinstance(value, Class) and _is_stored_as(value.name, target.id):
            decorators = [resolver.visit(decorator) for decorator in decorators]
            return class_definition(self, value, decorators, resolver)
        if is_generic_call(value):
            assert isinstance(value, ast.Call)
            decorators = [resolver.visit(decorator) for decorator in decorators]
            return generic_definition(self, value, decorators)
        if isinstance(value, Alias) and not decorators:
            return alias_definition(self, value)
        if (
            isinstance(value, Function)
            and value.code.co_name != "<lambda>"
            and _is_stored_as(value.code.co_name, target.id)
        ):
            decorators = [resolver.visit(decorator) for decorator in decorators]
            return self.function(self.resolved(value, resolver), value.code.co_name, decorators)
        return None

    def resolved(self, function: Function, resolver: Resolver) -> Function:
        """``function`` with its defaults and annotations finished."""
        if function.annotate is not None:
            function.annotations = parameter_annotations(self, function.annotate.code)
        for part in ("defaults", "kwdefaults", "annotations"):
            value = getattr(function, part)
            if isinstance(value, ast.expr):
                setattr(function, part, resolver.visit(value))
        return function

    def expression(self, node: ast.expr, resolver: Resolver) -> Optional[ast.expr]:
        """A lambda or comprehension; None when ``node`` is neither."""
        if isinstance(node, Function):
            return self._lambda(self.resolved(node, resolver))
        if isinstance(node, Comprehension):
            return inlined_comprehension(self, node, resolver.visit(node.iterator.iterable))
        if isinstance(node, ast.Await) and _is_comprehension_call(node.value) and _runs_later(node.value):
            return self.expression(node.value, resolver)
        if isinstance(node, ast.Call) and _is_comprehension_call(node):
            function, iterator = node.func, node.args[0]
            assert isinstance(function, Function) and isinstance(iterator, Iter)
            return comprehension(self, function.code, resolver.visit(iterator.iterable))
        return None

    def computed(self, function: Function) -> ast.expr:
        """The expression that a bound, a default or an alias computes when it is asked for."""
        return if_said(returned_expression(without_format_check(self.statements(function.code))), function.code)

    def _lambda(self, function: Function) -> ast.expr:
        if function.code.co_name != "<lambda>":
            raise Refused(NO_SOURCE_FORM, f"the function {function.code.co_name} is used before it has a name")
        parameters, _returns = arguments(function)
        return ast.Lambda(parameters, if_said(returned_expression(self.statements(function.code)), function.code))


def _resolve_own_fields(statement: ast.stmt, resolver: Resolver) -> ast.stmt:
    for name in statement._fields:
        value = getattr(statement, name, None)
        if name in ("body", "orelse", "finalbody", "handlers", "cases") and isinstance(value, list):
            continue
        if isinstance(value, ast.AST):
            setattr(statement, name, resolver.visit(value))
        elif isinstance(value, list):
            setattr(statement, name, [resolver.visit(item) if isinstance(item, ast.AST) else item for item in value])
    return statement


def _is_comprehension_call(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, Function)
        and node.func.code.co_name in COMPREHENSION_NAMES
        and len(node.args) == 1
        and isinstance(node.args[0], Iter)
    )


def _runs_later(call: ast.expr) -> bool:
    """Whether a comprehension is asynchronous, so that the compiler awaits what its call returns."""
    assert isinstance(call, ast.Call) and isinstance(call.func, Function)
    return bool(call.func.code.co_flags & CO_COROUTINE)


def _is_stored_as(name: str, stored: str) -> bool:
    # A private name is mangled where it is stored, not in the code's own name.
    return stored == name or (name.startswith("__") and stored.endswith(name) and stored.startswith("_"))


def _is_name(targets: Sequence[ast.expr], name: str) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def docstring(code: CodeType) -> Optional[str]:
    """The docstring of a function's code (Doc/reference/datamodel.rst, ``co_consts``; a flag since 3.14)."""
    if DOCSTRING_FLAG and not code.co_flags & CO_HAS_DOCSTRING:
        return None
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) and code.co_name != "<lambda>" else None


def _without_documentation(first: ast.stmt) -> ast.stmt:
    """The first statement of a function without a docstring: a string that is evaluated there is an f-string."""
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return ast.Expr(ast.JoinedStr([first.value]))
    return first


def returned_expression(body: List[ast.stmt]) -> ast.expr:
    """The expression that a function body of nested returns computes."""
    if len(body) == 1 and isinstance(body[0], ast.Return):
        return body[0].value or ast.Constant(None)
    if body and isinstance(body[0], ast.If):
        rest = body[0].orelse + body[1:] if not body[0].orelse else body[0].orelse
        return ast.IfExp(body[0].test, returned_expression(body[0].body), returned_expression(rest))
    raise Refused(NO_SOURCE_FORM, "a lambda with statements")
