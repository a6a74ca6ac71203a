"""Small functions that programs written for earlier releases import from here."""

from __future__ import annotations

import inspect
import os
from types import CodeType
from typing import Any, Callable, List, Optional, Union

from depyf.decompiler.candidate import nested_codes
from depyf.decompiler.compatibility import Decompiler
from depyf.decompiler.refusals import DecompilationError

__all__ = [
    "collect_all_code_objects", "decompile_ensure", "get_code_owner", "get_function_signature", "safe_create_directory",
]  # fmt: skip


def get_function_signature(code_obj: CodeType, overwite_fn_name: Optional[str] = None) -> str:
    """The first line of the function, ``def f(a, *rest, b, **more):``, without defaults: a code object has none."""
    flags, names = code_obj.co_flags, code_obj.co_varnames
    plain, keyword_only = code_obj.co_argcount, code_obj.co_kwonlyargcount
    parameters = list(names[:plain])
    if code_obj.co_posonlyargcount:
        parameters.insert(code_obj.co_posonlyargcount, "/")
    rest = list(names[plain + keyword_only :])
    if flags & inspect.CO_VARARGS:
        parameters.append("*" + rest.pop(0))
    elif keyword_only:
        parameters.append("*")
    parameters += names[plain : plain + keyword_only]
    if flags & inspect.CO_VARKEYWORDS:
        parameters.append("**" + rest.pop(0))
    return f"def {overwite_fn_name or code_obj.co_name}({', '.join(parameters)}):"


def collect_all_code_objects(code: CodeType) -> List[CodeType]:
    """``code`` and every code object in it, the outer ones first."""
    found = [code]
    for outer in found:
        found += nested_codes(outer)
    return found


def safe_create_directory(path: Union[str, os.PathLike[str]]) -> None:
    """Make the directory and those above it; nothing when it is there. Raises OSError when that is not possible."""
    os.makedirs(path, exist_ok=True)


def get_code_owner(fn: Any) -> Any:
    """The object whose ``__code__`` can be set: the function behind a method, a wrapper or an object with ``forward``.

    Raises:
        TypeError: nothing like that is behind it.
    """
    seen = []
    while not inspect.isfunction(fn):
        seen.append(fn)
        inner = next((getattr(fn, name) for name in ("__func__", "__wrapped__", "forward") if hasattr(fn, name)), None)
        if inner is None or any(inner is each for each in seen):
            raise TypeError(f"{seen[0]!r} has no Python code")
        fn = inner
    return fn


def decompile_ensure(fn: Union[CodeType, Callable[..., Any]], overwite_fn_name: Optional[str] = None) -> str:
    """As :func:`depyf.decompile`; where that has no answer, a function that says why when it is called."""
    decompiler = Decompiler(fn)
    try:
        return decompiler.decompile(overwite_fn_name=overwite_fn_name)
    except DecompilationError as error:
        head = get_function_signature(decompiler.code, overwite_fn_name)
        return f"{head}\n    raise NotImplementedError({f'not decompiled: {error}'!r})\n"
