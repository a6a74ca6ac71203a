"""What storing a value that is no expression means: a loop target, an import, the name of a clause.

FOR_ITER; STORE_FAST x                  =>        for x in …
IMPORT_NAME os; STORE_NAME os           =>        import os
UNPACK_SEQUENCE 2; STORE a; STORE b     =>        a, b = …
"""

from __future__ import annotations

import ast
from typing import Any

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.machine import Machine, binds, operation
from depyf.decompiler.lift.values import (
    Cell,
    Entered,
    Import,
    ImportedName,
    Item,
    Raised,
    Saved,
    Subject,
)
from depyf.decompiler.refusals import STACK_SHAPE


class BindException(ast.stmt):
    """``except … as name``: the name that a handler's clause binds."""

    _fields = ()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


@binds(Item)
def _bind_item(machine: Machine, target: ast.expr, item: Item) -> None:
    machine.body.append(LoopTarget(target))


class LoopTarget(ast.stmt):
    """What a loop's item is stored into; first statement of the body."""

    _fields = ()

    def __init__(self, target: ast.expr) -> None:
        super().__init__()
        self.target = target


@binds(Entered)
def _bind_entered(_machine: Machine, target: ast.expr, entered: Entered) -> None:
    entered.exit.target = target


@binds(Raised)
def _bind_raised(machine: Machine, target: ast.expr, raised: Raised) -> None:
    if not isinstance(target, ast.Name):
        raise machine.refused(STACK_SHAPE, "binds an exception to something that is no name")
    machine.body.append(BindException(target.id))


@binds(Import)
def _bind_import(machine: Machine, target: ast.expr, module: Import) -> None:
    name = _name_of(machine, target)
    alias = ast.alias(module.name, None if module.name.partition(".")[0] == name else name)
    machine.emit(ast.Import([alias]))


@binds(ImportedName)
def _bind_imported_name(machine: Machine, target: ast.expr, imported: ImportedName) -> None:
    name = _name_of(machine, target)
    owner = imported.owner
    if owner.fromlist is None:
        machine.emit(ast.Import([ast.alias(owner.name, name)]))
    else:
        owner.aliases.append(ast.alias(imported.name, None if imported.name == name else name))


def _name_of(machine: Machine, target: ast.expr) -> str:
    if not isinstance(target, ast.Name):
        raise machine.refused(STACK_SHAPE, "binds an import to something that is no name")
    return target.id


class BindSubject(ast.stmt):
    """``case name`` or ``case _``: a pattern that always matches."""

    _fields = ()

    def __init__(self, pattern: Any) -> None:
        super().__init__()
        self.pattern = pattern


@operation("MATCH_SUBJECT")
def _match_subject(machine: Machine, _node: Node) -> None:
    machine.push(Subject(machine.operand()))


@operation("MATCH_CAPTURE")
def _match_capture(machine: Machine, node: Node) -> None:
    machine.pop()
    machine.body.append(BindSubject(node.arg.pattern))  # type: ignore[attr-defined]


@binds(Saved)
def _bind_saved(_machine: Machine, _target: ast.expr, _saved: Saved) -> None:
    """A local parked for a comprehension is restored: the source never shows it."""


@binds(Cell)
def _bind_cell(_machine: Machine, _target: ast.expr, _cell: Cell) -> None:
    """A class body hands its cells to the metaclass in __classcell__: the source never shows it."""
