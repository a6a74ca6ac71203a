"""pdb, driven by commands: where it stops, what it shows, and that it goes without a trace."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest
import torch
from driving import Program, own_code, talking, toy

import depyf
from depyf.cli import main

HERE = Path(__file__).name


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path, "eager")


def stops(said: str) -> list[tuple[str, int, str]]:
    """(file, line, function) of every stop."""
    found = re.findall(r"^(?:\(Pdb\) )*> .*?([^/\n]+)\((\d+)\)(\S+?)\(\)", said, re.MULTILINE)
    return [(file, int(line), function) for file, line, function in found]


def graph_of(directory: Path, transformed: str) -> str:
    """The file of the graph that a transformed file calls."""
    name = re.search(r"__compiled_fn_\d+", (directory / transformed).read_text(encoding="utf-8")).group()
    return f"{name}.Captured_Graph.0.py"


def call_in(directory: Path) -> int:
    """The line of the transformed code that calls the graph."""
    return line_of(directory / "__transformed_code_0_for_toy.py", "= __compiled_fn_")


def line_of(path: Path, code: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(number for number, text in enumerate(lines, 1) if code in text and not text.lstrip().startswith("#"))


def test_it_pauses_in_the_frame_of_the_user_and_next_goes_on_into_the_block(program):
    with talking("next", "next", "p here", "continue") as said, depyf.debug():
        here = 1
        here += 1
        here += 1
    pauses = stops(said.getvalue())
    assert {file for file, _, _ in pauses} == {HERE} and len(pauses) == 3
    assert pauses[1][1] == pauses[0][1] + 1 and "(Pdb) 2\n" in said.getvalue()
    assert f"what runs now is in {program.directory} (6 files)" in said.getvalue()


def test_breakpoints_relative_to_the_dump_directory(program, tmp_path):
    graph = graph_of(tmp_path, "__transformed_code_0_for_toy.py")
    line = line_of(tmp_path / graph, "l_a_ / add")
    with talking(
        f"b {graph}:{line}", "c", "w", "p add.shape, l_a_[0].item()", "u", "p a.shape", "c", "c", "c"
    ) as said, depyf.debug():
        results = program.main()
    assert program.same(results)
    text = said.getvalue()
    transformed = ("__transformed_code_0_for_toy.py", call_in(tmp_path), "toy")
    here = (graph, line, "forward")
    assert stops(text)[1:] == [here, here, transformed, here]
    assert "(torch.Size([10]), -1.0)" in text and text.count("torch.Size([10])") == 2
    stack = [Path(file).name for file in re.findall(r"^[ >] (\S+?)\(\d+\)", text, re.MULTILINE)]
    assert [HERE, "driving.py", "__transformed_code_0_for_toy.py", graph] == stack[stack.index("driving.py") - 1 :][:4]
    assert not re.search(r"^[ >] \S+/torch/", text, re.MULTILINE)


def test_stepping_from_the_user_into_transformed_code_into_the_graph_and_back(program, tmp_path):
    graph = graph_of(tmp_path, "__transformed_code_0_for_toy.py")
    with talking(*["step"] * 60, "continue") as said, depyf.debug():
        program.compiled(torch.ones(10).requires_grad_(), torch.ones(10))
    files = list(dict.fromkeys(file for file, _, _ in stops(said.getvalue())))
    (resumed,) = (path.name for path in tmp_path.glob("__transformed_code_0_for_torch_dynamo_resume_in_toy_at_*.py"))
    assert files == [HERE, "__transformed_code_0_for_toy.py", graph, resumed, graph_of(tmp_path, resumed)]


def test_next_steps_over_a_graph_and_return_leaves_it(program, tmp_path):
    with talking("step", "step", *["next"] * 5, "continue") as said, depyf.debug():
        program.compiled(torch.ones(10).requires_grad_(), torch.ones(10))
    transformed = [line for file, line, _ in stops(said.getvalue()) if file == "__transformed_code_0_for_toy.py"]
    call = call_in(tmp_path)
    assert list(dict.fromkeys(transformed)) == [3, call - 1, call, call + 1, call + 3]
    graph = graph_of(tmp_path, "__transformed_code_0_for_toy.py")
    line = line_of(tmp_path / graph, "torch.abs")
    with talking(f"b {graph}:{line}", "c", "return", "next", "continue") as said, depyf.debug():
        program.compiled(torch.ones(10).requires_grad_(), torch.ones(10))
    assert stops(said.getvalue())[-1] == ("__transformed_code_0_for_toy.py", call_in(tmp_path) + 1, "toy")


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_forward_and_backward_are_stepped_through(backend, tmp_path):
    program = Program(tmp_path, backend)
    kinds = {"aot_eager": ("Forward_graph.0", "Backward_graph.0"), "inductor": ("kernel_0", "kernel_1")}[backend]
    name = graph_of(tmp_path, "__transformed_code_0_for_toy.py").partition(".")[0]
    first = {"aot_eager": "torch.ops.aten.abs", "inductor": "args.clear()"}[backend]
    files = [f"{name}.{kind}.py" for kind in kinds]
    breaks = [f"b {file}:{line_of(tmp_path / file, first)}" for file in files]
    with talking(
        *breaks, "c", "n", "n", "p primals_1.shape", "c", "u", "p a.grad", "d", "w", "c", "c", "c"
    ) as said, depyf.debug():
        a = torch.linspace(-1, 1, 10).requires_grad_()
        program.compiled(a, torch.ones(10)).sum().backward()
    pauses = stops(said.getvalue())
    assert [file for file, _, _ in pauses[1:]] == [files[0]] * 3 + [files[1], HERE, files[1], files[1]]
    assert "torch.Size([10])" in said.getvalue() and "(Pdb) None\n" in said.getvalue()
    assert torch.equal(a.grad, program.first[1])


@pytest.mark.parametrize("commands", [["c"], [], ["n"], ["b nowhere.py:3", "foo", "c"]])
def test_the_program_goes_on_as_if_nothing_had_been(commands, program):
    before, handler = own_code(), signal.getsignal(signal.SIGINT)
    with talking(*commands) as said, depyf.debug():
        results = program.main()
    assert program.same(results) and own_code() == before and signal.getsignal(signal.SIGINT) is handler
    assert ("end of input; the program goes on" in said.getvalue()) == (commands in ([], ["n"]))


def test_quit_ends_the_program_quietly(program):
    before = own_code()
    with pytest.raises(SystemExit) as ended, talking("s", "s", "s", "q"), depyf.debug():
        program.main()
    assert ended.value.code == 0 and ended.value.__suppress_context__
    assert own_code() == before


def test_quit_returns_to_a_prompt(program, monkeypatch):
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    with talking("q"), depyf.debug():
        raise AssertionError("not reached")


def test_breakpoint_in_the_block_is_the_same_debugger(program, tmp_path):
    graph = graph_of(tmp_path, "__transformed_code_0_for_toy.py")
    with talking("c", f"b {graph}:20", "c", "c", "c", "c") as said, depyf.debug():
        breakpoint()
        program.main()
    assert [file for file, _, _ in stops(said.getvalue())] == [HERE, HERE, graph, graph]


def test_another_debugger_is_called_with_the_frame_of_the_user(program, monkeypatch):
    called = []
    monkeypatch.setattr(sys, "breakpointhook", lambda frame=None: called.append(frame.f_code.co_name))
    with depyf.debug():
        breakpoint_hook = sys.breakpointhook
    assert called == ["test_another_debugger_is_called_with_the_frame_of_the_user"]
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.setitem(sys.modules, "chosen", type(sys)("chosen"))
    sys.modules["chosen"].stop = breakpoint_hook
    monkeypatch.setenv("PYTHONBREAKPOINT", "chosen.stop")
    with depyf.debug():
        pass
    assert len(called) == 2


def test_places_lead_from_the_line_of_the_user_to_what_was_made_of_it_and_back(program, tmp_path):
    graph = graph_of(tmp_path, "__transformed_code_0_for_toy.py")
    line = line_of(tmp_path / graph, "torch.abs")
    own = toy.__code__.co_firstlineno + 1
    with talking(
        f"places driving.py:{own}", f"places {graph}:{line}", "places nonsense", "places driving.py:1", "c"
    ) as said, depyf.debug():
        pass
    there, back, wrong, nothing = said.getvalue().split("(Pdb) ")[1:5]
    assert there == back and f"driving.py:{own}" in there
    assert f"{graph}:{line} " in there and f"__transformed_code_0_for_toy.py:{call_in(tmp_path)} " in there
    assert "FILE:LINE" in wrong and "nothing that torch compiled" in nothing


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_break_at_stops_where_the_line_of_the_user_runs(backend, tmp_path):
    program = Program(tmp_path, backend)
    own = toy.__code__.co_firstlineno + 1
    with talking(*["p (a if 'a' in dir() else 0) is None", "c"] * 4) as said, depyf.debug(break_at=f"driving.py:{own}"):
        assert program.same(program.main())
    kinds = [re.sub(r".*fn_\d+\.|\.0\.py", "", file) for file, _, _ in stops(said.getvalue())]
    assert kinds == {"eager": ["Captured_Graph"] * 2, "aot_eager": ["Forward_graph", "Backward_graph"] * 2}[backend]


def test_break_at_a_line_that_is_compiled_inside(tmp_path, capsys):
    program = Program(tmp_path, "eager")
    torch._dynamo.reset()
    own = toy.__code__.co_firstlineno + 3
    with talking("c", "c", "c", "c") as said, depyf.debug(break_at=f"driving.py:{own}"):
        program.main()
        program.main()
    where = stops(said.getvalue())
    assert "nothing that runs now came from" in capsys.readouterr().err
    assert where[-1][0].endswith(".Captured_Graph.0.py") and where[-1][2] == "forward"


def test_break_at_no_line():
    with pytest.raises(ValueError, match="a place is"):
        depyf.debug(break_at="driving.py")


def test_places_of_kernels_from_the_command_line(tmp_path, capsys):
    Program(tmp_path, "inductor")
    own = toy.__code__.co_firstlineno + 1
    found = depyf.places(tmp_path, f"driving.py:{own}")
    kinds = {place.kind for place in found}
    assert kinds == {"user", "graph", "transformed", "kernel"}
    kernel = next(place for place in found if place.kind == "kernel")
    assert "fused" in kernel.text and {*found} < {*depyf.places(tmp_path, f"{kernel.file}:{kernel.line}")}
    assert all('"f32[' in place.text for place in found if place.kind == "graph")
    assert main(["places", str(tmp_path), f"driving.py:{own}"]) == 0
    assert capsys.readouterr().out == "".join(f"{place}\n" for place in found)
    assert main(["places", str(tmp_path), "driving.py:1"]) == 1
    assert main(["places", str(tmp_path / "nowhere"), "driving.py:1"]) == 2
