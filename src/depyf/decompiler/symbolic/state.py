"""The state of one frame: where it is, its locals, stack, exceptions being handled, and the containers that only it
holds.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.symbolic.values import Ref, Symbol, Value

# The kind of an iterator over known items (R-UNROLL).
ITERATOR = "iterator"


class Spread(NamedTuple):
    """All elements that iterating gave, inside a list, tuple or set: ``[*x]`` once ``x`` has been iterated."""

    elements: Value


class Container(NamedTuple):
    """Contents of a Ref.

    ``kind`` is ``list``, ``tuple``, ``set``, ``slice``, ``dict``, ``function`` or ``iterator``.  Items of a dict are
    ``(key, value)``, or ``(None, mapping)`` for all pairs of a merged mapping; items of a function are
    ``(attribute, value)``, sorted; those of an iterator are what is left.
    """

    kind: str
    items: Tuple[Any, ...]

    def values(self) -> Iterator[Value]:
        """The values inside, in order."""
        pairs = self.kind in ("dict", "function")
        for item in self.items:
            if pairs:
                yield item[1]
            else:
                yield item.elements if isinstance(item, Spread) else item

    def shape(self) -> Tuple[object, ...]:
        """What is left of the contents without the values: keys, attributes, and where something was spread."""
        if self.kind in ("dict", "function"):
            return tuple(item[0] for item in self.items)
        return tuple(isinstance(item, Spread) for item in self.items)

    def with_values(self, values: Iterator[Value]) -> Container:
        """The same shape around other values."""
        if self.kind in ("dict", "function"):
            return Container(self.kind, tuple((item[0], next(values)) for item in self.items))
        return Container(
            self.kind, tuple(Spread(next(values)) if isinstance(item, Spread) else next(values) for item in self.items)
        )

    def exact(self) -> bool:
        """Whether every item is known: nothing was spread or merged into it."""
        if self.kind == "dict":
            return all(key is not None for key, _ in self.items)
        return not any(isinstance(item, Spread) for item in self.items)


class State:
    """One frame between two operations; ``merged`` says that it passed a node where paths meet since the last
    effect.
    """

    __slots__ = ("handled", "heap", "locals", "merged", "node", "paths", "stack")

    def __init__(self, node: int) -> None:
        self.node = node
        self.locals: Dict[str, Value] = {}
        self.stack: List[Value] = []
        self.handled: Tuple[Tuple[int, Value], ...] = ()
        self.heap: Dict[Ref, Union[Container, Symbol]] = {}
        self.merged = False
        # What steps of paths gave since the last effect that is more than a load (paths.py).
        self.paths: Dict[object, Symbol] = {}

    def copy(self) -> State:
        """A state that can go another way."""
        other = State(self.node)
        other.locals = dict(self.locals)
        other.stack = list(self.stack)
        other.handled = self.handled
        other.heap = dict(self.heap)
        other.merged = self.merged
        other.paths = dict(self.paths)
        return other

    def resolve(self, value: Value) -> Value:
        """``value``, or the symbol that an escaped container became."""
        if type(value) is Ref:
            contents = self.heap[value]
            if type(contents) is Symbol:
                return contents
        return value

    def contents(self, value: Value) -> Optional[Container]:
        """What a container that only this frame holds has in it, or a constant tuple or slice; else None."""
        if type(value) is Ref:
            found = self.heap[value]
            return found if type(found) is Container else None
        if type(value) is Const:
            if type(value.value) is tuple:
                return Container("tuple", tuple(Const(item) for item in value.value))
            if type(value.value) is slice:
                part = value.value
                return Container("slice", (Const(part.start), Const(part.stop), Const(part.step)))
        return None

    def known(self, value: Value, *kinds: str) -> Optional[Container]:
        """Contents of ``value`` if it is of one of ``kinds`` and every item is known."""
        found = self.contents(value)
        return found if found is not None and found.kind in kinds and found.exact() else None

    def build(self, kind: str, items: Tuple[object, ...]) -> Value:
        """A new container; a tuple of constants is a constant (R-CONSTTUPLE)."""
        if kind == "tuple" and all(type(item) is Const for item in items):
            return Const(tuple(item.value for item in items))  # type: ignore[attr-defined]
        made = Ref()
        self.heap[made] = Container(kind, items)
        return made

    def holds(self, value: Value, container: Value) -> bool:
        """Whether ``value`` is ``container`` or has it inside."""
        return type(value) is Ref and any(found is container for found in self.reach(value))

    def reach(self, value: Value) -> Iterator[Ref]:
        """Every container that ``value`` is or holds and that has not escaped, inner ones last."""
        pending = [value]
        seen = set()
        while pending:
            item = pending.pop()
            if type(item) is Ref and item not in seen:
                seen.add(item)
                found = self.heap[item]
                if type(found) is Container:
                    yield item
                    pending.extend(found.values())
