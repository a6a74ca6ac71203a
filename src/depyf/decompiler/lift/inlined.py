"""Inlined comprehensions (PEP 709, CPython 3.12+) become one operation each.

    GET_ITER                                                 GET_ITER
    LOAD_FAST_AND_CLEAR x; SWAP 2; BUILD_LIST 0; SWAP 2      LOAD_FAST_AND_CLEAR x; SWAP 2
    FOR_ITER -> (x = item; LIST_APPEND, end)             =>  COMPREHENSION
    end: SWAP 2; STORE_FAST x                                SWAP 2; STORE_FAST x

The loop becomes a graph of its own, in the shape that comprehensions have as code objects: it makes the result,
iterates over ``.0`` and returns.  The handler that restores the parked locals when the loop raises goes with it.  What
parks and restores them stays: its slots are told by their kind, so that the order of the stores does not matter.

    LOAD_GLOBAL any; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP
    BRANCH -> (<loop>, <call>)                               =>    LOAD_GLOBAL any; <call>
"""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Optional, Sequence, Set

from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import entry_stacks
from depyf.decompiler.refusals import CONTROL_FLOW, Refused

COMPREHENSION = "COMPREHENSION"
ITERATOR = ".0"
_PARKING = ("LOAD_FAST_AND_CLEAR", "MAKE_CELL")
_KINDS = {"BUILD_LIST": "<listcomp>", "BUILD_SET": "<setcomp>", "BUILD_MAP": "<dictcomp>"}


class Inlined:
    """Operand of COMPREHENSION: the loop as a graph, and the name that its code object would have.

    ``unbound`` are the names of the comprehension that only dead code binds.
    """

    __slots__ = ("graph", "key", "name", "unbound")

    def __init__(self, name: str, graph: Graph, unbound: FrozenSet[str]) -> None:
        self.name = name
        self.graph = graph
        self.unbound = unbound
        self.key = (name, unbound, tuple((node.op, node.arg, node.next) for node in graph.nodes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inlined) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class _Anatomy:
    """Where an inlined comprehension is: the node that makes its result, the loop, and variables that are parked.

    ``locals`` is None where nothing is parked, and leaves out variables that the comprehension makes cells of.
    """

    __slots__ = ("build", "locals", "loop")

    def __init__(self, build: int, loop: int, local_names: Optional[FrozenSet[str]]) -> None:
        self.build = build
        self.loop = loop
        self.locals = local_names


def contract_inlined(graph: Graph) -> Graph:
    """``graph`` with every inlined comprehension as one node, and with plain calls of ``any`` and its like.

    Inner comprehensions are within the operand of outer ones.
    """
    return _contract_comprehensions(_contract_consumers(graph))


def _contract_consumers(graph: Graph) -> Graph:
    """Take out the loops of ``all``, ``any`` and ``tuple`` that run where these are the builtins (3.14+)."""
    nodes = graph.nodes
    calls: Dict[int, int] = {}
    for number, node in enumerate(nodes):
        if node.op != "COPY" or nodes[node.next[0]].op != "LOAD_COMMON_CONSTANT":
            continue
        test = nodes[nodes[node.next[0]].next[0]]
        branch = nodes[test.next[0]] if test.op == "IS_OP" else test
        if branch.op == "BRANCH":
            calls[number] = branch.next[1]
    if not calls:
        return graph
    return prune(
        graph.code,
        [node._replace(next=tuple(calls.get(place, place) for place in node.next)) for node in nodes],
        graph.entry,
    )


def _contract_comprehensions(graph: Graph) -> Graph:
    found = _comprehensions(graph.nodes)
    if not found:
        return graph
    stacks = entry_stacks(graph)
    nodes = list(graph.nodes)
    # A comprehension inside of another one runs on a deeper stack.
    for anatomy in sorted(found, key=lambda found: -stacks[found.loop].depth):
        _contract(graph, nodes, anatomy)
    return prune(graph.code, nodes, graph.entry)


def _comprehensions(nodes: Sequence[Node]) -> List[_Anatomy]:
    """The comprehensions of a graph; one that binds no names, but attributes or items, parks nothing."""
    parked = _parked_by_end(nodes)
    found = []
    for number, node in enumerate(nodes):
        swap = nodes[node.next[0]] if node.op in _KINDS and node.arg == 0 else node
        if swap is not node and swap.op == "SWAP" and swap.arg == 2 and nodes[swap.next[0]].op == "FOR_ITER":
            found.append(_Anatomy(number, swap.next[0], parked.pop(number, None)))
    if parked:
        raise Refused(
            CONTROL_FLOW, "parked locals without a comprehension", where=f"offset {nodes[min(parked)].offset}"
        )
    return found


def _parked_by_end(nodes: Sequence[Node]) -> Dict[int, FrozenSet[str]]:
    """Variables that are parked and stay plain locals, by the node that follows the run in which they are."""
    continued = {node.next[0] for node in nodes if node.op in _PARKING}
    found = {}
    for first, node in enumerate(nodes):
        if node.op != "LOAD_FAST_AND_CLEAR" or first in continued:
            continue
        names: Dict[str, Set[str]] = {op: set() for op in _PARKING}
        number = first
        while nodes[number].op in _PARKING:
            names[nodes[number].op].add(str(nodes[number].arg))
            number = nodes[number].next[0]
        if nodes[number].op == "SWAP":
            number = nodes[number].next[0]
        found[number] = frozenset(names["LOAD_FAST_AND_CLEAR"] - names["MAKE_CELL"])
    return found


def _contract(graph: Graph, nodes: List[Node], anatomy: _Anatomy) -> None:
    build, loop = nodes[anatomy.build], nodes[anatomy.loop]
    members = _members(nodes, anatomy.loop)
    # In a class also what the comprehension only reads is parked, and its iterator.
    named = [node for node in (nodes[number] for number in members) if isinstance(node.arg, str)]
    alive = {node.arg for node in named if not node.op.startswith("LOAD_FAST")}
    unbound = (anatomy.locals or frozenset()).difference(alive, [ITERATOR])
    inlined = Inlined(_KINDS[build.op], _standing_alone(graph, nodes, anatomy, members), unbound)
    handlers = {
        node.handler for node in (nodes[number] for number in (anatomy.build, *members)) if node.handler is not None
    }
    if len(handlers) > 1:
        raise Refused(CONTROL_FLOW, "a comprehension with handlers of its own", where=f"offset {build.offset}")
    outer = next(iter(handlers), None)
    if outer is not None and anatomy.locals is not None:
        outer = nodes[outer.target].handler
    nodes[anatomy.build] = Node(COMPREHENSION, inlined, (loop.next[1],), outer, loop.offset, loop.position)


def _members(nodes: Sequence[Node], loop: int) -> List[int]:
    """The nodes of the loop: what its item edge leads to."""
    found = [loop]
    seen = {loop}
    pending = [nodes[loop].next[0]]
    while pending:
        number = pending.pop()
        if number not in seen:
            seen.add(number)
            found.append(number)
            pending += nodes[number].next
    return found


def _standing_alone(graph: Graph, nodes: Sequence[Node], anatomy: _Anatomy, members: Sequence[int]) -> Graph:
    build, loop = nodes[anatomy.build], nodes[anatomy.loop]
    alone: List[Node] = [
        build._replace(next=(1,), handler=None),
        Node("LOAD_FAST", ITERATOR, (3,), None, loop.offset, loop.position),
        Node("RETURN_VALUE", None, (), None, loop.offset, loop.position),
    ]
    # Since 3.13 a plain local is loaded like a cell if its name is that of a cell elsewhere.
    stored = {nodes[number].arg for number in members if nodes[number].op == "STORE_FAST"}
    plain = stored.intersection(anatomy.locals or ())
    place = {number: len(alone) + index for index, number in enumerate(members)}
    for number in members:
        node = nodes[number]
        op = "LOAD_FAST" if node.op == "LOAD_CLOSURE" and node.arg in plain else node.op
        following = (place[node.next[0]], 2) if number == anatomy.loop else tuple(place[target] for target in node.next)
        alone.append(node._replace(op=op, next=following, handler=None))
    return prune(graph.code, alone, 0)
