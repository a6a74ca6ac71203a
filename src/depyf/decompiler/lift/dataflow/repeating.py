"""Which steps of a path are loaded again where they are needed, instead of being kept in a variable.

    p = self._modules["up"]._parameters          weight = self._modules["up"]._parameters["weight"]
    weight = p["weight"]                   =>    bias = self._modules["up"]._parameters["bias"]
    bias = p["bias"]

A-PATH says when that is the same.
"""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Sequence, Set

from depyf.decompiler.lift.dataflow.events import Event, Operation
from depyf.decompiler.lift.dataflow.shown import symbols_in
from depyf.decompiler.symbolic.paths import gives_dictionary, is_step, only_reads
from depyf.decompiler.symbolic.values import Symbol


def steps_to_repeat(events: Sequence[Event], kept: Set[Symbol]) -> FrozenSet[Symbol]:
    """Results that only further steps use, before anything but loads happens."""
    dictionaries: Set[Symbol] = set()
    open_steps: Dict[Symbol, bool] = {}
    found: Set[Symbol] = set()
    for event in events:
        if not isinstance(event, Operation):
            open_steps.clear()
            continue
        step = is_step(event.kind, event.operands, dictionaries)
        for symbol in _used(event):
            if symbol in found and not (step and open_steps.get(symbol)):
                found.discard(symbol)
        if not only_reads(event.kind, event.operands):
            open_steps.clear()
        elif step:
            result = event.results[0]
            open_steps[result] = True
            if result not in kept:
                found.add(result)
            if gives_dictionary(event.kind, event.operands):
                dictionaries.add(result)
    return frozenset(found)


def _used(event: Operation) -> List[Symbol]:
    return [symbol for operand in event.operands for symbol in symbols_in(operand)]
