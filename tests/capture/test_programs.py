"""Whole programs, each in a process of its own, with and without depyf: same output, same errors, same exit."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from dump import SOURCES, check, entries, run

from depyf.capture import seams

EXAMPLES = SOURCES.parent / "examples"


def program(body: str) -> str:
    return "import torch\n# WATCH\n" + body


PROGRAMS = {
    "values": """
@torch.compile(backend="aot_eager")
def f(x, k):
    y = x * k
    torch._dynamo.graph_break()
    return y + 1
torch.manual_seed(3)
with WATCH:
    for k in (1, 2, 3):
        print(f(torch.randn(4), k))
print(torch.rand(2), __import__("random").random() is not None)
""",
    "random state": """
import random
@torch.compile(backend="eager")
def f(x): return x + torch.rand(3)
torch.manual_seed(0); random.seed(0)
with WATCH: print(f(torch.ones(3)))
print(torch.rand(3), random.random())
""",
    "exception in the user's code": """
@torch.compile(backend="eager")
def f(x):
    torch._dynamo.graph_break()
    raise KeyError("mine")
with WATCH: f(torch.ones(3))
""",
    "exception of the compiler": """
def backend(graph, inputs): raise RuntimeError("no such luck")
@torch.compile(backend=backend)
def f(x): return x + 1
with WATCH:
    try: f(torch.ones(3))
    except Exception as error: print(type(error).__name__, str(error).splitlines()[0])
""",
    "a function that does not compile": """
@torch.compile(backend="eager", fullgraph=True)
def f(x):
    print(x)
    return x
with WATCH:
    try: f(torch.ones(3))
    except Exception as error: print(type(error).__name__)
""",
    "the recompile limit": """
torch._dynamo.config.recompile_limit = 2
import logging; logging.disable(logging.WARNING)
@torch.compile(backend="eager", dynamic=False)
def f(x): return x + 1
with WATCH:
    for size in range(1, 6): print(f(torch.ones(size)))
""",
    "warnings": """
import warnings
@torch.compile(backend="eager")
def f(x):
    torch._dynamo.graph_break()
    warnings.warn("mine")
    return x
with WATCH:
    for _ in range(3): f(torch.ones(2))
""",
    "the trace and the logs in use": """
torch._logging.set_logs(graph_code=True, recompiles=True)
@torch.compile(backend="eager", dynamic=False)
def f(x): return x + 1
with WATCH:
    f(torch.ones(2)); f(torch.ones(3))
    torch._logging.set_logs()
    f(torch.ones(4))
""",
    "sys.exit": """
import sys
@torch.compile(backend="eager")
def f(x): return x + 1
with WATCH:
    f(torch.ones(2)); sys.exit(7)
""",
    "closures, keyword-only arguments and a method": """
class C:
    def __init__(self): self.n = 2
    @torch.compile(backend="eager")
    def go(self, x, *rest, k=1, **more):
        def inner(y): return y + self.n + k + len(rest) + len(more)
        torch._dynamo.graph_break()
        self.n += 1
        return inner(x)
with WATCH:
    c = C()
    print(c.go(torch.ones(2)), c.go(torch.ones(2), 1, k=3, z=4), c.n)
""",
    "torch._dynamo.reset in the block": """
@torch.compile(backend="eager")
def f(x): return x + 1
with WATCH:
    print(f(torch.ones(2))); torch._dynamo.reset(); print(f(torch.ones(2)))
""",
}


def without_what_differs(text: str, folder: Path) -> str:
    """Uuids, the times of log lines and the folder are what differs between any two runs."""

    text = re.sub(r"[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f_]{22,}", "UUID", text)
    text = re.sub(r"^([A-Z])\d{4} [0-9:.]+ \d+", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"^\[[-0-9]+ [0-9:,]+\]", "[TIME]", text, flags=re.MULTILINE)  # TORCHVERSIONS: 2.2
    text = re.sub(r"^No CUDA runtime is found.*\n", "", text, flags=re.MULTILINE)  # a build for GPUs without one
    return text.replace(str(folder), "FOLDER")


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_output_errors_and_exit(name, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "watched").mkdir()
    plain = run(program(PROGRAMS[name]), tmp_path / "plain", dump=False)
    watched = run(program(PROGRAMS[name]), tmp_path / "watched", dump=True)
    assert watched.returncode == plain.returncode
    assert watched.stdout == plain.stdout
    assert without_what_differs(watched.stderr, tmp_path / "watched") == without_what_differs(
        plain.stderr, tmp_path / "plain"
    )
    session = check(tmp_path / "watched" / "dump")
    assert session.finished and not session.failures
    # TORCHVERSIONS: before 2.5 nothing tells of a function without transformed code.
    assert session.frames or seams.TRACE_LOG.find() is None


def test_what_was_compiled_survives_os_exit(tmp_path):
    body = """
import os
@torch.compile(backend="aot_eager")
def f(x):
    torch._dynamo.graph_break()
    return x + 1
with WATCH:
    f(torch.ones(2)); os._exit(3)
"""
    assert run(program(body), tmp_path, dump=True).returncode == 3
    session = check(tmp_path / "dump")
    assert session.finished is None
    assert [entry.outcome for entry in entries(session).values()] == ["compiled"] * 2
    assert "Still running" in (tmp_path / "dump" / "index.md").read_text()


def test_two_runs_give_the_same_names_and_texts(tmp_path):
    texts = []
    body = PROGRAMS["values"].replace("aot_eager", "inductor")
    for _ in range(2):  # the same folder again: the second run replaces what the first one wrote
        assert run(program(body), tmp_path, dump=True, TORCHINDUCTOR_FORCE_DISABLE_CACHES="1").returncode == 0
        check(tmp_path / "dump")
        found = {path.name: path.read_text() for path in (tmp_path / "dump").iterdir() if path.suffix != ".json"}
        times = r"\d+\.\d+ s( \([^)]*\))?(, backward \d+\.\d+ s)?"
        found["index.md"] = re.sub(times, "", found["index.md"])
        texts.append(found)
    assert texts[0] == texts[1]


def test_toy_example(tmp_path):
    """The first example of the documentation, as it stands."""
    done = run((EXAMPLES / "toy_example.py").read_text(), tmp_path, dump=True)
    assert (done.returncode, done.stdout, without_what_differs(done.stderr, tmp_path)) == (0, "", "")
    session = check(tmp_path / "depyf_debug_dir")
    listed = entries(session)
    assert set(listed) == {"0/0", "1/0", "2/0"}
    story = (tmp_path / "depyf_debug_dir" / "full_code_for_toy_example_0.py").read_text()
    assert len(story.encode()) < 8000
    for resume in listed["0/0"].resumes:
        assert f"{resume.name} ===" in story
    assert "if b.sum() < 0:   # <-- graph break [0/0] Data-dependent branching" in story
    assert "a: float32[10], cpu" in story


def test_dict_inputs(tmp_path):
    """Two shapes, gradients: recompilations, and backward graphs with their kernels."""
    done = run((EXAMPLES / "dict_inputs.py").read_text(), tmp_path, dump=True)
    assert (done.returncode, done.stdout, without_what_differs(done.stderr, tmp_path)) == (0, "", "")
    session = check(tmp_path / "depyf_debug_dir")
    again = [entry for entry in entries(session).values() if entry.recompile_reasons]
    assert again and all("size mismatch" in " ".join(entry.recompile_reasons) for entry in again)
    for entry in entries(session).values():
        assert "Backward_graph" in {stage.kind for stage in entry.graph.stages}
        assert len(entry.graph.kernels) == 2


def test_bytecode_can_be_kept(tmp_path):
    pytest.importorskip("dill")
    body = PROGRAMS["values"]
    script = program(body).replace("# WATCH", "import depyf; WATCH = depyf.prepare_debug('dump', log_bytecode=True)")
    assert run(script, tmp_path, dump=True).returncode == 0
    stored = sorted((tmp_path / "dump").glob("*.original_bytecode"))
    assert stored
    for path in stored:
        original = pickle.loads(path.read_bytes())
        changed = pickle.loads(path.with_name(path.name.replace(".original_", ".transformed_")).read_bytes())
        assert original.co_name == changed.co_name and original.co_code != changed.co_code


def test_without_torch(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')")
    script = "import depyf\ntry: depyf.prepare_debug('dump').__enter__()\nexcept ImportError as error: print(error)"
    done = run(script, tmp_path, dump=True)
    assert "torch" in done.stdout and done.returncode == 0


def test_importing_depyf_imports_no_torch(tmp_path):
    done = run("import depyf, sys; print('torch' in sys.modules)", tmp_path, dump=True)
    assert done.stdout == "False\n"
