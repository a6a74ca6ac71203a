"""Single changes of a code object: operands, opcodes, constants, names, flags, counts, exception table.

A kind returns the changed code object and what was done, or None where the code has nothing of the kind.  Many results
are no program at all; a verifier must reject them, or say so, too.
"""

from __future__ import annotations

import dis
import inspect
import opcode
import random
import sys
from types import CodeType
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

Change = Optional[Tuple[CodeType, str]]
Kind = Callable[[CodeType, random.Random], Change]

KINDS: Dict[str, Kind] = {}


def kind(function: Kind) -> Kind:
    """Register a kind under its name."""
    KINDS[function.__name__.replace("_", " ")] = function
    return function


# Operands that the interpreter ignores, or that follow from other fields of the code object.
_NO_OPERAND = ("CACHE", "RESUME", "PRECALL", "COPY_FREE_VARS", "GEN_START")


def _instructions(code: CodeType) -> List[dis.Instruction]:
    """Instructions whose operand fits into its own byte."""
    found = []
    extended = False
    for instruction in dis.get_instructions(code):
        if instruction.opname == "EXTENDED_ARG":
            extended = True
            continue
        if not extended and instruction.opname not in _NO_OPERAND:
            found.append(instruction)
        extended = False
    return found


def _with_byte(code: CodeType, at: int, value: int) -> CodeType:
    raw = bytearray(code.co_code)
    raw[at] = value
    return code.replace(co_code=bytes(raw))


@kind
def operand(code: CodeType, chance: random.Random) -> Change:
    having = [found for found in _instructions(code) if found.arg is not None and found.opcode >= dis.HAVE_ARGUMENT]
    if not having:
        return None
    chosen = chance.choice(having)
    value = _other_operand(code, chosen, chance)
    if value == chosen.arg:
        return None
    changed = _with_byte(code, chosen.offset + 1, value)
    return changed, f"{chosen.opname} {chosen.arg} -> {value} at {chosen.offset}"


def _other_operand(code: CodeType, chosen: dis.Instruction, chance: random.Random) -> int:
    assert chosen.arg is not None
    if chosen.opcode in dis.hasconst:
        return chance.randrange(min(len(code.co_consts), 256))
    if chosen.opcode in dis.haslocal:
        return chance.randrange(max(len(code.co_varnames), 1) % 256)
    if chosen.opcode in dis.hasjrel or chosen.opcode in dis.hasjabs:
        return (chosen.arg + chance.choice([-3, -2, -1, 1, 2, 3])) % 256
    if chosen.opname == "CALL_FUNCTION_EX":
        return chosen.arg ^ 1
    if chosen.opcode in dis.hasname and chance.random() < 0.5:
        return chance.randrange(min(len(code.co_names), 128))
    return (chosen.arg + chance.choice([-1, 1, 2, 4])) % 256


def _caches(name: str) -> int:
    entries = getattr(opcode, "_inline_cache_entries", {})
    return int(entries.get(name, 0) if isinstance(entries, dict) else entries[opcode.opmap[name]])


_TWINS = [
    ("POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE"),
    ("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_TRUE"),
    ("POP_JUMP_BACKWARD_IF_FALSE", "POP_JUMP_BACKWARD_IF_TRUE"),
    ("JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP"),
    ("POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"),
    ("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE"),
    ("BINARY_ADD", "BINARY_SUBTRACT"),
    ("INPLACE_ADD", "BINARY_ADD"),
    ("LOAD_GLOBAL", "LOAD_NAME"),
    ("LOAD_NAME", "STORE_NAME"),
    ("LOAD_FAST", "STORE_FAST"),
    ("LOAD_FAST", "DELETE_FAST"),
    ("STORE_NAME", "STORE_GLOBAL"),
    ("LOAD_ATTR", "LOAD_METHOD"),
    ("STORE_ATTR", "DELETE_ATTR"),
    ("LOAD_DEREF", "LOAD_CLOSURE"),
    ("IS_OP", "CONTAINS_OP"),
    ("BUILD_LIST", "BUILD_TUPLE"),
    ("BUILD_LIST", "BUILD_SET"),
    ("LIST_EXTEND", "SET_UPDATE"),
    ("LIST_APPEND", "SET_ADD"),
    ("DICT_UPDATE", "DICT_MERGE"),
    ("UNARY_NOT", "UNARY_NEGATIVE"),
    ("UNARY_INVERT", "UNARY_POSITIVE"),
    ("BINARY_SUBSCR", "BINARY_ADD"),
    ("GET_ITER", "GET_AITER"),
    ("GET_ITER", "GET_YIELD_FROM_ITER"),
    ("POP_TOP", "NOP"),
    ("POP_TOP", "UNARY_NOT"),
    ("POP_EXCEPT", "POP_TOP"),
    ("POP_EXCEPT", "NOP"),
    ("RETURN_VALUE", "POP_TOP"),
    ("BEFORE_WITH", "BEFORE_ASYNC_WITH"),
    ("RAISE_VARARGS", "RERAISE"),
    ("IMPORT_NAME", "IMPORT_FROM"),
    ("COPY", "SWAP"),
    ("ROT_TWO", "DUP_TOP"),
    ("ROT_TWO", "NOP"),
    ("ROT_THREE", "ROT_TWO"),
]


@kind
def opname(code: CodeType, chance: random.Random) -> Change:
    known = opcode.opmap
    twins: Dict[str, List[str]] = {}
    for one, other in _TWINS:
        # The interpreter itself writes past the end of code whose caches are short.
        if max(known.get(one, 256), known.get(other, 256)) < 256 and _caches(one) == _caches(other):
            twins.setdefault(one, []).append(other)
            twins.setdefault(other, []).append(one)
    having = [found for found in _instructions(code) if found.opname in twins]
    if not having:
        return None
    chosen = chance.choice(having)
    other = chance.choice(twins[chosen.opname])
    return _with_byte(code, chosen.offset, known[other]), f"{chosen.opname} -> {other} at {chosen.offset}"


@kind
def constant(code: CodeType, chance: random.Random) -> Change:
    at = chance.randrange(len(code.co_consts)) if code.co_consts else None
    if at is None or isinstance(code.co_consts[at], CodeType):
        return None
    other = chance.choice(
        [0, 1, True, 1.0, -0.0, "other", b"other", None, (), ("other",), frozenset(), Ellipsis, 1j, float("nan")]
    )
    if repr(other) == repr(code.co_consts[at]):
        return None
    changed = (*code.co_consts[:at], other, *code.co_consts[at + 1 :])
    return code.replace(co_consts=changed), f"co_consts[{at}] {code.co_consts[at]!r:.30} -> {other!r}"


@kind
def name(code: CodeType, chance: random.Random) -> Change:
    if not code.co_names:
        return None
    at = chance.randrange(len(code.co_names))
    changed = (*code.co_names[:at], code.co_names[at] + "_", *code.co_names[at + 1 :])
    return code.replace(co_names=changed), f"co_names[{at}] {code.co_names[at]} renamed"


@kind
def local(code: CodeType, chance: random.Random) -> Change:
    if not code.co_varnames:
        return None
    at = chance.randrange(len(code.co_varnames))
    changed = (*code.co_varnames[:at], code.co_varnames[at] + "_", *code.co_varnames[at + 1 :])
    try:
        return code.replace(co_varnames=changed), f"co_varnames[{at}] {code.co_varnames[at]} renamed"
    except ValueError:
        return None


@kind
def free_variable(code: CodeType, chance: random.Random) -> Change:
    names = code.co_freevars
    if not names:
        return None
    if len(names) > 1 and chance.random() < 0.5:
        return code.replace(co_freevars=(names[1], names[0], *names[2:])), "co_freevars exchanged"
    return code.replace(co_freevars=(names[0] + "_", *names[1:])), f"free variable {names[0]} renamed"


_FLAGS = [
    inspect.CO_NEWLOCALS,
    inspect.CO_OPTIMIZED,
    inspect.CO_GENERATOR,
    inspect.CO_COROUTINE,
    inspect.CO_ASYNC_GENERATOR,
    inspect.CO_ITERABLE_COROUTINE,
    inspect.CO_VARARGS,
    inspect.CO_VARKEYWORDS,
    0x1000000,  # from __future__ import annotations
    0x400000,  # from __future__ import barry_as_FLUFL
]


@kind
def flag(code: CodeType, chance: random.Random) -> Change:
    bit = chance.choice(_FLAGS)
    try:
        return code.replace(co_flags=code.co_flags ^ bit), f"co_flags ^ {bit:#x}"
    except ValueError:
        return None


@kind
def argument_count(code: CodeType, chance: random.Random) -> Change:
    field = chance.choice(["co_argcount", "co_posonlyargcount", "co_kwonlyargcount"])
    value = getattr(code, field) + chance.choice([-1, 1])
    try:
        return code.replace(**{field: value}), f"{field} -> {value}"
    except (ValueError, SystemError):
        return None


@kind
def title(code: CodeType, chance: random.Random) -> Change:
    fields = ["co_name"] + (["co_qualname"] if hasattr(code, "co_qualname") else [])
    field = chance.choice(fields)
    return code.replace(**{field: getattr(code, field) + "_"}), f"{field} changed"


class _Range(NamedTuple):
    start: int
    length: int
    target: int
    depth: int


def _read_table(raw: bytes) -> List[_Range]:
    numbers: List[int] = []
    value = 0
    for byte in raw:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    return [_Range(*numbers[at : at + 4]) for at in range(0, len(numbers), 4)]


def _write_table(ranges: List[_Range]) -> bytes:
    raw = bytearray()
    for entry in ranges:
        for position, number in enumerate(entry):
            digits = [number & 63]
            while number > 63:
                number >>= 6
                digits.append(number & 63)
            first = len(raw)
            raw += bytes([digit | 64 for digit in reversed(digits[1:])] + [digits[0]])
            raw[first] |= 128 if position == 0 else 0
    return bytes(raw)


@kind
def exception_table(code: CodeType, chance: random.Random) -> Change:
    raw = getattr(code, "co_exceptiontable", b"")
    if not raw or sys.version_info < (3, 11):
        return None
    ranges = _read_table(raw)
    at = chance.randrange(len(ranges))
    entry = ranges[at]
    units = len(code.co_code) // 2
    changed = chance.choice(
        [
            entry._replace(target=(entry.target + chance.choice([-2, -1, 1, 2])) % units),
            entry._replace(depth=entry.depth ^ 1),
            entry._replace(depth=max(entry.depth + chance.choice([-2, 2]), 0)),
            entry._replace(length=max(entry.length + chance.choice([-4, -2, -1]), 1)),
            entry._replace(
                start=entry.start + min(chance.choice([1, 2, 4]), entry.length - 1), length=max(entry.length - 4, 1)
            ),
            None,
        ]
    )
    if changed == entry:
        return None
    ranges[at : at + 1] = [] if changed is None else [changed]
    return code.replace(co_exceptiontable=_write_table(ranges)), f"{entry} -> {changed}"
