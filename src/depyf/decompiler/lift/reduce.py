"""Branches that only choose a value become expressions.

    b0: if a then b1 else b3      b0: if a and b then b2 else b3
    b1: if b then b2 else b3  =>

Each rule looks at one branching block and its two successors, merges them, and makes the graph smaller.  Successors
are reduced before the blocks that lead
to them, so that one pass is enough.
"""

from __future__ import annotations

import ast
import operator
from typing import Callable, Dict, List, Optional, Sequence, Type

from depyf.decompiler.lift.blocks import BRANCH, FOR, GOTO, RERAISE, RETURN, STOP, Block, Blocks
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.pattern_trees import evaluated_by
from depyf.decompiler.lift.values import Cell, Phi, Value, shared_slots


def reduce_conditions(blocks: Blocks) -> Blocks:
    """Merge blocks until only statements branch."""
    _split_tests(blocks)
    reduction = _Reduction(blocks)
    for number in reversed(blocks.order):
        if number in blocks.by_number:
            reduction.settle(blocks.by_number[number])
    blocks.order = [number for number in blocks.order if number in blocks.by_number]
    _split_returns(blocks)
    return blocks


def _split_tests(blocks: Blocks) -> None:
    """A shared test of a value that is kept becomes one test per way in.

    ``(a if b else c and d) and e``: where c is false, the compiler leads past the test of what was chosen.
    """
    ways: Dict[int, List[Block]] = {}
    for block in blocks.by_number.values():
        for target in block.next:
            ways.setdefault(target, []).append(block)
    for shared in list(blocks.by_number.values()):
        if _tests_what_arrives(shared) and all(_arrives_evaluated(way, shared) for way in ways.get(shared.number, ())):
            for way in ways[shared.number]:
                way.kind, way.test, way.next = BRANCH, way.out[-1], list(shared.next)
            del blocks.by_number[shared.number]
            blocks.order.remove(shared.number)


def _tests_what_arrives(block: Block) -> bool:
    """Whether a block only tests a value, and keeps it, that depends on the way that led there."""
    if block.kind != BRANCH or block.body or not block.entry or not same(block.out, block.entry):
        return False
    return isinstance(block.test, Phi) and block.test is block.entry[-1]


def _arrives_evaluated(way: Block, shared: Block) -> bool:
    """Whether a block evaluates a value and goes on to ``shared`` with it."""
    if way.kind != GOTO or way.ends_scope or way.handler != shared.handler:
        return False
    return all(way.out[-1] is not held for held in way.entry)


def _split_returns(blocks: Blocks) -> None:
    """A shared return whose value is no conditional expression becomes one return per way in."""
    shared = [
        block
        for block in blocks.by_number.values()
        if block.kind == RETURN
        and not block.body
        and isinstance(block.test, Phi)
        and block.test.value is None
        and block.test in block.entry
    ]
    for block in shared:
        for number in list(blocks.order):
            earlier = blocks.by_number[number]
            if block.number in earlier.next and earlier.kind == GOTO and not earlier.ends_scope:
                earlier.kind, earlier.test, earlier.next = RETURN, earlier.out[-1], []
            elif block.number in earlier.next:
                copy = Block(blocks.free_number(), block.nodes)
                copy.entry = copy.out = earlier.out
                copy.test = earlier.out[-1]
                earlier.next = [copy.number if target == block.number else target for target in earlier.next]
                blocks.by_number[copy.number] = copy
                blocks.order.append(copy.number)
        del blocks.by_number[block.number]
        blocks.order.remove(block.number)


class _Reduction:
    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks.by_number
        self.ways_in = blocks.predecessors()

    def settle(self, block: Block) -> None:
        """Apply rules to ``block`` until none applies; what a rule did may let its new successors go on, too."""
        while self._step(block):
            for target in block.next:
                if self.ways_in[target] == 1 and target != block.number:
                    while self._step(self.blocks[target]):
                        pass
        if block.kind == GOTO and self.ways_in[block.next[0]] == 1:
            bind(self.blocks[block.next[0]].entry, block.out)

    def _step(self, block: Block) -> bool:
        return self.join(block) or any(rule(self, block) for rule in RULES)

    def join(self, block: Block) -> bool:
        """``b0: x; goto b1`` and ``b1: y``, entered from b0 only  =>  ``b0: x; y``."""
        if block.kind != GOTO or block.ends_scope:
            return False
        following = self.blocks[block.next[0]]
        if following is block or self.ways_in[following.number] != 1 or following.kind == FOR:
            return False
        if following.handler != block.handler:
            return False
        bind(following.entry, block.out)
        block.body += following.body
        block.test, block.out, block.kind, block.ends_scope = (
            following.test,
            following.out,
            following.kind,
            following.ends_scope,
        )
        self.redirect(block, following.next, removed=[following])
        return True

    def redirect(self, block: Block, targets: Sequence[int], removed: Sequence[Block]) -> None:
        """Let ``block`` lead to ``targets``, and forget blocks that nothing else leads to."""
        for target in targets:
            self.ways_in[target] += 1
        for target in block.next:
            self.ways_in[target] -= 1
        block.next = list(targets)
        for gone in removed:
            if self.ways_in[gone.number] == 0 and gone.number in self.blocks:
                for target in gone.next:
                    self.ways_in[target] -= 1
                if gone.handler is not None and gone.handler.target in self.ways_in:
                    self.ways_in[gone.handler.target] -= 1
                del self.blocks[gone.number]

    def arm(self, block: Block, label: int) -> Optional[Block]:
        """The successor of a branch when it only evaluates: one way in, no statement, the same handler."""
        following = self.blocks[block.next[label]]
        if following is block or self.ways_in[following.number] != 1 or following.body or following.ends_scope:
            return None
        if following.handler != block.handler or following.kind not in (GOTO, BRANCH):
            return None
        return following

    def decide(
        self, block: Block, test: ast.expr, targets: Sequence[int], out: List[Value], removed: Sequence[Block]
    ) -> bool:
        """Make ``block`` branch on ``test``."""
        block.test, block.out = test, out
        self.redirect(block, targets, removed)
        return True

    def deliver(self, block: Block, value: ast.expr, below: List[Value], target: int, removed: Sequence[Block]) -> bool:
        """Make ``block`` push ``value`` and go on."""
        block.kind, block.test, block.out = GOTO, None, [*below, value]
        self.redirect(block, [target], removed)
        return True


Rule = Callable[[_Reduction, Block], bool]


def bind(entry: Sequence[Value], out: Sequence[Value]) -> None:
    """Give the phis of a block with one way in the values that this way brings."""
    shared = shared_slots(list(entry), list(out))
    for slot, value in zip(entry[shared:], out[shared:]):
        if isinstance(slot, Phi) and slot is not value and isinstance(value, ast.expr):
            slot.value = value


def same(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether two stacks hold the same objects."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


def keeps(block: Block) -> bool:
    """Whether the tested value stays on the stack (COPY 1; BRANCH)."""
    return bool(block.out) and block.out[-1] is block.test


def _boolean(op: Type[ast.boolop], left: ast.expr, right: ast.expr) -> ast.expr:
    # Right-nested: `resolve` flattens a tower at once.
    return ast.BoolOp(op(), [left, right])


def _completes_chain(block: Block) -> bool:
    """Whether the test is the second half of ``a < b < c``, whose first half has to be joined to it before anything
    else.
    """
    test = block.test
    return isinstance(test, ast.Compare) and bool(block.entry) and test.left is block.entry[-1]


def both_tested(reduction: _Reduction, block: Block) -> bool:
    """``if a then (if b then x else y) else y``  =>  ``if a and b then x else y``, and its three mirror images."""
    if block.kind != BRANCH or keeps(block) or not isinstance(block.test, ast.expr) or _completes_chain(block):
        return False
    for label in (0, 1):
        inner = reduction.arm(block, label)
        if (
            inner is None
            or inner.kind != BRANCH
            or keeps(inner)
            or not same(inner.out, block.out)
            or not isinstance(inner.test, ast.expr)
        ):
            continue
        other = block.next[1 - label]
        if other not in inner.next:
            continue
        if inner.next[0] == inner.next[1]:
            # `if a or b or True`, of which the compiler leaves out the last test.
            joined = _boolean(ast.And if label == 0 else ast.Or, block.test, inner.test)
            return reduction.decide(block, joined, [other, other], block.out, [inner])
        shared = inner.next.index(other)
        far = inner.next[1 - shared]
        # `and` leaves on false, `or` on true: the shared target is where the first test leaves to.
        op: Type[ast.boolop] = ast.And if label == 0 else ast.Or
        right = inner.test if shared != label else negated(inner.test)
        targets = [far, other] if label == 0 else [other, far]
        return reduction.decide(block, _boolean(op, block.test, right), targets, block.out, [inner])
    return False


def tested_then_kept(reduction: _Reduction, block: Block) -> bool:
    """``a and b or c``: a drops, b is kept on true and dropped before c on false, where a leads too."""
    if block.kind != BRANCH or keeps(block) or not isinstance(block.test, ast.expr) or _completes_chain(block):
        return False
    for label in (0, 1):
        inner = reduction.arm(block, label)
        if (
            inner is None
            or inner.kind != BRANCH
            or not keeps(inner)
            or not same(inner.out[:-1], block.out)
            or not isinstance(inner.test, ast.expr)
        ):
            continue
        for dropped, op in ((1, ast.And), (0, ast.Or)):
            dropping = reduction.blocks[inner.next[dropped]]
            if _only_drops(dropping) and dropping.next[0] == block.next[1 - label]:
                left = block.test if (op is ast.And) == (label == 0) else negated(block.test)
                value = _boolean(op, left, inner.test)
                return reduction.decide(block, value, list(inner.next), [*block.out, value], [inner])
    return False


def both_kept(reduction: _Reduction, block: Block) -> bool:
    """``(a and b) or c``: a is kept, and dropped where b is tested; both lead to one place when they are false."""
    if block.kind != BRANCH or not keeps(block) or not isinstance(block.test, ast.expr):
        return False
    for label in (0, 1):
        inner = reduction.arm(block, label)
        if inner is None or inner.kind != BRANCH or not keeps(inner) or not isinstance(inner.test, ast.expr):
            continue
        if not same(inner.out[:-1], block.out[:-1]) or inner.test is block.test:
            continue
        if inner.next[1 - label] != block.next[1 - label]:
            continue
        value = _boolean(ast.And if label == 0 else ast.Or, block.test, inner.test)
        return reduction.decide(block, value, list(inner.next), [*block.out[:-1], value], [inner])
    return False


def _only_drops(block: Block) -> bool:
    return block.kind == GOTO and not block.body and not block.ends_scope and same(block.out, block.entry[:-1])


def kept_value(reduction: _Reduction, block: Block) -> bool:
    """``a; if true keep it else drop it and take b``  =>  ``a or b``; the mirror image is ``and``."""
    if block.kind != BRANCH or not keeps(block) or not isinstance(block.test, ast.expr):
        return False
    below = block.out[:-1]
    for label in (0, 1):
        inner = reduction.arm(block, label)
        if inner is None or inner.kind != GOTO or inner.next[0] != block.next[1 - label]:
            continue
        value = _pushed(inner.out, below)
        if value is None or value is block.test:
            continue
        joined = _boolean(ast.And if label == 0 else ast.Or, block.test, value)
        return reduction.deliver(block, joined, below, inner.next[0], [inner])
    return False


def dropped_value(reduction: _Reduction, block: Block) -> bool:
    """``a``, kept and dropped; if it is false ``b`` is evaluated and dropped, too: ``a or b`` at the end of a function,
    or of a loop.

    The compiler copies a short end to both ways out (Python/flowgraph.c, inline_small_or_no_lineno_blocks).
    """
    if block.kind != BRANCH or not keeps(block) or not isinstance(block.test, ast.expr):
        return False
    for label in (0, 1):
        inner, end = (reduction.blocks[block.next[way]] for way in (label, 1 - label))
        if reduction.ways_in[inner.number] != 1 or not inner.body:
            continue
        copies = _same_end(reduction, inner, end, inner.body[1:])
        if copies is None:
            continue
        value = evaluated_by(inner.body[0])
        joined = None if value is None else _joined(block, label, value)
        if joined is not None:
            block.body += [ast.Expr(joined), *inner.body[1:]]
            block.kind, block.test, block.out = inner.kind, inner.test, inner.out
            reduction.redirect(block, inner.next, [inner, *copies])
            return True
    return False


def _joined(block: Block, label: int, right: ast.expr) -> Optional[ast.expr]:
    """The kept test of ``block`` and what is evaluated if it leads to ``label``, as one expression."""
    left = block.test
    assert isinstance(left, ast.expr)
    shared = left.comparators[-1] if isinstance(left, ast.Compare) else None
    if shared is None or len(block.out) < 2 or block.out[-2] is not shared:
        return _boolean(ast.And if label == 0 else ast.Or, left, right)
    if label == 0 and isinstance(left, ast.Compare) and isinstance(right, ast.Compare) and right.left is shared:
        return _chain(left, right)
    return None


def _same_end(reduction: _Reduction, one: Block, other: Block, statements: Sequence[ast.stmt]) -> Optional[List[Block]]:
    """The blocks from ``other`` on that are a copy of what ``one`` does with ``statements``; None if they are none."""
    if one.kind != other.kind or one.handler != other.handler or one.ends_scope or other.ends_scope:
        return None
    if len(statements) != len(other.body) or len(one.out) != len(other.out):
        return None
    pairs = [*zip(statements, other.body), (one.test, other.test)]
    if not all(_alike(first, second) for first, second in pairs):
        return None
    if one.kind in (RETURN, STOP, RERAISE) or (one.kind == GOTO and one.next == other.next):
        return [other]
    if one.kind != GOTO or reduction.ways_in[other.next[0]] != 1:
        return None
    following = reduction.blocks[one.next[0]]
    rest = _same_end(reduction, following, reduction.blocks[other.next[0]], following.body)
    return None if rest is None else [other, *rest]


def _alike(one: object, other: object) -> bool:
    if isinstance(one, Cell) and isinstance(other, Cell):
        return one.name == other.name
    return one is other or (
        isinstance(one, ast.AST) and isinstance(other, ast.AST) and ast.dump(one) == ast.dump(other)
    )


def _pushed(out: List[Value], below: List[Value]) -> Optional[ast.expr]:
    if len(out) == len(below) + 1 and same(out[:-1], below) and isinstance(out[-1], ast.expr):
        return out[-1]
    return None


def chosen_value(reduction: _Reduction, block: Block) -> bool:
    """``if c then push a else push b``  =>  ``push (a if c else b)``.

    Two tests with the same targets choose a condition.
    """
    if block.kind != BRANCH or keeps(block) or not isinstance(block.test, ast.expr) or _completes_chain(block):
        return False
    yes, no = reduction.arm(block, 0), reduction.arm(block, 1)
    if yes is None or no is None or yes is no or yes.kind != no.kind:
        return False
    if yes.kind == GOTO:
        one, other = _pushed(yes.out, block.out), _pushed(no.out, block.out)
        if one is None or other is None or yes.next != no.next:
            return False
        return reduction.deliver(block, ast.IfExp(block.test, one, other), block.out, yes.next[0], [yes, no])
    if (
        keeps(yes)
        and keeps(no)
        and yes.next == no.next
        and same(yes.out[:-1], block.out)
        and same(no.out[:-1], block.out)
    ):
        return _chosen_and_kept(reduction, block, yes, no)
    if (
        keeps(yes)
        or keeps(no)
        or not same(yes.out, block.out)
        or not same(no.out, block.out)
        or set(yes.next) != set(no.next)
    ):
        return False
    if not isinstance(yes.test, ast.expr) or not isinstance(no.test, ast.expr):
        return False
    other_test = no.test if yes.next == no.next else negated(no.test)
    return reduction.decide(block, ast.IfExp(block.test, yes.test, other_test), list(yes.next), block.out, [yes, no])


def _chosen_and_kept(reduction: _Reduction, block: Block, yes: Block, no: Block) -> bool:
    """Two values that are tested and kept alike choose one that is."""
    if not isinstance(block.test, ast.expr) or not isinstance(yes.test, ast.expr) or not isinstance(no.test, ast.expr):
        return False
    value = ast.IfExp(block.test, yes.test, no.test)
    return reduction.decide(block, value, list(yes.next), [*block.out, value], [yes, no])


def chained_value(reduction: _Reduction, block: Block) -> bool:
    """``a < b`` kept; if true ``b < c`` else drop b  =>  ``a < b < c``."""
    if block.kind != BRANCH or not keeps(block) or len(block.out) < 2:
        return False
    first = block.test
    if not isinstance(first, ast.Compare) or first.comparators[-1] is not block.out[-2]:
        return False
    second, cleanup = reduction.arm(block, 0), reduction.blocks[block.next[1]]
    if second is None or second.kind != GOTO or second.next != cleanup.next or not _drops_below_top(cleanup):
        return False
    below = block.out[:-2]
    value = _pushed(second.out, below)
    if not isinstance(value, ast.Compare) or value.left is not first.comparators[-1]:
        return False
    return reduction.deliver(block, _chain(first, value), below, second.next[0], [second, cleanup])


def _drops_below_top(block: Block) -> bool:
    if block.kind != GOTO or block.body or block.ends_scope or len(block.entry) < 2:
        return False
    return same(block.out, [*block.entry[:-2], block.entry[-1]])


def chained_test(reduction: _Reduction, block: Block) -> bool:
    """``if a < b then (if b < c then x else y) else drop b, y``  =>  ``if a < b < c then x else y``.

    ``is not`` and ``not in`` are ``is`` and ``in`` with the ways out exchanged.
    """
    if block.kind != BRANCH or keeps(block) or not block.out:
        return False
    for label in (0, 1):
        first = _passing(block.test, block.next, block.next[label])
        if first is None or first.comparators[-1] is not block.out[-1]:
            continue
        second, cleanup = reduction.arm(block, label), reduction.blocks[block.next[1 - label]]
        if second is None or second.kind != BRANCH or keeps(second) or not same(second.out, block.out[:-1]):
            continue
        if not _only_drops(cleanup) or cleanup.next[0] not in second.next:
            continue
        failing = cleanup.next[0]
        passing = second.next[1 - second.next.index(failing)]
        test = _passing(second.test, second.next, passing)
        if test is None or test.left is not first.comparators[-1]:
            continue
        return reduction.decide(block, _chain(first, test), [passing, failing], block.out[:-1], [second, cleanup])
    return False


def _passing(test: Optional[Value], targets: Sequence[int], wanted: int) -> Optional[ast.Compare]:
    """The comparison that is true where a branch on ``test`` leads to ``wanted``, if one is."""
    if not isinstance(test, ast.expr):
        return None
    found = test if targets[0] == wanted else negated(test)
    return found if isinstance(found, ast.Compare) else None


def _chain(first: ast.Compare, second: ast.Compare) -> ast.Compare:
    return ast.Compare(first.left, [*first.ops, *second.ops], [*first.comparators, *second.comparators])


RULES: List[Rule] = [
    both_tested,
    tested_then_kept,
    both_kept,
    kept_value,
    dropped_value,
    chosen_value,
    chained_value,
    chained_test,
]
