"""Decompile damaged code objects and print as JSON how often each outcome occurred.

    python tests/hostile/batch.py KIND SEED COUNT

A process of its own: what is tested is that it ends in time and does not crash.  Code is only read, never run.
"""

from __future__ import annotations

import argparse
import contextlib
import dis
import enum
import faulthandler
import heapq
import json
import opcode
import random
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Dict, Iterator, List

from depyf.decompiler import DecompilationError, decompile_code
from depyf.decompiler.disassemble.instructions import _CACHES
from depyf.decompiler.refusals import InternalError

PATIENCE = 100.0
REFUSED = "refused"
# Instructions that only the interpreter itself writes: replace() and co_code of CPython itself fail on them.
_INTERNAL = {
    *getattr(dis, "_all_opmap", {}).values(),
    *getattr(opcode, "_specialized_opmap", {}).values(),
    *(number for name, number in opcode.opmap.items() if "INSTRUMENTED" in name or name == "ENTER_EXECUTOR"),
} - {number for name, number in opcode.opmap.items() if "INSTRUMENTED" not in name and name != "ENTER_EXECUTOR"}
_OPCODES = sorted({number for number in opcode.opmap.values() if number < 256} - _INTERNAL)
_MODULES = (argparse, contextlib, enum, heapq, json.decoder, subprocess, textwrap)


def nested(code: CodeType) -> Iterator[CodeType]:
    """``code`` and every code object in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def library() -> List[CodeType]:
    """Code objects of moderate size to start from."""
    modules = [compile(Path(str(module.__file__)).read_bytes(), "library.py", "exec") for module in _MODULES]
    return [code for module in modules for code in nested(module) if len(code.co_code) < 1500]


def can_be_made(raw: bytes) -> bool:
    """Whether CPython itself reads this bytecode without writing behind its end: inline caches have to be complete."""
    place = 0
    while place < len(raw):
        if raw[place] in _INTERNAL or (raw[place] not in _OPCODES and sys.version_info[:2] == (3, 12)):
            return False
        place += 2 + 2 * _CACHES.get(raw[place], 0)
    return place == len(raw)


class Damage:
    """Ways to damage a code object."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.library = library()

    def made(self, kind: str) -> CodeType:
        """A damaged code object; attempts that ``CodeType`` itself refuses are repeated."""
        while True:
            code = self.random.choice(self.library)
            fields = getattr(self, kind)(code)
            if can_be_made(fields.get("co_code", b"")):
                with contextlib.suppress(ValueError, TypeError):
                    return code.replace(**fields)

    def noise(self, _code: CodeType) -> Dict[str, Any]:
        """Instructions with random operands."""
        count = self.random.randrange(1, 60)
        units = (
            (self.random.choice(_OPCODES), self.random.choice([0, 0, 1, 1, 2, 3, 5, 200])) for _unit in range(count)
        )
        return {"co_code": bytes(byte for unit in units for byte in unit)}

    def garbage(self, _code: CodeType) -> Dict[str, Any]:
        """Random bytes, instructions that no Python has among them."""
        return {"co_code": bytes(self.random.randrange(256) for _byte in range(2 * self.random.randrange(1, 40)))}

    def flips(self, code: CodeType) -> Dict[str, Any]:
        """A few other opcodes, operands and jumps, some of them into the middle of an instruction."""
        raw = bytearray(code.co_code)
        for _flip in range(self.random.choice([1, 1, 1, 2, 5])):
            place = self.random.randrange(len(raw))
            near = raw[place] + self.random.choice([-2, -1, 1, 2, 8])
            raw[place] = near % 256 if place % 2 else self.random.choice(_OPCODES)
        return {"co_code": bytes(raw)}

    def cuts(self, code: CodeType) -> Dict[str, Any]:
        """The beginning of the code only."""
        return {"co_code": code.co_code[: 2 * self.random.randrange(len(code.co_code) // 2)]}

    def moves(self, code: CodeType) -> Dict[str, Any]:
        """A stretch of code in another place."""
        raw = bytearray(code.co_code)
        start, place = (2 * self.random.randrange(len(raw) // 2) for _end in range(2))
        stretch = raw[start : start + 2 * self.random.randrange(1, 20)]
        del raw[start : start + len(stretch)]
        raw[place:place] = stretch
        return {"co_code": bytes(raw)}

    def large_operands(self, code: CodeType) -> Dict[str, Any]:
        """EXTENDED_ARG in front of an instruction."""
        raw = bytearray(code.co_code)
        place = 2 * self.random.randrange(len(raw) // 2)
        for _byte in range(self.random.randrange(1, 4)):
            raw[place:place] = bytes([dis.EXTENDED_ARG, self.random.randrange(256)])
        return {"co_code": bytes(raw)}

    def tables(self, code: CodeType) -> Dict[str, Any]:
        """Constants or names that are missing or others."""
        field = self.random.choice(["co_consts", "co_names", "co_freevars", "co_cellvars"])
        entries = list(getattr(code, field))
        if field == "co_consts":
            entries += [None, 1, "x", (1, 2), frozenset([1]), 1.5, b"a", ..., code]
        return {field: tuple(self.random.sample(entries, self.random.randrange(len(entries) + 1)))}

    def exception_table(self, code: CodeType) -> Dict[str, Any]:
        """Other entries in the exception table (CPython 3.11+)."""
        return {"co_exceptiontable": self._overwritten(code.co_exceptiontable)}  # type: ignore[attr-defined]

    def line_table(self, code: CodeType) -> Dict[str, Any]:
        """Other entries in the line table."""
        field = "co_linetable" if hasattr(code, "co_linetable") else "co_lnotab"
        return {field: self._overwritten(getattr(code, field))}

    def _overwritten(self, table: bytes) -> bytes:
        raw = bytearray(table) or bytearray(8)
        for _byte in range(self.random.choice([1, 2, 5])):
            raw[self.random.randrange(len(raw))] = self.random.randrange(256)
        return bytes(raw)


KINDS = ["noise", "garbage", "flips", "cuts", "moves", "large_operands", "tables", "line_table"]
if hasattr(CodeType, "co_exceptiontable"):
    KINDS.append("exception_table")


def outcome(decompile: Callable[[CodeType], Any], code: CodeType) -> str:
    """What became of one code object; any exception but DecompilationError ends the process."""
    try:
        return str(decompile(code).certificate.level)
    except InternalError as error:
        return str(error)
    except DecompilationError:
        return REFUSED


def main() -> None:
    """Command line."""
    kind, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    faulthandler.enable()
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    damage = Damage(seed)
    print(json.dumps(Counter(outcome(decompile_code, damage.made(kind)) for _code in range(count))))


if __name__ == "__main__":
    main()
