"""Rows for displays and for what is done to containers.

    BUILD_LIST 1; COPY 1; LOAD_CONST 0; BINARY_SUBSCR     silent: the list is new, its item is known (R-FRESH)
    LIST_EXTEND 1 of an unknown x                         effect: x is iterated; the list then ends in Spread(result)

What is not known about a container turns the same instruction into an effect on it, by which it is handed out.
"""

from __future__ import annotations

from typing import Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import PARTLY_KNOWN, STACK_SHAPE
from depyf.decompiler.symbolic.effects import Edge, Effect
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.rules import (
    R_APPEND,
    R_CONSTSET,
    R_CONSTTUPLE,
    R_DISPLAY,
    R_FRESH,
)
from depyf.decompiler.symbolic.state import Container, Spread, State
from depyf.decompiler.symbolic.values import NONE, Inserting, Ref, Symbol, Term, Value, is_literal_key, is_object

# Pairs of a dict.
Items = Tuple[Tuple[Const, Value], ...]


def popped(machine: Machine, state: State, count: int) -> Tuple[Value, ...]:
    """The ``count`` topmost objects, taken off the stack."""
    if count > len(state.stack):
        raise IndexError(count)
    if count == 0:
        return ()
    values = tuple(state.stack[-count:])
    for value in values:
        if not is_object(value):
            raise machine.refused(state, STACK_SHAPE, f"{machine.nodes[state.node].op} is given {value!r}")
    del state.stack[-count:]
    return values


@operation("BUILD_TUPLE", "BUILD_LIST")
def build_sequence(machine: Machine, state: State, node: Node) -> Step:
    kind = "list" if node.op == "BUILD_LIST" else "tuple"
    items = popped(machine, state, node.arg)  # type: ignore[arg-type]
    made = state.build(kind, items)
    machine.used(R_FRESH if type(made) is Ref else R_CONSTTUPLE)
    state.stack.append(made)
    return None


@operation("BUILD_SLICE")
def build_slice(machine: Machine, state: State, node: Node) -> Step:
    items = popped(machine, state, node.arg)  # type: ignore[arg-type]
    state.stack.append(state.build("slice", items if len(items) == 3 else (*items, NONE)))
    machine.used(R_FRESH)
    return None


# Displays of more pairs are compiled to insertions one by one (Python/compile.c: compiler_subdict).
_LONGEST_DISPLAY = 15


@operation("BUILD_MAP", "BUILD_CONST_KEY_MAP")
def build_map(machine: Machine, state: State, node: Node) -> Step:
    if type(state.stack[-1:] and state.stack[-1]) is Inserting:
        return _insert_next(machine, state, node)
    count: int = node.arg  # type: ignore[assignment]
    stack = state.stack
    if node.op == "BUILD_MAP":
        taken = 2 * count
        flat = stack[len(stack) - taken :]
        keys, values = flat[::2], flat[1::2]
    else:
        taken = count + 1
        names = state.known(stack[-1], "tuple")
        if names is None:
            raise machine.refused(state, STACK_SHAPE, "BUILD_CONST_KEY_MAP without constant keys")
        keys, values = list(names.items), stack[len(stack) - taken : -1]
    if taken > len(stack) or len(keys) != count:
        raise IndexError(taken)
    if all(is_literal_key(key) for key in keys) and len({key.value for key in keys}) == count:  # type: ignore[union-attr]
        machine.operands(state, values)
        if taken:
            del stack[-taken:]
        stack.append(state.build("dict", tuple(zip(keys, values))))
        machine.used(R_FRESH)
        return None
    if count > _LONGEST_DISPLAY:
        machine.used(R_DISPLAY)
        state.stack += [state.build("dict", ()), Inserting(count)]
        return _insert_next(machine, state, node)
    pairs = tuple(value for pair in zip(keys, values) for value in pair)
    return machine.effect(state, node, ("BUILD_MAP", count), pairs, taken, results=("dict",))


def _insert_next(machine: Machine, state: State, node: Node) -> Step:
    """R-DISPLAY: the pairs of a long display go into the dict one after the other; it lies above them meanwhile."""
    stack = state.stack
    while True:
        made, left = stack[-2], cast(int, cast(Term, stack[-1]).parts[0])
        if left == 0:
            stack.pop()
            return None
        place = len(stack) - 2 - 2 * left
        key, value = stack[place], stack[place + 1]
        found = state.contents(made)
        if found is None or not is_literal_key(key):
            break
        machine.operands(state, (value,))
        state.heap[made] = Container("dict", with_item(found.items, key, value))  # type: ignore[index]
        stack[place:] = [*stack[place + 2 : -1], Inserting(left - 1)]

    def insert(after: State, results: Tuple[Symbol, ...]) -> None:
        after.stack[place:] = [*after.stack[place + 2 : -1], Inserting(left - 1)]

    operands = machine.operands(state, (value, made, key))
    return Effect(("STORE_SUBSCR",), operands, (), (Edge(state.node, update=insert),), True, node.handler)


@operation("BUILD_SET")
def build_set(machine: Machine, state: State, node: Node) -> Step:
    count: int = node.arg  # type: ignore[assignment]
    items = state.stack[len(state.stack) - count :]
    if all(is_literal_key(item) for item in items):
        popped(machine, state, count)
        state.stack.append(state.build("set", tuple(items)))
        machine.used(R_CONSTSET)
        return None
    return machine.effect(state, node, ("BUILD_SET", count), items, count, results=("set",))


@operation("LIST_TO_TUPLE")
def list_to_tuple(machine: Machine, state: State, node: Node) -> Step:
    found = state.contents(state.stack[-1])
    if found is None or found.kind != "list":
        return machine.effect(state, node, ("LIST_TO_TUPLE",), (state.stack[-1],), 1, results=("tuple",))
    state.stack[-1] = state.build("tuple", found.items)
    return None


@operation("LIST_APPEND")
def list_append(machine: Machine, state: State, node: Node) -> Step:
    target = state.stack[-1 - node.arg]  # type: ignore[operator]
    found = state.contents(target)
    if found is None:
        return machine.effect(state, node, ("LIST_APPEND",), (target, state.stack[-1]), 1, (), ())
    (item,) = popped(machine, state, 1)
    grow(machine, state, target, found, (item,))
    return None


@operation("LIST_EXTEND")
def list_extend(machine: Machine, state: State, node: Node) -> Step:
    target = state.stack[-1 - node.arg]  # type: ignore[operator]
    found = state.contents(target)
    if found is None:
        return machine.effect(state, node, ("LIST_EXTEND",), (target, state.stack[-1]), 1, (), ())
    added = state.contents(state.stack[-1])
    if added is not None and added.kind in ("list", "tuple"):
        state.stack.pop()
        grow(machine, state, target, found, added.items)
        return None
    return _iterate(machine, state, node, target)


def _iterate(machine: Machine, state: State, node: Node, target: Value) -> Effect:
    """The top of the stack is iterated into a container that only this frame holds."""

    def extend(after: State, results: Tuple[Symbol, ...]) -> None:
        found = after.heap[target]  # type: ignore[index]
        assert isinstance(found, Container)
        after.heap[target] = Container(found.kind, (*found.items, Spread(results[0])))  # type: ignore[index]

    return machine.effect(state, node, ("ITERATE", node.op), (state.stack[-1],), 1, (), (None,), extend, extend)


def grow(machine: Machine, state: State, target: Value, found: Container, items: Tuple[object, ...]) -> None:
    """Items go to the end of a list that only this frame holds."""
    for item in items:
        value = item.elements if isinstance(item, Spread) else item
        if state.holds(value, target):  # type: ignore[arg-type]
            raise machine.refused(state, PARTLY_KNOWN, "a container that holds itself")
    state.heap[target] = Container(found.kind, found.items + items)  # type: ignore[index]
    machine.used(R_FRESH)


@operation("SET_ADD", "SET_UPDATE")
def set_add(machine: Machine, state: State, node: Node) -> Step:
    target, item = state.stack[-1 - node.arg], state.stack[-1]  # type: ignore[operator]
    found = state.contents(target)
    if found is not None:
        added: Optional[Tuple[object, ...]] = (item,) if node.op == "SET_ADD" else _literals(item)
        if node.op == "SET_UPDATE" and not found.items and type(item) is Const and type(item.value) is frozenset:
            state.stack.pop()
            state.heap[target] = Container("set", (Spread(item),))  # type: ignore[index]
            machine.used(R_CONSTSET)
            return None
        if added is not None and all(is_literal_key(value) for value in added):
            state.stack.pop()
            state.heap[target] = Container("set", found.items + added)  # type: ignore[index]
            machine.used(R_CONSTSET)
            return None
    return machine.effect(state, node, (node.op,), (target, item), 1, (), ())


@operation("BUILD_SET_UNPACK")
def build_set_unpack(machine: Machine, state: State, node: Node) -> Step:
    """3.8: a display with stars."""
    count = cast(int, node.arg)
    parts = state.stack[len(state.stack) - count :]
    items: Tuple[object, ...] = ()
    for part in parts:
        added = _literals(part)
        if added is None or not all(is_literal_key(value) for value in added):
            return machine.effect(state, node, (node.op, count), parts, count, results=("set",))
        items += added
    popped(machine, state, count)
    state.stack.append(state.build("set", items))
    machine.used(R_CONSTSET)
    return None


def _literals(value: Value) -> Optional[Tuple[object, ...]]:
    """Items of a constant tuple; None for anything else."""
    if isinstance(value, Const) and type(value.value) is tuple:
        return tuple(Const(item) for item in value.value)
    return None


@operation("MAP_ADD")
def map_add(machine: Machine, state: State, node: Node) -> Step:
    target, key, value = state.stack[-2 - node.arg], state.stack[-2], state.stack[-1]  # type: ignore[operator]
    found = state.contents(target)
    if found is not None and found.exact() and is_literal_key(key):
        machine.operands(state, (value,))
        if state.holds(value, target):
            raise machine.refused(state, PARTLY_KNOWN, "a container that holds itself")
        del state.stack[-2:]
        state.heap[target] = Container("dict", with_item(found.items, key, value))  # type: ignore[index]
        machine.used(R_FRESH)
        return None
    machine.used(R_APPEND)
    return machine.effect(state, node, ("STORE_SUBSCR",), (value, target, key), 2, (), ())


def with_item(items: Tuple[object, ...], key: object, value: Value) -> Tuple[object, ...]:
    """Items of a dict after ``d[key] = value``: an equal key keeps its place and its first spelling."""
    if any(pair[0] is None for pair in cast(Items, items)):
        return (*items, (key, value))
    for number, (known, _) in enumerate(cast(Items, items)):
        if known.value == key.value:  # type: ignore[attr-defined]
            return (*items[:number], (known, value), *items[number + 1 :])
    return (*items, (key, value))


@operation("DICT_UPDATE", "DICT_MERGE")
def dict_update(machine: Machine, state: State, node: Node) -> Step:
    """Into a dict that only this frame holds: its pairs are known, or stand for all pairs of what was merged."""
    target, added = state.stack[-1 - cast(int, node.arg)], state.stack[-1]
    into, other = state.contents(target), state.contents(added)
    if into is None:
        return machine.effect(state, node, (node.op,), (target, added), 1, (), ())
    if other is not None and other.kind == "dict" and _adds_no_known_key(into, other):
        state.stack.pop()
        state.heap[cast(Ref, target)] = Container("dict", into.items + other.items)
        machine.used(R_FRESH)
        return None
    return _merge(machine, state, node, target, into)


def _adds_no_known_key(into: Container, other: Container) -> bool:
    if not into.items:
        return True
    names = {key.value for key, _ in into.items if key is not None}
    return into.exact() and other.exact() and names.isdisjoint(key.value for key, _ in other.items)


def _merge(machine: Machine, state: State, node: Node, target: Value, into: Container) -> Effect:
    """All pairs of a mapping go into a dict; DICT_MERGE raises for keys that are there already."""

    def fill(after: State, results: Tuple[Symbol, ...]) -> None:
        after.heap[cast(Ref, target)] = Container("dict", (*into.items, (None, results[0])))

    keys = tuple(key for key, _ in into.items) if node.op == "DICT_MERGE" else ()
    return machine.effect(state, node, ("MERGE", node.op, keys), (state.stack[-1],), 1, (), (None,), fill, fill)


@operation("BUILD_LIST_UNPACK", "BUILD_TUPLE_UNPACK", "BUILD_TUPLE_UNPACK_WITH_CALL")
def build_unpack(machine: Machine, state: State, node: Node) -> Step:
    """3.8: iterates each operand in turn; an operand that is not known is replaced by a list of what it gave."""
    count: int = node.arg  # type: ignore[assignment]
    start = len(state.stack) - count
    items: Tuple[object, ...] = ()
    for place in range(start, len(state.stack)):
        found = state.contents(state.stack[place])
        if found is None or found.kind not in ("list", "tuple"):
            return _iterate_at(machine, state, node, place)
        items += found.items
    del state.stack[start:]
    state.stack.append(state.build("list" if node.op == "BUILD_LIST_UNPACK" else "tuple", items))
    machine.used(R_FRESH)
    return None


def _iterate_at(machine: Machine, state: State, node: Node, place: int) -> Effect:
    def collect(after: State, results: Tuple[Symbol, ...]) -> None:
        after.stack[place] = after.build("list", (Spread(results[0]),))

    operands = machine.operands(state, (state.stack[place],))
    return Effect(("ITERATE", node.op), operands, (None,), (Edge(state.node, update=collect),), True, node.handler)
