"""An opinion about equality that shares no code with the verifier: what ``dis`` lists, compared.

``harmless`` says why two code objects do the same, or nothing.  It is slow and knows less than the verifier: it exists
to judge mutants that the verifier accepts.
"""

from __future__ import annotations

import dis
import sys
from bisect import bisect_left
from types import CodeType
from typing import Dict, FrozenSet, List, Set, Tuple

_GOTO = frozenset(["JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD_NO_INTERRUPT"])
_LAYOUT = frozenset(["NOP", "CACHE", "EXTENDED_ARG", "RESUME", "PRECALL", "NOT_TAKEN"]) | _GOTO
_ENDS = frozenset(["RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"]) | _GOTO
_QUIET = frozenset(
    [
        "LOAD_CONST",
        "STORE_FAST",
        "POP_TOP",
        "SWAP",
        "COPY",
        "PUSH_NULL",
        "KW_NAMES",
        "POP_EXCEPT",
        "RETURN_VALUE",
        "RETURN_CONST",
        "PUSH_EXC_INFO",
        "MAKE_FUNCTION",
        "BUILD_TUPLE",
        "BUILD_LIST",
        "LOAD_CLOSURE",
        "STORE_DEREF",
        "IS_OP",
        "LIST_APPEND",
        "LOAD_ASSERTION_ERROR",
        "END_FOR",
        "END_SEND",
        "LOAD_FAST_AND_CLEAR",
    ]
)
_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)
_SIGNATURE = [
    "co_name",
    "co_qualname",
    "co_flags",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_freevars",
    "co_cellvars",
]
_FIELDS = [*_SIGNATURE, "co_names", "co_varnames", "co_code", "co_exceptiontable"]


def harmless(one: CodeType, other: CodeType) -> str:
    """Why the two do the same; empty if this does not know."""
    if _everything(one) == _everything(other):
        return "same code"
    if _listing(one) == _listing(other):
        return "same instructions"
    try:
        return "same walk" if _same_walk(one, other) else ""
    except (KeyError, IndexError):
        # A jump leaves the code, or lands between two instructions.
        return ""


def _key(constant: object) -> object:
    if isinstance(constant, CodeType):
        return "code"
    if isinstance(constant, tuple):
        return tuple(_key(item) for item in constant)
    if isinstance(constant, frozenset):
        return frozenset(_key(item) for item in constant)
    return type(constant).__name__, repr(constant)


def _nested(code: CodeType) -> List[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _everything(code: CodeType) -> object:
    """Every field but lines and the name of the file."""
    fields = tuple(getattr(code, name, None) for name in _FIELDS)
    return fields, tuple(map(_key, code.co_consts)), tuple(_everything(inner) for inner in _nested(code))


def _signature(code: CodeType) -> object:
    arguments = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    doc = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) and code.co_flags & 1 else None
    return tuple(getattr(code, name, None) for name in _SIGNATURE), code.co_varnames[:arguments], doc


def _handlers(code: CodeType) -> Dict[int, Tuple[int, int, bool]]:
    if sys.version_info < (3, 11):
        return {}
    return {
        offset: (entry.target, entry.depth, entry.lasti)
        for entry in dis._parse_exception_table(code)  # type: ignore[attr-defined]
        for offset in range(entry.start, entry.end, 2)
    }


def _ends(instructions: List[dis.Instruction]) -> FrozenSet[str]:
    """What control does not go past; without `finally` and `with`, END_FINALLY of 3.8 only raises again."""
    entered = {"BEGIN_FINALLY", "CALL_FINALLY"}.intersection(found.opname for found in instructions)
    return _ENDS if entered else _ENDS | {"END_FINALLY"}


def _reachable(
    instructions: List[dis.Instruction],
    at: Dict[int, int],
    handlers: Dict[int, Tuple[int, int, bool]],
    ends: FrozenSet[str],
) -> Set[int]:
    found: Set[int] = set()
    pending = [0]
    while pending:
        number = pending.pop()
        if number in found or number >= len(instructions):
            continue
        found.add(number)
        instruction = instructions[number]
        if instruction.opcode in _JUMPS and instruction.argval in at:
            pending.append(at[instruction.argval])
        if instruction.opname not in ends:
            pending.append(number + 1)
        if instruction.offset in handlers and instruction.opname not in _LAYOUT | _QUIET:
            pending.append(at[handlers[instruction.offset][0]])
    return found


def _listing(code: CodeType) -> object:
    """The reachable instructions in order, without layout; jumps and handlers count instructions."""
    instructions, at = _instructions(code)
    handlers = _handlers(code)
    reachable = sorted(_reachable(instructions, at, handlers, _ends(instructions)))
    kept = [number for number in reachable if instructions[number].opname not in _LAYOUT]

    def place(offset: int) -> int:
        return bisect_left(kept, at[offset]) if offset in at else -1

    listing = []
    for instruction in (instructions[number] for number in kept):
        handler = handlers.get(instruction.offset)
        landing = None if handler is None else (place(handler[0]), handler[1], handler[2])
        target = place(instruction.argval) if instruction.opcode in _JUMPS else None
        listing.append((instruction.opname, _operand(code, instruction), target, landing))
    return _signature(code), listing


def _instructions(code: CodeType) -> Tuple[List[dis.Instruction], Dict[int, int]]:
    """The instructions, and their numbers by offset; an EXTENDED_ARG has the number of what it extends."""
    found: List[dis.Instruction] = []
    number: Dict[int, int] = {}
    for instruction in dis.get_instructions(code):
        number[instruction.offset] = len(found)
        if instruction.opname not in ("CACHE", "EXTENDED_ARG"):
            found.append(instruction)
    return found, number


def _operand(code: CodeType, instruction: dis.Instruction) -> object:
    if instruction.opcode in _JUMPS:
        return None
    if instruction.opcode in dis.hasconst or instruction.opname == "KW_NAMES":
        constant = code.co_consts[instruction.arg or 0]
        if constant == code.co_firstlineno and _stores_first_line(code, instruction.offset + 2):
            return "the line where the class starts"
        return _listing(constant) if isinstance(constant, CodeType) else _key(constant)
    return instruction.argrepr or instruction.arg


def _stores_first_line(code: CodeType, offset: int) -> bool:
    """Whether a class keeps its own first line, as since 3.13: a decorator more or less makes it another one."""
    opcode, operand = code.co_code[offset : offset + 2] or (0, 0)
    return dis.opname[opcode] == "STORE_NAME" and code.co_names[operand : operand + 1] == ("__firstlineno__",)


# Where a walk is: the number of an instruction, and until 3.10 the handlers of the blocks around it.
_Place = Tuple[int, Tuple[int, ...]]
_SETS_UP = frozenset(["SETUP_FINALLY"])


class _Side:
    """One of two code objects on a walk."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.instructions, self.at = _instructions(code)
        self.handlers = _handlers(code)
        self.ends = _ends(self.instructions)

    def settle(self, place: _Place) -> _Place:
        """The first place from ``place`` on where something is done."""
        number, blocks = place
        for _step in range(len(self.instructions)):
            instruction = self.instructions[number]
            if instruction.opname in _GOTO:
                number = self.at[instruction.argval]
                continue
            if instruction.opname in _SETS_UP:
                blocks = (*blocks, self.at[instruction.argval])
            elif instruction.opname == "POP_BLOCK":
                blocks = blocks[:-1]
            elif instruction.opname == "LOAD_CONST" and self.instructions[number + 1].opname.startswith("POP_JUMP"):
                test = self.instructions[number + 1]
                if not test.opname.endswith(("_TRUE", "_FALSE")):
                    break
                if bool(instruction.argval) == test.opname.endswith("_TRUE"):
                    number = self.at[test.argval]
                    continue
                number += 1
            elif instruction.opname not in _LAYOUT:
                break
            number += 1
        return number, blocks

    def facts(self, place: _Place) -> object:
        """What an instruction does, without where it goes."""
        number, blocks = place
        instruction = self.instructions[number]
        name = instruction.opname.replace("_FORWARD", "").replace("_BACKWARD", "")
        if name.startswith("POP_JUMP"):
            name = "none test" if name.endswith("NONE") else "test"
        guards: object = None
        if instruction.opname not in _QUIET:
            guards = len(blocks), self.handlers.get(instruction.offset, ())[1:]
        return name, _operand(self.code, instruction), guards

    def exits(self, place: _Place) -> List[_Place]:
        """Where an instruction goes: to the next one or its target, the true one first, then to its handler."""
        number, blocks = place
        instruction = self.instructions[number]
        found: List[_Place] = [] if instruction.opname in self.ends else [(number + 1, blocks)]
        if instruction.opcode in _JUMPS:
            inner = (*blocks, self.at[instruction.argval]) if instruction.opname.startswith("SETUP_") else blocks
            found = [(at, inner) for at, _ in found]
            target = (self.at[instruction.argval], blocks)
            found = [*found, target] if instruction.opname.endswith(("_FALSE", "NOT_NONE")) else [target, *found]
        if instruction.opname not in _QUIET:
            if instruction.offset in self.handlers:
                found.append((self.at[self.handlers[instruction.offset][0]], ()))
            if blocks:
                found.append((blocks[-1], blocks[:-1]))
        return found


def _same_walk(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects meet equal instructions on every path; jumps, block set-up and polarity are left out."""
    if _signature(one) != _signature(other):
        return False
    left, right = _Side(one), _Side(other)
    seen: Set[Tuple[_Place, _Place]] = set()
    start: _Place = (0, ())
    pending = [(start, start)]
    while pending:
        first, second = pending.pop()
        pair = left.settle(first), right.settle(second)
        if pair in seen:
            continue
        seen.add(pair)
        exits, other_exits = left.exits(pair[0]), right.exits(pair[1])
        if left.facts(pair[0]) != right.facts(pair[1]) or len(exits) != len(other_exits):
            nested = left.instructions[pair[0][0]].argval, right.instructions[pair[1][0]].argval
            both = isinstance(nested[0], CodeType) and isinstance(nested[1], CodeType)
            if not (both and _same_walk(*nested)):
                return False
        pending += zip(exits, other_exits)
    return True
