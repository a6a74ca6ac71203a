"""Parameters of a code object as ``ast.arguments``, with the defaults and annotations that MAKE_FUNCTION was given."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Dict, List, Optional, Tuple

from depyf.decompiler.lift.values import Function
from depyf.decompiler.refusals import STACK_SHAPE, Refused

CO_VARARGS = 0x04
CO_VARKEYWORDS = 0x08


def arguments(function: Function) -> Tuple[ast.arguments, Optional[ast.expr]]:
    """The parameter list and the return annotation."""
    code = function.code
    annotations = _annotations(function.annotations)
    names = list(code.co_varnames)
    positional = [_arg(name, annotations) for name in names[: code.co_argcount]]
    keyword_only = [
        _arg(name, annotations) for name in names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    ]
    rest = names[code.co_argcount + code.co_kwonlyargcount :]
    vararg = _arg(rest.pop(0), annotations) if code.co_flags & CO_VARARGS else None
    kwarg = _arg(rest.pop(0), annotations) if code.co_flags & CO_VARKEYWORDS else None
    defaults = _sequence(function.defaults)
    kwdefaults = _mapping(function.kwdefaults)
    parameters = ast.arguments(
        posonlyargs=positional[: code.co_posonlyargcount],
        args=positional[code.co_posonlyargcount :],
        vararg=vararg,
        kwonlyargs=keyword_only,
        kw_defaults=[kwdefaults.get(arg.arg) for arg in keyword_only],
        kwarg=kwarg,
        defaults=defaults,
    )
    return parameters, annotations.get("return")


def plain_parameters(code: CodeType) -> ast.arguments:
    """The parameters of a code object alone: defaults belong to the function, not to its code."""
    return arguments(Function(code))[0]


def _arg(name: str, annotations: Dict[str, ast.expr]) -> ast.arg:
    # Parameters named .0 belong to comprehensions, which have no parameter list in the source.
    return ast.arg(name, annotations.get(name))


def _sequence(values: Optional[ast.expr]) -> List[ast.expr]:
    if values is None:
        return []
    if not isinstance(values, ast.Tuple):
        raise Refused(STACK_SHAPE, "defaults that are no tuple")
    return list(values.elts)


def _mapping(values: Optional[ast.expr]) -> Dict[str, ast.expr]:
    if values is None:
        return {}
    if not isinstance(values, ast.Dict):
        raise Refused(STACK_SHAPE, "keyword defaults that are no dictionary")
    return {key.value: value for key, value in zip(values.keys, values.values)}  # type: ignore[union-attr]


def _annotations(values: Optional[ast.expr]) -> Dict[str, ast.expr]:
    if isinstance(values, ast.Tuple):
        elements = values.elts
        return {key.value: value for key, value in zip(elements[0::2], elements[1::2])}  # type: ignore[attr-defined]
    return _mapping(values)
