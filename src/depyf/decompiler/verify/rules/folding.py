"""Rules for what the compiler computes ahead, or not: until 3.9 it leaves out its optimiser where a line has much code.

LOAD_CONST 1; LOAD_CONST 2; BUILD_TUPLE 2    ==    LOAD_CONST (1, 2)
"""

from __future__ import annotations

from typing import Callable, List, NamedTuple, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.constants import Const, is_code
from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.verify.rules.rule import as_effect, rule, with_nodes


def _has(op: str) -> Callable[[Graph], bool]:
    return lambda graph: any(node.op == op for node in graph.nodes)


def _only_sources(nodes: List[Node], entry: int) -> List[Optional[int]]:
    """For each node the one node that leads to it; None where there are several, or handlers, or the entry."""
    sources: List[Set[Optional[int]]] = [set() for _ in nodes]
    sources[entry].add(None)
    for number, node in enumerate(nodes):
        for target in node.next:
            sources[target].add(number)
        if node.handler is not None:
            sources[node.handler.target].add(None)
    return [next(iter(found)) if len(found) == 1 else None for found in sources]


def _loads_plain_constant(node: Node) -> bool:
    return node.op == "LOAD_CONST" and isinstance(node.arg, Const) and not is_code(node.arg.value)


def _loaded_before(nodes: List[Node], sources: List[Optional[int]], number: int, count: int) -> Optional[List[int]]:
    """The ``count`` LOAD_CONST nodes that run just before ``number``, in order; None if there is anything else."""
    found: List[int] = []
    at: Optional[int] = number
    while len(found) < count:
        at = sources[at] if at is not None else None
        if at is None or not _loads_plain_constant(nodes[at]):
            return None
        found.append(at)
    return found[::-1]


@rule(
    "constant tuple",
    "LOAD_CONST 1; LOAD_CONST 2; BUILD_TUPLE 2  ==  LOAD_CONST (1, 2)",
    safe="a tuple of constants is a constant; whether two equal tuples are one object is outside the promise",
    applies=_has("BUILD_TUPLE"),
)
def constant_tuple(graph: Graph) -> Graph:
    """Load tuples of constants as one constant, the innermost first."""
    nodes = list(graph.nodes)
    skipped = [False] * len(nodes)
    sources = _only_sources(nodes, graph.entry)
    for number, node in sorted(enumerate(nodes), key=lambda item: item[1].offset):
        if node.op == "BUILD_TUPLE" and isinstance(node.arg, int):
            loads = _loaded_before(nodes, sources, number, node.arg)
            if loads is None:
                continue
            items = tuple(nodes[load].arg.value for load in loads)  # type: ignore[attr-defined]
            nodes[number] = node._replace(op="LOAD_CONST", arg=Const(items))
            for load in loads:
                skipped[load] = True
            if loads:
                sources[number] = sources[loads[0]]
    return with_nodes(graph, nodes, skipped)


class ConstantDisplay(NamedTuple):
    """Operand of the LOAD_CONST that stands for a new list or set of constants."""

    build: str
    items: Const


_EXTENDED = {"LIST_EXTEND": "BUILD_LIST", "SET_UPDATE": "BUILD_SET"}


@rule(
    "constant display",
    "LOAD_CONST 1; LOAD_CONST 2; LOAD_CONST 3; BUILD_LIST 3  ==  BUILD_LIST 0; LOAD_CONST (1, 2, 3); LIST_EXTEND 1",
    safe="both make a new list, or set, of these items in this order, and neither runs code of the program",
    applies=lambda graph: any(node.op in _EXTENDED.values() for node in graph.nodes),
)
def constant_display(graph: Graph) -> Graph:
    """Make lists and sets of constants in one step."""
    nodes = list(graph.nodes)
    skipped = [False] * len(nodes)
    sources = _only_sources(nodes, graph.entry)
    for number, node in enumerate(graph.nodes):
        loads: Optional[List[int]] = None
        build = _EXTENDED.get(node.op, node.op)
        if node.op in _EXTENDED.values() and isinstance(node.arg, int):
            loads = _loaded_before(nodes, sources, number, node.arg)
            items = tuple(nodes[load].arg.value for load in loads or ())  # type: ignore[attr-defined]
        elif node.op in _EXTENDED and node.arg == 1:
            loads = _extended_by_constants(nodes, sources, number, build)
            items = nodes[loads[1]].arg.value if loads else ()  # type: ignore[attr-defined]
        if loads:
            nodes[number] = node._replace(op="LOAD_CONST", arg=ConstantDisplay(build, Const(items)))
            for load in loads:
                skipped[load] = True
    return with_nodes(graph, nodes, skipped)


def _extended_by_constants(
    nodes: List[Node], sources: List[Optional[int]], extend: int, build: str
) -> Optional[List[int]]:
    """The nodes of the empty display and of the tuple that ``extend`` adds to it; None if it is anything else."""
    load = sources[extend]
    start = None if load is None else sources[load]
    if load is None or start is None or not _loads_plain_constant(nodes[load]):
        return None
    is_tuple = type(nodes[load].arg.value) is tuple  # type: ignore[attr-defined]
    return [start, load] if is_tuple and (nodes[start].op, nodes[start].arg) == (build, 0) else None


def _is_unpacked(nodes: List[Node], number: int) -> bool:
    node = nodes[number]
    if node.op != "BUILD_TUPLE" or node.arg not in (1, 2, 3):
        return False
    unpack = nodes[node.next[0]]
    return unpack.op == "UNPACK_SEQUENCE" and unpack.arg == node.arg


@rule(
    "tuple taken apart",
    "BUILD_TUPLE 2; UNPACK_SEQUENCE 2  ==  SWAP 2",
    safe="the tuple is seen by nothing but the unpacking of its known length; the compiler drops it up to three items",
    applies=lambda graph: any(_is_unpacked(list(graph.nodes), number) for number in range(len(graph.nodes))),
)
def tuple_taken_apart(graph: Graph) -> Graph:
    """Exchange the slots instead of building a tuple of them."""
    nodes = list(graph.nodes)
    for number, node in enumerate(graph.nodes):
        if _is_unpacked(nodes, number):
            op, arg = ("SWAP", node.arg) if node.arg != 1 else ("NOP", None)
            nodes[number] = node._replace(op=op, arg=arg, next=nodes[node.next[0]].next)
    return with_nodes(graph, nodes, [node.op == "NOP" and node.next != (number,) for number, node in enumerate(nodes)])


# Testing one of these runs no code of the program; code that Dynamo makes has other constants, too.
_LITERALS = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type(Ellipsis))


def _is_literal(node: Node) -> bool:
    return node.op == "LOAD_CONST" and isinstance(node.arg, Const) and type(node.arg.value) in _LITERALS


def _known_way(nodes: Sequence[Node], number: int) -> Tuple[bool, int]:
    """Whether a literal is still on the stack when all tests of it are passed, and where control goes on then."""
    node = nodes[number]
    way = 0 if node.arg.value else 1  # type: ignore[attr-defined]
    at = node.next[0]
    passed = set()
    while at not in passed:
        passed.add(at)
        if nodes[at].op == "BRANCH":
            return False, nodes[at].next[way]
        if nodes[at].op == "POP_TOP" and len(passed) > 1:
            return False, nodes[at].next[0]
        if nodes[at].op != "COPY" or nodes[at].arg != 1 or nodes[nodes[at].next[0]].op != "BRANCH":
            break
        at = nodes[nodes[at].next[0]].next[way]
    return True, at


@rule(
    "constant condition",
    "LOAD_CONST True; BRANCH -> (n, m)  ==  go on at n; LOAD_CONST True; COPY 1; BRANCH -> (n, m)  ==  "
    "LOAD_CONST True; go on at n",
    safe="the truth of a constant is known, and testing it does nothing else",
    applies=lambda graph: any(
        _is_literal(node) and _known_way(graph.nodes, number) != (True, node.next[0])
        for number, node in enumerate(graph.nodes)
    ),
)
def constant_condition(graph: Graph) -> Graph:
    """Go where the constant leads; one that is dropped there is not loaded."""
    nodes = list(graph.nodes)
    skipped = [False] * len(nodes)
    for number, node in enumerate(graph.nodes):
        if _is_literal(node):
            stays, target = _known_way(graph.nodes, number)
            nodes[number] = node._replace(next=(target,)) if stays else as_effect(node, "NOP", None, target)
            skipped[number] = not stays
    return with_nodes(graph, nodes, skipped)


def _is_dropped(graph: Graph, node: Node) -> bool:
    return node.op == "LOAD_CONST" and graph.nodes[node.next[0]].op == "POP_TOP"


@rule(
    "dropped constant",
    "LOAD_CONST 1; POP_TOP  ==  nothing",
    safe="loading a constant runs no code of the program, and nothing sees the slot; the compiler leaves it out or not",
    applies=lambda graph: any(_is_dropped(graph, node) for node in graph.nodes),
)
def dropped_constant(graph: Graph) -> Graph:
    """Go on behind the POP_TOP."""
    nodes = list(graph.nodes)
    skipped = [_is_dropped(graph, node) for node in nodes]
    for number, node in enumerate(graph.nodes):
        if skipped[number]:
            nodes[number] = node._replace(op="NOP", arg=None, next=graph.nodes[node.next[0]].next)
    return with_nodes(graph, nodes, skipped)
