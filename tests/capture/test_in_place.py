"""Code that is decompiled and compiled back runs in the place of Dynamo's own."""

from __future__ import annotations

from pathlib import Path
from types import CodeType

import pytest

torch = pytest.importorskip("torch")

import depyf  # noqa: E402
from depyf.decompiler import DecompilationError  # noqa: E402


@pytest.fixture
def swapped(tmp_path: Path):
    """Every code object that Dynamo generates is replaced; the list holds what runs instead."""
    from torch._dynamo.convert_frame import register_bytecode_hook

    made = []

    def exchange(original: CodeType, generated: CodeType) -> CodeType:
        template = str(tmp_path / f"{original.co_name}_%s.py")
        made.append(depyf.Decompiler.decompile_and_compile_like(generated, original, filepath_template=template))
        return made[-1]

    torch._dynamo.reset()
    handle = register_bytecode_hook(exchange)
    yield made
    handle.remove()
    torch._dynamo.reset()


def test_graph_breaks_and_resume_functions(swapped):
    def function(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    compiled = torch.compile(function, backend="eager")
    for sign in (1, -1):
        a, b = torch.randn(10), sign * torch.rand(10)
        assert torch.equal(compiled(a, b), function(a, b))
    assert len(swapped) == 3
    assert all(Path(code.co_filename).read_text(encoding="utf-8").startswith("def ") for code in swapped)


def test_variables_of_another_function_are_refused(swapped):
    compiled = torch.compile(lambda a: a + 1, backend="eager")
    compiled(torch.ones(2))
    with pytest.raises(DecompilationError, match="not those of the reference"):
        depyf.Decompiler.decompile_and_compile_like(swapped[0], (lambda other: other).__code__)


async def coroutine(x, n=2):
    async with x as entered:
        return await entered * n


def generator(x):
    while (sent := (yield x)) is not None:
        x += sent


async def asynchronous_generator(x):
    async for item in x:
        yield item


def makes_a_class(base):
    class Made(base):
        def method(self):
            return super().method()

    return Made


@pytest.mark.parametrize("function", [coroutine, generator, asynchronous_generator, makes_a_class])
def test_code_that_a_compiler_wrote_keeps_its_flags(function, tmp_path):
    original = function.__code__
    code = depyf.Decompiler.decompile_and_compile_like(original, original, filepath_template=str(tmp_path / "f_%s.py"))
    assert (code.co_flags, code.co_varnames) == (original.co_flags, original.co_varnames)
    files = [code.co_filename, *(item.co_filename for item in code.co_consts if isinstance(item, CodeType))]
    assert files == [str(tmp_path / "f_0.py")] * len(files)
    assert function.__name__ in (tmp_path / "f_0.py").read_text(encoding="utf-8")
