"""What a program did, as something that two runs of it can be compared by.

(tensor([1., 2.]), {"a": 3})  =>  ("tuple", (("tensor", "torch.float32", (2,), ..., bytes), ("dict", ...)))
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import random
from collections import deque
from typing import Any, Callable, Dict, NamedTuple, Tuple

import numpy
import torch


class Parts(Dict[str, Any]):
    """What a program returns that does several things one after the other."""


class Raised(NamedTuple):
    """The error that one part of a program raised."""

    error: str


Program = Callable[[Callable[..., Any]], Any]
_PLAIN = (bool, int, str, bytes, type(None), type(Ellipsis), torch.dtype, torch.device, torch.Size, type)


def plain(value: Any) -> Any:
    """``value`` by its contents: tensors bit by bit, objects by their attributes, NaN equal to itself."""
    return _plain(value, {})


def _plain(value: Any, seen: Dict[int, int]) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, (float, complex)):
        return repr(value)
    if id(value) in seen:
        return ("seen", seen[id(value)])
    seen[id(value)] = len(seen)
    name = type(value).__name__
    if isinstance(value, torch.Tensor):
        return (name, *_tensor(value))
    if isinstance(value, numpy.ndarray):
        return (name, str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, dict):
        return (name, tuple((_plain(key, seen), _plain(item, seen)) for key, item in value.items()))
    if isinstance(value, (set, frozenset)):
        return (name, sorted(repr(item) for item in value))
    if isinstance(value, (list, tuple, deque)):
        return (name, tuple(_plain(item, seen) for item in value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (name, _plain(vars(value), seen))
    return name


def _tensor(value: torch.Tensor) -> Tuple[Any, ...]:
    """Everything a program can ask of a tensor; the gradient counts, too."""
    found: Tuple[Any, ...] = (str(value.dtype), tuple(value.shape), value.requires_grad)
    grad = value.grad if value.is_leaf else None
    try:
        content: Any = _bytes(value)
    except (RuntimeError, NotImplementedError, TypeError) as error:
        content = f"unreadable: {type(error).__name__}"
    return (*found, content, None if grad is None else _tensor(grad))


def _bytes(value: torch.Tensor) -> Any:
    value = value.detach()
    if value.layout != torch.strided:
        value = value.to_dense()
    if value.is_meta:
        return "meta"
    if value.is_quantized:
        value = value.int_repr()
    return value.resolve_conj().resolve_neg().contiguous().view(-1).view(torch.uint8).numpy().tobytes()


def outcome(program: Program, compile: Callable[..., Any]) -> Tuple[str, Any]:
    """``("returned", what it returned and printed)`` or ``("raised", which error)``, from the same seeds every time."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            found = ("returned", plain(program(compile)), printed.getvalue())
    except Exception as error:
        # What Dynamo says about its own stack traces is not the program's.
        found = ("raised", type(error).__name__, str(error).split("\n\nfrom user code")[0])
    return found[0], (*found[1:], random.random(), numpy.random.random(), torch.rand(1).item())
