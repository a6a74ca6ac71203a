"""Code object to effect graph: read, rewrite, link, simplify, prune.

    0 LOAD_FAST a            0 LOAD_FAST a -> 1
    2 UNARY_NOT         =>   1 BRANCH -> (3, 2)
    4 POP_JUMP_IF_FALSE 8    ...

Nothing is lost but encoding: a node stands for exactly what its instruction does.  Rules applied here hold for any
bytecode and are listed in
``docs/equivalence.md`` (N1-N7, N9): they are part of what the verifier calls equal.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, List, NamedTuple, Optional, Tuple, Union

from depyf.decompiler.disassemble.blockstack import Block, Context, ContextExit, Marker, context_step
from depyf.decompiler.disassemble.control import Instructions, step
from depyf.decompiler.disassemble.exceptions import TableEntry, read_exception_table
from depyf.decompiler.disassemble.expansion import HANDLER_ENTRY_SLOTS, Micro, names_of
from depyf.decompiler.disassemble.graph import Graph, Handler, Node, Position
from depyf.decompiler.disassemble.guards import guard_branches
from depyf.decompiler.disassemble.instructions import Instruction, read_instructions, read_positions
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.refusals import TOO_LONG, DamagedCode, Refused
from depyf.decompiler.versions import EXCEPTION_TABLE


# Where control is: an instruction, and on 3.8-3.10 also what the block stack holds there.
class ContextKey(NamedTuple):
    """An instruction and what the block stack holds there; ``is_entry`` tells the node in front of a handler."""

    offset: int
    blocks: Tuple[Block, ...] = ()
    markers: Tuple[Marker, ...] = ()
    is_entry: bool = False


Key = Union[int, ContextKey]
NO_POSITION = Position(None)
# How many contexts an instruction may run in, on average; copies of `finally` bodies in each other multiply.
_CONTEXTS = 100
# Instructions whose operand is a number of slots, if it is large.
_COUNT_SLOTS = {op for op, row in MICRO_OPS.items() if callable(row.pops) or callable(row.pushes)}
_COUNT_SLOTS = _COUNT_SLOTS - {"LOAD_SUPER_ATTR"} | {"ROT_N", "CALL_METHOD"}


def _slots(instruction: Instruction) -> int:
    if instruction.opname == "UNPACK_EX":
        return (instruction.arg & 0xFF) + (instruction.arg >> 8)
    return instruction.arg


class Draft:
    """A node while it is being linked: ``next`` names keys until :func:`decode` resolves them to drafts."""

    __slots__ = ("arg", "handler", "next", "number", "offset", "op", "position")

    def __init__(self, op: str, arg: object, offset: int, position: Position) -> None:
        self.op = op
        self.arg = arg
        self.next: List[Union[Draft, Key]] = []
        self.handler: Optional[Tuple[Union[Draft, Key], int, bool]] = None
        self.offset = offset
        self.position = position
        self.number = -1


def decode(code: CodeType) -> Graph:
    """The effect graph of ``code``.

    Raises :class:`~depyf.decompiler.refusals.DamagedCode` when the bytes are no program of this Python: unknown
    opcodes, jumps out of the code,
    operands out of their tables.
    """
    builder = _Builder(code)
    entry = builder.draft_at(builder.trace())
    drafts = _reachable(builder, entry)
    _simplify_conditions(drafts)
    return guard_branches(_freeze(builder, entry))


class _Builder:
    """Rewrites instructions that are reached into drafts, by key."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.names = names_of(code)
        self.instructions: Instructions = read_instructions(code)
        self.positions = read_positions(code, self.instructions)
        self.table = read_exception_table(code) if EXCEPTION_TABLE else {}
        self.first: Dict[Key, Union[Draft, Key]] = {}
        self.depths: Dict[Key, int] = {}
        self.most_slots = max(16, min(code.co_stacksize, len(code.co_code)))

    def trace(self) -> Key:
        """Visit everything reachable, handlers of code that cannot raise included; returns the key of the entry."""
        if 0 not in self.instructions:
            raise DamagedCode(self.code, 0, "no instruction starts at offset 0")
        start: Key = 0 if EXCEPTION_TABLE else ContextKey(0)
        self.depths[start] = 0
        pending = [start]
        visit = self._visit if EXCEPTION_TABLE else self._visit_in_context
        while pending:
            key = pending.pop()
            if key not in self.first:
                pending += visit(key)
                if len(self.first) > _CONTEXTS * len(self.instructions):
                    raise Refused(TOO_LONG, "blocks are entered in too many ways", where=self.code.co_name)
        return start

    def instruction_at(self, offset: int) -> Instruction:
        found = self.instructions.get(offset)
        if found is None:
            raise DamagedCode(self.code, offset, "control runs past the last instruction")
        if found.arg > self.most_slots and found.opname in _COUNT_SLOTS and _slots(found) > self.most_slots:
            raise DamagedCode(self.code, offset, f"{found.opname} {found.arg} needs more stack than the code has")
        return found

    def _visit(self, key: Key) -> List[Key]:
        instruction = self.instruction_at(key)  # type: ignore[arg-type]
        try:
            micros, exits = step(instruction, self.instructions, self.names)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise self._damaged(instruction, error) from error
        handler = self.table.get(instruction.offset)
        self._chain(key, instruction, micros, [(exit_.micros, exit_.target) for exit_ in exits], handler)
        targets: List[Key] = [exit_.target for exit_ in exits]
        if handler is not None:
            self.instruction_at(handler.target)
            targets.append(handler.target)
        return targets

    def _visit_in_context(self, key: Key) -> List[Key]:
        assert isinstance(key, ContextKey)
        _offset, blocks, markers, _is_entry = key
        instruction = self.instruction_at(key.offset)
        context = Context(blocks, markers, self.depths[key])
        try:
            micros, exits = context_step(instruction, self.instructions, self.names, context)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise self._damaged(instruction, error) from error
        targets = [self._enter(exit_) for exit_ in exits]
        handler: Optional[TableEntry] = None
        handler_key: Optional[ContextKey] = None
        if blocks:
            block = blocks[-1]
            self.instruction_at(block.target)
            handler_key = ContextKey(block.target, blocks[:-1], markers[: block.markers])
            self._note_depth(handler_key, block.depth + HANDLER_ENTRY_SLOTS)
            handler = TableEntry(block.target, block.depth, False)
            targets += self._enter_handler(handler_key)
            handler_key = handler_key._replace(is_entry=True)
        self._chain(key, instruction, micros, [(e.micros, k) for e, k in zip(exits, targets)], handler, handler_key)
        return targets

    def _enter_handler(self, key: ContextKey) -> List[Key]:
        """Start the handler at ``key`` with a node that tells what guards it, whatever its first instruction is."""
        _offset, blocks, markers, _is_entry = key
        entry = key._replace(is_entry=True)
        if entry in self.first:
            return [key]
        front = Draft("ENTER_HANDLER", None, key.offset, NO_POSITION)
        front.next.append(key)
        self.first[entry] = front
        if not blocks:
            return [key]
        outer = ContextKey(blocks[-1].target, blocks[:-1], markers[: blocks[-1].markers])
        self._note_depth(outer, blocks[-1].depth + HANDLER_ENTRY_SLOTS)
        front.handler = (outer._replace(is_entry=True), blocks[-1].depth, False)
        return [key, outer, *self._enter_handler(outer)]

    def _enter(self, exit_: ContextExit) -> Key:
        key = ContextKey(exit_.target, exit_.context.blocks, exit_.context.markers)
        self._note_depth(key, exit_.context.depth)
        return key

    def _note_depth(self, key: ContextKey, depth: int) -> None:
        if depth < 0 or self.depths.setdefault(key, depth) != depth:
            why = f"reached with stack depths {self.depths.get(key)} and {depth}"
            raise DamagedCode(self.code, key.offset, why)

    def _chain(
        self,
        key: Key,
        instruction: Instruction,
        micros: List[Micro],
        exits: List[Tuple[Tuple[Micro, ...], Key]],
        handler: Optional[TableEntry],
        handler_key: Optional[Key] = None,
    ) -> None:
        position = self.positions.get(instruction.offset, NO_POSITION)
        landing = None
        if handler is not None:
            landing = (handler.target if handler_key is None else handler_key, handler.depth, handler.lasti)

        if len(micros) == len(exits) == 1 and not exits[0][0]:  # as most instructions
            self.first[key] = only = Draft(*micros[0], instruction.offset, position)
            only.handler = landing
            only.next.append(exits[0][1])
            return

        def draft(micro: Micro) -> Draft:
            made = Draft(micro[0], micro[1], instruction.offset, position)
            made.handler = landing
            return made

        def link(chain: Tuple[Micro, ...], last: Union[Draft, Key]) -> Union[Draft, Key]:
            for micro in reversed(chain):
                made = draft(micro)
                made.next.append(last)
                last = made
            return last

        ends = [link(chain, target) for chain, target in exits]
        if not micros:
            self.first[key] = ends[0]
            return
        last = draft(micros[-1])
        last.next = ends
        self.first[key] = link(tuple(micros[:-1]), last)

    def draft_at(self, place: Union[Draft, Key]) -> Draft:
        """The draft that runs first at ``place``.

        Instructions without effects are skipped, an endless loop of them becomes a NOP.
        """
        first = place if isinstance(place, Draft) else self.first[place]
        if isinstance(first, Draft):
            return first
        passed: List[Key] = []
        seen = set()
        while not isinstance(place, Draft):
            if place in seen:
                loop = Draft("NOP", None, place if isinstance(place, int) else place.offset, NO_POSITION)
                loop.next.append(loop)
                place = loop
                break
            seen.add(place)
            passed.append(place)
            place = self.first[place]
        for key in passed:
            self.first[key] = place
        return place

    def _damaged(self, instruction: Instruction, error: Exception) -> DamagedCode:
        why = (
            f"unknown opcode {instruction.opname}"
            if isinstance(error, KeyError)
            else f"{instruction.opname} {instruction.arg}: {error}"
        )
        return DamagedCode(self.code, instruction.offset, why)


def _reachable(builder: _Builder, entry: Draft) -> List[Draft]:
    """Every draft reached from ``entry``, with its keys resolved to drafts.

    Only operations that can raise reach their handler.
    """
    order: List[Draft] = []
    pending = [entry]
    while pending:
        draft = pending.pop()
        if draft.number >= 0:
            continue
        draft.number = len(order)
        order.append(draft)
        draft.next = [builder.draft_at(place) for place in draft.next]
        pending += draft.next  # type: ignore[arg-type]
        if draft.handler is not None:
            place, depth, lasti = draft.handler
            target = builder.draft_at(place)
            draft.handler = (target, depth, lasti)
            if MICRO_OPS[draft.op].raises:
                pending.append(target)
    return order


_TRUTH_TESTS = frozenset(["BRANCH", "UNARY_NOT", "TO_BOOL"])


def _simplify_conditions(drafts: List[Draft]) -> None:
    """N7 and N9: a truth test before a truth test is one, and negations before a branch exchange its edges."""
    for draft in sorted(drafts, key=lambda item: -item.offset):
        if len(draft.next) != 1 or draft.op not in ("TO_BOOL", "UNARY_NOT", "IS_OP", "CONTAINS_OP"):
            continue
        following = draft.next[0]
        assert isinstance(following, Draft)
        # Testing what a test gave cannot raise: only the handler of the first one counts.
        if draft.op == "TO_BOOL" and following.op in _TRUTH_TESTS and following is not draft:
            draft.op, draft.next = following.op, list(following.next)
        elif following.op != "BRANCH":
            continue
        elif draft.op == "UNARY_NOT":
            draft.op, draft.next = "BRANCH", [following.next[1], following.next[0]]
        elif draft.arg == 1:
            draft.arg, draft.next = 0, [_negated(following)]


def _negated(branch: Draft) -> Draft:
    swapped = Draft("BRANCH", None, branch.offset, branch.position)
    swapped.handler = branch.handler
    swapped.next = [branch.next[1], branch.next[0]]
    return swapped


def _freeze(builder: _Builder, entry: Draft) -> Graph:
    """Number what is still reachable in order of discovery, and make it immutable."""
    order: List[Draft] = []
    numbers: Dict[int, int] = {}
    pending = [entry]
    while pending:
        draft = pending.pop()
        if id(draft) in numbers:
            continue
        numbers[id(draft)] = len(order)
        order.append(draft)
        if draft.handler is not None and MICRO_OPS[draft.op].raises:
            pending.append(draft.handler[0])  # type: ignore[arg-type]
        pending += reversed(draft.next)  # type: ignore[arg-type]
    nodes = []
    for draft in order:
        handler: Optional[Handler] = None
        landing = draft.handler
        passed: List[object] = []
        while landing is not None and handler is None and landing not in passed:
            passed.append(landing)
            target = builder.draft_at(landing[0])
            if id(target) in numbers:
                handler = Handler(numbers[id(target)], landing[1], landing[2])
            # Nothing raises into a handler that is not reached: what guards it guards this node.
            landing = target.handler
        following = tuple(numbers[id(place)] for place in draft.next)
        nodes.append(Node(draft.op, draft.arg, following, handler, draft.offset, draft.position))
    return Graph(builder.code, tuple(nodes), 0)
