"""Generic functions, classes and aliases: what the compiler puts around them goes back into ``[T]``.

    def <generic parameters of f>():
        T = TypeVar('T')                             def f[T](x: T): ...
        def f(x: T): ...                     =>
        f.__type_params__ = (T,)
        return f
    f = <generic parameters of f>()

Bounds, constraints, defaults and the values of aliases are functions that are called when they are asked for
(PEP 695, PEP 696).
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence

from depyf.decompiler.definitions.classes import class_definition
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.lift.generics import GENERIC_BASE, Alias, TypeParameter
from depyf.decompiler.lift.resolve import Resolver
from depyf.decompiler.lift.values import Chain, Class, Function
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.versions import CODE_HAS_QUALNAME

if TYPE_CHECKING:
    from depyf.decompiler.definitions.assemble import Assembler

_PREFIX = "<generic parameters of "
_TYPE_PARAMETERS = ".type_params"
CO_OPTIMIZED = 0x1
# The parameter of an annotation scope, which no source can name, and the cell through which it sees names of a class.
FORMAT = ".format"
CLASS_NAMESPACE = "__classdict__"
_NODES = {"TYPEVAR": "TypeVar", "PARAMSPEC": "ParamSpec", "TYPEVARTUPLE": "TypeVarTuple"}


def generic_name(code: CodeType) -> Optional[str]:
    """What ``code`` makes generic; None when it is no scope of type parameters."""
    return code.co_name[len(_PREFIX) : -1] if code.co_name.startswith(_PREFIX) else None


def is_generic_call(value: ast.expr) -> bool:
    """Whether an expression is the call of a scope of type parameters."""
    return (
        isinstance(value, ast.Call) and isinstance(value.func, Function) and generic_name(value.func.code) is not None
    )


def generic_definition(assembler: Assembler, call: ast.Call, decorators: Sequence[ast.expr]) -> ast.stmt:
    """The definition that the called scope makes; its arguments are the defaults of a function."""
    assert isinstance(call.func, Function)
    code = call.func.code
    outer = dict(zip(code.co_varnames, call.args))
    statements = assembler.body(code)
    resolver = Resolver(assembler.expression)
    made = statements[-1].value if statements and isinstance(statements[-1], ast.Return) else None
    parameters: List[ast.expr] = []
    for statement in statements[:-1]:
        if (
            not isinstance(statement, ast.Assign)
            or not _is_scaffolding(statement)
            or not isinstance(statement.value, ast.Tuple)
        ):
            raise Refused(NO_SOURCE_FORM, f"{code.co_name} runs a statement")
        parameters = statement.value.elts
    if isinstance(made, Alias):
        return alias_definition(assembler, made)
    if isinstance(made, Function):
        return _generic_function(assembler, made, outer, decorators, resolver)
    if isinstance(made, Class):
        made.bases = [base for base in made.bases if not (isinstance(base, ast.Name) and base.id == GENERIC_BASE)]
        return with_type_parameters(assembler, class_definition(assembler, made, decorators, resolver), parameters)
    raise Refused(NO_SOURCE_FORM, f"{code.co_name} makes no definition")


def _is_scaffolding(statement: ast.Assign) -> bool:
    target = statement.targets[0]
    return isinstance(target, ast.Name) and target.id == _TYPE_PARAMETERS


def _generic_function(
    assembler: Assembler,
    function: Function,
    outer: Dict[str, ast.expr],
    decorators: Sequence[ast.expr],
    resolver: Resolver,
) -> ast.stmt:
    for part in ("defaults", "kwdefaults"):
        value = getattr(function, part)
        if isinstance(value, ast.Name) and value.id.startswith("."):
            setattr(function, part, outer.get(value.id) or _some_defaults(part, function.code))
    made = assembler.function(assembler.resolved(function, resolver), function.code.co_name, decorators)
    return with_type_parameters(assembler, made, function.type_params or [])


def _some_defaults(part: str, code: CodeType) -> ast.expr:
    """Defaults as far as a scope of type parameters that is looked at on its own tells them: there are some."""
    nothing = ast.Constant(None)
    if part == "defaults":
        return ast.Tuple([nothing], ast.Load())
    return ast.Dict(
        [ast.Constant(name) for name in code.co_varnames[code.co_argcount : code.co_argcount + 1]], [nothing]
    )


def with_type_parameters(assembler: Assembler, statement: ast.stmt, parameters: Sequence[ast.expr]) -> ast.stmt:
    """``statement`` with type parameters."""
    statement.type_params = [_parameter(assembler, value) for value in parameters]  # type: ignore[attr-defined]
    return statement


def _parameter(assembler: Assembler, value: ast.expr) -> ast.AST:
    while isinstance(value, Chain):
        value = value.value
    if not isinstance(value, TypeParameter):
        raise Refused(NO_SOURCE_FORM, f"{type(value).__name__} as a type parameter")
    made: ast.AST = getattr(ast, _NODES[value.kind])(name=value.name)
    if value.bound is not None:
        made.bound = assembler.computed(value.bound)  # type: ignore[attr-defined]
    if value.default is not None:
        made.default_value = assembler.computed(value.default)  # type: ignore[attr-defined]
    return made


def alias_definition(assembler: Assembler, alias: Alias) -> ast.stmt:
    """A ``type`` statement."""
    return with_type_parameters(assembler, _alias(alias.name, assembler.computed(alias.value)), alias.parameters)


def _alias(name: str, value: ast.expr) -> ast.stmt:
    kind = ast.TypeAlias  # type: ignore[attr-defined]
    made: ast.stmt = kind(name=ast.Name(name, ast.Store()), type_params=[], value=value)
    return made


def is_computed_later(code: CodeType) -> bool:
    """Whether ``code`` computes a bound, a default or an alias, as far as it does not look like a plain function."""
    if not code.co_flags & CO_OPTIMIZED or code.co_argcount != code.co_posonlyargcount:
        return False
    if code.co_argcount:
        return code.co_varnames[: code.co_argcount] == (FORMAT,)
    return _is_starred(code) or CLASS_NAMESPACE in code.co_freevars or _generic_around(code) is not None


def _is_starred(code: CodeType) -> bool:
    nodes = decoded(code).nodes
    return any(node.op == "UNPACK_SEQUENCE" and nodes[node.next[0]].op == "RETURN_VALUE" for node in nodes)


def _generic_around(code: CodeType) -> Optional[str]:
    """What the scope of type parameters around ``code`` makes generic, as names of functions in ``code`` tell it."""
    if not CODE_HAS_QUALNAME:
        return None
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    around = [part for nested in inner for part in nested.co_qualname.split(".")[-2:-1]]  # type: ignore[attr-defined]
    return next((part[len(_PREFIX) : -1] for part in around if part.startswith(_PREFIX)), None)


def computed_on_its_own(assembler: Assembler, code: CodeType) -> ast.stmt:
    """An alias that ``code`` computes; a bound or a default where it can be told from an alias."""
    around = _generic_around(code)
    if around is None and not _is_starred(code):
        return alias_definition(assembler, Alias(code.co_name, [], Function(code)))
    parameter = TypeParameter("TYPEVARTUPLE" if _is_starred(code) else "TYPEVAR", code.co_name)
    if _is_starred(code):
        parameter.default = Function(code)
    else:
        parameter.bound = Function(code)
    return with_type_parameters(assembler, _alias(around or "_", ast.Constant(None)), [parameter])


def with_some_type_parameters(assembler: Assembler, statement: ast.stmt, code: CodeType) -> ast.stmt:
    """The class whose body is ``code``, generic if its body needs that: in what it uses, and in one name otherwise."""
    if _TYPE_PARAMETERS not in code.co_freevars:
        return statement
    names = [name for name in code.co_freevars if not name.startswith((".", "__"))] or ["T"]
    return with_type_parameters(assembler, statement, [TypeParameter("TYPEVAR", name) for name in names])
