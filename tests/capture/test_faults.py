"""Whatever of ours fails, the program runs as without us, and index.md says what is missing."""

from __future__ import annotations

import errno
import itertools
import logging
import os
import shutil
import threading

import pytest
import torch
from torch._dynamo.convert_frame import _bytecode_hooks

import depyf
from depyf.capture import (
    artifacts,
    collect,
    compilation,
    guard_forms,
    live,
    named_graphs,
    observe,
    seams,
    unread,
    write,
)
from depyf.record import directory
from depyf.record.schema import from_json

# Every step that torch, or the end of a block, calls: (where, name). Each is made to raise in turn.
STEPS = [
    (collect.Capture, "transformed"),
    (collect.Capture, "received"),
    (collect.Capture, "ended"),
    (collect.Capture, "named"),
    (collect.Capture, "settle"),
    (collect.Capture, "finish"),
    (collect, "link"),
    (collect, "source_of"),
    (compilation.Compilation, "take_transformed"),
    (observe, "event_of"),
    (artifacts, "show"),
    (artifacts, "stage_text"),
    (write, "graph_file_name"),
    (artifacts.Artifacts, "transformed"),
    (artifacts.Artifacts, "pending"),
    (write, "guards_from_tree"),
    (write, "full_code"),
    (write, "index"),
    (write, "to_json"),
    (write, "fail_reason"),
    (write.Writer, "settle"),
    (write.Writer, "outside"),
    (write.Writer, "close"),
    (directory.Directory, "write_bytes"),
    (directory.Directory, "numbered"),
    (directory.Directory, "forget_lost_files"),
    (observe, "receive_named_graphs"),
    (observe, "add"),
    (observe, "remove"),
    (unread, "_is_wanted"),
    (guard_forms, "words"),
]


class Fault(Exception):
    pass


def program(backend="aot_eager"):
    """Graphs of its own, a break, a late backward: each hook is called."""

    def toy(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    def compile_and_print(graph, inputs):
        from torch._dynamo.utils import lazy_format_graph_code

        str(lazy_format_graph_code("mine", graph))
        return torch._dynamo.lookup_backend(backend)(graph, inputs)

    torch.manual_seed(1)
    a, b = torch.randn(4, requires_grad=True), -torch.rand(4)
    result = torch.compile(toy, backend=compile_and_print)(a, b)
    result.sum().backward()
    return [result.detach(), a.grad, torch.rand(2)]


def state():
    log, callbacks = seams.TRACE_LOG.find(), seams.COMPILE_CALLBACKS.find()
    ours = [each for each in log.handlers if type(each).__module__.startswith("depyf")] if log else []
    kind = type(log.handlers) if log else None
    ends = list(callbacks.end_callbacks) if callbacks else []
    return len(_bytecode_hooks), ours, kind, ends, seams.GRAPH_PRINTER.find(), threading.active_count()


@pytest.fixture(scope="module")
def expected():
    return program()


@pytest.mark.parametrize(("where", "name"), STEPS, ids=[f"{where.__name__}.{name}" for where, name in STEPS])
def test_each_step_in_turn(where, name, expected, tmp_path, monkeypatch):
    called = []

    def fail(*_, **__):
        called.append(name)
        raise Fault(name)

    with monkeypatch.context() as patch:
        if seams.TRACE_LOG.find() is not None:
            patch.setattr(seams.TRACE_LOG.find(), "handlers", [])  # pytest reads every logger
        before = state()
        patch.setattr(where, name, fail)
        with depyf.prepare_debug(tmp_path):
            found = program()
        after = state()
    torch._dynamo.reset()
    if (where, name) == (observe, "remove"):  # what takes the handler away is what failed
        assert after[1] and after[3:] == before[3:]
        after = before
    assert all(torch.equal(one, other) for one, other in zip(found, expected)) and len(found) == len(expected)
    assert after == before
    assert called or seams.TRACE_LOG.find() is None
    # The directory can be used again at once.
    with depyf.prepare_debug(tmp_path):
        program()
    session = from_json((tmp_path / "depyf.json").read_text())
    assert session.finished and not session.failures


@pytest.mark.parametrize(("where", "name"), STEPS, ids=[f"{where.__name__}.{name}" for where, name in STEPS])
def test_each_step_after_it_did_its_work(where, name, tmp_path, monkeypatch):
    """What it did is not undone by the failure, nor done again until it is wrong."""
    step, called = getattr(where, name), []

    def fail(*args, **kwargs):
        step(*args, **kwargs)
        called.append(name)
        raise Fault(name)

    x = torch.arange(3.0)
    with monkeypatch.context() as patch:
        before = state()
        patch.setattr(where, name, fail)
        with depyf.prepare_debug(tmp_path):
            assert torch.equal(torch.compile(plus_one, backend="eager")(x), x + 1)
        after = state()
    # The one step that says how it is undone only when it returns.
    kept = slice(0, 4) if name == "receive_named_graphs" else slice(None)
    assert after[kept] == before[kept]
    if name == "receive_named_graphs":
        named_graphs._receivers.clear()
        named_graphs._restore()
    if called and (tmp_path / "index.md").exists():
        assert name == "close" or "What could not be seen" in (tmp_path / "index.md").read_text()


def plus_one(x):
    return x + 1


def test_a_disk_that_is_full_for_one_file(tmp_path, monkeypatch):
    """Each write in turn is the only one that fails: the others are there, and index.md names the step."""
    write_through, left = directory._write_through, [0]

    def refuse(draft, target, content):
        left[0] -= 1
        if left[0] == -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_through(draft, target, content)

    monkeypatch.setattr(directory, "_write_through", refuse)
    x = torch.arange(3.0)
    for number in itertools.count():
        torch._dynamo.reset()
        left[0], where = number, tmp_path / str(number)
        with depyf.prepare_debug(where):
            assert torch.equal(torch.compile(plus_one, backend="eager")(x), x + 1)
        if left[0] >= 0:  # there are no more writes than that
            break
        session = from_json((where / "depyf.json").read_text())
        last_index_or_record = left[0] >= -2
        assert session.failures or last_index_or_record
        assert not list(where.glob(".*"))
    assert number > 6


class Mute:
    """Nothing of it can be shown."""

    scale = 2

    def __repr__(self):
        raise Fault("repr")

    __str__ = __format__ = __repr__


class Secret(torch.Tensor):
    """A tensor that can be computed with, and not be looked at."""

    def __repr__(self, *args, **kwargs):
        raise Fault("repr")

    __str__ = __format__ = __repr__


MUTE = Mute()


def test_objects_that_cannot_be_shown(tmp_path):
    def scaled(x, other, default=MUTE):
        return x * MUTE.scale + other.scale + default.scale

    function, secret = torch.compile(scaled, backend="eager"), torch.ones(2).as_subclass(Secret)
    with depyf.prepare_debug(tmp_path):
        plain = function(torch.ones(2), Mute())
        hidden = function(secret, Mute())
    assert plain.tolist() == [6.0, 6.0] and torch.Tensor.tolist(hidden) == [6.0, 6.0] and type(hidden) is Secret
    session = from_json((tmp_path / "depyf.json").read_text())
    assert not session.failures
    assert [entry.outcome for entry in session.frames[0].entries] == ["compiled", "compiled"]


def test_a_reader_of_logs_that_raises(tmp_path):
    class Broken(logging.Handler):
        def emit(self, record):
            raise Fault("log")

        def handleError(self, record):  # noqa: N802  (logging's name)
            said.append(record.name)

        def handle(self, record):
            try:
                self.emit(record)
            except Fault:
                self.handleError(record)

    said, root, reader = [], logging.getLogger(), Broken()
    root.addHandler(reader)
    try:
        with depyf.prepare_debug(tmp_path):
            assert torch.compile(plus_one, backend="eager")(torch.ones(2)).tolist() == [2, 2]
    finally:
        root.removeHandler(reader)
    assert not any(name.startswith("depyf") for name in said)
    assert not from_json((tmp_path / "depyf.json").read_text()).failures


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT])
def test_a_disk_that_refuses_from_some_file_on(number, expected, tmp_path, monkeypatch):
    """Each file in turn is the first that cannot be written; nothing half written is left."""
    write_through, left = directory._write_through, [0]

    def refuse(draft, target, content):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(number, os.strerror(number))
        write_through(draft, target, content)

    monkeypatch.setattr(directory, "_write_through", refuse)
    for files in (0, 3, 7):
        left[0] = files
        where = tmp_path / str(files)
        torch._dynamo.reset()
        with depyf.prepare_debug(where):
            found = program()
            left[0] = 10_000 if files == 7 else left[0]
        assert all(torch.equal(one, other) for one, other in zip(found, expected))
        assert not list(where.glob(".*"))
    text = (tmp_path / "7" / "index.md").read_text()
    assert os.strerror(number) in text and "What could not be seen" in text


def test_the_directory_goes_away_in_the_middle(expected, tmp_path):
    where = tmp_path / "dump"
    with depyf.prepare_debug(where):
        first = program()
        shutil.rmtree(where)
        where.write_text("a file now")
        torch._dynamo.reset()
        second = program()
    assert all(torch.equal(one, other) for one, other in zip(first + second, expected * 2))
    assert where.read_text() == "a file now"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_the_users_passes(error, tmp_path, monkeypatch):
    before = state()

    def interrupt(*_):
        raise error

    monkeypatch.setattr(artifacts, "show", interrupt)
    with pytest.raises(error), depyf.prepare_debug(tmp_path):
        program()
    assert state() == before


def test_objects_die_when_they_would(tmp_path):
    """Nothing of ours keeps a module, a result or a compiled function alive, inside the block or after it."""
    import gc
    import weakref

    with depyf.prepare_debug(tmp_path):
        model = torch.nn.Linear(2, 2)
        compiled = torch.compile(model, backend="aot_eager")
        result = compiled(torch.ones(2))
        watched = [weakref.ref(model), weakref.ref(result), weakref.ref(model.weight)]
        del model, compiled, result
        torch._dynamo.reset()
        gc.collect()
        assert [each() for each in watched] == [None] * 3
    assert live.session_of(test_objects_die_when_they_would).frames
    assert named_graphs._receivers == []
