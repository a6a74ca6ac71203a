"""``depyf.decompile`` and the class of the first releases: what they take, what they say, what they refuse."""

from __future__ import annotations

import ast
import asyncio
import dis
import functools
import importlib.util
import json
import marshal
import py_compile
import sys
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Dict, List

import pytest

import depyf
from depyf.decompiler import DecompilationError, decompile_code
from depyf.decompiler.sources import UnreadableTarget


class Opaque:
    """A value without a literal."""


def add(a: int, b: int = 2, *, c: str = "x") -> Dict[str, int]:
    return {c: a + b}


def opaque(a: int, b: Any = Opaque(), *, c: List[int] = [1]) -> None:  # noqa: B006, B008
    print(a, b, c)


def counter(count: int) -> Callable[[], int]:
    def step() -> int:
        nonlocal count
        count += 1
        return count

    return step


class Example(Opaque):
    """What it is."""

    size: int = 3
    lock = Opaque()

    def __init__(self, x: int = 1) -> None:
        super().__init__()
        self.__x = x

    @property
    def x(self) -> int:
        return self.__x

    @x.setter
    def x(self, value: int) -> None:
        self.__x = value

    @staticmethod
    def double(a: int) -> int:
        return a * 2

    @classmethod
    def make(cls) -> Example:
        return cls(5)

    class Inner:
        y = 2

    length = len


def program(source: str, **names: object) -> Dict[str, Any]:
    """The names that printed source binds."""
    namespace: Dict[str, Any] = {"__name__": "printed", "Opaque": Opaque, **names}
    exec(compile(source, "printed", "exec", dont_inherit=True), namespace)
    return namespace


def test_function_with_defaults_and_annotations() -> None:
    source = depyf.decompile(add)
    assert 'def add(a: int, b: int = 2, *, c: str = "x") -> Dict[str, int]:' in source
    assert source.endswith("\n")
    assert program(source)["add"](1) == {"x": 3}


def test_what_has_no_literal_is_said_and_the_signature_stays_valid() -> None:
    source = depyf.decompile(opaque)
    assert "# the default of b is an object of type Opaque, which no literal makes" in source
    assert "b: Any = ..., *, c: List[int] = [1]" in source
    assert program(source)["opaque"].__defaults__ == (...,)


def test_what_a_function_sees_is_printed_by_name() -> None:
    def function(a: Any = Opaque, b: Any = len) -> None:
        pass

    assert "a: Any = Opaque, b: Any = len" in depyf.decompile(function)


def test_nonlocal_is_valid_alone() -> None:
    source = depyf.decompile(counter(1))
    ast.parse(source)
    compile(source, "alone", "exec")
    assert "# the function around it binds what is nonlocal in it" in source


@pytest.mark.parametrize(
    "target",
    [add.__code__, Example(1).make, Example.double, vars(Example)["make"], functools.partial(add, 1), lambda x=1: x],
    ids=["code", "method", "function", "classmethod", "partial", "lambda"],
)
def test_what_holds_code(target: object) -> None:
    compile(depyf.decompile(target), "printed", "exec")


def test_generators_and_coroutines() -> None:
    def generator() -> Any:
        yield 1

    async def coroutine() -> int:
        await asyncio.sleep(0)
        return 2

    async def asynchronous() -> Any:
        yield 3

    waiting = coroutine()
    printed = [depyf.decompile(target) for target in (generator(), waiting, asynchronous())]
    waiting.close()
    heads = [text.split("(")[0] for text in printed]
    assert heads == ["def generator", "async def coroutine", "async def asynchronous"]


def test_class() -> None:
    source = depyf.decompile(Example)
    assert "lock: an object of type Opaque, which no literal makes" in source
    again = program(source)["Example"]
    assert (again.__doc__, again.size, again.double(4), again.Inner.y, again.length) == ("What it is.", 3, 8, 2, len)
    made = again.make()
    made.x += 1
    assert made.x == 6


def test_class_with_nonlocal() -> None:
    count = 0

    class Counter:
        def step(self) -> None:
            nonlocal count
            count += 1

    compile(depyf.decompile(Counter), "printed", "exec")


def test_module_name_and_member() -> None:
    assert depyf.decompile(json) == depyf.decompile("json")
    assert depyf.decompile("json:loads") == depyf.decompile(json.loads)


def test_source_file(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("raise SystemExit('never run')\n")
    assert depyf.decompile(path) == 'raise SystemExit("never run")\n'
    assert depyf.decompile(str(path)) == depyf.decompile(path)


def test_bytecode_file_is_read_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("raise SystemExit('never run')\n")
    compiled = py_compile.compile(str(path), cfile=str(tmp_path / "program.pyc"))
    assert depyf.decompile(compiled) == 'raise SystemExit("never run")\n'


def bytecode(magic: bytes, content: bytes = marshal.dumps(add.__code__), flags: int = 0) -> bytes:
    return magic + flags.to_bytes(4, "little") + bytes(8) + content


def magic_of(number: int) -> bytes:
    return number.to_bytes(2, "little") + b"\r\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bytecode(magic_of(3394)), r"written by Python 3\.7 \(magic number 3394\).*this is Python 3\."),
        (bytecode(magic_of(3999)), r"written by Python 3\.\d+ \(magic number 3999\)"),
        (bytecode(b"MZ\x00\x00"), "written by something else"),
        (bytecode(importlib.util.MAGIC_NUMBER, b"\x00"), "damaged|holds no code"),
        (bytecode(importlib.util.MAGIC_NUMBER, marshal.dumps(1)), "holds no code object, but a int"),
        (bytecode(importlib.util.MAGIC_NUMBER, b""), "damaged"),
        (bytecode(importlib.util.MAGIC_NUMBER, flags=4), "flags"),
        (b"short", "shorter than a header"),
    ],
)
def test_bytecode_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.pyc"
    path.write_bytes(content)
    with pytest.raises(UnreadableTarget, match=message):
        depyf.decompile(path)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module", "no such file, and no such module"),
        ("no_such_module:name", "no_such_module"),
        ("json:no_such_name", "no_such_name"),
        ("no/such/file.py", "No such file"),
        ("sys", "built in"),
        (sys, "built in"),
    ],
)
def test_targets_that_are_not_there(target: object, message: str) -> None:
    with pytest.raises(UnreadableTarget, match=message):
        depyf.decompile(target)


def test_source_that_is_no_python(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("def f(:\n")
    with pytest.raises(UnreadableTarget, match="no source of Python"):
        depyf.decompile(path)


@pytest.mark.parametrize("target", [3, None, len, [add]])
def test_what_holds_no_code(target: object) -> None:
    with pytest.raises(TypeError, match="no Python code"):
        depyf.decompile(target)


def test_refusal_is_an_error() -> None:
    code = add.__code__
    damaged = code.replace(co_code=bytes([dis.opmap["POP_TOP"], 0]) * 4)
    with pytest.raises(DecompilationError, match=r"offset \d"):
        depyf.decompile(damaged)


def test_line_map() -> None:
    def function(a: int) -> int:
        b = a + 1
        while b > 9:
            b -= 1
        return b

    found = decompile_code(function.__code__)
    offsets = [offset for of_line in found.line_map.values() for offset in of_line]
    lines = found.source.splitlines()
    assert [lines[line - 1].split()[0] for line in found.line_map] == ["b", "while", "b", "return"]
    assert len(set(offsets)) == len(offsets)
    assert set(offsets) <= {instruction.offset for instruction in dis.get_instructions(function)}


def test_line_map_of_a_closure() -> None:
    found = decompile_code(counter(1).__code__)
    assert [found.source.splitlines()[line - 1].strip() for line in found.line_map] == ["count += 1", "return count"]


def test_class_of_the_first_releases() -> None:
    decompiler = depyf.Decompiler(add)
    assert decompiler.decompile() == depyf.decompile(add)
    source = decompiler.decompile(indentation=2, temp_prefix="_", overwite_fn_name="plus")
    assert source.splitlines()[-1].startswith("  return")
    assert program(source)["plus"](1) == {"x": 3}
    assert isinstance(depyf.Decompiler(add.__code__).code, CodeType)
    with pytest.raises(TypeError):
        depyf.Decompiler(Example)


def test_function_in_a_function_is_renamed() -> None:
    source = depyf.Decompiler(counter(1)).decompile(overwite_fn_name="tick")
    assert "    def tick()" in source


def test_lambda_is_renamed() -> None:
    assert depyf.Decompiler(lambda x: x).decompile(overwite_fn_name="same") == "same = lambda x: x\n"


def test_supported_instructions() -> None:
    names = depyf.Decompiler.supported_opnames()
    assert names == sorted(names)
    assert {"LOAD_FAST", "RETURN_VALUE"} <= set(names) <= set(dis.opmap)
    used = {instruction.opname for instruction in dis.get_instructions(counter)}
    assert used <= {*names, "CACHE"}
