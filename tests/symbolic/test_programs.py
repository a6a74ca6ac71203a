"""Programs give the same with the decompiled code in the place of Dynamo's, every frame of them."""

import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from in_place.comparing import outcome  # noqa: E402
from in_place.swapping import swapping  # noqa: E402
from in_place.sweep import compiler  # noqa: E402

FILES = sorted((Path(__file__).parent / "programs").glob("*.py"))
PROGRAMS = [program for path in FILES for program in runpy.run_path(str(path))["PROGRAMS"]]
EAGER = compiler("eager")

# Dynamo leaves these frames alone: what it does not compile, nobody decompiles.
SKIPPED = {
    "break_in_user_context", "contextmanager_function", "defaultdict_is_changed", "loop_with_break",
    "error_in_graph_call", "try_except_around_break", "try_finally_around_break",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_outcome(program):
    with swapping() as swapped:
        found = outcome(program, EAGER)
    assert found == outcome(program, EAGER)
    assert swapped.refused == []
    if not program.__name__.startswith("random_"):
        assert bool(swapped.codes) == (program.__name__ not in SKIPPED)
