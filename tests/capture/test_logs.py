from __future__ import annotations

import logging
from types import FunctionType

import pytest
from torch._dynamo.convert_frame import _bytecode_hooks, bytecode_log

import depyf


@pytest.fixture
def messages():
    """What the bytecode log says, as with TORCH_LOGS=+bytecode."""
    seen: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record):
            seen.append(record.getMessage())

    handler, level = Handler(), bytecode_log.level
    bytecode_log.addHandler(handler)
    bytecode_log.setLevel(logging.DEBUG)
    yield seen
    bytecode_log.removeHandler(handler)
    bytecode_log.setLevel(level)


def plus_one(x):
    return x + 1


def compile_one():
    import torch

    f = FunctionType(plus_one.__code__.replace(co_name="f"), globals())  # that nobody has compiled yet
    assert torch.compile(f, backend="eager")(torch.ones(2)).tolist() == [2, 2]


def test_source_follows_the_bytecode(messages):
    before = len(_bytecode_hooks)
    depyf.install()
    depyf.install()
    assert len(_bytecode_hooks) == before + 1
    compile_one()
    depyf.uninstall()
    depyf.uninstall()
    assert len(_bytecode_hooks) == before
    titles = [message.split()[0] for message in messages]
    assert titles[-3:] == ["ORIGINAL", "MODIFIED", "DECOMPILED"]
    assert "def f(x):" in messages[-1] or "not shown as Python" in messages[-1]
    compile_one()
    assert sum(message.startswith("DECOMPILED") for message in messages) == 1


def test_nothing_is_decompiled_for_a_log_that_is_off(monkeypatch):
    from depyf.capture import logs

    asked = []
    monkeypatch.setattr(logs, "show", asked.append)
    depyf.install()
    compile_one()
    depyf.uninstall()
    assert asked == []
