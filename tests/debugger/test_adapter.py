"""An editor attached through debugpy: breakpoints in the dump directory, set before and after it attached."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from adapter import PATIENCE, Client, free_port

import depyf

pytest.importorskip("debugpy")

PROGRAM = """
import sys, torch, depyf

def function(a, b):
    x = a.sin() + 1
    torch._dynamo.graph_break()
    return x * b

compiled = torch.compile(function, backend=sys.argv[1])

def main():
    a = torch.linspace(-1, 1, 10).requires_grad_()
    compiled(a, torch.ones(10)).sum().backward()
    return a.grad

with depyf.prepare_debug("dump"):
    before = main()
with depyf.debug():
    during = main()
assert torch.equal(before, during)
with depyf.debug(break_at="program.py:5"):
    main()
print("the end")
"""
THREADS = """
import threading, torch, depyf

@torch.compile(backend="eager", dynamic=True)
def function(a):
    return a.sin() + 1

with depyf.prepare_debug("dump"):
    function(torch.ones(3))
with depyf.debug():
    threads = [threading.Thread(target=function, args=(torch.ones(size),), name=f"of {size}") for size in (5, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("the end")
"""
PROGRAMS = {"threads": THREADS}
STOPS = {
    "eager": {"Captured_Graph.0": "sin()"},
    "aot_eager": {"Forward_graph.0": "sin.default", "Backward_graph.0": "cos.default"},
    "inductor": {"kernel_0": "cpp_fused", "kernel_1": "cpp_fused"},
}


@pytest.fixture
def attached(request, tmp_path):
    """A program under debugpy's server, and a client that has introduced itself."""
    (tmp_path / "program.py").write_text(PROGRAMS.get(request.param, PROGRAM), encoding="utf-8")
    port = free_port()
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("PYDEVD", "PYTHONBREAKPOINT"))}
    # Inductor starts processes, which would wait for an editor of their own.
    options = ["--configure-subProcess", "False", "--listen", f"127.0.0.1:{port}", "--wait-for-client"]
    command = [sys.executable, "-m", "debugpy", *options, "program.py", request.param]
    # Into a file: the adapter, a process of its own, would keep a pipe open.
    with open(tmp_path / "said", "w", encoding="utf-8") as said:
        running = subprocess.Popen(
            command,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**keep, "PYTHONPATH": str(Path(depyf.__file__).parents[1])},
        )
    client = Client(port)
    try:
        yield client, running, tmp_path / "dump"
    finally:
        client.close()
        running.kill()
        running.wait()


def attach(client: Client, *before: tuple[Path, int]) -> None:
    """What an editor does first; ``before``: breakpoints that it knows already."""
    client.ask("initialize", adapterID="test", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    number = client.send("attach", justMyCode=True)
    client.wait_for("initialized")
    for file, line in before:
        client.set_breakpoints(file, line)
    client.ask("configurationDone")
    client.answer(number)


def assert_ended_well(running: subprocess.Popen[bytes], dump: Path) -> None:
    running.wait(timeout=PATIENCE)
    said = (dump.parent / "said").read_text(encoding="utf-8")
    assert said.endswith("the end\n") and running.returncode == 0, said


def call_of(file: Path, code: str) -> int:
    """The line inside of a function that has ``code``."""
    lines = file.read_text(encoding="utf-8").split("\n")
    inside = (number for number, text in enumerate(lines, 1) if code in text and text.startswith("        "))
    return next(number for number in inside if not lines[number - 1].lstrip().startswith("#"))


@pytest.mark.parametrize(("attached", "stops"), STOPS.items(), ids=STOPS, indirect=["attached"])
def test_breakpoints_in_files_that_run(attached, stops):
    client, running, dump = attached
    transformed = dump / "__transformed_code_0_for_function.py"
    attach(client, (transformed, 5))  # the file is not even there
    thread = client.stopped()
    assert client.where(thread)[0][0] == "program.py"  # where debug() was entered
    graph = re.search(r"__compiled_fn_\d+", transformed.read_text(encoding="utf-8")).group()
    lines = {dump / f"{graph}.{kind}.py": code for kind, code in stops.items()}
    lines = {file: call_of(file, code) for file, code in lines.items()}
    assert all(client.set_breakpoints(file, line) == [True] for file, line in lines.items())
    client.ask("continue", threadId=thread)
    thread = client.stopped()
    assert client.where(thread)[0][:2] == (transformed.name, 5)
    assert client.evaluate(thread, "a.shape") == "torch.Size([10])"
    client.ask("continue", threadId=thread)
    for file, line in lines.items():
        thread = client.stopped()
        stack = client.where(thread)
        assert stack[0][:2] == (file.name, line)
        assert [name for name, _, _ in stack[-2:]] == ["program.py"] * 2
        assert any(value.startswith("tensor([") for value in client.variables(thread).values())
        client.ask("next", threadId=thread)
        thread = client.stopped()
        name, after, _ = client.where(thread)[0]
        assert name == file.name and after > line
        client.set_breakpoints(file)
        client.ask("continue", threadId=thread)
    for file in lines:  # what the next block asks for by the line of the user
        thread = client.stopped()
        if client.where(thread)[0][0] == transformed.name:  # the breakpoint that was there from the start
            client.ask("continue", threadId=thread)
            thread = client.stopped()
        assert client.where(thread)[0][0] == file.name
        client.ask("continue", threadId=thread)
    assert_ended_well(running, dump)


@pytest.mark.parametrize("attached", ["eager"], indirect=True)
def test_an_editor_that_hangs_up_leaves_the_program_running(attached):
    client, running, dump = attached
    attach(client)
    client.stopped()
    client.ask("disconnect", terminateDebuggee=False)
    assert_ended_well(running, dump)


@pytest.mark.parametrize("attached", PROGRAMS, indirect=True)
def test_a_condition_holds_in_one_of_two_threads(attached):
    client, running, dump = attached
    attach(client)
    thread = client.stopped()
    (graph,) = dump.glob("*.Captured_Graph.0.py")
    line = call_of(graph, "sin()")
    assert client.set_breakpoints(graph, line, condition="l_a_.shape[0] == 8") == [True]
    client.ask("continue", threadId=thread)
    thread = client.stopped()
    assert client.where(thread)[0][:2] == (graph.name, line) and client.evaluate(thread, "l_a_.shape[0]") == "8"
    names = {each["id"]: each["name"] for each in client.ask("threads")["threads"]}
    assert names[thread] == "of 8"
    client.ask("continue", threadId=thread)
    assert_ended_well(running, dump)
