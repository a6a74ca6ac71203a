"""What a symbolic machine hands out: the next operation that a program could notice.

BINARY_OP "+"   [.., a, b]   =>   Effect(("BINARY_OP", "+"), operands (a, b), one result, one edge that pops 2 and
pushes it)
"""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Tuple, Union

from depyf.decompiler.disassemble.graph import Handler
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import Symbol, Value

Update = Callable[[State, Tuple[Symbol, ...]], None]


class Edge(NamedTuple):
    """One way on after an effect: slots to pop, then slots to push (a number stands for that result), then a change."""

    target: int
    pops: int = 0
    pushes: Tuple[Union[int, Value], ...] = ()
    update: Optional[Update] = None


class Effect(NamedTuple):
    """An operation that is compared, not interpreted.

    ``results`` holds one entry per result: its exact builtin type where that is known.  Without ``edges`` the effect
    leaves the frame. ``on_raise`` changes the state in which the handler starts and gets one more symbol.
    """

    kind: Tuple[object, ...]
    operands: Tuple[Value, ...]
    results: Tuple[Optional[str], ...]
    edges: Tuple[Edge, ...]
    raises: bool = True
    handler: Optional[Handler] = None
    on_raise: Optional[Update] = None
