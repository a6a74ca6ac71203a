"""What would avoid a recompilation. Sentences name torch's own switches, as torch 2.13 documents them."""

from __future__ import annotations

import re
from typing import Callable

_Advise = Callable[[str, str, "str | None", "str | None", bool], "str | None"]


def advice(
    subject: str | None, what: str | None, expected: str | None, actual: str | None, dynamic_now: bool
) -> str | None:
    """A sentence for a reader who owns the program, None where there is nothing to advise. ``dynamic_now``: the new
    entry takes any value."""
    if subject is None or what is None:
        return None
    for pattern, advise in _RULES:
        if re.match(pattern, what):
            return advise(subject, what, expected, actual, dynamic_now)
    return None


def _size(subject: str, what: str, expected: str | None, actual: str | None, dynamic_now: bool) -> str:
    index = what.rpartition(" ")[2]
    if {expected, actual} & {"0", "1"}:
        return (
            f"sizes 0 and 1 get entries of their own even when dynamic: "
            f"torch._dynamo.decorators.mark_unbacked({subject}, {index}) avoids it"
        )
    if "." in subject:
        return (
            "parameters have fixed sizes: torch._dynamo.config.force_parameter_static_shapes = False makes them dynamic"
        )
    mark = f"torch._dynamo.mark_dynamic({subject}, {index}) before the first call, or torch.compile(..., dynamic=True)"
    return f"any size fits from now on; {mark} avoids also this one" if dynamic_now else mark


def _value(subject: str, what: str, expected: str | None, actual: str | None, dynamic_now: bool) -> str | None:
    if dynamic_now:
        return "any value fits from now on; torch.compile(..., dynamic=True) avoids also this one"
    if expected in ("True", "False", "None") or re.match(r"['\"]", expected or ""):
        return f"each value of {subject} gets an entry of its own: call with few different ones"
    if re.match(r"-?\d+\Z", expected or ""):
        return f"torch.compile(..., dynamic=True), or pass {subject} as a tensor"
    if re.match(r"-?[\d.e+-]+\Z", expected or ""):
        return f"pass {subject} as a tensor: each float gets an entry of its own"
    return None


def _same(sentence: str) -> _Advise:
    return lambda subject, what, expected, actual, dynamic_now: sentence.format(subject=subject, what=what)


_RULES: tuple[tuple[str, _Advise], ...] = (
    (r"size \d", _size),
    (r"value", _value),
    (r"rank", _same("pass {subject} always with the same number of dimensions, or accept an entry for each")),
    (r"stride", _same("pass {subject}.contiguous(), or always in the same layout")),
    (r"dtype", _same("pass {subject} always as the same dtype, or accept an entry for each")),
    (r"device", _same("pass {subject} always on the same device, or accept an entry for each")),
    (
        r"requires_grad",
        _same("pass {subject} always with, or always without, requires_grad: they need different graphs"),
    ),
    (r"dispatch key", _same("{subject} is of another kind (device, inference mode, autocast, a view that conjugates)")),
    (r"length", _same("keep the length of {subject}: each one gets an entry of its own")),
    (r"aliasing", _same("pass {subject} always as different tensors, or always as the same one")),
    (r"identity\Z", _same("make {subject} once, outside of what is called again and again")),
    (r"type\Z", _same("pass {subject} always as the same type")),
    (r".*grad_mode", _same("call it always inside, or always outside, torch.no_grad()")),
    (r".*num_threads", _same("call torch.set_num_threads before the first compilation only")),
    (r".*(autocast|default_dtype|deterministic)", _same("set {what} once, before the first compilation")),
)
