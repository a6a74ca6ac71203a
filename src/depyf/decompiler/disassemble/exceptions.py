"""The exception table of CPython 3.11+ (Objects/exception_handling_notes.txt): which handler guards which
instruction.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, Iterator, NamedTuple

from depyf.decompiler.refusals import DamagedCode


class TableEntry(NamedTuple):
    """Where a raise goes: offset of the handler, operand-stack slots kept, whether the raising offset is pushed."""

    target: int
    depth: int
    lasti: bool


def read_exception_table(code: CodeType) -> Dict[int, TableEntry]:
    """Handler by instruction offset, for the offsets that have one."""
    numbers = _varints(code.co_exceptiontable)  # type: ignore[attr-defined]
    table: Dict[int, TableEntry] = {}
    try:
        for start in numbers:
            length, target, depth_lasti = next(numbers), next(numbers), next(numbers)
            if 2 * (start + length) > len(code.co_code):
                raise DamagedCode(code, 2 * start, "an exception table entry goes past the last instruction")
            entry = TableEntry(2 * target, depth_lasti >> 1, bool(depth_lasti & 1))
            for unit in range(start, start + length):
                table[2 * unit] = entry
    except StopIteration as error:
        raise DamagedCode(code, 0, "the exception table ends within an entry") from error
    return table


def _varints(raw: bytes) -> Iterator[int]:
    position = 0
    while position < len(raw):
        byte = raw[position]
        value = byte & 63
        while byte & 64 and position + 1 < len(raw):
            position += 1
            byte = raw[position]
            value = value << 6 | byte & 63
        position += 1
        yield value
