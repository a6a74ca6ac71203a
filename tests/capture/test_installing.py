"""On torch that cannot exchange code later, verified code runs from the moment on at which it is compiled."""

from __future__ import annotations

import sys

import pytest
import torch
from dump import check, entries

import depyf
from depyf.capture import seams


@pytest.fixture
def older(monkeypatch):
    """This torch without the means to exchange code later, as before 2.8."""
    find = seams.Seam.find
    monkeypatch.setattr(seams.Seam, "find", lambda self: None if self is seams.LOAD_PRECOMPILED else find(self))
    monkeypatch.delenv("DEPYF_OBSERVE", raising=False)


def program(n):
    def toy(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -n
        return x * b

    return torch.compile(toy, backend="eager"), toy


def files_that_run(function, *arguments):
    """The result, and the names of the files whose code runs."""
    seen = []
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: seen.append(frame.f_code.co_filename) if event == "call" else None)
    try:
        return function(*arguments), seen
    finally:
        sys.setprofile(before)


def runs(directory, n):
    """Compile in the block, call after it: results as without, and which files of the directory run."""
    compiled, toy = program(n)
    arguments = torch.randn(10), -torch.ones(10)
    with depyf.prepare_debug(directory):
        assert torch.equal(compiled(*arguments), toy(*arguments))
    result, seen = files_that_run(compiled, *arguments)
    assert torch.equal(result, toy(*arguments))
    return {name for name in seen if str(directory) in name}


def plain(directory):
    """As :func:`runs`, without free variables."""

    def loss(a, b):
        if b.sum() < 0:
            b = b * -1
        return a * b

    compiled, arguments = torch.compile(loss, backend="eager"), (torch.randn(10), -torch.ones(10))
    with depyf.prepare_debug(directory):
        compiled(*arguments)
    result, seen = files_that_run(compiled, *arguments)
    assert torch.equal(result, loss(*arguments))
    return {name for name in seen if str(directory) in name}


def test_verified_code_runs_from_its_file(older, tmp_path):
    ran = plain(tmp_path)
    session = check(tmp_path)
    shown = {str(tmp_path / entry.transformed_file) for entry in entries(session).values()}
    assert len(shown) == 2 and ran == shown and not session.failures
    for name in ran:
        with open(name) as file:
            assert "The code of this file is what runs." in file.read()


def test_verified_code_with_free_variables_runs_from_its_file(older, tmp_path):
    ran = runs(tmp_path, 4)
    assert ran == {str(tmp_path / entry.transformed_file) for entry in entries(check(tmp_path)).values()}


def test_an_error_names_the_line_of_the_file(older, tmp_path):
    def fails(x, scale):
        torch._dynamo.graph_break()
        return x * scale()

    def scale():
        raise ValueError("mine")

    with depyf.prepare_debug(tmp_path), pytest.raises(ValueError, match="mine") as caught:
        torch.compile(fails, backend="eager")(torch.ones(2), torch._dynamo.disable(scale))
    inside = [entry for entry in caught.traceback if str(tmp_path) in str(entry.path)]
    assert inside and "__transformed_code_" in str(inside[0].path)
    assert str(inside[0].statement).strip() in (tmp_path / inside[0].path.name).read_text()


@pytest.mark.parametrize("why", ["observe", "refused", "newer"])
def test_dynamos_code_stays(why, tmp_path, monkeypatch, request):
    from depyf.capture import artifacts

    if why != "newer":
        request.getfixturevalue("older")
    elif seams.LOAD_PRECOMPILED.find() is None:
        pytest.skip("TORCHVERSIONS: before 2.8")
    if why == "observe":
        monkeypatch.setenv("DEPYF_OBSERVE", "1")
    if why == "refused":
        monkeypatch.setattr(artifacts, "show", lambda code: artifacts.Shown(None, None, "no source form"))
    assert runs(tmp_path, 3) == set()
