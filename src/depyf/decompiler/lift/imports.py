"""Imports, and the statements of interactive code.

IMPORT_NAME a.b; IMPORT_FROM c; STORE_NAME d; POP_TOP       =>        from a.b import c as d
"""

from __future__ import annotations

import ast
from typing import cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.machine import Machine, is_constant, operation
from depyf.decompiler.lift.values import (
    DONE,
    Import,
    ImportedName,
)
from depyf.decompiler.refusals import STACK_SHAPE


@operation("IMPORT_NAME")
def _import_name(machine: Machine, node: Node) -> None:
    level, fromlist = machine.operands(2)
    if not is_constant(level) or not is_constant(fromlist):
        raise machine.refused(STACK_SHAPE, "takes a level and names that are no constants")
    number, names = ast.literal_eval(level), ast.literal_eval(fromlist)
    if type(number) is not int or (names is not None and not _is_tuple_of_names(names)):
        raise machine.refused(STACK_SHAPE, "takes a level that is no number, or names that are no strings")
    machine.push(Import(cast(str, node.arg), number, names))


def _is_tuple_of_names(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


@operation("IMPORT_FROM")
def _import_from(machine: Machine, node: Node) -> None:
    owner = machine.peek(1)
    if isinstance(owner, ImportedName):
        # import a.b.c as d: each IMPORT_FROM steps into the package that the one before found.
        owner = owner.owner
    if not isinstance(owner, Import):
        raise machine.refused(STACK_SHAPE, "reads from something that was not imported")
    machine.push(ImportedName(owner, cast(str, node.arg)))


@operation("IMPORT_STAR", "IMPORT_STAR_RESULT")
def _import_star(machine: Machine, node: Node) -> None:
    module = machine.pop()
    if not isinstance(module, Import):
        raise machine.refused(STACK_SHAPE, "reads from something that was not imported")
    machine.emit(ast.ImportFrom(module.name or None, [ast.alias("*", None)], module.level))
    if node.op == "IMPORT_STAR_RESULT":
        machine.push(DONE)


@operation("PRINT_EXPR", "PRINT")
def _print_expression(machine: Machine, node: Node) -> None:
    machine.emit(ast.Expr(machine.operand()))
    if node.op == "PRINT":
        machine.push(DONE)


@operation("SETUP_ANNOTATIONS")
def _setup_annotations(_machine: Machine, _node: Node) -> None:
    """The compiler emits it for any annotated name of a class or module."""


def finish_import(machine: Machine, module: Import) -> None:
    """Emit the ``from … import`` whose module is dropped."""
    if module.fromlist is not None:
        if not module.aliases and module.fromlist:
            raise machine.refused(STACK_SHAPE, "drops an import that binds nothing")
        machine.emit(ast.ImportFrom(module.name or None, module.aliases, module.level))
