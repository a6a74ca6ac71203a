"""Type parameters and aliases (PEP 695, PEP 696): operations of the function around a generic definition.

LOAD_CONST 'T'; TYPEVAR; COPY 1; STORE_FAST T; BUILD_TUPLE 1          parameters (T,)
MAKE_FUNCTION f; SWAP 2; SET_FUNCTION_TYPE_PARAMS; RETURN_VALUE       def f[T]
"""

from __future__ import annotations

import ast
from typing import List, Optional, cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.expressions import LOAD, is_none
from depyf.decompiler.lift.machine import Machine, operation
from depyf.decompiler.lift.values import Function
from depyf.decompiler.refusals import STACK_SHAPE

# What a generic class is subscripted from; the source never shows it.
GENERIC_BASE = ".generic_base"


class TypeParameter(ast.expr):
    """One type parameter; ``bound`` and ``default`` are the functions that compute them when they are asked for."""

    _fields = ()

    def __init__(self, kind: str, name: str, bound: Optional[Function] = None) -> None:
        super().__init__()
        self.kind = kind
        self.name = name
        self.bound = bound
        self.default: Optional[Function] = None


class Alias(ast.expr):
    """``type name[parameters] = value``; ``value`` is the function that computes it."""

    _fields = ()

    def __init__(self, name: str, parameters: List[ast.expr], value: Function) -> None:
        super().__init__()
        self.name = name
        self.parameters = parameters
        self.value = value


@operation("TYPEVAR", "PARAMSPEC", "TYPEVARTUPLE")
def _type_parameter(machine: Machine, node: Node) -> None:
    machine.push(TypeParameter(node.op, _name(machine, machine.operand())))


@operation("TYPEVAR_WITH_BOUND", "TYPEVAR_WITH_CONSTRAINTS")
def _bounded(machine: Machine, _node: Node) -> None:
    name, bound = machine.operands(2)
    machine.push(TypeParameter("TYPEVAR", _name(machine, name), _function(machine, bound)))


@operation("SET_TYPEPARAM_DEFAULT")
def _with_default(machine: Machine, _node: Node) -> None:
    parameter, default = machine.operands(2)
    if not isinstance(parameter, TypeParameter):
        raise machine.refused(STACK_SHAPE, "gives a default to something that is no type parameter")
    parameter.default = _function(machine, default)
    machine.push(parameter)


@operation("SUBSCRIPT_GENERIC")
def _generic_base(machine: Machine, _node: Node) -> None:
    machine.pop()
    machine.push(ast.Name(GENERIC_BASE, LOAD))


@operation("SET_FUNCTION_TYPE_PARAMS")
def _generic_function(machine: Machine, _node: Node) -> None:
    function, parameters = machine.operands(2)
    if not isinstance(parameters, ast.Tuple):
        raise machine.refused(STACK_SHAPE, "takes type parameters that are no tuple")
    made = _function(machine, function)
    made.type_params = parameters.elts
    machine.push(made)


@operation("TYPEALIAS")
def _alias(machine: Machine, _node: Node) -> None:
    described = machine.operand()
    if not isinstance(described, ast.Tuple) or len(described.elts) != 3:
        raise machine.refused(STACK_SHAPE, "makes an alias of something else than name, parameters and value")
    name, parameters, value = described.elts
    found = [] if is_none(parameters) else cast(ast.Tuple, parameters).elts
    machine.push(Alias(_name(machine, name), found, _function(machine, value)))


def _name(machine: Machine, value: ast.expr) -> str:
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        raise machine.refused(STACK_SHAPE, "takes a name that is no constant")
    return value.value


def _function(machine: Machine, value: ast.expr) -> Function:
    if not isinstance(value, Function):
        raise machine.refused(STACK_SHAPE, "takes something that is no function")
    return value
