"""Undo the compiler's copies: nodes that behave alike become one.

    b1: a; if a: b2 else b3             b1: a; if a: b2 else b3
    b2: f(); a'; if a': b2 else b3  =>  b2: f(); goto b1

The coarsest bisimulation tells what behaves alike; copies that the compiler made (loop tests, exits, joined returns)
also share one source position,
copies that the programmer made do not.  Merging is a choice, not a premise: :class:`Merging` names the choices, from
the most faithful to the most careful.
"""

from __future__ import annotations

from enum import Enum
from typing import Dict, Hashable, Iterator, List, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph, Node, Position
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import CELL, NULL, SAVED, VALUE, Stack
from depyf.decompiler.lift.ends import unwritten_ends

# Kinds of slots that hold what an unfinished statement has computed so far.
_OPERANDS = frozenset([VALUE, NULL, SAVED, CELL])


class Merging(Enum):
    """Which nodes that behave alike are merged.

    Until 3.10 a position is no more than a line: arms of a conditional expression may share it without being copies.
    Where there are no positions at all, operations of one statement stand for those at one position, and the second
    choice merges no statements.
    """

    SAME_POSITION = "those at one source position"
    SAME_POSITION_AT_RETURN = "those at one source position, but within a statement only its last two"
    EVERYWHERE = "all that start a statement, and returns"
    NOTHING = "none"


# How many operations before the end of a function are merged although operands wait on the stack.
_LONGEST_EXIT = {Merging.SAME_POSITION: 6, Merging.SAME_POSITION_AT_RETURN: 2, Merging.EVERYWHERE: 1}


def merge_copies(graph: Graph, stacks: Sequence[Stack], merging: Merging) -> Graph:
    """``graph`` with bisimilar nodes merged that run on the same stack of kinds: where statements start, and at
    returns.
    """
    if merging is Merging.NOTHING:
        return graph
    by_position = merging is not Merging.EVERYWHERE
    ends = unwritten_ends(graph)
    nodes = [_without_position(node) if end else node for node, end in zip(graph.nodes, ends)]
    classes = bisimulation_classes(nodes, by_position)
    at_statement = {id(stack): _OPERANDS.isdisjoint(stack.from_top()) for stack in stacks}
    starts = [at_statement[id(stack)] for stack in stacks]
    merged_at = _by_statement if by_position and _lacks_positions(graph) else _at_exits
    first: Dict[Hashable, int] = {}
    target = list(range(len(graph.nodes)))
    for number, within in enumerate(merged_at(graph, starts, merging)):
        if within is not None:
            target[number] = first.setdefault((classes[number], id(stacks[number]), within), number)
    if target == list(range(len(target))):
        return graph
    merged = [node._replace(next=tuple(target[place] for place in node.next)) for node in graph.nodes]
    return prune(graph.code, merged, target[graph.entry])


# What is said of every node: None if it is not merged at all, else those are merged of which the same is said.
_ANYWHERE = -1


def _at_exits(graph: Graph, starts: Sequence[bool], merging: Merging) -> Iterator[Optional[int]]:
    """Where statements start, and at the ends of the function."""
    longest = _LONGEST_EXIT[merging]
    for number, node in enumerate(graph.nodes):
        yield _ANYWHERE if starts[number] or _leads_out(node, graph.nodes, longest) else None


def _lacks_positions(graph: Graph) -> bool:
    """Whether positions tell nothing, since they were stripped."""
    return len({node.position.line for node in graph.nodes}) == 1 and len({node.position for node in graph.nodes}) == 1


def _by_statement(graph: Graph, starts: Sequence[bool], merging: Merging) -> Iterator[Optional[int]]:
    """Ends of the function within one statement, and as the first choice all statements that are alike."""
    statement = _statements(graph, starts)
    for number, node in enumerate(graph.nodes):
        if node.op == "RETURN_VALUE":
            # One that turns out to belong to several statements is taken apart again (reduce.py).
            yield _ANYWHERE
        elif starts[number]:
            yield _ANYWHERE if merging is Merging.SAME_POSITION else None
        elif _leads_out(node, graph.nodes, _LONGEST_EXIT[merging]):
            yield statement.get(number)
        else:
            yield None


def _statements(graph: Graph, starts: Sequence[bool]) -> Dict[int, int]:
    """The node that starts the statement which a node belongs to."""
    nodes = graph.nodes
    found = {graph.entry: graph.entry}
    pending = [(graph.entry, False)]
    while pending:
        number, tested = pending.pop()
        node = nodes[number]
        # `a or b` drops `a` where it is false; `b` starts no statement.
        goes_on = tested and node.op == "POP_TOP"
        for target in _successors(node):
            if target not in found:
                found[target] = target if starts[target] and not goes_on else found[number]
                pending.append((target, node.op == "BRANCH"))
    return found


def _leads_out(node: Node, nodes: Sequence[Node], longest: int) -> bool:
    """Whether a node belongs to a short stretch that leaves the function, as the compiler copies them
    (inline_small_exit_blocks).
    """
    for _step in range(longest):
        if node.op in ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE"):
            return True
        if len(node.next) != 1:
            return False
        node = nodes[node.next[0]]
    return False


def _without_position(node: Node) -> Node:
    return node._replace(position=Position(None))


def bisimulation_classes(nodes: Sequence[Node], by_position: bool) -> List[int]:
    """The coarsest partition whose members agree in operation, operand, handler and the classes of their successors.

    Partition refinement (Hopcroft: An n log n Algorithm for Minimizing States in a Finite Automaton): what leads into
    a class in one way is
    told from what leads elsewhere; of two halves, the smaller one is looked at again.
    """
    classes = _first_partition(nodes, by_position)
    members: List[Set[int]] = [set() for _class in range(max(classes) + 1)]
    for number, name in enumerate(classes):
        members[name].add(number)
    before = _sources(nodes, [len(members[name]) > 1 for name in classes])
    pending = set(range(len(members))) if before else set()
    while pending:
        splitter = list(members[pending.pop()])
        for sources in before:
            arriving: Dict[int, List[int]] = {}
            for place in splitter:
                for earlier in sources.get(place, ()):
                    arriving.setdefault(classes[earlier], []).append(earlier)
            for name, part in arriving.items():
                group = members[name]
                if len(part) < len(group):
                    smaller = set(part) if 2 * len(part) <= len(group) else group.difference(part)
                    group -= smaller
                    for place in smaller:
                        classes[place] = len(members)
                    pending.add(len(members))
                    members.append(smaller)
    return classes


def _sources(nodes: Sequence[Node], counts: Sequence[bool]) -> List[Dict[int, List[int]]]:
    """For each way out of a node, the nodes that lead there by it; those that do not count are left out."""
    before: List[Dict[int, List[int]]] = []
    for number, node in enumerate(nodes):
        if counts[number]:
            for way, place in enumerate(_successors(node)):
                if way == len(before):
                    before.append({})
                before[way].setdefault(place, []).append(number)
    return before


def _successors(node: Node) -> Tuple[int, ...]:
    if node.handler is not None and MICRO_OPS[node.op].raises:
        return (*node.next, node.handler.target)
    return node.next


def _first_partition(nodes: Sequence[Node], by_position: bool) -> List[int]:
    numbers: Dict[Hashable, int] = {}
    classes = []
    for node in nodes:
        handler = node.handler
        depth = (handler.depth, handler.lasti) if handler is not None and MICRO_OPS[node.op].raises else None
        key = (node.op, node.arg, len(node.next), depth, node.position if by_position else None)
        classes.append(numbers.setdefault(key, len(numbers)))
    return classes
