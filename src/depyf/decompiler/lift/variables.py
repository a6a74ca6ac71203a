"""Data movement, and everything that is stored, deleted or taken apart.

LOAD_FAST a; STORE_ATTR b         =>        a.b = …
"""

from __future__ import annotations

import ast
from typing import List, Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const, is_code
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.expressions import DELETE, LOAD, STORE, constant, index_of, is_none
from depyf.decompiler.lift.imports import finish_import
from depyf.decompiler.lift.machine import Machine, binds, is_constant, operation
from depyf.decompiler.lift.parallel import dropped, name_dropped
from depyf.decompiler.lift.pattern_trees import constant_statement
from depyf.decompiler.lift.values import (
    NULL,
    Cell,
    Chain,
    CodeValue,
    Done,
    Entered,
    Entry,
    Exit,
    ExitCall,
    Import,
    ImportedName,
    Iter,
    Lasti,
    Null,
    Part,
    Previous,
    Raised,
    Saved,
    Subject,
    Unpack,
    Value,
)
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE, PATTERN_MATCHING


@operation("NOP", "MAKE_CELL", "ENTER_HANDLER")
def _nothing(_machine: Machine, _node: Node) -> None:
    pass


@operation("LOAD_CONST")
def _load_const(machine: Machine, node: Node) -> None:
    value = cast(Const, node.arg).value
    if is_code(value):
        machine.push(CodeValue(value))  # type: ignore[arg-type]
    else:
        expression = constant(value)
        expression.from_constant = True
        machine.push(expression)


@operation("PUSH_NULL")
def _push_null(machine: Machine, _node: Node) -> None:
    machine.push(NULL)


@operation("COPY")
def _copy(machine: Machine, node: Node) -> None:
    value = machine.peek(cast(int, node.arg))
    machine.copied[id(value)] = value
    machine.stack.append(value)


@operation("SWAP")
def _swap(machine: Machine, node: Node) -> None:
    depth = cast(int, node.arg)
    machine.peek(depth)
    stack = machine.stack
    stack[-1], stack[-depth] = stack[-depth], stack[-1]


@operation("POP_TOP")
def _pop_top(machine: Machine, _node: Node) -> None:
    value = machine.pop()
    if isinstance(value, (Iter, Exit, ExitCall)):
        machine.ends_scope = True
    elif isinstance(value, Import):
        finish_import(machine, value)
    elif isinstance(value, Part):
        bind_part(machine, dropped(), value)
    elif isinstance(value, Chain) and id(value) not in machine.copied:
        machine.emit(_statement_of_chain(value))
    elif isinstance(value, ast.expr):
        if id(value) in machine.copied or (is_none(value) and _is_placeholder(machine, value)):
            return
        if machine.parallel is not None:
            machine.drop_in_parallel(value)
        else:
            machine.emit(constant_statement(value) if PATTERN_MATCHING and is_constant(value) else ast.Expr(value))
    elif not isinstance(value, (Done, Null, Subject, Raised, Entered, Exit, Lasti, Previous, ImportedName)):
        raise machine.refused(STACK_SHAPE, f"drops {type(value).__name__}")


def _is_placeholder(machine: Machine, value: ast.expr) -> bool:
    """Whether a None waited below a ``try``, whose body may have been left out since it does nothing."""
    return machine.inherited(value) or (FINALLY_IS_A_SUBROUTINE and is_constant(value))


def _statement_of_chain(chain: Chain) -> ast.stmt:
    if all(isinstance(target, ast.Name) for target in chain.targets):
        return ast.Expr(chain)
    return ast.Assign(chain.targets, chain.value, lineno=0)


@operation("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
def _store_variable(machine: Machine, node: Node) -> None:
    if node.arg == ".generic_base":
        # The subscripted Generic of a generic class (PEP 695): the source never shows it.
        machine.pop()
        return
    machine.store(ast.Name(cast(str, node.arg), STORE))


@operation("DELETE_FAST", "DELETE_NAME", "DELETE_GLOBAL", "DELETE_DEREF")
def _delete_variable(machine: Machine, node: Node) -> None:
    machine.emit(ast.Delete([ast.Name(cast(str, node.arg), DELETE)]))


@operation("LOAD_CLOSURE")
def _load_closure(machine: Machine, node: Node) -> None:
    machine.push(Cell(cast(str, node.arg)))


@operation("LOAD_LOCALS")
def _load_locals(machine: Machine, _node: Node) -> None:
    machine.push(ast.Name("__classdict__", LOAD))


@operation("LOAD_FAST_AND_CLEAR")
def _load_fast_and_clear(machine: Machine, node: Node) -> None:
    machine.push(Saved(cast(str, node.arg)))


@operation("STORE_ATTR")
def _store_attribute(machine: Machine, node: Node) -> None:
    owner = machine.operand()
    machine.store(ast.Attribute(owner, cast(str, node.arg), STORE))


@operation("DELETE_ATTR")
def _delete_attribute(machine: Machine, node: Node) -> None:
    owner = machine.operand()
    machine.emit(ast.Delete([ast.Attribute(owner, cast(str, node.arg), DELETE)]))


@operation("STORE_SUBSCR")
def _store_subscript(machine: Machine, _node: Node) -> None:
    container, index = machine.operands(2)
    if isinstance(container, ast.Dict) and len(machine.stack) > 1 and machine.stack[-2] is container:
        machine.body.append(Entry(index, machine.operand()))
        return
    machine.store(ast.Subscript(container, index_of(index), STORE))


@operation("DELETE_SUBSCR")
def _delete_subscript(machine: Machine, _node: Node) -> None:
    container, index = machine.operands(2)
    machine.emit(ast.Delete([ast.Subscript(container, index_of(index), DELETE)]))


@operation("UNPACK_SEQUENCE")
def _unpack_sequence(machine: Machine, node: Node) -> None:
    _unpack(machine, cast(int, node.arg), None)


@operation("UNPACK_EX")
def _unpack_ex(machine: Machine, node: Node) -> None:
    before, after = cast(Tuple[int, int], node.arg)
    _unpack(machine, before + 1 + after, before)


@binds(Part)
def bind_part(machine: Machine, target: ast.expr, part: Part) -> None:
    """Store one value of an UNPACK, and the whole of it with the last one."""
    owner = part.owner
    owner.bind(part.index, target)
    owner.missing -= 1
    if not owner.missing:
        elements = cast(List[ast.expr], owner.elements)
        name_dropped(elements)
        machine.complete(ast.Tuple(elements, STORE), cast(Value, owner.source))


def _unpack(machine: Machine, count: int, star: Optional[int]) -> None:
    source = machine.pop()
    owner = Unpack(source, count, star)
    if not count:
        machine.complete(ast.Tuple([], STORE), source)
    for index in reversed(range(count)):
        machine.push(Part(owner, index))
