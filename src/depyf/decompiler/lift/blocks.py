"""Effect graph to blocks of statements.

    0 LOAD_FAST a; 1 BRANCH -> (2, 5)             b0: if a then b2 else b5
    2 LOAD_FAST f; ...; 4 POP_TOP -> 5      =>    b2: f(); goto b5
    5 LOAD_CONST None; 6 RETURN_VALUE             b5: return None

Blocks are run in an order in which every way in is known before a block starts.  A slot that differs between the ways
in becomes a :class:`Phi`, which
``reduce.py`` binds to the conditional expression that made it.
"""

from __future__ import annotations

import ast
from typing import Dict, List, Optional, Sequence, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.lift import (  # noqa: F401 - they register their operations
    binding,
    calls,
    contexts,
    displays,
    functions,
    generics,
    imports,
    variables,
)
from depyf.decompiler.lift.machine import Machine, only_element
from depyf.decompiler.lift.matching import Case
from depyf.decompiler.lift.parallel import Evaluated, Parallel
from depyf.decompiler.lift.values import (
    Item,
    Iter,
    Lasti,
    Marker,
    PatternTest,
    Phi,
    Previous,
    Raised,
    Value,
    shared_slots,
)
from depyf.decompiler.refusals import PENDING_OPERANDS, STACK_SHAPE, Refused
from depyf.decompiler.versions import HANDLER_PUSHES_SIX

GOTO = "goto"
BRANCH = "branch"
FOR = "for"
RETURN = "return"
STOP = "stop"
RERAISE = "reraise"

_ENDS = {
    "BRANCH": BRANCH,
    "FOR_ITER": FOR,
    "RETURN_VALUE": RETURN,
    "RAISE_VARARGS": STOP,
    "UNREACHABLE": STOP,
    "RERAISE": RERAISE,
}


class Block:
    """Statements that run one after the other, and what follows them.

    ``entry`` and ``out`` are the operand stacks before and after; ``test`` is the condition of a branch or the value
    of a return; ``next`` holds block numbers:
    (if true, if false), (item, exhausted), or one.  ``ends_scope`` says that its last operation entered or left a
    statement.
    """

    __slots__ = (
        "body",
        "ends_scope",
        "entry",
        "handler",
        "kind",
        "next",
        "nodes",
        "number",
        "offset",
        "out",
        "position",
        "test",
    )

    def __init__(self, number: int, nodes: Sequence[Node]) -> None:
        self.number = number
        self.nodes = nodes
        self.handler: Optional[Handler] = nodes[0].handler
        self.offset = nodes[0].offset
        self.position = nodes[0].position
        self.kind = _ENDS.get(nodes[-1].op, GOTO)
        self.next: List[int] = []
        self.entry: List[Value] = []
        self.out: List[Value] = []
        self.body: List[ast.stmt] = []
        self.test: Optional[Value] = None
        self.ends_scope = False


class Blocks:
    """The blocks of a graph by number; ``handlers`` are the numbers that raising enters."""

    def __init__(self, entry: int, blocks: Dict[int, Block], order: List[int]) -> None:
        self.entry = entry
        self.by_number = blocks
        self.order = order
        self.copied: Dict[int, Value] = {}
        self._last_number: Optional[int] = None

    def free_number(self) -> int:
        """A number that no block has."""
        if self._last_number is None:
            self._last_number = max(self.by_number)
        self._last_number += 1
        return self._last_number

    def predecessors(self) -> Dict[int, int]:
        """Number of edges into each block, one more for the entry."""
        counts = dict.fromkeys(self.by_number, 0)
        counts[self.entry] += 1
        for block in self.by_number.values():
            for target in block.next:
                counts[target] += 1
            if block.handler is not None and block.handler.target in counts:
                counts[block.handler.target] += 1
        return counts


def lift_blocks(graph: Graph, stack: Sequence[Value] = (), holds_statements: bool = True) -> Blocks:
    """Run ``graph`` on symbols, block by block; ``stack`` is what its entry finds on the operand stack.

    A lambda or comprehension holds no statements.
    """
    blocks = _split(graph)
    lifting = _Lifting(Blocks(0, blocks, _reverse_postorder(blocks, 0)), len(graph.nodes), not holds_statements)
    lifting.enter(0, list(stack))
    for number in list(lifting.blocks.order):
        lifting.lift(number)
    lifting.blocks.order = lifting.order
    return lifting.blocks


def _split(graph: Graph) -> Dict[int, Block]:
    """Maximal stretches of nodes with one way in, one way out and one handler.

    Blocks are numbered by their first node.
    """
    starts = _leaders(graph)
    blocks = {}
    for start in starts:
        nodes = [graph.nodes[start]]
        last = start
        while len(graph.nodes[last].next) == 1 and graph.nodes[last].next[0] not in starts:
            last = graph.nodes[last].next[0]
            nodes.append(graph.nodes[last])
        blocks[start] = Block(start, nodes)
        blocks[start].next = list(graph.nodes[last].next)
    return blocks


def _leaders(graph: Graph) -> Dict[int, None]:
    ways_in = [0] * len(graph.nodes)
    starts = {graph.entry: None}
    for node in graph.nodes:
        for target in node.next:
            ways_in[target] += 1
            following = graph.nodes[target]
            if len(node.next) > 1 or following.handler != node.handler or following.op == "FOR_ITER":
                starts[target] = None
        if node.handler is not None:
            starts[node.handler.target] = None
    for number, count in enumerate(ways_in):
        if count > 1:
            starts[number] = None
    return starts


def _reverse_postorder(blocks: Dict[int, Block], entry: int) -> List[int]:
    """Every block before the blocks that it leads to, back edges aside; handlers follow what they guard."""
    postorder: List[int] = []
    seen = {entry}
    trail: List[Tuple[int, List[int]]] = [(entry, _targets(blocks[entry]))]
    while trail:
        number, remaining = trail[-1]
        if not remaining:
            postorder.append(number)
            trail.pop()
            continue
        target = remaining.pop()
        if target not in seen:
            seen.add(target)
            trail.append((target, _targets(blocks[target])))
    return postorder[::-1]


def _targets(block: Block) -> List[int]:
    targets = list(block.next)
    if block.handler is not None and any(MICRO_OPS[node.op].raises for node in block.nodes):
        targets.append(block.handler.target)
    return targets


class _Lifting:
    """Lifts blocks in order, joining the stacks that lead into each."""

    def __init__(self, blocks: Blocks, next_number: int, is_expression: bool) -> None:
        self.blocks = blocks
        self.is_expression = is_expression
        self.counts = blocks.predecessors()
        # By block: what was tested before, and led there either way.
        self.tested_before: Dict[int, ast.expr] = {}
        self.ways_in: Dict[int, List[List[Value]]] = {}
        self.next_number = next_number
        self.order: List[int] = []
        self.evaluated = Evaluated()
        # By block: the assignment in whose midst it starts.
        self.parallel: Dict[int, Optional[Parallel]] = {}

    def enter(self, number: int, stack: List[Value], parallel: Optional[Parallel] = None) -> None:
        known = self.parallel.setdefault(number, parallel)
        if known is not parallel and (known is None or not known.agrees(parallel)):
            raise Refused(STACK_SHAPE, "reached in the midst of different assignments", where=f"block {number}")
        self.ways_in.setdefault(number, []).append(stack)

    def lift(self, number: int) -> None:
        self.order.append(number)
        block = self.blocks.by_number[number]
        ways = self.ways_in.get(number)
        if ways is None:
            raise Refused(STACK_SHAPE, "only a loop leads here", where=f"offset {block.offset}")
        entry = self._join(block, ways)
        if block.kind == FOR and len(block.nodes) == 1:
            if not entry:
                raise Refused(STACK_SHAPE, "FOR_ITER without an iterator", where=f"offset {block.offset}")
            if isinstance(entry[-1], ast.expr):
                # The iterator was made elsewhere: the `.0` of a comprehension or generator expression.
                entry = [*entry[:-1], Iter(entry[-1], block.nodes[0].arg == "async")]
        block.entry = entry
        self._run(block)

    def _join(self, block: Block, ways: List[List[Value]]) -> List[Value]:
        first = ways[0]
        if any(len(way) != len(first) for way in ways):
            raise Refused(STACK_SHAPE, "reached with stacks of different depth", where=f"offset {block.offset}")
        shared = min((shared_slots(first, way) for way in ways[1:]), default=len(first))
        joined = [self._join_slot(block, [way[slot] for way in ways]) for slot in range(shared, len(first))]
        return [*first[:shared], *joined]

    def _join_slot(self, block: Block, values: List[Value]) -> Value:
        first = values[0]
        if all(value is first for value in values):
            return first
        if isinstance(first, Marker) and all(type(value) is type(first) for value in values):
            return first
        phi = Phi(block.number)
        self.evaluated.note(phi)
        if all(id(value) in self.blocks.copied for value in values):
            self.blocks.copied[id(phi)] = phi
        return phi

    def _enter_handler(self, node: Node, stack: List[Value]) -> None:
        """Note what the handler of a node that may raise finds on the stack."""
        handler = node.handler
        if handler is None or handler.target in self.ways_in or not MICRO_OPS[node.op].raises:
            return
        if handler.depth > len(stack):
            raise Refused(STACK_SHAPE, "a handler keeps more than there is", where=f"offset {node.offset}")
        stack = stack[: handler.depth]
        if HANDLER_PUSHES_SIX:
            stack += [Previous(handler.target)] * 3
            stack += [Raised(handler.target, part) for part in ("traceback", "value", "type")]
        else:
            if handler.lasti:
                stack.append(Lasti())
            stack.append(Raised(handler.target, "value"))
        self.enter(handler.target, stack)

    def _run(self, block: Block) -> None:
        machine = Machine(list(block.entry), self.blocks.copied, self.evaluated)
        machine.tested_before = self.tested_before.get(block.number)
        machine.parallel = self.parallel.get(block.number)
        nodes = block.nodes if block.kind == GOTO else block.nodes[:-1]
        start = 0
        for index, node in enumerate(nodes):
            self._enter_handler(node, machine.stack)
            machine.run(node)
            if machine.ends_scope and index + 1 - start < len(block.nodes):
                block = self._cut(block, index + 1 - start, machine)
                machine = Machine(list(block.entry), self.blocks.copied, self.evaluated)
                start = index + 1
        self._finish(block, machine)

    def _cut(self, block: Block, index: int, machine: Machine) -> Block:
        """End ``block`` before its node ``index``; what follows is a block of its own."""
        rest = Block(self.next_number, block.nodes[index:])
        self.next_number += 1
        rest.next = block.next
        rest.entry = list(machine.stack)
        self.blocks.by_number[rest.number] = rest
        self.order.append(rest.number)
        block.nodes = block.nodes[:index]
        block.kind, block.next = GOTO, [rest.number]
        block.ends_scope = True
        block.body, block.out = machine.body, machine.stack
        return rest

    def _finish(self, block: Block, machine: Machine) -> None:
        node = block.nodes[-1]
        machine.node = node
        self._enter_handler(node, machine.stack)
        if block.kind in (BRANCH, RETURN):
            block.test = only_element(machine.pop())
            if isinstance(node.arg, Case):
                block.test = PatternTest(node.arg.pattern, block.test, node.arg.position)
        elif node.op == "RAISE_VARARGS":
            _raise(machine, node)
        if machine.parallel is not None and not block.next:
            raise machine.refused(STACK_SHAPE, "ends a parallel assignment early")
        if machine.tested_before is not None:
            raise machine.refused(PENDING_OPERANDS, "comes behind a test that decides nothing")
        if block.kind == BRANCH:
            self._put_off(block, machine)
        block.body, block.out, block.ends_scope = machine.body, machine.stack, machine.ends_scope
        for label, target in enumerate(block.next):
            self.enter(target, _after(block, label), machine.parallel)

    def _put_off(self, block: Block, machine: Machine) -> None:
        """Where no statement can stand, leave a test that leads to one place either way to the expression there."""
        target = block.next[0]
        if target != block.next[1] or self.counts[target] != 2 or not isinstance(block.test, ast.expr):
            return
        if (machine.pending() or self.is_expression) and not (machine.stack and machine.stack[-1] is block.test):
            self.tested_before[target] = block.test
            block.kind, block.test, block.next = GOTO, None, [target]


def _after(block: Block, label: int) -> List[Value]:
    if block.kind != FOR:
        return block.out
    loop = block.out[-1]
    if not isinstance(loop, Iter):
        raise Refused(STACK_SHAPE, "FOR_ITER takes something that is no iterator", where=f"offset {block.offset}")
    return [*block.out, Item(loop)] if label == 0 else block.out[:-1]


def _raise(machine: Machine, node: Node) -> None:
    operands = machine.operands(node.arg)  # type: ignore[arg-type]
    machine.body.append(ast.Raise(operands[0] if operands else None, operands[1] if len(operands) > 1 else None))
