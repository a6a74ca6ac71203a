"""Functions while they are made: code, defaults, annotations and closure come together.

LOAD_CONST <code f>; MAKE_FUNCTION 0        =>        a function, still without its name
"""

from __future__ import annotations

from typing import cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.machine import Machine, operation
from depyf.decompiler.lift.values import (
    BuildClass,
    Cells,
    CodeValue,
    Function,
    Value,
)
from depyf.decompiler.refusals import STACK_SHAPE


@operation("LOAD_BUILD_CLASS")
def _load_build_class(machine: Machine, _node: Node) -> None:
    machine.push(BuildClass())


_FUNCTION_PARTS = ((1, "defaults"), (2, "kwdefaults"), (4, "annotations"), (8, "closure"))


@operation("MAKE_FUNCTION_NAMED", "MAKE_FUNCTION")
def _make_function(machine: Machine, node: Node) -> None:
    if node.op == "MAKE_FUNCTION_NAMED":
        machine.pop()
    code = machine.pop()
    if not isinstance(code, CodeValue):
        raise machine.refused(STACK_SHAPE, "makes a function of something that is no code")
    function = Function(code.code)
    for flag, part in reversed(_FUNCTION_PARTS):
        if cast(int, node.arg) & flag:
            set_function_part(machine, function, part, machine.pop())
    machine.push(function)


_FUNCTION_ATTRIBUTES = {1: "defaults", 2: "kwdefaults", 4: "annotations", 8: "closure", 16: "annotate"}


@operation("SET_FUNCTION_ATTRIBUTE")
def _set_function_attribute(machine: Machine, node: Node) -> None:
    function = machine.pop()
    part = _FUNCTION_ATTRIBUTES.get(cast(int, node.arg))
    if not isinstance(function, Function) or part is None:
        raise machine.refused(STACK_SHAPE, "sets no attribute of a function")
    set_function_part(machine, function, part, machine.pop())
    machine.push(function)


def set_function_part(machine: Machine, function: Function, part: str, value: Value) -> None:
    """Give a function its defaults, annotations or closure."""
    if part == "closure":
        if not isinstance(value, Cells):
            raise machine.refused(STACK_SHAPE, "closes over something that is no tuple of cells")
        function.closure = value.names
    else:
        setattr(function, part, value)
