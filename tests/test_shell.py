"""The debugger's pdb on every Python: none of it needs torch, but for the way to keep Dynamo from looking at it."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stdout
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import List

import pytest

from depyf.debugger.folded import is_folded


@pytest.fixture
def shell(monkeypatch, tmp_path):
    for name in ("torch", "torch.compiler"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        sys.modules[name].__spec__ = ModuleSpec(name, None)
    monkeypatch.setattr(sys.modules["torch.compiler"], "disable", lambda function: function, raising=False)
    from depyf.debugger.shell import Shell

    return Shell(tmp_path, lambda place: [f"asked for {Path(place).name}"])


def function_in(path: Path):
    path.write_text("def run(x):\n    y = x + 1\n    y += 1\n    return y\n", encoding="utf-8")
    scope: dict = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
    return scope["run"]


def talk(shell, commands: List[str], function, monkeypatch) -> str:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{command}\n" for command in commands)))
    with redirect_stdout(said):
        shell.stdout = said
        shell.pause_at(sys._getframe())
        function(1)
        shell.end()
    return said.getvalue()


def test_breakpoints_stepping_stack_and_end(shell, tmp_path, monkeypatch):
    run = function_in(tmp_path / "graph.py")
    before = sys.gettrace()
    said = talk(shell, ["b graph.py:3", "b graph:2", "c", "p y if 'y' in dir() else 'not yet'", "c", "p y", "n", "p y",
                        "w", "u", "places", "places x:1", "c"], run, monkeypatch)  # fmt: skip
    assert len(re.findall(r"Breakpoint \d+ at", said)) == 2
    assert said.count("graph.py(3)run()") == 1 and "'not yet'" in said
    assert "(Pdb) 2\n" in said and "(Pdb) 3\n" in said
    assert f"asked for {Path(__file__).name}:" in said and "asked for x:1" in said
    assert sys.gettrace() is before and not shell.get_all_breaks()


def test_end_of_input(shell, tmp_path, monkeypatch):
    run = function_in(tmp_path / "graph.py")
    said = talk(shell, ["b graph.py:2", "b graph.py:3", "c"], run, monkeypatch)
    assert said.count("end of input; the program goes on without the debugger") == 1


def test_return_leads_to_the_caller_that_nobody_stopped_in_before(shell, tmp_path, monkeypatch):
    run = function_in(tmp_path / "graph.py")

    def caller(x):
        found = run(x)
        return found

    said = talk(shell, ["b graph.py:2", "c", "r", "n", "p found", "c"], caller, monkeypatch)
    assert "caller()" in said


def test_frames_of_the_standard_library_go_by_who_called_them():
    from functools import singledispatch

    @singledispatch
    def frame(_):
        return sys._getframe(1)

    wrapper = frame("")
    assert "functools" in wrapper.f_code.co_filename and not is_folded(wrapper)
    assert not is_folded(sys._getframe())
