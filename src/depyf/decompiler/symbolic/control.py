"""Rows for branches, iteration, exceptions and context managers."""

from __future__ import annotations

from typing import Tuple

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.symbolic.effects import Edge, Effect
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.rules import R_HANDLED, R_IS, R_RERAISE
from depyf.decompiler.symbolic.state import ITERATOR, State
from depyf.decompiler.symbolic.values import (
    FALSE,
    LASTI,
    SINGLETONS,
    TRUE,
    Identity,
    Negation,
    Previous,
    Raised,
    Ref,
    Symbol,
    Value,
    negation,
    truth,
)
from depyf.decompiler.versions import HANDLER_PUSHES_SIX


@operation("BRANCH")
def branch(machine: Machine, state: State, node: Node) -> Step:
    (value,) = machine.operands(state, state.stack[-1:])
    known = truth(value)
    if known is not None:
        state.stack.pop()
        return node.next[0] if known else node.next[1]
    if_true, if_false = node.next
    while type(value) is Negation:
        value = value.parts[0]  # type: ignore[assignment]
        if_true, if_false = if_false, if_true
    quiet = isinstance(value, Identity) or (isinstance(value, Symbol) and value.kind == "bool")
    edges = (Edge(if_true, 1), Edge(if_false, 1))
    return Effect(("BRANCH",), (value,), (), edges, not quiet, None if quiet else node.handler)


@operation("UNARY_NOT", "TO_BOOL")
def truth_test(machine: Machine, state: State, node: Node) -> Step:
    (value,) = machine.operands(state, state.stack[-1:])
    opposite = negation(value)
    if opposite is not None:
        state.stack[-1] = opposite if node.op == "UNARY_NOT" else negation(opposite)  # type: ignore[assignment]
        machine.used(R_IS)
        return None

    def push(after: State, results: Tuple[Symbol, ...]) -> None:
        after.stack.append(Negation(results[0]) if node.op == "UNARY_NOT" else results[0])

    return machine.effect(state, node, ("TO_BOOL",), (value,), 1, (), ("bool",), push)


@operation("IS_OP")
def is_op(machine: Machine, state: State, node: Node) -> Step:
    left, right = machine.operands(state, state.stack[-2:])
    result = _identity(left, right)
    if node.arg:
        result = negation(result)  # type: ignore[assignment]
    state.stack[-2:] = [result]
    machine.used(R_IS)
    return None


def _identity(left: Value, right: Value) -> Value:
    """Whether two values are one object; a constant where that is known."""
    if left is right or (left == right and not isinstance(left, Const)):
        return TRUE
    one, other = _singleton(left), _singleton(right)
    if one and other:
        return TRUE if left == right else FALSE
    if type(left) is Ref or type(right) is Ref:
        return FALSE
    return Identity(left, right)


def _singleton(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) in SINGLETONS


@operation("CONTAINS_OP")
def contains_op(machine: Machine, state: State, node: Node) -> Step:
    def push(after: State, results: Tuple[Symbol, ...]) -> None:
        after.stack.append(Negation(results[0]) if node.arg else results[0])

    return machine.effect(state, node, ("CONTAINS_OP",), state.stack[-2:], 2, (), ("bool",), push)


@operation("FOR_ITER")
def for_iter(machine: Machine, state: State, node: Node) -> Step:
    item, exhausted = node.next
    iterator = state.known(state.stack[-1], ITERATOR)
    if iterator is not None:
        if not iterator.items:
            state.stack.pop()
            return exhausted
        reference = state.stack[-1]
        assert isinstance(reference, Ref)
        state.heap[reference] = iterator._replace(items=iterator.items[1:])
        state.stack.append(iterator.items[0])
        return item
    edges = (Edge(item, 0, (0,)), Edge(exhausted, 1))
    return Effect(("FOR_ITER",), machine.operands(state, state.stack[-1:]), (None,), edges, True, node.handler)


@operation("SEND")
def send(machine: Machine, state: State, node: Node) -> Step:
    suspended, finished = node.next
    edges = (Edge(suspended, 1, (0,)), Edge(finished, 1, (0,)))
    return Effect(("SEND",), machine.operands(state, state.stack[-2:]), (None,), edges, True, node.handler)


@operation("END_SEND")
def end_send(machine: Machine, state: State, node: Node) -> Step:
    del state.stack[-2]
    return None


@operation("RETURN_VALUE")
def return_value(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("RETURN",), state.stack[-1:], 1, (), ())


@operation("RAISE_VARARGS")
def raise_varargs(machine: Machine, state: State, node: Node) -> Step:
    count: int = node.arg  # type: ignore[assignment]
    if count == 0 and state.handled:
        return _raise_again(machine, state, node, state.handled[-1][1])
    values = state.stack[len(state.stack) - count :] if count else []
    return machine.effect(state, node, ("RAISE", count), values, count, (), ())


@operation("RERAISE")
def reraise(machine: Machine, state: State, node: Node) -> Step:
    if not HANDLER_PUSHES_SIX:
        return _raise_again(machine, state, node, state.resolve(state.stack[-1]))
    traceback, value, kind = state.stack[-3:]
    if traceback != Raised(value, "traceback") or kind != Raised(value, "type"):
        raise machine.refused(state, STACK_SHAPE, "RERAISE of parts of different exceptions")
    return _raise_again(machine, state, node, value)


def _raise_again(machine: Machine, state: State, node: Node, exception: Value) -> Step:
    if not isinstance(exception, Symbol):
        raise machine.refused(state, STACK_SHAPE, f"RERAISE is given {exception!r}")
    machine.used(R_RERAISE)
    if node.handler is None or machine.listener is not None:
        return Effect(("RERAISE",), (exception,), (), (), True, node.handler)
    machine.unwind(state, node.handler.target, node.handler.depth, node.handler.lasti, exception)
    return state.node


@operation("PUSH_EXC_INFO")
def push_exc_info(machine: Machine, state: State, node: Node) -> Step:
    exception = state.stack[-1]
    state.stack[-1:] = [Previous(state.handled), exception]
    state.handled += ((0, exception),)
    machine.used(R_HANDLED)
    return None


@operation("POP_EXCEPT")
def pop_except(machine: Machine, state: State, node: Node) -> Step:
    slots = 3 if HANDLER_PUSHES_SIX else 1
    previous = state.stack[-1]
    if type(previous) is not Previous or any(slot != previous for slot in state.stack[-slots:]):
        raise machine.refused(state, STACK_SHAPE, f"POP_EXCEPT is given {previous!r}")
    del state.stack[-slots:]
    state.handled = previous.parts[0]  # type: ignore[assignment]
    machine.used(R_HANDLED)
    return None


@operation("CHECK_EXC_MATCH")
def check_exc_match(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("EXC_MATCH",), state.stack[-2:], 1, (0,), ("bool",))


@operation("EXC_MATCH")
def exc_match(machine: Machine, state: State, node: Node) -> Step:
    """Until 3.10 the type of the exception is on the stack."""
    kind, wanted = state.stack[-2:]
    if type(kind) is not Raised or kind.parts[1] != "type":
        raise machine.refused(state, STACK_SHAPE, f"EXC_MATCH is given {kind!r}")
    return machine.effect(state, node, ("EXC_MATCH",), (kind.parts[0], wanted), 2, (0,), ("bool",))  # type: ignore[arg-type]


@operation("BEFORE_WITH", "BEFORE_ASYNC_WITH")
def before_with(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, (node.op,), state.stack[-1:], 1, (0, 1), (None, None))


@operation("WITH_EXCEPT_START")
def with_except_start(machine: Machine, state: State, node: Node) -> Step:
    """Calls the exit function that lies below the saved state and the exception."""
    if HANDLER_PUSHES_SIX:
        exit_, exception = state.stack[-7], state.stack[-2]
    else:
        if state.stack[-3] is not LASTI:
            raise machine.refused(state, STACK_SHAPE, "WITH_EXCEPT_START in no handler of a with")
        exit_, exception = state.stack[-4], state.stack[-1]
    return machine.effect(state, node, ("WITH_EXCEPT_START",), (exit_, exception), 0)
