"""Tell ``continue`` from running off the end of a loop: both are a jump to its start, which effect graphs do not show.

    for a in b:                      2 BRANCH -> (0, 3)             2 BRANCH -> (7, 3)
        if a: continue        is     3 LOAD_FAST f; ... -> 0   =>   3 LOAD_FAST f; ... -> 0
        f()                                                         7 NOP jumps -> 0

What was written is a jump with a source position of its own.  Where positions are stripped every jump is taken for
running off the end, which does the same.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.decode import NO_POSITION
from depyf.decompiler.disassemble.graph import Graph, Node, Position
from depyf.decompiler.disassemble.instructions import Instruction, read_instructions, read_positions
from depyf.decompiler.structure.handlers import Purpose
from depyf.decompiler.structure.unbinding import FALLS_OUT, JUMPS
from depyf.decompiler.versions import BACKWARD_JUMPS_ARE_UNCONDITIONAL

_JUMP = frozenset(["JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD"])
_LEAVES = frozenset(["RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", *_JUMP])


def tell_continues(graph: Graph) -> Graph:
    """``graph`` with a NOP for every ``continue`` that stands among the statements of its loop itself.

    One that leaves a ``with`` or ``try`` on its way is known by that.
    """
    found = _written_jumps(graph)
    if not found:
        return graph
    nodes = list(graph.nodes)
    made: Dict[Position, int] = {}
    for number, node in enumerate(graph.nodes):
        for target in set(node.next):
            there = graph.nodes[target]
            position = found.get((node.offset, there.offset))
            if position is None or there.handler != node.handler or node.next.count(target) > 1:
                continue
            if position not in made:
                made[position] = len(nodes)
                nodes.append(Node("NOP", JUMPS, (target,), node.handler, node.offset, position))
            ways = tuple(made[position] if way == target else way for way in nodes[number].next)
            nodes[number] = nodes[number]._replace(next=ways)
    return graph._replace(nodes=tuple(nodes))


def tell_falls(graph: Graph, found: Mapping[int, Purpose]) -> Graph:
    """``graph`` with a mark at the end of each clause that is known to be fallen out of.

    A jump out of a clause restores the exception state at its own position, falling out does it at that of the last
    statement.  ``found`` is what its handlers are for: out of a ``with`` or a ``finally`` a ``return`` has no position
    (Python/compile.c, compiler_unwind_fblock), so that it may be the return that clauses seem to fall to.
    """
    returns_anywhere = not {Purpose.FINALLY, Purpose.WITH}.isdisjoint(found.values())
    nodes = list(graph.nodes)
    for number in _fallen_out_of(nodes):
        if nodes[number].arg is None and not (returns_anywhere and _returns_none(nodes[number], nodes)):
            nodes[number] = nodes[number]._replace(arg=FALLS_OUT)
    return graph._replace(nodes=tuple(nodes))


def _fallen_out_of(nodes: Sequence[Node]) -> Iterator[int]:
    """The nodes that restore the exception state behind the last statement of a clause."""
    for number, node in enumerate(nodes):
        if node.op == "POP_EXCEPT" and node.position.width == len("pass"):
            # What returns at the same position is a `return None`, whose None is as long as `pass`.
            if nodes[node.next[0]].position != node.position:
                yield number
        elif node.op not in _BEFORE_STATEMENTS and node.position.line is not None:
            for place in node.next:
                while nodes[place].op == "POP_TOP" and nodes[place].position == node.position:
                    place = nodes[place].next[0]
                if nodes[place].op == "POP_EXCEPT" and nodes[place].position == node.position:
                    yield place


def _returns_none(node: Node, nodes: Sequence[Node]) -> bool:
    behind = nodes[node.next[0]]
    return behind.op == "LOAD_CONST" and nodes[behind.next[0]].op == "RETURN_VALUE"


# What a clause starts with: its test may be at the position of a jump.
_BEFORE_STATEMENTS = frozenset(["BRANCH", "POP_TOP", "POP_EXCEPT"])


class _Jump(NamedTuple):
    """A jump back: where it comes from and goes to in the graph, and the instruction in front of it."""

    instruction: Instruction
    before: Instruction
    position: Position
    ways: Set[int]
    start: int
    is_written: bool


def _written_jumps(graph: Graph) -> Dict[Tuple[int, int], Position]:
    """Positions of the jumps back that a statement stands for, by the offsets of the nodes at their ends."""
    jumps = _jumps_back(graph) if _has_loop(graph) else []
    for index, (first, second) in enumerate(zip(jumps, jumps[1:])):
        # if a < b < c: continue  jumps twice, behind a POP_TOP when the first comparison decides.
        chained = second.before.opname == "POP_TOP" and first.instruction.after == second.before.offset
        if chained and first.start == second.start and (first.is_written or second.is_written):
            jumps[index] = first._replace(is_written=True, position=second.position)
            jumps[index + 1] = second._replace(is_written=True)
    return {(way, jump.start): jump.position for jump in jumps if jump.is_written for way in jump.ways}


def _jumps_back(graph: Graph) -> List[_Jump]:
    instructions = read_instructions(graph.code)
    in_order = sorted(set(instructions.values()))
    positions = read_positions(graph.code, [instruction.offset for instruction in in_order])
    kept = {node.offset for node in graph.nodes}
    lines = {
        positions.get(instruction.offset, NO_POSITION).line for instruction in in_order if not _goes_back(instruction)
    }
    source = -1
    ways_in: Dict[int, Set[int]] = {}
    found: List[_Jump] = []
    for before, instruction in zip(in_order, in_order[1:]):
        source = before.offset if before.offset in kept else source  # a jump is one node with the test in front of it
        if before.target is not None and before.opname not in _LEAVES:
            ways_in.setdefault(instructions[before.target].offset, set()).add(source)
        if instruction.opname not in _JUMP or instruction.target is None:
            continue
        ways = ways_in.get(instruction.offset, set()) | (set() if before.opname in _LEAVES else {source})
        start = instructions[instruction.target]
        if start.offset > instruction.offset:
            ways_in.setdefault(start.offset, set()).update(ways)
            continue
        while start.offset not in kept and start.after in instructions:
            start = instructions[start.after]  # `while True` leaves a NOP
        position = positions.get(instruction.offset, NO_POSITION)
        written = _is_written(position, before, positions.get(before.offset, NO_POSITION), lines)
        found.append(_Jump(instruction, before, position, ways, start.offset, written))
    return found


def _goes_back(instruction: Instruction) -> bool:
    return instruction.opname in _JUMP and instruction.target is not None and instruction.target < instruction.offset


def _has_loop(graph: Graph) -> bool:
    return any(target <= number for number, node in enumerate(graph.nodes) for target in node.next)


def _is_written(position: Position, before: Instruction, previous: Position, lines: Set[Optional[int]]) -> bool:
    """Whether there is a statement at the position of a jump back; the instruction ``before`` it is at ``previous``."""
    if position.width is not None:
        return position != previous and position.width == len("continue")
    # Without columns: no other statement is there, or the jump is jumped over by a test that would jump back itself.
    turned = before.opname.startswith("POP_JUMP") and not BACKWARD_JUMPS_ARE_UNCONDITIONAL
    return position.line is not None and (turned or position.line not in lines)
