"""Programs give the same with the decompiled code in the place of Dynamo's, every frame of them."""

import dataclasses
import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from depyf.decompiler.lift.dataflow.driver import decompile_dataflow  # noqa: E402

FILES = sorted((Path(__file__).parent / "programs").glob("*.py"))
PROGRAMS = [program for path in FILES for program in runpy.run_path(str(path))["PROGRAMS"]]


def plain(value):
    """``value`` as something that ``==`` compares: tensors by their elements and type."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return type(value).__name__, plain(vars(value))
    return value


@pytest.fixture
def swapped():
    """The code objects that decompiled code replaced."""
    from torch._dynamo.convert_frame import register_bytecode_hook

    replaced = []

    def hook(original, transformed):
        proved = decompile_dataflow(transformed)
        replaced.append(proved)
        return proved.code

    removable = register_bytecode_hook(hook)
    torch._dynamo.reset()
    yield replaced
    removable.remove()
    torch._dynamo.reset()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_result(program, swapped, capfd):
    expected = plain(program(lambda function, **options: function))
    printed = capfd.readouterr().out
    found = plain(program(lambda function, **options: torch.compile(function, backend="eager", **options)))
    assert found == expected
    assert capfd.readouterr().out == printed
    assert swapped
