"""Control flow of single instructions: what runs, and where control goes after it.

POP_JUMP_IF_NONE L       =>    LOAD_CONST None; IS_OP 0; BRANCH -> (L, next)
JUMP_IF_FALSE_OR_POP L   =>    COPY 1; BRANCH -> (POP_TOP then next, L)
FOR_ITER L               =>    FOR_ITER -> (next, L without its cleanup instructions)
"""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Tuple

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.expansion import ROWS, Micro, Names
from depyf.decompiler.disassemble.instructions import Instruction
from depyf.decompiler.versions import FOR_ITER_CLEANUP, SEND_POPS_RECEIVER


class Exit(NamedTuple):
    """One way out of a step: micro-operations of that edge alone, then the instruction at ``target``."""

    target: int
    micros: Tuple[Micro, ...] = ()


class Step(NamedTuple):
    """One instruction, rewritten: the last micro-operation has one successor per exit."""

    micros: List[Micro]
    exits: Tuple[Exit, ...]


Instructions = Dict[int, Instruction]
ControlRow = Callable[[Instruction, Instructions], Step]

_IS_NONE: List[Micro] = [("LOAD_CONST", Const(None)), ("IS_OP", 0), ("BRANCH", None)]


def _target(instruction: Instruction) -> int:
    if instruction.target is None:
        raise ValueError(f"{instruction.opname} is no jump")
    return instruction.target


def _jump(instruction: Instruction, _all: Instructions) -> Step:
    return Step([], (Exit(_target(instruction)),))


def _jump_if(wanted: bool, micros: List[Micro]) -> ControlRow:
    def row(instruction: Instruction, _all: Instructions) -> Step:
        jump, fall = Exit(_target(instruction)), Exit(instruction.after)
        return Step(micros, (jump, fall) if wanted else (fall, jump))

    return row


def _jump_or_pop(wanted: bool) -> ControlRow:
    def row(instruction: Instruction, _all: Instructions) -> Step:
        jump, fall = Exit(_target(instruction)), Exit(instruction.after, (("POP_TOP", None),))
        return Step([("COPY", 1), ("BRANCH", None)], (jump, fall) if wanted else (fall, jump))

    return row


def _for_iter(instruction: Instruction, every: Instructions) -> Step:
    exhausted = _target(instruction)
    for cleanup in FOR_ITER_CLEANUP:
        found = every[exhausted]
        if found.opname not in cleanup.split("|"):
            raise ValueError(f"FOR_ITER leads to {found.opname} instead of {cleanup}")
        exhausted = found.after
    return Step([("FOR_ITER", None)], (Exit(instruction.after), Exit(exhausted)))


def _send(instruction: Instruction, _all: Instructions) -> Step:
    finished = Exit(_target(instruction), (("END_SEND", None),) if SEND_POPS_RECEIVER else ())
    return Step([("SEND", None)], (Exit(instruction.after), finished))


def _leave(op: str, counted: bool) -> ControlRow:
    return lambda instruction, _all: Step([(op, instruction.arg if counted else None)], ())


def _return_generator(instruction: Instruction, every: Instructions) -> Step:
    # The generator object is made by the call; what is sent first is popped unseen.
    following = every[instruction.after]
    if following.opname != "POP_TOP":
        raise ValueError("RETURN_GENERATOR is not followed by POP_TOP")
    return Step([], (Exit(following.after),))


CONTROL: Dict[str, ControlRow] = {
    **dict.fromkeys(("JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"), _jump),
    **{f"POP_JUMP{way}_IF_TRUE": _jump_if(True, [("BRANCH", None)]) for way in ("", "_FORWARD", "_BACKWARD")},
    **{f"POP_JUMP{way}_IF_FALSE": _jump_if(False, [("BRANCH", None)]) for way in ("", "_FORWARD", "_BACKWARD")},
    **{f"POP_JUMP{way}_IF_NONE": _jump_if(True, _IS_NONE) for way in ("", "_FORWARD", "_BACKWARD")},
    **{f"POP_JUMP{way}_IF_NOT_NONE": _jump_if(False, _IS_NONE) for way in ("", "_FORWARD", "_BACKWARD")},
    "JUMP_IF_NOT_EXC_MATCH": _jump_if(False, [("EXC_MATCH", None), ("BRANCH", None)]),
    "JUMP_IF_TRUE_OR_POP": _jump_or_pop(True),
    "JUMP_IF_FALSE_OR_POP": _jump_or_pop(False),
    "FOR_ITER": _for_iter,
    "SEND": _send,
    "RETURN_VALUE": _leave("RETURN_VALUE", False),
    "RAISE_VARARGS": _leave("RAISE_VARARGS", True),
    "RERAISE": _leave("RERAISE", True),
    "RETURN_GENERATOR": _return_generator,
}

# Every instruction that decoding understands on some Python.
KNOWN_OPNAMES = frozenset(ROWS) | frozenset(CONTROL) | {"EXTENDED_ARG", "RETURN_CONST", "END_FOR"}


def step(instruction: Instruction, every: Instructions, names: Names) -> Step:
    """Rewrite one instruction; raises KeyError for an unknown name, ValueError or IndexError for a bad operand."""
    control = CONTROL.get(instruction.opname)
    if control is not None:
        return control(instruction, every)
    if instruction.opname == "RETURN_CONST":
        return Step([("LOAD_CONST", names.consts[instruction.arg]), ("RETURN_VALUE", None)], ())
    micros = ROWS[instruction.opname](instruction.arg, names)
    if instruction.opname == "KW_NAMES":
        return _call_with_keywords(instruction, every, micros)
    return Step(micros, (Exit(instruction.after),))


def _call_with_keywords(instruction: Instruction, every: Instructions, micros: List[Micro]) -> Step:
    call = every[instruction.after]
    if call.opname == "PRECALL":
        call = every[call.after]
    if call.opname != "CALL":
        raise ValueError(f"KW_NAMES belongs to {call.opname}")
    return Step([*micros, ("CALL_KW", call.arg)], (Exit(call.after),))
