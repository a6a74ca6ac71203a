"""After debug() the process is as it was: what runs, what tracebacks say, what is cached and what is alive."""

from __future__ import annotations

import gc
import linecache
import sys
import threading
import traceback
import weakref
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from driving import Program, lines_run, own_code, talking

import depyf

BACKENDS = ["eager", "aot_eager", "inductor"]


@contextmanager
def calls():
    """(file, function) of every Python call in the block, in order."""
    seen: list[tuple[str, str]] = []

    def note(frame, event, argument):
        if event == "call":
            seen.append((frame.f_code.co_filename, frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def remembered(directory: Path) -> set[str]:
    """What Python remembers of the directory: sources, modules, and the hooks of threads to come."""
    files = [*linecache.cache, *(getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))]
    hooks = [threading._trace_hook, threading._profile_hook]
    return {file for file in files if file.startswith(str(directory))} | {str(hook) for hook in hooks if hook}


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_call_is_the_same_as_before(backend, tmp_path):
    program = Program(tmp_path, backend)
    program.main()
    with calls() as before:
        program.main()
    state = own_code()
    with talking(*["s"] * 40, "w", "c"), depyf.debug():
        program.main()
    assert own_code() == state and remembered(tmp_path) == set()
    with calls() as after:
        results = program.main()
    assert after == before and program.same(results)


@pytest.mark.parametrize("backend", BACKENDS)
def test_code_that_was_lent_is_dead(backend, tmp_path, no_pause):
    program = Program(tmp_path, backend)
    lent = []

    def note(frame, event, argument):
        if frame.f_code.co_filename.startswith(str(tmp_path)):
            lent.append(weakref.ref(frame.f_code))

    with depyf.debug():
        before = sys.gettrace()
        sys.settrace(note)
        program.main()
        sys.settrace(before)
    gc.collect()
    assert lent and not [code() for code in lent if code() is not None]


def failing(x):
    y = x + 1
    torch._dynamo.graph_break()
    if y.numel():
        raise ArithmeticError("mine")
    return y


def test_tracebacks_name_the_file_of_the_user_again(tmp_path, no_pause):
    compiled = torch.compile(failing, backend="eager")

    def told():
        with pytest.raises(ArithmeticError) as caught:
            compiled(torch.ones(2))
        return traceback.format_exception(caught.type, caught.value, caught.tb)

    with depyf.prepare_debug(tmp_path):
        told()
    before = told()
    with depyf.debug():
        inside = told()
    assert told() == before and str(tmp_path) not in "".join(before)
    assert f'File "{tmp_path / "__transformed_code_0_for_failing.py"}", line ' in "".join(inside)
    assert remembered(tmp_path) == set()


def test_keys_of_caches_are_the_same(tmp_path, monkeypatch, no_pause):
    """What was compiled without depyf is found in the caches of Inductor and AOTAutograd, in the block and after it."""
    from torch._dynamo.utils import counters

    cache = tmp_path / "cache"
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(cache))
    kept = torch.compile(lambda x: x - 1, backend="eager")
    with depyf.prepare_debug(tmp_path / "dump"):
        kept(torch.ones(2))

    def keys():
        """The keys, and how often one was found; the function is compiled once more."""
        torch._dynamo.reset()
        counters.clear()
        compiled = torch.compile(lambda x: x.cos() * 3, backend="inductor")
        compiled(torch.ones(7))
        names = {path.name for path in (cache / "fxgraph").rglob("*") if path.is_dir()}
        return names, counters["inductor"]["fxgraph_cache_hit"]

    plain, hits = keys()
    assert plain and hits == 0
    with depyf.debug(), lines_run(tmp_path / "dump") as seen:
        assert keys() == (plain, 1)
    assert any(".kernel_" in file for file in seen)
    assert keys() == (plain, 1)
