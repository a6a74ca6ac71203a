"""Programs for the tests of the verifier: code objects from text, graphs from text."""

from __future__ import annotations

import textwrap
from types import CodeType, ModuleType
from typing import List, Optional

import pytest

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Handler, Node, Position
from depyf.decompiler.disassemble.opcodes import MICRO_OPS


def module(text: str) -> CodeType:
    """A module compiled from indented text."""
    return compile(textwrap.dedent(text), "program.py", "exec", dont_inherit=True)


def nested(code: CodeType, *names: str) -> CodeType:
    """The code object reached by names of nested ones."""
    for name in names:
        code = next(found for found in code.co_consts if isinstance(found, CodeType) and found.co_name == name)
    return code


def function(text: str, *names: str) -> CodeType:
    """The code of the function that ``text`` defines, or of the one nested in it."""
    return nested(module(text), *(names or ("f",)))


def graph(text: str, code: Optional[CodeType] = None) -> Graph:
    """A graph from lines of `OP operand -> targets ! handler`; targets default to the next line, operands are Python.

    LOAD_FAST 'a'
    BRANCH -> 3 2
    """
    nodes: List[Node] = []
    for number, line in enumerate(textwrap.dedent(text).strip().splitlines()):
        line, _, caught = line.partition(" ! ")
        line, _, targets = line.partition(" -> ")
        op, _, operand = line.partition(" ")
        arg = eval(operand) if operand else None
        leaves = op in ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE")
        following = tuple(map(int, targets.split())) or (() if leaves else (number + 1,))
        handler = Handler(int(caught), 0, False) if caught and MICRO_OPS[op].raises else None
        value = Const(arg) if op == "LOAD_CONST" else arg
        nodes.append(Node(op, value, following, handler, 2 * number, Position(None)))
    return Graph(code or (lambda: None).__code__, tuple(nodes), 0)


def without(monkeypatch: pytest.MonkeyPatch, module: ModuleType, table: str, name: str) -> None:
    """Let ``module`` use ``table`` without the entry of this name; the order of the others stays."""
    entries = dict(getattr(module, table))
    del entries[name]
    monkeypatch.setattr(module, table, entries)
