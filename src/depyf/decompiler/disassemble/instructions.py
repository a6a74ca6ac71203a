"""Bytes to instructions: what ``dis`` does, without what a decompiler does not need.

    7c 00 90 01 64 02      =>      (0, LOAD_FAST, 0, after 2)  (4, LOAD_CONST, 258, after 6)

Inline caches and EXTENDED_ARG are folded into the instruction that they belong to; jump operands become offsets.
"""

from __future__ import annotations

import dis
import opcode
from types import CodeType
from typing import Dict, Iterable, Iterator, Mapping, NamedTuple, Optional

from depyf.decompiler.disassemble.graph import Position
from depyf.decompiler.refusals import DamagedCode
from depyf.decompiler.versions import CO_LINES, CO_POSITIONS, INLINE_CACHES, JUMPS_COUNT_UNITS


class Instruction(NamedTuple):
    """One instruction; ``target`` is the offset a jump goes to, ``after`` the offset of the next instruction."""

    offset: int
    opname: str
    arg: int
    target: Optional[int]
    after: int
    start: int


def _cache_entries() -> Dict[int, int]:
    if not INLINE_CACHES:
        return {}
    entries = opcode._inline_cache_entries  # type: ignore[attr-defined]
    if isinstance(entries, Mapping):
        return {opcode.opmap[name]: count for name, count in entries.items() if name in opcode.opmap}
    return {code: count for code, count in enumerate(entries) if count}


_CACHES = _cache_entries()
_JUMP_SCALE = 2 if JUMPS_COUNT_UNITS else 1
_RELATIVE = frozenset(dis.hasjrel)
_ABSOLUTE = frozenset(dis.hasjabs)
_EXTENDED_ARG = dis.EXTENDED_ARG
_BACKWARD = frozenset(code for name, code in opcode.opmap.items() if "JUMP_BACKWARD" in name) | frozenset(
    # Since 3.14 END_ASYNC_FOR names the SEND that it belongs to, which monitoring needs and we do not.
    code
    for name, code in opcode.opmap.items()
    if name == "END_ASYNC_FOR" and code in _RELATIVE
)
_OPNAMES = dis.opname
_HAVE_ARGUMENT = dis.HAVE_ARGUMENT if not INLINE_CACHES else 0


def read_instructions(code: CodeType) -> Dict[int, Instruction]:
    """Instructions by offset of their first byte (that of EXTENDED_ARG, where there is one, and their own).

    Raises :class:`DamagedCode` for an undefined opcode or a jump out of the code.
    """
    found: Dict[int, Instruction] = {}
    for instruction in _scan(code.co_code):
        found[instruction.offset] = instruction
        found[instruction.start] = instruction
    for instruction in found.values():
        if instruction.target is not None and instruction.target not in found:
            raise DamagedCode(
                code,
                instruction.offset,
                f"{instruction.opname} jumps to {instruction.target}, where no instruction starts",
            )
    return found


def _scan(raw: bytes) -> Iterator[Instruction]:
    size = len(raw)
    offset = 0
    start = 0
    extended = 0
    while offset + 1 < size:
        op = raw[offset]
        arg = raw[offset + 1] | extended
        if op == _EXTENDED_ARG:
            extended = arg << 8
            offset += 2
            continue
        after = offset + 2 + 2 * _CACHES.get(op, 0)
        target = None
        if op in _RELATIVE:
            distance = arg * _JUMP_SCALE
            target = after - distance if op in _BACKWARD else after + distance
            if _OPNAMES[op] == "END_ASYNC_FOR":
                target = None
        elif op in _ABSOLUTE:
            target = arg * _JUMP_SCALE
        yield Instruction(offset, _OPNAMES[op], arg if op >= _HAVE_ARGUMENT else 0, target, after, start)
        offset = start = after
        extended = 0


def read_positions(code: CodeType, offsets: Iterable[int]) -> Dict[int, Position]:
    """Source positions by offset, at least of ``offsets``, as far as the line table can be read."""
    try:
        if CO_POSITIONS:
            positions = list(code.co_positions())  # type: ignore[attr-defined]
            known = 2 * len(positions)
            return {offset: Position._make(positions[offset // 2]) for offset in offsets if offset < known}
        if CO_LINES:
            lines = code.co_lines()  # type: ignore[attr-defined]
            return {offset: Position(line) for start, end, line in lines for offset in range(start, end, 2)}
        return _positions_from_line_starts(code)
    except (IndexError, ValueError):
        # A stripped or damaged table costs hints, never correctness.
        return {}


def _positions_from_line_starts(code: CodeType) -> Dict[int, Position]:
    positions: Dict[int, Position] = {}
    line = Position(code.co_firstlineno)
    by_offset = dict(dis.findlinestarts(code))
    for offset in range(0, len(code.co_code), 2):
        if offset in by_offset:
            line = Position(by_offset[offset])
        positions[offset] = line
    return positions
