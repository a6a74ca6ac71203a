"""Functions that were compiled before the block: what torch's cache still has of them is shown."""

from __future__ import annotations

import importlib.util

import torch
from dump import check, entries

import depyf


def halves(x, n):
    y = x.sin()
    torch._dynamo.graph_break()
    return y * n


def plus(x):
    return x + 1


def test_a_warm_function_is_shown(tmp_path):
    function = torch.compile(halves, backend="eager", dynamic=False)
    function(torch.ones(3), 1)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(3), 1)
    session = check(tmp_path)
    assert not session.failures
    listed = entries(session)
    assert set(listed) == {"0/0", "1/0"} and all(entry.earlier for entry in listed.values())
    assert [resume.frame for resume in listed["0/0"].resumes] == [1]
    (story,) = tmp_path.glob("full_code_for_*.py")
    text = story.read_text()
    assert "x: float32[3], cpu" in text and "made before depyf watched" in text and "def __resume_at" in text
    assert "torch._dynamo.reset()" in (tmp_path / "index.md").read_text()
    spec = importlib.util.spec_from_file_location("story", story)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.guards_0_0(torch.ones(3), 1) and not module.guards_0_0(torch.ones(4), 1)


def test_a_recompilation_in_the_block_is_compared_with_what_was_there(tmp_path):
    function = torch.compile(plus, backend="eager", dynamic=False)
    function(torch.ones(3))
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(4))
    listed = entries(check(tmp_path))
    assert [entry.earlier for entry in listed.values()] == [True, False]
    (why,) = listed["0/1"].recompiles
    assert (why.what, why.expected, why.actual) == ("size 0", "3", "4")
    if tuple(map(int, torch.__version__.split(".")[:2])) >= (
        2,
        13,
    ):  # TORCHVERSIONS: guards of 2.8 do not name the line
        assert why.user_line == f"{__file__}:{plus.__code__.co_firstlineno + 1}"
    assert "1 earlier, 1 compiled" in (tmp_path / "index.md").read_text()


def test_one_function_alone_and_not_too_many(tmp_path, monkeypatch):
    first, second = (torch.compile(each, backend="eager") for each in (plus, halves))
    first(torch.ones(3))
    second(torch.ones(3), 1)
    with depyf.prepare_debug(plus, tmp_path / "one"):
        pass
    assert [frame.name for frame in check(tmp_path / "one").frames] == ["plus"]
    monkeypatch.setattr("depyf.capture.collect.MOST", 1)
    with depyf.prepare_debug(tmp_path / "few"):
        pass
    session = check(tmp_path / "few")
    assert [frame.name for frame in session.frames] == ["plus"]
    assert "2 more functions compiled before" in " ".join(session.missing)
