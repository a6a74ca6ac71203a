"""Iteration, delegation, contexts and exceptions: what marks the inside of a statement on the stack.

GET_ITER          =>        the iterator of a ``for``, inside of which everything above it is
BEFORE_WITH       =>        the ``__exit__`` of a ``with``
"""

from __future__ import annotations

import ast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.lift.machine import Machine, operation
from depyf.decompiler.lift.values import (
    Awaitable,
    Comprehension,
    Delegate,
    Done,
    Entered,
    ExceptionTest,
    Exit,
    Item,
    Iter,
    Next,
    Previous,
    Raised,
)
from depyf.decompiler.refusals import STACK_SHAPE


@operation("GET_ITER")
def _get_iter(machine: Machine, _node: Node) -> None:
    machine.push(Iter(machine.operand()))


@operation("COMPREHENSION")
def _comprehension(machine: Machine, node: Node) -> None:
    iterator = machine.pop()
    if not isinstance(iterator, Iter):
        raise machine.refused(STACK_SHAPE, "iterates over something that is no iterator")
    machine.push(Comprehension(node.arg, iterator))


@operation("GET_AITER")
def _get_aiter(machine: Machine, _node: Node) -> None:
    machine.push(Iter(machine.operand(), is_async=True))


@operation("GET_ANEXT")
def _get_anext(machine: Machine, _node: Node) -> None:
    loop = machine.peek(1)
    if not isinstance(loop, Iter):
        raise machine.refused(STACK_SHAPE, "asks something that is no iterator")
    machine.push(Next(loop))


@operation("GET_AWAITABLE")
def _get_awaitable(machine: Machine, _node: Node) -> None:
    machine.push(Awaitable(machine.pop()))


@operation("GET_YIELD_FROM_ITER")
def _get_yield_from_iter(machine: Machine, _node: Node) -> None:
    machine.push(Delegate(machine.operand()))


@operation("YIELD_FROM")
def _yield_from(machine: Machine, _node: Node) -> None:
    machine.pop()
    source = machine.pop()
    if isinstance(source, Delegate):
        machine.push(ast.YieldFrom(source.value))
    elif isinstance(source, Awaitable) and isinstance(source.value, ast.expr):
        machine.push(ast.Await(source.value))
    elif isinstance(source, Awaitable) and isinstance(source.value, Entered):
        machine.enter(source.value.exit)
    elif isinstance(source, Awaitable):
        machine.push(source.value)
    elif isinstance(source, Next):
        machine.push(Item(source.loop))
    else:
        raise machine.refused(STACK_SHAPE, f"delegates to {type(source).__name__}")


@operation("BEFORE_WITH", "BEFORE_ASYNC_WITH")
def _before_with(machine: Machine, node: Node) -> None:
    exit_ = Exit(machine.operand(), node.op == "BEFORE_ASYNC_WITH")
    machine.push(exit_)
    if exit_.is_async:
        machine.push(Entered(exit_))
    else:
        machine.enter(exit_)


@operation("PUSH_EXC_INFO")
def _push_exc_info(machine: Machine, _node: Node) -> None:
    raised = machine.pop()
    if not isinstance(raised, Raised):
        raise machine.refused(STACK_SHAPE, f"takes {type(raised).__name__}")
    machine.push(Previous(raised.handler))
    machine.push(raised)


@operation("POP_EXCEPT")
def _pop_except(machine: Machine, _node: Node) -> None:
    pops, _pushes = MICRO_OPS["POP_EXCEPT"].effect(None)
    for _slot in range(pops):
        if not isinstance(machine.pop(), Previous):
            raise machine.refused(STACK_SHAPE, "restores something that is no exception state")
    machine.ends_scope = True


@operation("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
def _check_exc_match(machine: Machine, node: Node) -> None:
    machine.push(ExceptionTest(machine.operand(), node.op == "CHECK_EG_MATCH"))


@operation("EXC_MATCH")
def _exc_match(machine: Machine, _node: Node) -> None:
    kind = machine.operand()
    machine.pop()
    machine.push(ExceptionTest(kind))


@operation("WITH_EXCEPT_START")
def _with_except_start(machine: Machine, _node: Node) -> None:
    machine.push(Done())
