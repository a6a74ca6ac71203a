"""Which function continues which: ``__resume_at_<offset>_<n>`` in transformed code -> the code object behind it.

Torch installs resume functions as globals of the compiled function, and its cache entries know these globals. With
free variables the global is a factory that holds the code in a cell (2.13), or the code is a constant of the
transformed code (2.8).
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any, Iterator, Mapping

from depyf.capture.compilation import RESUME_CODE, Compilation, Function, origin_of
from depyf.capture.seams import CACHE_ENTRIES


def link(functions: list[Function], by_code: Mapping[int, Function]) -> None:
    """Find out what the resume functions still open in any compilation are. ``by_code`` is keyed by ``id`` of the
    code object: equal code objects are not the same function."""
    for compilation in [each for function in functions for each in function.compilations]:
        for name in [name for name, found in compilation.resumes.items() if found is None]:
            found = next(
                (by_code[id(code)] for code in codes_of_resumes(compilation, name) if id(code) in by_code), None
            )
            if found is not None:
                _join(found, compilation, name)
    for function in functions:
        if function.continues is None and RESUME_CODE.match(function.name):
            _link_by_name(function, functions)


def _link_by_name(function: Function, functions: list[Function]) -> None:
    """Without cache entries, or for a frame that was skipped: the latest compilation of the function that the resume
    function is named after with a resume function that nobody claimed."""
    origin = origin_of(function.name)
    for caller in reversed(functions):
        for compilation in reversed(caller.compilations):
            open_names = [name for name, found in compilation.resumes.items() if found is None]
            is_origin = (caller.root.name, caller.file) == (origin, function.file)
            if open_names and is_origin and caller.root is not function:
                _join(function, compilation, open_names[0])
                return


def _join(function: Function, compilation: Compilation, name: str) -> None:
    compilation.resumes[name] = function
    compilation.changed = True
    caller = compilation.function
    if function.continues is None and caller is not None and caller.root is not function:
        function.continues = caller


def codes_of_resumes(compilation: Compilation, name: str) -> Iterator[CodeType]:
    """What the global ``name`` that the transformed code calls may be made of."""
    for scope in global_scopes(compilation):
        yield from _inside(scope.get(name))
    yield from (each for each in compilation.resume_constants if each.co_name == name)


def _inside(value: Any) -> Iterator[CodeType]:
    if not isinstance(value, FunctionType):
        return
    yield value.__code__
    for cell in value.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:  # an empty cell
            continue
        if isinstance(content, CodeType):
            yield content


def global_scopes(compilation: Compilation) -> Iterator[Any]:
    """The globals that the live cache entries of the compilation know. No entry is kept: they must be free to die."""
    cache_entries = CACHE_ENTRIES.find()
    code = compilation.function.code if compilation.function else None
    if cache_entries is None or code is None:
        return
    for entry in cache_entries(code):
        if str(getattr(entry, "compile_id", compilation.compile_id)) == compilation.compile_id:
            scope = _scope(entry)
            if scope is not None:
                yield scope


def _scope(entry: Any) -> Any | None:
    # TORCHVERSIONS: check_fn until 2.7
    checker = getattr(entry, "guard_manager", None) or getattr(entry, "check_fn", None)
    scope = getattr(checker, "global_scope", None)
    return scope.get("G") if isinstance(scope, dict) else None
