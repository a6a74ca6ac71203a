"""Whatever a code object holds: a verified answer or a DecompilationError, in time, and nothing else."""

from __future__ import annotations

import ast
import dis
import gc
import json
import opcode
import subprocess
import sys
import threading
from pathlib import Path
from types import CodeType
from typing import Any, Dict, List, Optional, Tuple

import pytest
from normalisations import reads_as

from depyf.decompiler import DecompilationError, candidate, decompile_code, pipeline
from depyf.decompiler.disassemble.instructions import _CACHES
from depyf.decompiler.recursion import with_enough_stack
from depyf.decompiler.refusals import NOT_PROVED, TOO_DEEP, InternalError, Refused
from depyf.decompiler.structure.statements import statements

BATCH = Path(__file__).parent / "hostile" / "batch.py"
KINDS = ["noise", "garbage", "flips", "cuts", "moves", "large_operands", "tables", "line_table"]
if sys.version_info >= (3, 11):
    KINDS.append("exception_table")
VERIFIED = {"exact", "bisimilar", "symbolic"}
REFUSED = {"refused"}


def example(a: Any, b: Any, c: Any) -> Any:
    for item in a:
        try:
            if (item and b(item, key=c)) or not item:
                continue
        except ValueError as error:
            return error
    with a as d:
        return [b for b in d if b]


CODE = example.__code__


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_code_is_refused_in_time(kind: str) -> None:
    command = [sys.executable, "-W", "ignore", str(BATCH), kind, "1", "300"]
    ended = subprocess.run(command, capture_output=True, timeout=200, check=False)
    assert ended.returncode == 0, ended.stderr.decode()[-3000:]
    outcomes: Dict[str, int] = json.loads(ended.stdout)
    assert set(outcomes) <= VERIFIED | REFUSED
    assert sum(outcomes.values()) == 300


def test_batches_hold_what_they_say() -> None:
    command = [sys.executable, "-W", "ignore", str(BATCH), "flips", "2", "100"]
    outcomes = json.loads(subprocess.run(command, stdout=subprocess.PIPE, timeout=200, check=True).stdout)
    assert VERIFIED & set(outcomes)
    assert REFUSED & set(outcomes)


def assembled(*instructions: Tuple[str, int], **fields: Any) -> CodeType:
    """``example`` with other instructions; inline caches are added."""
    raw = b"".join(
        bytes([opcode.opmap[name], operand]) + bytes(2 * _CACHES.get(opcode.opmap[name], 0))
        for name, operand in instructions
    )
    tables = {"co_exceptiontable": b""} if hasattr(CODE, "co_exceptiontable") else {}
    return CODE.replace(co_code=raw, **tables, **fields)


RETURN = [("LOAD_CONST", 0), ("RETURN_VALUE", 0)]


@pytest.mark.parametrize(
    "instructions",
    [
        [],
        [("POP_TOP", 0), *RETURN],
        [("LOAD_CONST", 0)],
        [("LOAD_CONST", 200), ("RETURN_VALUE", 0)],
        [("LOAD_FAST", 200), ("RETURN_VALUE", 0)],
        [("LOAD_GLOBAL", 255), *RETURN],
        [("JUMP_FORWARD", 100), *RETURN],
        [("EXTENDED_ARG", 1), ("EXTENDED_ARG", 1), ("JUMP_FORWARD", 0), *RETURN],
        [("EXTENDED_ARG", 100), ("EXTENDED_ARG", 1), ("EXTENDED_ARG", 1), ("BUILD_LIST", 1), *RETURN],
        [("LOAD_FAST", 0), ("EXTENDED_ARG", 100), ("EXTENDED_ARG", 1), ("UNPACK_SEQUENCE", 1), *RETURN],
        [("LOAD_FAST", 0), ("EXTENDED_ARG", 100), ("EXTENDED_ARG", 1), ("UNPACK_EX", 1), *RETURN],
        [("BUILD_LIST", 0), ("LIST_APPEND", 9), *RETURN],
        [("LOAD_CONST", 0), ("LOAD_CONST", 0), ("IMPORT_NAME", 0), *RETURN][1:],
    ],
)
def test_what_no_python_runs_names_the_offset(instructions: List[Tuple[str, int]]) -> None:
    with pytest.raises(DecompilationError, match=r"offset \d+"):
        decompile_code(assembled(*instructions))


@pytest.mark.skipif(
    sys.version_info[:2] == (3, 10), reason="3.10 counts jumps in instructions and has no caches: each jump reaches one"
)
def test_jump_into_an_instruction() -> None:
    code = compile("def f(a):\n    return " + " + ".join(f"a.x{number}" for number in range(300)), "f.py", "exec")
    function = code.co_consts[0]
    place = next(i.offset for i in dis.get_instructions(function) if i.opname == "EXTENDED_ARG")
    raw = bytearray(function.co_code)
    raw[place] = opcode.opmap["JUMP_FORWARD"]
    with pytest.raises(DecompilationError, match=r"offset \d+"):
        decompile_code(function.replace(co_code=bytes(raw)))


def two_entries() -> CodeType:
    """A loop that is entered in two places: ``if a: goto second; first: b; second: c; goto first``."""
    jump = next(name for name in ("POP_JUMP_IF_FALSE", "POP_JUMP_FORWARD_IF_FALSE") if name in opcode.opmap)
    back = "JUMP_ABSOLUTE" if "JUMP_ABSOLUTE" in opcode.opmap else "JUMP_BACKWARD"
    unit = 1 if sys.version_info >= (3, 10) else 2
    cached = _CACHES.get(opcode.opmap[jump], 0)
    first = 2 + cached
    second = first + 2
    over = 2 if back == "JUMP_BACKWARD" else second * unit
    length = 2 + 2 + 1 + _CACHES.get(opcode.opmap[back], 0)
    return assembled(
        ("LOAD_FAST", 0), (jump, over), ("LOAD_FAST", 1), ("STORE_FAST", 2), ("LOAD_FAST", 2), ("STORE_FAST", 1),
        (back, length if back == "JUMP_BACKWARD" else first * unit), *RETURN,
    )  # fmt: skip


def test_loop_with_two_ways_in() -> None:
    with pytest.raises(Refused, match=r"CONTROL_FLOW|STACK_SHAPE|NOT_PROVED|SILENT_LOOP"):
        decompile_code(two_entries())


STRIPPED = [
    function.__code__
    for module in (json.decoder, subprocess, threading, dis)
    for function in vars(module).values()
    if hasattr(function, "__code__")
]


@pytest.mark.parametrize("code", STRIPPED, ids=lambda code: str(code.co_name))
def test_code_without_positions_is_proved(code: CodeType) -> None:
    assert decompile_code(without_positions(code)).certificate.level in VERIFIED


def test_conditional_arguments_without_positions_read_as_written() -> None:
    """The compiler copies the end of the call to both arms; that of another call which ends alike is no copy."""
    source = (
        "def f(a, n):\n"
        "    if a:\n"
        "        return g(a, kind=0 if n < 16 else 1, number=n)\n"
        "    if n > 99:\n"
        "        raise g(a, n)\n"
        "    if n > 9:\n"
        "        raise h(a, n)\n"
        "    return h(a, kind=2 if n < 16 else 3, number=n)\n"
    )
    namespace: Dict[str, Any] = {}
    exec(source, namespace)
    found = decompile_code(without_positions(namespace["f"].__code__))
    assert found.certificate.level in VERIFIED
    assert reads_as(source, found.source) is None


def without_positions(code: CodeType) -> CodeType:
    constants = tuple(without_positions(item) if isinstance(item, CodeType) else item for item in code.co_consts)
    table = "co_linetable" if hasattr(code, "co_linetable") else "co_lnotab"
    return code.replace(co_consts=constants, **{table: b""})


@pytest.mark.parametrize(
    "names", [("a b", "c", "d"), ("class", "a", "b"), ("a", "a", "a"), ("", "1", "\n"), ("é", "ﬁ", "fi")]
)
@pytest.mark.parametrize("field", ["co_varnames", "co_names"])
def test_names_that_no_source_has(field: str, names: Tuple[str, ...]) -> None:
    kept = getattr(CODE, field)
    code = CODE.replace(**{field: (*names, *kept[3:])[: len(kept)]})
    failure: Optional[DecompilationError] = None
    try:
        assert decompile_code(code).certificate.level in VERIFIED
    except DecompilationError as error:
        failure = error
    assert not isinstance(failure, InternalError), failure


@pytest.mark.parametrize(
    "source",
    [
        "x = " + " + ".join(["a"] * 900),
        "x = " + "a if b else " * 500 + "c",
        "x = a" + ".b(c)" * 500,
        "x = " + "lambda a: " * 90 + "a",
        "if a: pass\n" + "".join(f"elif a == {number}: b = {number}\n" for number in range(400)),
        "a = b\n" * 5000,
        "x = [" + "a, " * 5000 + "]",
        "x = " + " and ".join(["a"] * 2000),
        "x = " + "(" * 80 + "a" + ")" * 80 + " + " + "[" * 80 + "a" + "]" * 80,
        "".join(" " * depth + "for a in b:\n" for depth in range(20)) + " " * 20 + "break\n",
        "".join(" " * depth + "if a:\n" for depth in range(98)) + " " * 98 + "b = c\n",
        "".join(" " * depth + "def f(a):\n" for depth in range(90)) + " " * 90 + "return a\n",
        "".join(" " * depth + "try:\n" for depth in range(19))
        + " " * 19
        + "a()\n"
        + "".join(" " * depth + f"finally: b({depth})\n" for depth in reversed(range(19))),
    ],
    ids=[
        "sum",
        "ternaries",
        "methods",
        "lambdas",
        "elif",
        "statements",
        "list",
        "and",
        "parentheses",
        "blocks",
        "indentation",
        "functions",
        "finally",
    ],
)
def test_deep_and_long_programs(source: str) -> None:
    limit, size = sys.getrecursionlimit(), threading.stack_size()
    assert decompile_code(compile(source, "long.py", "exec")).certificate.level in VERIFIED
    assert (sys.getrecursionlimit(), threading.stack_size()) == (limit, size)


def test_long_programs_are_begun_once() -> None:
    begun: List[str] = []
    code = compile("x = " + " + ".join("a" * 1000), "long.py", "exec")
    with_enough_stack(lambda: begun.append(threading.current_thread().name), code)
    assert begun == ["depyf, on a larger stack"]


def test_without_threads_long_programs_run_on_the_stack_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    source = "".join(f"x_{number} = a\n" for number in range(1000))
    assert decompile_code(compile(source, "long.py", "exec")).certificate.level in VERIFIED


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_as_it_was(enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: List[bool] = []

    def watching(*arguments: Any) -> List[ast.stmt]:
        seen.append(gc.isenabled())
        return statements(*arguments)

    monkeypatch.setattr(pipeline, "statements", watching)
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        decompile_code(CODE)
        with pytest.raises(DecompilationError):
            decompile_code(CODE.replace(co_code=b"\xff\xff"))
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
    assert seen and not any(seen)


def test_what_is_too_deep_for_any_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*arguments: object) -> object:
        return endless(*arguments)

    monkeypatch.setattr("depyf.decompiler.recursion.FRAMES", sys.getrecursionlimit())
    monkeypatch.setattr(pipeline, "statements", endless)
    with pytest.raises(Refused) as caught:
        decompile_code(CODE)
    assert caught.value.refusal is TOO_DEEP


def test_source_on_which_the_compiler_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(*_arguments: object) -> None:
        raise SystemError("compiler_lookup_arg(name='__classdict__') with reftype=5 failed")

    monkeypatch.setattr(candidate, "compile_quietly", gives_up)
    code = compile("a = 1", "module.py", "exec")
    with pytest.raises(Refused, match="the printed source does not compile: compiler_lookup_arg") as caught:
        candidate.compile_candidate(ast.parse("a = 1"), "a = 1", code)
    assert caught.value.refusal is NOT_PROVED


def test_our_own_mistakes_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_layout: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(pipeline, "statements", broken)
    with pytest.raises(
        InternalError, match=r"example .*the decompiler failed: KeyError: 'x' \(test_hostile.py:\d+, broken\)"
    ):
        decompile_code(CODE)
