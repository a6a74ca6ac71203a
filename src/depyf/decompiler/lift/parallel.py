"""Several values that are assigned at once: they wait on the stack, and are stored one by one.

    LOAD a; LOAD b; SWAP 2; STORE x; STORE y        =>        x, y = a, b

Targets may be evaluated in between, and branch.  Since 3.12 a store to a local that the next one overwrites is a
POP_TOP.
"""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from depyf.decompiler.lift.expressions import LOAD, STORE, folded_late
from depyf.decompiler.lift.values import Value
from depyf.decompiler.versions import UNPACKS_CONSTANT_TUPLES


class Parallel(NamedTuple):
    """An assignment that is not complete: its values in the order of their evaluation, and what was stored so far."""

    values: Tuple[Value, ...]
    pairs: Tuple[Tuple[ast.expr, ast.expr], ...] = ()

    def stored(self, target: ast.expr, value: ast.expr) -> Parallel:
        """The same with one value stored."""
        return self._replace(pairs=(*self.pairs, (target, value)))

    def statement(self) -> Optional[ast.stmt]:
        """The assignment, None if it stores a value that did not wait when it began.

        Stores pop in reverse unless a SWAP put the values in order: either way a value's place is that of its
        evaluation.
        """
        places = {id(value): place for place, value in enumerate(self.values)}
        if any(id(value) not in places for _target, value in self.pairs):
            return None
        pairs = sorted(self.pairs, key=lambda pair: places[id(pair[1])])
        name_dropped([target for target, _value in pairs])
        targets = ast.Tuple([target for target, _value in pairs], STORE)
        values = [value for _target, value in pairs]
        if UNPACKS_CONSTANT_TUPLES and all(getattr(value, "from_constant", False) for value in values):
            # Of constants the compiler makes one tuple, unless it finds out too late that they are: `1 and a`.
            values[0] = folded_late(values[0])
        return ast.Assign([targets], ast.Tuple(values, LOAD), lineno=0)

    def agrees(self, other: Optional[Parallel]) -> bool:
        """Whether another way has stored the same."""
        if other is None or len(self.pairs) != len(other.pairs):
            return False
        pairs = zip(self.pairs, other.pairs)
        return all(mine[0] is theirs[0] and mine[1] is theirs[1] for mine, theirs in pairs)


class Evaluated:
    """Values in the order in which they are evaluated, over all blocks of one code object."""

    def __init__(self) -> None:
        self._ticks: Dict[int, Tuple[int, Value]] = {}

    def note(self, value: Value) -> None:
        """``value`` is evaluated now."""
        self._ticks[id(value)] = len(self._ticks), value

    def replace(self, value: Value, other: Value) -> None:
        """``other`` stands for ``value`` from here on."""
        if id(value) in self._ticks:
            self._ticks[id(other)] = self._ticks[id(value)][0], other

    def parallel(self, waiting: Sequence[Value]) -> Parallel:
        """An assignment of the values of ``waiting``, of which nothing is stored yet."""
        return Parallel(tuple(value for _tick, value in sorted(self._known(waiting), key=lambda known: known[0])))

    def _known(self, values: Sequence[Value]) -> Iterator[Tuple[int, Value]]:
        return (self._ticks[id(value)] for value in values if id(value) in self._ticks)


def dropped() -> ast.Name:
    """The target of a store that the next one overwrites; :func:`name_dropped` names it."""
    target = ast.Name("_", STORE)
    target.is_dropped = True  # type: ignore[attr-defined]
    return target


def name_dropped(targets: Sequence[ast.expr]) -> None:
    """Give dropped targets the name of the target behind them, in the order in which they are stored."""
    leaves = [leaf for target in targets for leaf in _leaves(target)]
    for leaf, following in reversed(list(zip(leaves, leaves[1:]))):
        if getattr(leaf, "is_dropped", False) and isinstance(leaf, ast.Name) and isinstance(following, ast.Name):
            leaf.id = following.id


def _leaves(target: ast.expr) -> Iterator[ast.expr]:
    pending: List[ast.expr] = [target]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Tuple, ast.List)):
            pending += reversed(node.elts)
        elif isinstance(node, ast.Starred):
            pending.append(node.value)
        else:
            yield node
