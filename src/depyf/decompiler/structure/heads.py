"""Give every ``try`` and ``with`` a block of its own in front, so that dominance sees its handler like an ``else``.

    b0 -> b1 (in the try) -> b2         b0 -> T;  T -> b1, H, b2
    H: the handler                  =>  b1 -> b2

From the front of a statement also leads an edge to every block that control reaches when it leaves the statement:
such a block is placed behind the statement,
not inside of it.
"""

from __future__ import annotations

from typing import Dict, List, Set, Tuple

from depyf.decompiler.lift.blocks import FOR as FOR_BLOCK
from depyf.decompiler.lift.blocks import Block, Blocks
from depyf.decompiler.refusals import CONTROL_FLOW, Refused
from depyf.decompiler.structure.dominators import reverse_postorder
from depyf.decompiler.structure.handlers import Purpose
from depyf.decompiler.structure.scopes import CLAUSE, TRY, WITH, Scope, scopes_of
from depyf.decompiler.structure.unbinding import FALLS_OUT, JUMPS

HEAD = "head"


class Layout:
    """Blocks with heads, the scopes around them, and where control goes when it leaves a statement.

    ``heads`` maps the number of a head block to the scope that it opens; ``exits`` maps a head, or the FOR block of a
    loop, to blocks behind the statement; ``swallowed`` maps the head
    of a ``with`` to where control goes on when ``__exit__`` swallows an exception;
    ``fallen`` holds the blocks that a clause is known to fall into, ``jumping`` those that
    a clause jumps from, ``jumped`` those that clauses only jump to.  Code that is no function
    cannot return in the middle: ``is_function`` tells.
    """

    def __init__(self, blocks: Blocks, purposes: Dict[int, Purpose], is_function: bool) -> None:
        self.blocks = blocks
        self.is_function = is_function
        self.purposes = purposes
        self.scopes = scopes_of(blocks, purposes)
        self.swallowed: Dict[int, List[int]] = {}
        self.before = self._predecessors()
        self.place = {number: index for index, number in enumerate(blocks.order)}
        self.heads: Dict[int, Scope] = {}
        self.exits: Dict[int, List[int]] = {}
        self._known_exits: Set[Tuple[int, int]] = set()
        self.fronts: Dict[Scope, int] = {}
        self.fallen = {block.next[0] for block in blocks.by_number.values() if _leaves(block, FALLS_OUT)}
        self.jumping = {number for number, block in blocks.by_number.items() if _leaves(block, JUMPS)}
        self.jumped = {blocks.by_number[number].next[0] for number in self.jumping} - self.fallen
        self.entry = blocks.entry
        self._add_heads()
        self._find_exits()

    def enclosing(self, number: int) -> List[int]:
        """Heads and FOR blocks of the statements around a block; a clause belongs to its ``try``."""
        scopes = (Scope(TRY, scope.key) if scope.kind == CLAUSE else scope for scope in self.scopes[number])
        return [self.fronts[scope] for scope in scopes if scope in self.fronts]

    def block(self, number: int) -> Block:
        """The block of that number."""
        return self.blocks.by_number[number]

    def flow(self, number: int) -> List[int]:
        """Where control goes from a block, where it goes on behind a ``with`` that swallowed an exception included."""
        return self.block(number).next + self.swallowed.get(number, [])

    def targets(self, number: int) -> List[int]:
        """Where control may go from a block, handlers of a ``try`` and the blocks behind a statement included."""
        block = self.block(number)
        targets = list(block.next)
        scope = self.heads.get(number)
        if scope is not None and scope.kind == TRY:
            targets.append(scope.key)
        return targets + self.exits.get(number, [])

    def _predecessors(self) -> Dict[int, List[int]]:
        before: Dict[int, List[int]] = {number: [] for number in self.blocks.by_number}
        for number in self.blocks.by_number:
            for target in dict.fromkeys(self.flow(number)):
                before[target].append(number)
        return before

    def _add_heads(self) -> None:
        opened: Dict[Scope, List[int]] = {}
        for number, scopes in self.scopes.items():
            for scope in scopes:
                if scope.kind in (TRY, WITH):
                    opened.setdefault(scope, []).append(number)
        depth = {scope: self.scopes[members[0]].index(scope) for scope, members in opened.items()}
        for scope in sorted(opened, key=lambda item: depth[item]):
            self._add_head(scope, set(opened[scope]), depth[scope])

    def _add_head(self, scope: Scope, members: Set[int], depth: int) -> None:
        entries = {
            number
            for number in members
            if number == self.entry
            or any(earlier not in members and not self._cleans_up(earlier) for earlier in self.before[number])
        }
        if len(entries) != 1:
            raise Refused(
                CONTROL_FLOW,
                f"a {scope.kind} statement with {len(entries)} ways in",
                where=f"offset {self.block(min(members)).offset}",
            )
        entry = entries.pop()
        head = Block(self.blocks.free_number(), self.block(entry).nodes)
        head.kind, head.next, head.entry = HEAD, [entry], self.block(entry).entry
        head.handler = None
        loops = self._entered_by_a_loop(entry, members)
        led = [number for number in self.before[entry] if number not in members or loops]
        for number in led:
            block = self.block(number)
            block.next = [head.number if target == entry else target for target in block.next]
        self.before[head.number] = led
        self.before[entry] = [
            head.number,
            *(number for number in self.before[entry] if entry in self.block(number).next),
        ]
        if self.entry == entry:
            self.entry = head.number
        self.blocks.by_number[head.number] = head
        self.scopes[head.number] = self.scopes[entry][:depth]
        self.heads[head.number] = scope

    def _cleans_up(self, number: int) -> bool:
        """Whether a block only restores the exception state before it raises on: such blocks are shared between
        statements.
        """
        return any(
            scope.kind == CLAUSE and self.purposes.get(scope.key) is Purpose.CLEANUP for scope in self.scopes[number]
        )

    def _entered_by_a_loop(self, entry: int, members: Set[int]) -> bool:
        """Whether a loop around the statement starts with it: then every jump to its start repeats that loop."""
        latest = self.place.get(entry, 0)
        return any(number not in members and self.place.get(number, -1) > latest for number in self.before[entry])

    def _find_exits(self) -> None:
        fronts = self.fronts = {scope: number for number, scope in self.heads.items()}
        for number, block in self.blocks.by_number.items():
            if block.kind == FOR_BLOCK and self.scopes[number]:
                fronts[self.scopes[number][-1]] = number
        self._find_swallowed(fronts)
        for number in reachable(self, self.entry):
            for target in self.flow(number):
                for scope in self._left(number, target):
                    front = fronts.get(scope)
                    if front is not None:
                        self._add_exit(front, target)
        self.before = self._predecessors()

    def _find_swallowed(self, fronts: Dict[Scope, int]) -> None:
        """Where control goes on when ``__exit__`` swallows an exception: also behind the ``with`` statement."""
        for handler, purpose in self.purposes.items():
            if purpose is not Purpose.WITH or handler not in self.blocks.by_number:
                continue
            scope = next((scope for scope in reversed(self.scopes[handler]) if scope.kind == WITH), None)
            if scope is None or scope not in fronts:
                continue
            pending, seen = [handler], {handler}
            while pending:
                for target in self.block(pending.pop()).next:
                    if scope not in self.scopes[target]:
                        self._add_exit(fronts[scope], target)
                        self.swallowed.setdefault(fronts[scope], []).append(target)
                    elif target not in seen:
                        seen.add(target)
                        pending.append(target)

    def _add_exit(self, front: int, target: int) -> None:
        if (front, target) not in self._known_exits:
            self._known_exits.add((front, target))
            self.exits.setdefault(front, []).append(target)

    def _left(self, number: int, target: int) -> List[Scope]:
        """Statements that the edge leaves.

        Leaving a clause leaves its ``try`` statement, handlers of a ``with`` are inside of it.
        """
        remaining = set(self.scopes[target])
        left = []
        for scope in self.scopes[number]:
            if scope not in remaining:
                left.append(Scope(TRY, scope.key) if scope.kind == CLAUSE else scope)
        return left


def _leaves(block: Block, way: str) -> bool:
    return block.nodes[-1].op in ("POP_EXCEPT", "NOP") and block.nodes[-1].arg == way


def reachable(layout: Layout, start: int) -> Set[int]:
    """Blocks that ``start`` leads to."""
    return set(reverse_postorder(start, layout.targets))
