"""Handlers of CPython 3.8-3.10, found by running the block stack that the interpreter would run.

    SETUP_FINALLY H                      g()    handler H, depth 0
    LOAD_GLOBAL g; CALL_FUNCTION 0  =>
    POP_BLOCK

On 3.8 a `finally` body is a subroutine that is entered in three ways (falling in, called, by an exception).  It is
copied here per way, which
gives the shape that 3.9+ compile: END_FINALLY becomes nothing, a jump back, or RERAISE (Python/ceval.c of 3.8).
"""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.control import Exit, Instructions, Step, step
from depyf.decompiler.disassemble.expansion import Micro, Names
from depyf.decompiler.disassemble.instructions import Instruction
from depyf.decompiler.disassemble.opcodes import EDGE_EFFECTS, MICRO_OPS

FALLS_IN = -1
# CO_MAXBLOCKS of Include/cpython/code.h.
MOST_BLOCKS = 20


class Block(NamedTuple):
    """An entry of the block stack: where a raise goes, with how many slots and markers left."""

    target: int
    depth: int
    markers: int


class Marker(NamedTuple):
    """What a `finally` subroutine finds on the stack: FALLS_IN, or the offset to return to.  ``depth`` counts real
    slots below it.
    """

    depth: int
    returns_to: int


class Context(NamedTuple):
    """Block stack and subroutine markers at an instruction.

    ``depth`` is the number of operand-stack slots, markers not counted.
    """

    blocks: Tuple[Block, ...] = ()
    markers: Tuple[Marker, ...] = ()
    depth: int = 0


class ContextExit(NamedTuple):
    """An exit together with the context that it leads to."""

    target: int
    context: Context
    micros: Tuple[Micro, ...] = ()


class ContextStep(NamedTuple):
    """A step whose exits carry contexts."""

    micros: List[Micro]
    exits: Tuple[ContextExit, ...]


BlockRow = Callable[[Instruction, Context, bool], ContextStep]


def context_step(instruction: Instruction, every: Instructions, names: Names, context: Context) -> ContextStep:
    """One instruction in its context: its micro-operations, and the contexts after it."""
    row = _BLOCK_ROWS.get(instruction.opname)
    if row is not None:
        marked = bool(context.markers) and context.markers[-1].depth == context.depth
        return row(instruction, context, marked)
    plain = step(instruction, every, names)
    exits = [_follow(plain, number, exit_, context) for number, exit_ in enumerate(plain.exits)]
    return ContextStep(plain.micros, tuple(exits))


def _grown(depth: int, micros: Sequence[Micro]) -> int:
    for op, arg in micros:
        pops, pushes = MICRO_OPS[op].effect(arg)
        depth += pushes - pops
    return depth


def _follow(plain: Step, number: int, exit_: Exit, context: Context) -> ContextExit:
    micros = plain.micros
    if number and micros and micros[-1][0] in EDGE_EFFECTS:
        depth = _grown(context.depth, micros[:-1]) + EDGE_EFFECTS[micros[-1][0]]
    else:
        depth = _grown(context.depth, micros)
    after = Context(context.blocks, context.markers, _grown(depth, exit_.micros))
    return ContextExit(exit_.target, after, exit_.micros)


def _on(
    instruction: Instruction, context: Context, micros: Tuple[Micro, ...] = (), target: Optional[int] = None
) -> ContextStep:
    after = instruction.after if target is None else target
    return ContextStep(list(micros), (ContextExit(after, context._replace(depth=_grown(context.depth, micros))),))


def _target(instruction: Instruction) -> int:
    if instruction.target is None:
        raise ValueError(f"{instruction.opname} is no jump")
    return instruction.target


def _setup(slots_above: int, *micros: Micro) -> BlockRow:
    def row(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
        if len(context.blocks) == MOST_BLOCKS:
            raise ValueError("too many blocks in each other")
        depth = _grown(context.depth, micros) - slots_above
        blocks = (*context.blocks, Block(_target(instruction), depth, len(context.markers)))
        return _on(instruction, context._replace(blocks=blocks), micros)

    return row


def _pop_block(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
    if not context.blocks:
        raise ValueError("POP_BLOCK on an empty block stack")
    return _on(instruction, context._replace(blocks=context.blocks[:-1]))


def _begin_finally(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
    return _on(instruction, context._replace(markers=(*context.markers, Marker(context.depth, FALLS_IN))))


def _call_finally(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
    markers = (*context.markers, Marker(context.depth, instruction.after))
    return _on(instruction, context._replace(markers=markers), target=_target(instruction))


def _end_finally(instruction: Instruction, context: Context, marked: bool) -> ContextStep:
    if not marked:
        return ContextStep([("RERAISE", 0)], ())
    way = context.markers[-1].returns_to
    left = context._replace(markers=context.markers[:-1])
    return _on(instruction, left, target=instruction.after if way == FALLS_IN else way)


_UNWIND_EXCEPTION: Tuple[Micro, ...] = (("POP_TOP", None), ("POP_TOP", None), ("POP_TOP", None), ("POP_EXCEPT", None))


def _pop_finally(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
    keeps_top = bool(instruction.arg)
    below = context.depth - keeps_top
    if context.markers and context.markers[-1].depth == below:
        return _on(instruction, context._replace(markers=context.markers[:-1]))
    if not keeps_top:
        return _on(instruction, context, _UNWIND_EXCEPTION)
    pops: List[Micro] = []
    for _slot in range(3):
        pops += [("SWAP", 2), ("POP_TOP", None)]
    pops += [("SWAP", 4), ("SWAP", 3), ("SWAP", 2), ("POP_EXCEPT", None)]
    return _on(instruction, context, tuple(pops))


_NONE: Micro = ("LOAD_CONST", Const(None))
_EXIT_CALL: Tuple[Micro, ...] = (_NONE, ("COPY", 1), ("COPY", 1), ("CALL_FUNCTION", 3))


def _with_cleanup_start(instruction: Instruction, context: Context, marked: bool) -> ContextStep:
    if not marked:
        return _on(instruction, context, (("WITH_EXCEPT_START", None),))
    # The exit function below the marker is consumed; the marker moves down by one slot.
    marker = context.markers[-1]
    moved = context._replace(markers=(*context.markers[:-1], marker._replace(depth=marker.depth - 1)))
    return _on(instruction, moved, _EXIT_CALL)


def _with_cleanup_finish(instruction: Instruction, context: Context, _marked: bool) -> ContextStep:
    if context.markers and context.markers[-1].depth == context.depth - 1:
        return _on(instruction, context, (("POP_TOP", None),))
    swallow = (*_UNWIND_EXCEPTION, ("POP_TOP", None))
    depth = context.depth - 1
    swallowed = Context(
        context.blocks, (*context.markers, Marker(_grown(depth, swallow), FALLS_IN)), _grown(depth, swallow)
    )
    raised = context._replace(depth=depth)
    return ContextStep(
        [("BRANCH", None)], (ContextExit(instruction.after, swallowed, swallow), ContextExit(instruction.after, raised))
    )


_BLOCK_ROWS: Dict[str, BlockRow] = {
    "SETUP_FINALLY": _setup(0),
    "SETUP_WITH": _setup(1, ("BEFORE_WITH", None)),
    "SETUP_ASYNC_WITH": _setup(1),
    "POP_BLOCK": _pop_block,
    "BEGIN_FINALLY": _begin_finally,
    "CALL_FINALLY": _call_finally,
    "END_FINALLY": _end_finally,
    "POP_FINALLY": _pop_finally,
    "WITH_CLEANUP_START": _with_cleanup_start,
    "WITH_CLEANUP_FINISH": _with_cleanup_finish,
}

KNOWN_BLOCK_OPNAMES = frozenset(_BLOCK_ROWS)
