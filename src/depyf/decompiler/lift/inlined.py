"""Inlined comprehensions (PEP 709, CPython 3.12+) become one operation each.

    GET_ITER                                                 GET_ITER
    LOAD_FAST_AND_CLEAR x; SWAP 2; BUILD_LIST 0; SWAP 2      LOAD_FAST_AND_CLEAR x; SWAP 2
    FOR_ITER -> (x = item; LIST_APPEND, end)             =>  COMPREHENSION
    end: SWAP 2; STORE_FAST x                                SWAP 2; STORE_FAST x

The loop becomes a graph of its own, in the shape that comprehensions have as code objects: it makes the result, iterates over ``.0`` and returns.  The
handler that restores the parked locals when the loop raises goes with it.  What parks and restores them stays: its slots are told by their kind, so that the
order of the stores does not matter.

    LOAD_GLOBAL any; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; BRANCH -> (<loop>, <call>)     =>     LOAD_GLOBAL any; <call>
"""

from __future__ import annotations

from typing import Dict, FrozenSet, Iterator, List, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import entry_stacks
from depyf.decompiler.refusals import CONTROL_FLOW, Refused

COMPREHENSION = "COMPREHENSION"
ITERATOR = ".0"
_KINDS = {"BUILD_LIST": "<listcomp>", "BUILD_SET": "<setcomp>", "BUILD_MAP": "<dictcomp>"}


class Inlined:
    """Operand of COMPREHENSION: the loop as a graph, and the name that its code object would have."""

    __slots__ = ("graph", "key", "name")

    def __init__(self, name: str, graph: Graph) -> None:
        self.name = name
        self.graph = graph
        self.key = (name, tuple((node.op, node.arg, node.next) for node in graph.nodes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inlined) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class _Anatomy:
    """Where an inlined comprehension is: the node that makes its result, the loop, and the variables that are parked as they are."""

    __slots__ = ("build", "locals", "loop")

    def __init__(self, build: int, loop: int, local_names: FrozenSet[str]) -> None:
        self.build = build
        self.loop = loop
        self.locals = local_names


def contract_inlined(graph: Graph) -> Graph:
    """``graph`` with every inlined comprehension as one node, inner ones within the operand of outer ones, and plain calls of ``any`` and its like."""
    return _contract_comprehensions(_contract_consumers(graph))


def _contract_consumers(graph: Graph) -> Graph:
    """Take out the loops that run instead of ``all``, ``any`` and ``tuple`` with a generator expression, as long as those names mean the builtins (3.14+)."""
    nodes = graph.nodes
    calls: Dict[int, int] = {}
    for number, node in enumerate(nodes):
        if node.op != "COPY" or nodes[node.next[0]].op != "LOAD_COMMON_CONSTANT":
            continue
        test = nodes[nodes[node.next[0]].next[0]]
        branch = nodes[test.next[0]]
        if test.op == "IS_OP" and branch.op == "BRANCH":
            calls[number] = branch.next[1]
    if not calls:
        return graph
    return prune(graph.code, [node._replace(next=tuple(calls.get(place, place) for place in node.next)) for node in nodes], graph.entry)


def _contract_comprehensions(graph: Graph) -> Graph:
    if not any(node.op == "LOAD_FAST_AND_CLEAR" for node in graph.nodes):
        return graph
    stacks = entry_stacks(graph)
    nodes = list(graph.nodes)
    # A comprehension inside of another one runs on a deeper stack.
    for anatomy in sorted(_comprehensions(nodes), key=lambda found: -stacks[found.loop].depth):
        _contract(graph, nodes, anatomy)
    return prune(graph.code, nodes, graph.entry)


def _comprehensions(nodes: Sequence[Node]) -> Iterator[_Anatomy]:
    continued = {node.next[0] for node in nodes if node.op in ("LOAD_FAST_AND_CLEAR", "MAKE_CELL")}
    for number, node in enumerate(nodes):
        if node.op == "LOAD_FAST_AND_CLEAR" and number not in continued:
            yield _anatomy(nodes, number)


def _anatomy(nodes: Sequence[Node], first: int) -> _Anatomy:
    parked: Set[str] = set()
    cells: Set[str] = set()
    number = first
    while nodes[number].op in ("LOAD_FAST_AND_CLEAR", "MAKE_CELL"):
        (parked if nodes[number].op == "LOAD_FAST_AND_CLEAR" else cells).add(str(nodes[number].arg))
        number = nodes[number].next[0]
    build = nodes[number].next[0] if nodes[number].op == "SWAP" else number
    swap = nodes[build].next[0]
    loop = nodes[swap].next[0] if nodes[swap].op == "SWAP" else swap
    if nodes[build].op not in _KINDS or nodes[build].arg != 0 or nodes[loop].op != "FOR_ITER":
        raise Refused(CONTROL_FLOW, "parked locals without a comprehension", where=f"offset {nodes[first].offset}")
    return _Anatomy(build, loop, frozenset(parked - cells))


def _contract(graph: Graph, nodes: List[Node], anatomy: _Anatomy) -> None:
    build, loop = nodes[anatomy.build], nodes[anatomy.loop]
    members = _members(nodes, anatomy.loop)
    restoring = {node.handler for node in (nodes[number] for number in (anatomy.build, *members)) if node.handler is not None}
    guard = _only_handler(restoring, build)
    inlined = Inlined(_KINDS[build.op], _standing_alone(graph, nodes, anatomy, members))
    outer = build.handler if guard is None else nodes[guard.target].handler
    nodes[anatomy.build] = Node(COMPREHENSION, inlined, (loop.next[1],), outer, loop.offset, loop.position)


def _only_handler(handlers: Set[Handler], build: Node) -> Optional[Handler]:
    if len(handlers) > 1:
        raise Refused(CONTROL_FLOW, "a comprehension with handlers of its own", where=f"offset {build.offset}")
    return next(iter(handlers), None)


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
    place = {number: len(alone) + index for index, number in enumerate(members)}
    for number in members:
        node = nodes[number]
        op = "LOAD_FAST" if node.op == "LOAD_CLOSURE" and node.arg in anatomy.locals else node.op
        following = (place[node.next[0]], 2) if number == anatomy.loop else tuple(place[target] for target in node.next)
        alone.append(node._replace(op=op, next=following, handler=None))
    return prune(graph.code, alone, 0)
