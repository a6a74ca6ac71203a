"""Rows for items of containers: loads, stores and deletes by index, key and slice, unpacking, and `+`.

l = [a, b]; l[1]         b, silently: the contents of a fresh list are known (R-FRESH)
x[1] of an unknown x     an effect
"""

from __future__ import annotations

from typing import Callable, Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import PARTLY_KNOWN
from depyf.decompiler.symbolic.containers import Items, grow, with_item
from depyf.decompiler.symbolic.effects import Update
from depyf.decompiler.symbolic.graphs import output
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.paths import loaded_before
from depyf.decompiler.symbolic.rules import A_OUTPUT, A_PATH, R_APPEND, R_FRESH, Rule
from depyf.decompiler.symbolic.state import Container, State
from depyf.decompiler.symbolic.values import Ref, Symbol, Value, is_literal_key


@operation("BINARY_SUBSCR")
def binary_subscr(machine: Machine, state: State, node: Node) -> Step:
    container, key = state.stack[-2], state.stack[-1]
    for rule, look in _LOOKS:
        item = look(state, container, key)
        if item is not None:
            state.stack[-2:] = [item]
            machine.used(rule)
            return None
    return machine.effect(state, node, ("BINARY_SUBSCR",), (container, key), 2)


def _item(state: State, container: Value, key: Value) -> Optional[Value]:
    """``container[key]`` if both are known well enough."""
    found = state.known(container, "list", "tuple", "dict")
    if found is None:
        return None
    if found.kind == "dict":
        place = _dict_place(found, key)
        return None if place is None else found.items[place][1]
    place = _index(found, key)
    if place is not None:
        return cast(Value, found.items[place])
    part = _range(state, key)
    if part is None or type(container) is not Ref:
        return None
    return state.build(found.kind, found.items[part])


# How an item can be known without an operation, and the rule that says so.
_LOOKS: Tuple[Tuple[Rule, Callable[[State, Value, Value], Optional[Value]]], ...] = (
    (R_FRESH, _item),
    (A_OUTPUT, output),
    (A_PATH, lambda state, container, key: loaded_before(state, ("BINARY_SUBSCR",), (container, key))),
)


def _index(found: Container, key: Value) -> Optional[int]:
    if type(key) is Const and type(key.value) is int and -len(found.items) <= key.value < len(found.items):
        return key.value % len(found.items)
    return None


def _dict_place(found: Container, key: Value) -> Optional[int]:
    if is_literal_key(key):
        for number, (known, _) in enumerate(cast(Items, found.items)):
            if known.value == key.value:  # type: ignore[union-attr]
                return number
    return None


def _range(state: State, key: Value) -> Optional[slice]:
    """A slice with step 1 whose bounds are known integers."""
    found = state.contents(key)
    if found is None or found.kind != "slice":
        return None
    if not all(type(item) is Const and type(item.value) in (int, type(None)) for item in found.items):
        return None
    start, stop, step = (item.value for item in found.items)
    return slice(start, stop) if step in (None, 1) else None


@operation("STORE_SUBSCR")
def store_subscr(machine: Machine, state: State, node: Node) -> Step:
    value, container, key = state.stack[-3:]
    found = state.known(container, "list", "dict")
    items = None if found is None else _stored(state, found, value, key)
    if found is None or items is None or type(container) is not Ref:
        return machine.effect(state, node, ("STORE_SUBSCR",), (value, container, key), 3, (), ())
    machine.operands(state, (value,))
    if state.holds(value, container):
        raise machine.refused(state, PARTLY_KNOWN, "a container that holds itself")
    state.heap[container] = Container(found.kind, items)
    del state.stack[-3:]
    machine.used(R_FRESH)
    return None


def _stored(state: State, found: Container, value: Value, key: Value) -> Optional[Tuple[object, ...]]:
    if found.kind == "dict":
        return with_item(found.items, key, value) if is_literal_key(key) else None
    place = _index(found, key)
    if place is not None:
        return (*found.items[:place], value, *found.items[place + 1 :])
    part, added = _range(state, key), state.known(value, "list", "tuple")
    if part is None or added is None:
        return None
    items = list(found.items)
    items[part] = added.items
    return tuple(items)


@operation("DELETE_SUBSCR")
def delete_subscr(machine: Machine, state: State, node: Node) -> Step:
    container, key = state.stack[-2:]
    found = state.known(container, "list", "dict")
    items = None if found is None else _deleted(state, found, key)
    if found is None or items is None or type(container) is not Ref:
        return machine.effect(state, node, ("DELETE_SUBSCR",), (container, key), 2, (), ())
    state.heap[container] = Container(found.kind, items)
    del state.stack[-2:]
    machine.used(R_FRESH)
    return None


def _deleted(state: State, found: Container, key: Value) -> Optional[Tuple[object, ...]]:
    place = _dict_place(found, key) if found.kind == "dict" else _index(found, key)
    if place is not None:
        return found.items[:place] + found.items[place + 1 :]
    part = None if found.kind == "dict" else _range(state, key)
    if part is None:
        return None
    items = list(found.items)
    del items[part]
    return tuple(items)


@operation("UNPACK_SEQUENCE")
def unpack_sequence(machine: Machine, state: State, node: Node) -> Step:
    count: int = node.arg  # type: ignore[assignment]
    found = state.known(state.stack[-1], "list", "tuple")
    if found is not None and len(found.items) == count:
        state.stack.pop()
        state.stack.extend(reversed(found.items))
        machine.used(R_FRESH)
        return None
    pushes = tuple(range(count - 1, -1, -1))
    return machine.effect(state, node, ("UNPACK_SEQUENCE", count), (state.stack[-1],), 1, pushes, (None,) * count)


@operation("UNPACK_EX")
def unpack_ex(machine: Machine, state: State, node: Node) -> Step:
    before, after = cast(Tuple[int, int], node.arg)
    kinds = (None,) * before + ("list",) + (None,) * after
    pushes = tuple(range(len(kinds) - 1, -1, -1))
    return machine.effect(state, node, ("UNPACK_EX", before, after), (state.stack[-1],), 1, pushes, kinds)


@operation("BINARY_OP")
def binary_op(machine: Machine, state: State, node: Node) -> Step:
    left, right = state.stack[-2:]
    if node.arg == "+=":
        added = state.known(right, "list")
        grown = state.contents(left)
        if added is not None and grown is not None and grown.kind == "list" and type(left) is Ref:
            state.stack.pop()
            grow(machine, state, left, grown, added.items)
            return None
        whole = state.resolve(left)
        if added is not None and len(added.items) == 1 and isinstance(whole, Symbol) and whole.kind == "list":
            machine.used(R_APPEND)
            keep: Update = _push(whole)
            return machine.effect(state, node, ("LIST_APPEND",), (whole, added.items[0]), 2, (), (), keep)
    if node.arg == "+":
        one, other = state.contents(left), state.contents(right)
        if (
            one is not None
            and other is not None
            and one.kind == other.kind
            and one.kind in ("list", "tuple")
            and type(left) is Ref
        ):
            state.stack[-2:] = [state.build(one.kind, one.items + other.items)]
            machine.used(R_FRESH)
            return None
    return machine.effect(state, node, ("BINARY_OP", node.arg), (left, right), 2)


def _push(value: Value) -> Update:
    return lambda state, _results: state.stack.append(value)
