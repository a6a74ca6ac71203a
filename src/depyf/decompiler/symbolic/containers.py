"""Rows for displays and for what is done to containers.

    BUILD_LIST 1; COPY 1; LOAD_CONST 0; BINARY_SUBSCR     silent: the list is new, its item is known (R-FRESH)
    LIST_EXTEND 1 of an unknown x                         effect: x is iterated; the list then ends in Spread(result)

What is not known about a container turns the same instruction into an effect on it, by which it is handed out.
"""

from __future__ import annotations

from types import CodeType
from typing import List, Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import PARTLY_KNOWN, STACK_SHAPE
from depyf.decompiler.symbolic.effects import Edge, Effect, Update
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.paths import loaded_before
from depyf.decompiler.symbolic.rules import (
    A_PATH,
    R_APPEND,
    R_CELL,
    R_CONSTSET,
    R_CONSTTUPLE,
    R_DISPLAY,
    R_FRESH,
    R_FUNCTION,
)
from depyf.decompiler.symbolic.state import Container, Spread, State
from depyf.decompiler.symbolic.values import NONE, Inserting, Ref, Symbol, Term, Value, is_literal_key, is_object

# Pairs of a dict.
Items = Tuple[Tuple[Const, Value], ...]


def _pop(machine: Machine, state: State, count: int) -> Tuple[Value, ...]:
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
    items = _pop(machine, state, node.arg)  # type: ignore[arg-type]
    made = state.build(kind, items)
    machine.used(R_FRESH if type(made) is Ref else R_CONSTTUPLE)
    state.stack.append(made)
    return None


@operation("BUILD_SLICE")
def build_slice(machine: Machine, state: State, node: Node) -> Step:
    items = _pop(machine, state, node.arg)  # type: ignore[arg-type]
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
        state.heap[made] = Container("dict", _with_item(found.items, key, value))  # type: ignore[index]
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
        _pop(machine, state, count)
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
    (item,) = _pop(machine, state, 1)
    _grow(machine, state, target, found, (item,))
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
        _grow(machine, state, target, found, added.items)
        return None
    return _iterate(machine, state, node, target)


def _iterate(machine: Machine, state: State, node: Node, target: Value) -> Effect:
    """The top of the stack is iterated into a container that only this frame holds."""

    def extend(after: State, results: Tuple[Symbol, ...]) -> None:
        found = after.heap[target]  # type: ignore[index]
        assert isinstance(found, Container)
        after.heap[target] = Container(found.kind, (*found.items, Spread(results[0])))  # type: ignore[index]

    return machine.effect(state, node, ("ITERATE", node.op), (state.stack[-1],), 1, (), (None,), extend, extend)


def _grow(machine: Machine, state: State, target: Value, found: Container, items: Tuple[object, ...]) -> None:
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
    _pop(machine, state, count)
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
        state.heap[target] = Container("dict", _with_item(found.items, key, value))  # type: ignore[index]
        machine.used(R_FRESH)
        return None
    machine.used(R_APPEND)
    return machine.effect(state, node, ("STORE_SUBSCR",), (value, target, key), 2, (), ())


def _with_item(items: Tuple[object, ...], key: object, value: Value) -> Tuple[object, ...]:
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


@operation("BINARY_SUBSCR")
def binary_subscr(machine: Machine, state: State, node: Node) -> Step:
    container, key = state.stack[-2], state.stack[-1]
    item = _item(state, container, key)
    if item is None:
        item = loaded_before(state, ("BINARY_SUBSCR",), (container, key))
        if item is None:
            return machine.effect(state, node, ("BINARY_SUBSCR",), (container, key), 2)
        state.stack[-2:] = [item]
        machine.used(A_PATH)
        return None
    state.stack[-2:] = [item]
    machine.used(R_FRESH)
    return None


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
        return _with_item(found.items, key, value) if is_literal_key(key) else None
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
            _grow(machine, state, left, grown, added.items)
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


@operation("MAKE_FUNCTION", "MAKE_FUNCTION_NAMED")
def make_function(machine: Machine, state: State, node: Node) -> Step:
    """Attributes lie below the code (and the qualified name, until 3.10), in the order of their flags."""
    flags: int = node.arg  # type: ignore[assignment]
    items: List[Tuple[str, Value]] = []
    if node.op == "MAKE_FUNCTION_NAMED":
        items.append(("__qualname__", state.stack.pop()))
    (code,) = _pop(machine, state, 1)
    if type(code) is not Const or type(code.value) is not CodeType:
        raise machine.refused(state, STACK_SHAPE, f"a function is made of {code!r}")
    for flag in sorted(FUNCTION_ATTRIBUTES, reverse=True):
        if flags & flag:
            items.append((FUNCTION_ATTRIBUTES[flag], _pop(machine, state, 1)[0]))
    if machine.nodes[node.next[0]].op != "SET_FUNCTION_ATTRIBUTE":
        _check_closure(machine, state, code.value, dict(items).get("__closure__"))
    state.stack.append(state.build("function", (("__code__", code), *sorted(items, key=_attribute))))
    machine.used(R_FUNCTION)
    return None


def _check_closure(machine: Machine, state: State, code: CodeType, closure: Optional[Value]) -> None:
    """The interpreter takes any tuple, and crashes when a function runs without the cells that its code uses."""
    found = None if closure is None else state.contents(closure)
    known = 0 if closure is None else None if found is None else len(found.items)
    if known is not None and known != len(code.co_freevars):
        raise machine.refused(state, STACK_SHAPE, f"{code.co_name} is made with {known} cells")


def _attribute(item: Tuple[str, Value]) -> str:
    return item[0]


# Include/cpython/funcobject.h and Python/compile.c: MAKE_FUNCTION's flags.
FUNCTION_ATTRIBUTES = {
    1: "__defaults__",
    2: "__kwdefaults__",
    4: "__annotations__",
    8: "__closure__",
    16: "__annotate__",
}


@operation("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(machine: Machine, state: State, node: Node) -> Step:
    function = state.stack[-1]
    found = state.contents(function)
    if found is None or found.kind != "function" or node.arg not in FUNCTION_ATTRIBUTES:
        raise machine.refused(state, STACK_SHAPE, "SET_FUNCTION_ATTRIBUTE on what is no new function")
    state.stack.pop()
    (value,) = _pop(machine, state, 1)
    if FUNCTION_ATTRIBUTES[cast(int, node.arg)] == "__closure__":
        _check_closure(machine, state, found.items[0][1].value, value)
    attributes = dict(found.items[1:], **{FUNCTION_ATTRIBUTES[cast(int, node.arg)]: value})
    state.heap[cast(Ref, function)] = Container(
        "function", (found.items[0], *sorted(attributes.items(), key=_attribute))
    )
    state.stack.append(function)
    return None


def closure_of(machine: Machine, state: State, value: Value) -> Optional[Value]:
    """R-CELL: the closure of a function that only this frame holds."""
    found = state.contents(value)
    if found is None or found.kind != "function":
        return None
    closure = dict(found.items).get("__closure__")
    if closure is not None:
        machine.used(R_CELL)
    return closure
