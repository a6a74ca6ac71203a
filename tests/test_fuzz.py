"""A few random programs of ``tools/fuzz.py``, and what makes failing ones smaller."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import fuzz
import pytest
import shrink
from fuzzing import program
from fuzzing.blocks import BLOCKS
from fuzzing.definitions import module
from fuzzing.expressions import EXPRESSIONS
from fuzzing.outcomes import Outcome, compiled
from fuzzing.place import PYTHON, Grower
from fuzzing.plain import plain_program
from fuzzing.running import difference, may_run
from fuzzing.statements import STATEMENTS

PROGRAMS = 30


def test_programs_are_programs_and_depend_on_the_seed_alone() -> None:
    texts = [program(seed) for seed in range(PROGRAMS)]
    assert texts == [program(seed) for seed in range(PROGRAMS)]
    assert len(set(texts)) == PROGRAMS
    refused = [seed for seed, text in enumerate(texts) if compiled(text) is None]
    assert len(refused) <= 1


def test_every_kind_is_written() -> None:
    used = set()
    for seed in range(300):
        grower = Grower(seed)
        module(grower)
        used |= set(grower.used)
    assert used == {kind.write.__name__ for table in (BLOCKS, EXPRESSIONS, STATEMENTS) for kind in table.kinds}


def test_every_statement_of_the_grammar_is_written() -> None:
    seen = {type(node).__name__ for seed in range(200) for node in ast.walk(tree_of(program(seed)))}
    newer = {"Match": (3, 10), "TryStar": (3, 11), "TypeAlias": (3, 12), "TemplateStr": (3, 14)}
    wanted = {
        "AnnAssign", "Assert", "Assign", "AsyncFor", "AsyncFunctionDef", "AsyncWith", "AugAssign", "Await", "BoolOp",
        "Break", "ClassDef", "Compare", "Continue", "Delete", "DictComp", "For", "FunctionDef", "GeneratorExp",
        "Global", "If", "IfExp", "Import", "ImportFrom", "JoinedStr", "Lambda", "ListComp", "NamedExpr", "Nonlocal",
        "Pass", "Raise", "Return", "SetComp", "Slice", "Starred", "Try", "While", "With", "Yield", "YieldFrom",
        *(name for name, since in newer.items() if since <= PYTHON),
    }  # fmt: skip
    assert wanted <= seen


def tree_of(text: str) -> ast.Module:
    return ast.parse(text) if compiled(text) is not None else ast.Module([], [])


def test_code_objects_are_verified_and_the_others_refused_by_name() -> None:
    ends = [end for seed in range(PROGRAMS) for end in fuzz.found_for(seed).outcomes]
    assert len(ends) > 5 * PROGRAMS
    assert [end for end in ends if not end.is_proved and not end.kind.startswith("refused")] == []
    assert sum(end.is_proved for end in ends) > 0.85 * len(ends)


def test_plain_programs_are_large_and_verified() -> None:
    texts = [plain_program(seed) for seed in range(PROGRAMS)]
    assert texts == [plain_program(seed) for seed in range(PROGRAMS)]
    assert sum(len(text.splitlines()) for text in texts) > 50 * PROGRAMS
    ends = [end for seed in range(PROGRAMS) for end in fuzz.found_for(seed, plain_program).outcomes]
    assert sum(end.is_proved for end in ends) > 0.85 * len(ends)


def test_symptoms_leave_out_what_is_particular() -> None:
    one = Outcome("refused NOT_PROVED", "f", "f: operand: expected 'a', found 12\n  ->  0 LOAD_FAST a")
    other = Outcome("refused NOT_PROVED", "g", "C.g: operand: expected 'b', found 7")
    assert one.symptom == other.symptom
    assert one.symptom != Outcome("refused NOT_PROVED", "f", "f: operation: expected 'a', found 'b'").symptom


def has_both(text: str) -> bool:
    """A symptom for the tests of the shrinker: a `return` in a loop, and a lambda somewhere."""
    module = compiled(text)
    nodes = list(ast.walk(ast.parse(text))) if module is not None else []
    loops = [node for node in nodes if isinstance(node, (ast.For, ast.While))]
    returns = any(isinstance(inner, ast.Return) for loop in loops for inner in ast.walk(loop))
    return returns and any(isinstance(node, ast.Lambda) for node in nodes)


def test_shrinking_keeps_the_symptom_and_little_else() -> None:
    text = next(program(seed) for seed in range(1000) if has_both(program(seed)))
    small = shrink.shrunk(text, has_both, seconds=10)
    assert has_both(small)
    assert len(small) < 120 < len(text)


def test_shrinking_keeps_the_layout_where_it_matters() -> None:
    text = "a = 1\nb = (c\n  + d)\ne = 2\n"
    assert shrink.shrunk(text, lambda attempt: "\n  + d" in attempt, seconds=5) == "b = (c\n  + d)\n"


def test_commands(tmp_path: Path) -> None:
    tools = Path(fuzz.__file__).parent
    command = [sys.executable, "-W", "ignore", str(tools / "fuzz.py"), "--count", "2"]
    ended = subprocess.run([*command, "--failures", str(tmp_path)], capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    assert "code objects of 2 programs" in ended.stdout
    good = tmp_path / "good.py"
    good.write_text("a = 1\n")
    ended = subprocess.run(
        [sys.executable, str(tools / "shrink.py"), str(good)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "every code object is verified" in ended.stdout


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a + b", "a - b"),
        ("def f(a):\n    return a.x", "def f(a):\n    return a.y"),
        ("if a: b()\nelse: c()", "if not a: b()\nelse: c()"),
        ("for i in a: b(i)", "for i in a: b()"),
        ("async def g(a):\n    async with a: await b", "async def g(a):\n    async with a: pass"),
    ],
)
def test_running_tells_programs_apart(text: str, other: str) -> None:
    module = compiled(text)
    assert module is not None
    assert difference(module, text) == ""
    assert difference(module, other) != ""


def test_programs_that_would_not_end_are_not_run() -> None:
    assert may_run("a ** b") and may_run("f(**10**30)")
    assert not may_run("10**30 ** 10**30")
