"""The op table, checked against ``dis.stack_effect`` and against the interpreter: ``tools/op_table.py``."""

from __future__ import annotations

import dis
import opcode

import op_table
import pytest
from reference_machine import ROWS

from depyf.decompiler.disassemble import control, expansion, opcodes


def test_stack_effects_are_those_of_dis() -> None:
    assert list(op_table.disagreements()) == []


def test_most_instructions_are_compared() -> None:
    compared = {name for name, _number in op_table.opcodes()}
    real = {name for name, number in opcode.opmap.items() if number < 256 and "INSTRUMENTED" not in name}
    assert real - compared <= set(op_table.NOT_COMPARED) | op_table.BLOCK_STACK
    assert len(compared) > 90


def test_a_wrong_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    row = opcodes.MICRO_OPS["STORE_SUBSCR"]
    monkeypatch.setitem(opcodes.MICRO_OPS, "STORE_SUBSCR", row._replace(pops=2))
    assert any(line.startswith("STORE_SUBSCR") for line in op_table.disagreements())


def test_random_bytecode_runs_alike() -> None:
    assert list(op_table.differences(range(1500))) == []


def test_random_bytecode_has_every_instruction_and_ends_in_both_ways() -> None:
    seen, ends = set(), set()
    for seed in range(1500):
        code = op_table.straight_line(seed)
        seen |= {found.opname for found in dis.get_instructions(code)}
        ends.add(op_table.in_interpreter(code)[0].how)
    assert set(op_table.AVAILABLE) <= seen
    assert ends == {"returns", "raises"}


def test_a_wrong_expansion_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "ROT_TWO" if "ROT_TWO" in opcode.opmap else "SWAP"
    monkeypatch.setitem(expansion.ROWS, name, lambda _arg, _names: [])
    assert control.ROWS is expansion.ROWS
    assert list(op_table.differences(range(1500))) != []


def test_the_reference_machine_says_what_it_does_not_know() -> None:
    assert "CALL" not in ROWS
    code = compile("def f(number, text): return number()", "f.py", "exec").co_consts[0]
    assert op_table.on_reference_machine(code)[0].value == "NotImplementedError"
