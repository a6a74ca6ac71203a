"""Whom a wrapper stands for: ``inner`` around a module is ``Sequential.forward``, around a step it is ``SGD.step``.

Dynamo compiles the wrapper, a frame of torch or of a decorator; its reader wrote what is in the closure.
"""

from __future__ import annotations

import re
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType, MethodType
from typing import Any, Iterator

from depyf.capture.compiling import compiling
from depyf.capture.seams import MODULE

_WRAPPER = re.compile(r"_?(inner|wrapper|wrapped|decorated|decorate_context|inner_wrapper|wrapped_fn|wrapped_func)\Z")


def stands_for(code: CodeType) -> str | None:
    """The qualified name of what ``code`` wraps, while Dynamo compiles it; None for code that is no wrapper."""
    passes_on = code.co_flags & CO_VARARGS and code.co_flags & CO_VARKEYWORDS
    if _WRAPPER.match(code.co_name) is None or not passes_on:
        return None
    named = (_name_of(each) for each in _closure_of(code))
    return next((name for name in named if name is not None and name != code.co_name), None)


def _closure_of(code: CodeType) -> Iterator[Any]:
    """What is in the closure of the frame that is compiled now."""
    cells = next((variables.get("closure") for variables in compiling() if variables.get("code") is code), None)
    for cell in cells if isinstance(cells, tuple) else ():
        try:
            yield cell.cell_contents
        except (AttributeError, ValueError):  # an empty cell
            continue


def _name_of(value: Any) -> str | None:
    module = MODULE.find()
    owner = value.__self__ if type(value) is MethodType else value
    if module is not None and isinstance(owner, module):
        method = value.__name__ if type(value) is MethodType else "forward"
        # torch's own way of calling a module ends in its forward
        return f"{type(owner).__qualname__}.{'forward' if method.startswith('_') else method}"
    if type(value) in (FunctionType, MethodType):
        return str(value.__qualname__)
    return None
