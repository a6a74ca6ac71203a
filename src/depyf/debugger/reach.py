"""From the object that transformed code calls to the functions that run the graph.

    __compiled_fn_1_<uuid>  ─ closures, attributes, containers ─→  GraphModule.forward, Runner.call, ...

Torch wraps what a backend returns many times, differently in each version; all that is asked of the wrappers is that
they hold what they call. Modules, tensors and whatever else is no wrapper are not looked into.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from types import BuiltinMethodType, CellType, FunctionType, MethodType, ModuleType
from typing import Any, Callable, Iterator

# Beyond this something was looked into that is no wrapper.
_MOST = 50_000
_LONGEST = 1_000
_WRAPPERS = ("torch._functorch", "torch._inductor", "torch._dynamo", "torch.fx.graph_module", "torch.fx._lazy")
_FOREIGN = ("torch", "sympy", "numpy", "builtins", "threading", "logging", "weakref", "collections")


def functions_behind(compiled: object) -> Iterator[FunctionType]:
    """Python functions that ``compiled`` may call, nearest first."""
    seen: set[int] = set()
    keep: list[object] = []  # what was only made to be looked at must not share its id with the next
    pending: deque[object] = deque([compiled])
    while pending and len(seen) < _MOST:
        each = pending.popleft()
        if id(each) in seen:
            continue
        seen.add(id(each))
        keep.append(each)
        if isinstance(each, FunctionType):
            yield each
        pending.extend(_held(each))


def _held(value: object) -> Iterator[object]:
    for kind, held in _HOLDERS:
        if isinstance(value, kind):
            return held(value)
    return _held_by_instance(value)


def _held_by_function(function: Any) -> Iterator[object]:
    yield from function.__closure__ or ()
    yield from vars(function).values()
    yield from function.__defaults__ or ()
    if "__name__" not in function.__globals__:  # wrappers that AOTAutograd generates keep what they call there
        yield from tuple(function.__globals__.values())[:_LONGEST]


def _held_by_cell(cell: Any) -> Iterator[object]:
    try:
        yield cell.cell_contents
    except ValueError:  # empty
        return


def _held_by_class(kind: Any) -> Iterator[object]:
    if "<locals>" in kind.__qualname__ and _is_wrapper(kind):
        yield from vars(kind).values()


def _held_by_instance(value: object) -> Iterator[object]:
    kind = type(value)
    is_looked_into = _is_wrapper(kind) or kind.__module__.partition(".")[0] not in _FOREIGN
    if is_looked_into and not _is_plain_module(kind):
        if _is_graph(kind):
            _finish(value)
        yield from tuple(getattr(value, "__dict__", {}).values())
        yield kind


def _is_wrapper(kind: type) -> bool:
    return kind.__module__.startswith(_WRAPPERS)


def _is_graph(kind: type) -> bool:
    return any(base.__name__ == "GraphModule" for base in kind.__mro__)


def _is_plain_module(kind: type) -> bool:
    """A module of the user's holds the user's world; a graph holds graphs."""
    return not _is_graph(kind) and any(base.__name__ == "Module" for base in kind.__mro__)


def _finish(graph: Any) -> None:
    """A lazy graph would make its ``forward`` when it is called for the first time."""
    recompile = getattr(graph, "real_recompile", None)
    if recompile is not None:
        recompile()


def _nothing(value: object) -> Iterator[object]:
    return iter(())


_HOLDERS: tuple[tuple[Any, Callable[[Any], Iterator[object]]], ...] = (
    ((str, bytes, int, float, type(None), ModuleType), _nothing),
    (FunctionType, _held_by_function),
    (MethodType, lambda method: iter((method.__self__, method.__func__))),
    # torch.autograd.Function.apply (TORCHVERSIONS: built in from 2.15 on)
    (BuiltinMethodType, lambda method: iter((method.__self__,))),
    ((staticmethod, classmethod), lambda method: iter((method.__func__,))),
    (CellType, _held_by_cell),
    (partial, lambda each: iter((each.func, *each.args, *each.keywords.values()))),
    ((list, tuple, set, frozenset), lambda each: iter(tuple(each)[:_LONGEST])),
    (dict, lambda each: iter(tuple(each.values())[:_LONGEST])),
    (type, _held_by_class),
)
