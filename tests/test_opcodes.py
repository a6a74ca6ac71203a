"""Every instruction that a compiler of this Python emits can be decoded: a new Python shows here what it brings."""

from __future__ import annotations

import opcode

import depyf

# What only a running interpreter puts into code, and what no code object holds.
NEVER_COMPILED = {"INTERPRETER_EXIT", "ENTER_EXECUTOR", "EXIT_INIT_CHECK", "RESERVED"}


def specialised() -> set:
    """The forms that replace instructions while they run."""
    families = getattr(opcode, "_specializations", {}).values()
    return {name for family in families for name in family} | set(getattr(opcode, "_specialized_instructions", ()))


def test_every_opcode_is_claimed() -> None:
    compiled = {name for name, number in opcode.opmap.items() if number < 256}
    instrumented = {name for name in compiled if name.startswith("INSTRUMENTED_")}
    claimed = set(depyf.Decompiler.supported_opnames())
    assert compiled - instrumented - specialised() - NEVER_COMPILED - claimed == set()
