"""A frame of torch's, or of a decorator, is named for what it stands for."""

from __future__ import annotations

import functools

import pytest
import torch
from dump import check

import depyf

VERSION = tuple(map(int, torch.__version__.split(".")[:2]))
if VERSION < (2, 8):
    pytest.skip("TORCHVERSIONS: before 2.8 the closure of a frame is not at hand", allow_module_level=True)


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Model(torch.nn.Module):
    @decorated
    def forward(self, x):
        return x + 1


@decorated
def double(x):
    return x * 2


def closing(function):
    def wrapper(x):
        return function(x) - 1

    return wrapper


def test_modules_and_decorated_functions(tmp_path):
    modules = torch.nn.Sequential(torch.nn.ReLU()), torch.nn.ReLU(), torch.nn.Sequential(torch.nn.Tanh()), Model()
    with depyf.prepare_debug(tmp_path):
        for each in (*modules, double, closing(torch.sin)):
            torch.compile(each, backend="eager")(torch.ones(2, 3))
        torch.nn.Tanh().compile(backend="eager")
    session = check(tmp_path)
    assert not session.failures
    names = {frame.qualname: len(frame.entries) for frame in session.frames}
    assert names == {
        "Sequential.forward": 2,
        "ReLU.forward": 1,
        "Model.forward": 1,
        "double": 1,
        "closing.<locals>.wrapper": 1,
    }
    assert len(list(tmp_path.glob("full_code_for_forward_*.py"))) == 3
    assert len(list(tmp_path.glob("__transformed_code_*_for_forward.py"))) == 4
    assert len(list(tmp_path.glob("full_code_for_double_*.py"))) == 1


def test_an_optimizer(tmp_path):
    parameter = torch.nn.Parameter(torch.ones(2))
    parameter.sum().backward()
    step = torch.compile(torch.optim.SGD([parameter], 0.1).step, backend="eager")
    with depyf.prepare_debug(tmp_path):
        step()
    assert {frame.qualname for frame in check(tmp_path).frames if frame.resumes is None} == {"SGD.step"}
