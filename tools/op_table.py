"""The op table, which lifter and verifier share, against what CPython says of itself.

    python tools/op_table.py [--seed S] [--count N]

``disagreements`` compares every row with ``dis.stack_effect``, for each way out of an instruction.  ``differences``
makes random straight-line bytecode, runs it in the interpreter, and runs what it is decoded to on
``reference_machine.py``.
Exit status 0 if both are empty.
"""

from __future__ import annotations

import argparse
import dis
import opcode
import random
import re
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference_machine import Ended, run_graph

from depyf.decompiler.disassemble import decode
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.control import step
from depyf.decompiler.disassemble.expansion import Micro, Names
from depyf.decompiler.disassemble.instructions import _CACHES, Instruction
from depyf.decompiler.disassemble.opcodes import EDGE_EFFECTS, MICRO_OPS

PYTHON = sys.version_info[:2]
FAR = 100
# Rewritten together with the instruction behind it: the two are compared in one.
PARTNERS = {"KW_NAMES": "CALL", "RETURN_GENERATOR": "POP_TOP"}
ALWAYS = ((3, 8), (3, 99))
# What is not compared: on which Pythons, and why.
NOT_COMPARED = {
    "EXTENDED_ARG": (ALWAYS, "a part of the next instruction"),
    "CALL": (((3, 11), (3, 11)), "PRECALL takes the arguments away, which nothing else can see"),
    "PRECALL": (((3, 11), (3, 11)), "CALL takes the arguments, too"),
    "KW_NAMES": (((3, 11), (3, 11)), "as CALL"),
    "GEN_START": (((3, 10), (3, 10)), "it pops what the first send() pushes"),
    "RETURN_GENERATOR": (((3, 11), (3, 12)), "dis counts what its caller gets"),
    "RETURN_VALUE": (((3, 14), (3, 99)), "dis counts what its caller gets"),
    "INTERPRETER_EXIT": (ALWAYS, "stands in the code of a C call"),
    "EXIT_INIT_CHECK": (ALWAYS, "stands in the code of a C call"),
    "RESERVED": (ALWAYS, "is no instruction"),
    "ENTER_EXECUTOR": (ALWAYS, "is written by the interpreter only"),
    "END_FOR": (ALWAYS, "a part of FOR_ITER"),
}
# The block stack of 3.8-3.10 decides what they do (disassemble/blockstack.py).
BLOCK_STACK = {
    "BEGIN_FINALLY", "CALL_FINALLY", "END_FINALLY", "POP_BLOCK", "POP_FINALLY", "SETUP_ASYNC_WITH", "SETUP_FINALLY",
    "SETUP_WITH", "WITH_CLEANUP_FINISH", "WITH_CLEANUP_START",
}  # fmt: skip
OPERANDS = (0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 255, 257)
VALID = {"BUILD_SLICE": (2, 3), "MAKE_FUNCTION": range(16)}


def opcodes() -> Iterator[Tuple[str, int]]:
    """Instructions that compiled functions are made of, by name and number."""
    skipped = BLOCK_STACK if PYTHON < (3, 11) else set()
    for name, ((first, last), _why) in NOT_COMPARED.items():
        if first <= PYTHON <= last:
            skipped = skipped | {name}
    for name, number in sorted(opcode.opmap.items()):
        if number < 256 and "INSTRUMENTED" not in name and name not in skipped:
            yield name, number


def disagreements() -> Iterator[str]:
    """Rows whose stack effect is not the one that ``dis`` tells; every instruction that has no row."""
    for name, number in opcodes():
        operands = VALID.get(name, OPERANDS) if number >= dis.HAVE_ARGUMENT else (0,)
        compared = [found for operand in operands for found in compared_effects(name, number, operand)]
        if not compared:
            yield f"{name}: nothing to compare"
        for operand, jumps, ours, theirs in compared:
            if ours != theirs:
                yield f"{name} {operand}, {'jumping' if jumps else 'going on'}: {ours}, dis says {theirs}"


def compared_effects(name: str, number: int, operand: int) -> Iterator[Tuple[int, bool, int, int]]:
    """Operand, whether it jumps, our effect and that of ``dis``, for every way out of an instruction."""
    is_jump = number in dis.hasjrel or number in dis.hasjabs
    at = Instruction(0, name, operand, FAR if is_jump else None, 2, 0)
    names = Names((Const(("a",)),) * 300, ("n",) * 300, ("n",) * 300, ("n",) * 300, frozenset())
    others = {2: PARTNERS.get(name, "POP_TOP"), FAR: "END_FOR", FAR + 2: "POP_TOP"}
    every = {offset: Instruction(offset, other, 1, None, offset + 2, offset) for offset, other in others.items()}
    try:
        micros, exits = step(at, {**every, 0: at}, names)
    except (KeyError, IndexError, ValueError):
        return
    for label, way in enumerate(exits or [None]):
        jumps = way is not None and way.target >= FAR
        theirs = _told(name, number, operand, jumps)
        if theirs is not None:
            yield operand, jumps, _effect(micros, label) + _effect(list(way.micros) if way else [], 0), theirs


def _effect(micros: List[Micro], label: int) -> int:
    effects = [pushes - pops for op, arg in micros for pops, pushes in [MICRO_OPS[op].effect(arg)]]
    if label and micros and micros[-1][0] in EDGE_EFFECTS:
        effects[-1] = EDGE_EFFECTS[micros[-1][0]]
    return sum(effects)


def _told(name: str, number: int, operand: int, jumps: bool) -> Optional[int]:
    try:
        told = dis.stack_effect(number, operand if number >= dis.HAVE_ARGUMENT else None, jump=jumps)
        if name in PARTNERS:
            told += dis.stack_effect(opcode.opmap[PARTNERS[name]], 1 if name == "KW_NAMES" else None)
        if name == "FOR_ITER" and jumps:
            told += sum(dis.stack_effect(opcode.opmap[cleanup]) for cleanup in _CLEANUP)
    except ValueError:
        return None
    return told


# What follows a loop and takes its iterator away: control does not stop there (Python/bytecodes.c, FOR_ITER).
_CLEANUP = () if PYTHON < (3, 12) else ("END_FOR",) if PYTHON == (3, 12) else ("END_FOR", "POP_TOP")


class Choice(NamedTuple):
    """An instruction that may be added: how many slots it takes, and its operand."""

    takes: Callable[[int], int]
    operand: Callable[[random.Random, int], int]


def _fixed(takes: int, operand: int = 0) -> Choice:
    return Choice(lambda _operand: takes, lambda _chance, _depth: operand)


def _counted(extra: int = 0, least: int = 0, factor: int = 1) -> Choice:
    """Takes ``factor`` times its operand and ``extra`` slots."""
    return Choice(
        lambda operand: factor * operand + extra,
        lambda chance, depth: chance.randint(least, max(least, min(4, (depth - extra) // factor))),
    )


def _one_of(takes: int, operands: int) -> Choice:
    return Choice(lambda _operand: takes, lambda chance, _depth: chance.randrange(operands))


LOCALS = ("number", "text", "row", "table", "few", "nothing", "new")
CONSTANTS = (None, 1, -2.5, "abc", (1, 2), True, b"x", ("a", "b"), ..., 0)
_COMPARISONS = [index << (0 if PYTHON < (3, 12) else 4 if PYTHON < (3, 13) else 5) for index in range(6)]
_OPERATORS = [f"{kind}_{name}" for kind in ("BINARY", "INPLACE") for name in (
    "ADD", "SUBTRACT", "MULTIPLY", "AND", "OR", "XOR", "FLOOR_DIVIDE", "TRUE_DIVIDE", "MODULO", "LSHIFT",
)]  # fmt: skip

CHOICES: Dict[str, Choice] = {
    "LOAD_CONST": _one_of(0, len(CONSTANTS)),
    "LOAD_FAST": _one_of(0, 5),
    "LOAD_FAST_BORROW": _one_of(0, 5),
    "LOAD_FAST_LOAD_FAST": Choice(lambda _o: 0, lambda chance, _d: chance.randrange(5) << 4 | chance.randrange(5)),
    "LOAD_SMALL_INT": _one_of(0, 256),
    "STORE_FAST": Choice(lambda _o: 1, lambda chance, _d: chance.choice([5, 6])),
    "STORE_FAST_LOAD_FAST": Choice(lambda _o: 1, lambda chance, _d: 6 << 4 | chance.randrange(5)),
    "STORE_FAST_STORE_FAST": _fixed(2, 5 << 4 | 6),
    "POP_TOP": _fixed(1),
    "NOP": _fixed(0),
    "ROT_TWO": _fixed(2),
    "ROT_THREE": _fixed(3),
    "ROT_FOUR": _fixed(4),
    "ROT_N": _counted(least=2),
    "DUP_TOP": _fixed(1),
    "DUP_TOP_TWO": _fixed(2),
    "COPY": _counted(least=1),
    "SWAP": _counted(least=2),
    **{f"UNARY_{name}": _fixed(1) for name in ("NEGATIVE", "POSITIVE", "INVERT", "NOT")},
    "TO_BOOL": _fixed(1),
    **{name: _fixed(2) for name in _OPERATORS},
    "BINARY_OP": _one_of(2, 26),
    "BINARY_SUBSCR": _fixed(2),
    "BINARY_SLICE": _fixed(3),
    "STORE_SUBSCR": _fixed(3),
    "STORE_SLICE": _fixed(4),
    "DELETE_SUBSCR": _fixed(2),
    "COMPARE_OP": Choice(lambda _o: 2, lambda chance, _d: chance.choice(_COMPARISONS)),
    "IS_OP": _one_of(2, 2),
    "CONTAINS_OP": _one_of(2, 2),
    "BUILD_TUPLE": _counted(),
    "BUILD_LIST": _counted(),
    "BUILD_SET": _counted(),
    "BUILD_MAP": _counted(factor=2),
    "BUILD_CONST_KEY_MAP": _counted(extra=1),
    "BUILD_STRING": _counted(least=1),
    "BUILD_SLICE": Choice(lambda operand: operand, lambda chance, _d: chance.choice([2, 3])),
    "BUILD_TUPLE_UNPACK": _counted(least=1),
    "BUILD_LIST_UNPACK": _counted(least=1),
    "BUILD_SET_UNPACK": _counted(least=1),
    "BUILD_MAP_UNPACK": _counted(least=1),
    "LIST_TO_TUPLE": _fixed(1),
    "UNPACK_SEQUENCE": _one_of(1, 4),
    "UNPACK_EX": Choice(lambda _o: 1, lambda chance, _d: chance.randrange(3) << 8 | chance.randrange(3)),
    "GET_ITER": _fixed(1),
    "GET_LEN": _fixed(1),
    "FORMAT_VALUE": Choice(lambda operand: 1 + (operand >> 2), lambda chance, _d: chance.randrange(8)),
    "CONVERT_VALUE": Choice(lambda _o: 1, lambda chance, _d: chance.randint(1, 3)),
    "FORMAT_SIMPLE": _fixed(1),
    "FORMAT_WITH_SPEC": _fixed(2),
}
# A container, a value for it, and the instruction that puts it in: what it changes must be what it expects.
INTO = [
    ("BUILD_LIST", 1, "LIST_APPEND"), ("BUILD_SET", 1, "SET_ADD"), ("BUILD_MAP", 2, "MAP_ADD"),
    ("BUILD_LIST", 1, "LIST_EXTEND"), ("BUILD_SET", 1, "SET_UPDATE"), ("BUILD_MAP", 1, "DICT_UPDATE"),
]  # fmt: skip
AVAILABLE = sorted(name for name in CHOICES if name in opcode.opmap)


def straight_line(seed: int) -> CodeType:
    """A function of random instructions without jumps, which returns what they leave on the stack."""
    chance = random.Random(seed)
    code: List[Tuple[str, int]] = [("RESUME", 0)] if "RESUME" in opcode.opmap else []
    depth = 0
    for _ in range(chance.randint(3, 25)):
        made = _group(chance, depth)
        code += made
        depth += sum(_growth(name, operand) for name, operand in made)
    code += [("BUILD_TUPLE", depth), ("RETURN_VALUE", 0)]
    return _assembled(code)


def _growth(name: str, operand: int) -> int:
    number = opcode.opmap[name]
    return dis.stack_effect(number, operand if number >= dis.HAVE_ARGUMENT else None)


def _group(chance: random.Random, depth: int) -> List[Tuple[str, int]]:
    """One random instruction, or a few that belong together."""
    if chance.random() < 0.15:
        build, values, put = chance.choice([row for row in INTO if row[2] in opcode.opmap])
        loads = [("LOAD_FAST", chance.randrange(5)) for _ in range(values)]
        return [(build, 0), *loads, (put, 1)]
    name = chance.choice(AVAILABLE if depth else ["LOAD_CONST", "LOAD_FAST"])
    operand = CHOICES[name].operand(chance, depth)
    # The interpreter trusts compilers with what these take: on other values it does anything.
    if name == "UNARY_NOT" and "TO_BOOL" in opcode.opmap:
        return [("LOAD_FAST", chance.randrange(5)), ("TO_BOOL", 0), (name, 0)]
    if name == "LIST_TO_TUPLE":
        return [("BUILD_LIST", min(depth, 2)), (name, 0)]
    if name == "BUILD_STRING":
        return [("LOAD_CONST", 3), ("LOAD_FAST", 1), (name, 2)]
    if name == "BUILD_CONST_KEY_MAP":
        return [("LOAD_FAST", 0), ("LOAD_FAST", 1), ("LOAD_CONST", 7), (name, 2)]
    if name == "FORMAT_WITH_SPEC" or (name == "FORMAT_VALUE" and operand & 4):
        return [("LOAD_FAST", chance.randrange(5)), ("LOAD_CONST", 3), (name, operand)]
    if name == "BUILD_MAP_UNPACK":
        return [("LOAD_FAST", 3), ("LOAD_FAST", 3), (name, 2)]
    if CHOICES[name].takes(operand) > depth:
        return [("LOAD_FAST", chance.randrange(5))]
    return [(name, operand)]


def _assembled(code: List[Tuple[str, int]]) -> CodeType:
    raw = b"".join(_encoded(opcode.opmap[name], operand) for name, operand in code)

    def function(number, text, row, table, few):  # type: ignore[no-untyped-def]
        nothing = new = None
        return nothing, new

    tables = {"co_exceptiontable": b""} if hasattr(function.__code__, "co_exceptiontable") else {}
    return function.__code__.replace(co_code=raw, co_consts=CONSTANTS, co_stacksize=200, **tables)  # type: ignore[arg-type]


def _encoded(number: int, operand: int) -> bytes:
    extended = bytes([dis.EXTENDED_ARG, operand >> 8]) if operand > 255 else b""
    return extended + bytes([number, operand & 255]) + bytes(2 * _CACHES.get(number, 0))


def arguments() -> List[object]:
    """New values for the parameters of :func:`straight_line`."""
    return [7, "xyz", [1, 2, 3], {"a": 1, "b": [2]}, {3, 5}]


def in_interpreter(code: CodeType) -> Tuple[Ended, List[object]]:
    """How a function ends when CPython runs it, and what its arguments are afterwards."""
    values = arguments()
    try:
        return Ended("returns", FunctionType(code, {})(*values)), values
    except Exception as error:
        return Ended("raises", type(error).__name__), values


def on_reference_machine(code: CodeType) -> Tuple[Ended, List[object]]:
    """How it ends when what it is decoded to runs on the reference machine."""
    values = arguments()
    try:
        return Ended("returns", run_graph(decode(code), dict(zip(code.co_varnames, values)))), values
    except Exception as error:
        return Ended("raises", type(error).__name__), values


def differences(seeds: range) -> Iterator[str]:
    """Programs that end otherwise on the reference machine than in the interpreter."""
    for seed in seeds:
        code = straight_line(seed)
        one, other = in_interpreter(code), on_reference_machine(code)
        if _shown(one) != _shown(other):
            listing = "; ".join(f"{found.opname} {found.arg}" for found in dis.get_instructions(code))
            yield f"seed {seed}: {_shown(one)}, decoded: {_shown(other)}: {listing}"


_ADDRESS = re.compile(r"0x[0-9a-f]+")


def _shown(ended: object, around: Tuple[int, ...] = ()) -> str:
    """``ended`` with the type of everything in it; sets in order, and no addresses."""
    if id(ended) in around:
        return "itself"
    inside = (*around, id(ended))
    if isinstance(ended, (list, tuple)):
        return f"{type(ended).__name__}({', '.join(_shown(item, inside) for item in ended)})"
    if isinstance(ended, (set, frozenset)):
        return f"set({sorted(_shown(item, inside) for item in ended)})"
    if isinstance(ended, dict):
        return f"dict({', '.join(_shown(pair, inside) for pair in ended.items())})"
    return type(ended).__name__ if "iterator" in type(ended).__name__ else _ADDRESS.sub("", repr(ended))


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    found = [*disagreements(), *differences(range(options.seed, options.seed + options.count))]
    print("\n".join(found))
    counts = f"{len(list(opcodes()))} instructions, {options.count} programs, {len(found)} differ"
    print(f"Python {sys.version.split()[0]}: {counts}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
