"""How programs come to run under depyf: launchers, children, shells, notebooks, signals, ahead of time."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest
import torch
from dump import SOURCES, check, entries

import depyf
from depyf.capture import seams
from depyf.record.schema import from_json

needs_trace = pytest.mark.skipif(seams.TRACE_LOG.find() is None, reason="before torch 2.5 there is no trace")
PYTHON = {**os.environ, "PYTHONPATH": str(SOURCES)}


def started(folder, program, *launcher, name="program.py", **pipes):
    """A process that runs a program in a folder."""
    (folder / name).write_text(textwrap.dedent(program), encoding="utf-8")
    command = [sys.executable, *launcher, name]
    return subprocess.Popen(command, cwd=folder, env=PYTHON, stdout=subprocess.PIPE, text=True, **pipes)


def finished(process):
    """What the process printed. It must have ended well."""
    said, _ = process.communicate(timeout=240)
    assert process.returncode == 0
    return said


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch is built without torch.distributed")
def test_torchrun_gives_each_rank_a_folder(tmp_path):
    program = """
        import torch, depyf
        import torch.distributed as dist
        dist.init_process_group("gloo")
        @torch.compile(backend="eager")
        def f(x):
            torch._dynamo.graph_break()
            return x + dist.get_rank()
        with depyf.prepare_debug("dump"):
            f(torch.ones(2))
            dist.barrier()
        dist.destroy_process_group()
    """
    run = started(tmp_path, program, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")
    finished(run)
    assert sorted(path.name for path in (tmp_path / "dump").iterdir()) == ["rank_0", "rank_1"]
    for rank in range(2):
        session = check(tmp_path / "dump" / f"rank_{rank}")
        assert session.rank == rank and session.finished and not session.failures
        assert "f" in {frame.name for frame in session.frames}


CHILDREN = """
    import multiprocessing, os
    import torch, depyf

    def compiles(name):
        def f(x): return x + 1
        f.__code__ = f.__code__.replace(co_name=name)
        with depyf.prepare_debug("dump"):
            torch.compile(f, backend="eager")(torch.ones(2))

    if __name__ == "__main__":
        with depyf.prepare_debug("dump"):
            for method in ("fork", "spawn"):
                child = multiprocessing.get_context(method).Process(target=compiles, args=(method,))
                child.start()
                child.join()
                assert child.exitcode == 0
            compiles("parent")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_children_that_enter_a_block_of_their_own(tmp_path):
    finished(started(tmp_path, CHILDREN))
    # One child after the other: the second finds the folder of the first free.
    names = {}
    for folder in ("dump", "dump/process_1"):
        session = from_json((tmp_path / folder / "depyf.json").read_text())
        assert session.finished and not session.failures
        names[folder] = [frame.name for frame in session.frames]
    assert names == {"dump": ["parent"], "dump/process_1": ["spawn"]}


TOGETHER = """
    import sys, time, pathlib
    import torch, depyf
    mine, other = sys.argv[1], sys.argv[2]
    def f(x): return x + 1
    f.__code__ = f.__code__.replace(co_name=mine)
    with depyf.prepare_debug("dump"):
        pathlib.Path(mine).touch()
        while not pathlib.Path(other).exists(): time.sleep(0.01)
        torch.compile(f, backend="eager")(torch.ones(2))
"""


def test_unrelated_processes_at_the_same_time(tmp_path):
    (tmp_path / "together.py").write_text(textwrap.dedent(TOGETHER))
    command = [sys.executable, "together.py"]
    runs = [
        subprocess.Popen([*command, *names], cwd=tmp_path, env=PYTHON, stdout=subprocess.PIPE, text=True)
        for names in (("one", "other"), ("other", "one"))
    ]
    for run in runs:
        finished(run)
    names = [
        [frame.name for frame in from_json((tmp_path / folder / "depyf.json").read_text()).frames]
        for folder in ("dump", "dump/process_1")
    ]
    assert sorted(names) == [["one"], ["other"]]


TYPED = """\
import torch, depyf
block = depyf.prepare_debug("dump")
block.__enter__()
def typed(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2

torch.compile(typed, backend="eager")(torch.ones(2)).tolist()
block.__exit__(None, None, None)
"""


def test_a_shell_that_reads_line_by_line(tmp_path):
    """Functions typed there have no source file."""
    shell = subprocess.Popen(
        [sys.executable, "-i", "-q"],
        cwd=tmp_path,
        env=PYTHON,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said, errors = shell.communicate(TYPED, timeout=240)
    assert said.splitlines() == ["[4.0, 4.0]"] and "Traceback" not in errors
    session = check(tmp_path / "dump")
    assert session.finished and not session.failures
    assert session.frames[0].name == "typed" and len(session.frames) == 2


NOTEBOOK = """
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    for cell in CELLS:
        shell.run_cell(cell, store_history=True).raise_error()
"""
CELLS = [
    "import torch, depyf\nblock = depyf.prepare_debug('dump')\nblock.__enter__()",
    "@torch.compile(backend='eager')\ndef in_a_cell(x):\n    torch._dynamo.graph_break()\n    return x + 1",
    "await __import__('asyncio').sleep(0)\nprint(in_a_cell(torch.ones(2)).tolist())",
    "block.__exit__(None, None, None)",
]


def test_the_cells_of_a_notebook(tmp_path):
    pytest.importorskip("IPython")
    said = finished(started(tmp_path, f"CELLS = {CELLS!r}\n" + textwrap.dedent(NOTEBOOK)))
    assert "[2.0, 2.0]" in said
    session = check(tmp_path / "dump")
    assert session.finished and not session.failures
    frame = next(frame for frame in session.frames if frame.name == "in_a_cell")
    assert frame.source == CELLS[1] + "\n"
    (story,) = (tmp_path / "dump").glob("full_code_for_in_a_cell_*.py")
    assert "torch._dynamo.graph_break()" in story.read_text()


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("signal", ["SIGINT", "SIGKILL"])
def test_a_signal_in_the_block(signal, tmp_path):
    program = f"""
        import os, signal, torch, depyf
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        f = torch.compile(lambda x: x + 1, backend="eager")
        with depyf.prepare_debug("dump"):
            f(torch.ones(2))
            os.kill(os.getpid(), signal.{signal})
    """
    run = started(tmp_path, program, stderr=subprocess.PIPE)
    run.communicate(timeout=240)
    assert run.returncode in (-2, -9)
    session = check(tmp_path / "dump")
    assert [entry.outcome for entry in entries(session).values()] == ["compiled"]
    assert bool(session.finished) is (signal == "SIGINT")  # an exception leaves the block, a kill does not


def kinds(session):
    return {
        entry.compile_id: [stage.kind for stage in entry.graph.stages]
        for entry in entries(session).values()
        if entry.graph
    }


@needs_trace
@pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "compiled_autograd"), reason="torch 2.5 and newer have the switch"
)
def test_compiled_autograd(tmp_path):
    def train(x, weight):
        (x * weight).sum().backward()

    def gradient():
        weight = torch.ones(3, requires_grad=True)
        torch.compile(train, backend="aot_eager")(torch.arange(3.0), weight)
        return weight.grad

    with torch._dynamo.config.patch(compiled_autograd=True):
        plain = gradient()
        torch._dynamo.reset()
        with depyf.prepare_debug(tmp_path):
            assert torch.equal(gradient(), plain)
    session = check(tmp_path)
    assert not session.failures
    assert len(session.missing) == len(list(seams.missing()))  # nothing but what this torch has not
    found = kinds(session)
    (autograd,) = (name for name in found if name != "0/0")
    assert autograd.startswith("!") or torch.__version__.startswith("2.5.")  # which gives it no id of its own
    assert found[autograd][:2] == ["Compiled_autograd_graph", "Captured_Graph"]
    assert "Backward_graph" in found["0/0"]


def test_cuda_graphs_without_a_gpu(tmp_path):
    function = torch.compile(lambda x: x.cos() * 2, mode="reduce-overhead")
    with depyf.prepare_debug(tmp_path):
        assert torch.equal(function(torch.zeros(3)), torch.full((3,), 2.0))
    session = check(tmp_path)
    assert not session.failures and [entry.outcome for entry in entries(session).values()] == ["compiled"]


@needs_trace
@pytest.mark.parametrize("keep", [True, False])
def test_compiled_ahead_of_time(keep, tmp_path):
    function = torch.compile(lambda x: x.sin() + 1, backend="eager", fullgraph=True)
    if not hasattr(function, "aot_compile"):
        pytest.skip("this torch has no aot_compile")
    with depyf.prepare_debug(tmp_path, clean_wild_fx_code=not keep):
        compiled = function.aot_compile(((torch.zeros(3),), {}))
        assert torch.equal(compiled(torch.zeros(3)), torch.ones(3))
    session = check(tmp_path)
    assert not session.failures
    assert (tmp_path / "__wild_fx.Captured_Graph.0.py").exists() is keep
    assert ("aot_compile" in (tmp_path / "index.md").read_text()) is not keep


def test_exported(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return x.sin() + 1

    with depyf.prepare_debug(tmp_path):
        exported = torch.export.export(Model(), (torch.zeros(3),))
        assert torch.equal(exported.module()(torch.zeros(3)), torch.ones(3))
    assert not check(tmp_path).failures
