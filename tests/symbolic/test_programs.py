"""Programs give the same with the decompiled code in the place of Dynamo's, every frame of them."""

import contextlib
import dataclasses
import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch._dynamo.convert_frame import register_bytecode_hook  # noqa: E402

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


@contextlib.contextmanager
def swapping():
    """Decompiled code runs in the place of Dynamo's; yields what was decompiled."""
    replaced = []

    def hook(original, transformed):
        proved = decompile_dataflow(transformed)
        replaced.append(proved)
        return proved.code

    removable = register_bytecode_hook(hook)
    try:
        yield replaced
    finally:
        removable.remove()


def outcome(program):
    """What a compiled program returns or raises."""
    torch._dynamo.reset()
    try:
        return plain(program(lambda function, **options: torch.compile(function, backend="eager", **options)))
    except Exception as error:
        return type(error).__name__, str(error)


# Dynamo leaves these frames alone: what it does not compile, nobody decompiles.
SKIPPED = {
    "break_in_user_context", "contextmanager_function", "defaultdict_is_changed", "loop_with_break",
    "try_except_around_break", "try_finally_around_break",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_outcome(program, capfd):
    with swapping() as replaced:
        found = outcome(program), capfd.readouterr().out
    expected = outcome(program), capfd.readouterr().out
    assert found == expected
    if not program.__name__.startswith("random_"):
        assert bool(replaced) == (program.__name__ not in SKIPPED)
