"""Where paths meet: the least general state that describes both.

    one path:   x = <a>   y = <a>   stack [1]        joined:  x = <s>   y = <s>   stack [<t>]
    another:    x = <b>   y = <b>   stack [2]

Each distinct pair (value on one path, value on the other) becomes one symbol wherever the pair occurs.  States come in
tuples that share their symbols - one machine for the printer, two for the verifier - and are joined together, so that
equal values stay equal across machines.  Containers keep their contents where both paths agree on their shape;
otherwise they are treated as handed out (R-ESCAPED), together with all that they hold.
"""

from __future__ import annotations

from typing import Callable, Dict, FrozenSet, Iterator, List, Optional, Sequence, Set, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.refusals import STACK_SHAPE, Refused
from depyf.decompiler.symbolic.state import Container, State
from depyf.decompiler.symbolic.values import UNBOUND, Marker, MaybeUnbound, Ref, Symbol, Term, Value

Fresh = Callable[[object, Optional[str], bool], Symbol]
Pair = Tuple[Value, Value]


def fresh_symbol(place: object, kind: Optional[str], maybe_unbound: bool) -> Symbol:
    """A symbol for a place at which paths disagree."""
    return MaybeUnbound(place) if maybe_unbound else Symbol(place, kind)


def any_symbol(_symbol: Symbol) -> bool:
    """Every symbol of the older state may stand for a pair: what matters is which places are equal."""
    return True


class Join:
    """Joins ``old`` and ``new``, tuples of states at the same nodes.

    ``live`` are the locals to keep, per machine; ``renames`` says which symbols of ``old`` may go on standing for a
    pair; ``fresh`` makes the others.  ``states`` is the result and ``changed`` says whether it is more general than
    ``old``.
    """

    def __init__(
        self,
        old: Sequence[State],
        new: Sequence[State],
        live: Sequence[FrozenSet[str]],
        renames: Callable[[Symbol], bool] = any_symbol,
        fresh: Fresh = fresh_symbol,
    ) -> None:
        self.changed = False
        self._old, self._new, self._live = old, new, live
        self._renames, self._fresh = renames, fresh
        self._symbols: Dict[Pair, Value] = {}
        self._stands_for: Dict[Symbol, Value] = {}
        self.opened = False
        self._kept: List[Dict[Ref, Ref]] = [{} for _ in old]
        self._open: List[Tuple[Set[Ref], Set[Ref]]] = [(set(), set()) for _ in old]
        for side in range(len(old)):
            self._pair_containers(side)
        self._tokens: List[Tuple[Dict[Value, object], Dict[Value, object]]] = [({}, {}) for _ in old]
        for side in range(len(old)):
            self._name_opened(side)
        self._keep_equal()
        self.states = [self._joined(side) for side in range(len(old))]

    # Which containers keep their contents.

    def _places(self, side: int) -> Iterator[Tuple[object, Value, Value]]:
        old, new = self._old[side], self._new[side]
        if len(old.stack) != len(new.stack) or len(old.handled) != len(new.handled):
            raise Refused(STACK_SHAPE, "paths meet with stacks or handlers of different depth")
        for number, (one, other) in enumerate(zip(old.stack, new.stack)):
            yield number, old.resolve(one), new.resolve(other)
        for name in sorted(self._live[side]):
            yield name, old.resolve(old.locals.get(name, UNBOUND)), new.resolve(new.locals.get(name, UNBOUND))

    def _pair_containers(self, side: int) -> None:
        old, new = self._old[side], self._new[side]
        kept, back = self._kept[side], {}  # type: Dict[Ref, Ref], Dict[Ref, Ref]
        opened = self._open[side]
        pending = [(one, other) for _, one, other in self._places(side)]
        while pending:
            one, other = pending.pop()
            if type(one) is not Ref and type(other) is not Ref:
                continue
            if type(one) is Ref and type(other) is Ref:
                if kept.get(one) is other and back.get(other) is one:
                    continue
                inner = _paired_items(old.contents(one), new.contents(other))
                if inner is not None and one not in kept and other not in back:
                    kept[one], back[other] = other, one
                    pending += [(old.resolve(a), new.resolve(b)) for a, b in inner]
                    continue
            if type(one) is Ref:
                opened[0].add(one)
            if type(other) is Ref:
                opened[1].add(other)
        self._spread_opening(side)

    def _spread_opening(self, side: int) -> None:
        """What an opened container holds is opened too, and so is its counterpart."""
        old, new, kept = self._old[side], self._new[side], self._kept[side]
        mine, theirs = self._open[side]
        again = bool(mine or theirs)
        while again:
            again = False
            for state, group in ((old, mine), (new, theirs)):
                inner = {ref for outer in group for ref in state.reach(outer)}
                if not inner <= group:
                    group |= inner
                    again = True
            for one, other in list(kept.items()):
                if one in mine or other in theirs:
                    del kept[one]
                    again = again or one not in mine or other not in theirs
                    mine.add(one)
                    theirs.add(other)
        self.opened = self.opened or bool(mine or theirs)

    def _name_opened(self, side: int) -> None:
        """Tokens of opened containers: equal in two machines when their contents are, so that one symbol serves
        both.
        """
        for which, state in enumerate((self._old[side], self._new[side])):
            counted: Dict[object, int] = {}
            opened, tokens = self._open[side][which], self._tokens[side][which]
            for _, *values in self._places(side):
                if type(values[which]) is Ref:
                    for ref in reversed(list(state.reach(values[which]))):
                        if ref in opened:
                            _name(state, ref, tokens, counted)

    # What stands at each place.

    def _keep_equal(self) -> None:
        """A symbol that both paths agree on somewhere stands for itself before it may stand for anything else."""
        for side in range(len(self._old)):
            for _, one, other in self._places(side):
                if one is other and isinstance(one, Symbol):
                    self._stands_for[one] = other

    def _joined(self, side: int) -> State:
        old = self._old[side]
        state = State(old.node)
        state.merged = old.merged
        for place, one, other in self._places(side):
            value = self._value(side, place, one, other)
            if type(place) is int:
                state.stack.append(value)
            elif value is not UNBOUND:
                state.locals[place] = value  # type: ignore[index]
        state.handled = tuple(
            (level, self._value(side, ("handled", number), one, other))
            for number, ((level, one), (_, other)) in enumerate(zip(old.handled, self._new[side].handled))
        )
        for one, other in self._kept[side].items():
            state.heap[one] = self._contents(side, one, other)
        return state

    def _contents(self, side: int, one: Ref, other: Ref) -> Container:
        old, new = self._old[side], self._new[side]
        mine, theirs = old.contents(one), new.contents(other)
        assert mine is not None and theirs is not None
        inner = _paired_items(mine, theirs)
        assert inner is not None
        values = iter(
            [self._value(side, (one, number), old.resolve(a), new.resolve(b)) for number, (a, b) in enumerate(inner)]
        )
        return mine.with_values(values)

    def _value(self, side: int, place: object, one: Value, other: Value) -> Value:
        if type(one) is Ref and type(other) is Ref and self._kept[side].get(one) is other:
            return one
        if type(one) is not Ref and isinstance(one, Term) and type(one) is type(other) and one != other:
            parts = self._parts(side, place, one.parts, other.parts)  # type: ignore[union-attr]
            if parts is not None:
                return type(one)(*parts)
        return self._pair(side, place, one, other)

    def _parts(
        self, side: int, place: object, one: Tuple[object, ...], other: Tuple[object, ...]
    ) -> Optional[List[object]]:
        """Parts of a term, joined; None where the terms are of different make."""
        if len(one) != len(other):
            return None
        parts: List[object] = []
        for number, (a, b) in enumerate(zip(one, other)):
            if isinstance(a, (Const, Symbol, Term)) and isinstance(b, (Const, Symbol, Term)):
                parts.append(self._value(side, (place, number), a, b))
            elif isinstance(a, tuple) and isinstance(b, tuple):
                inner = self._parts(side, (place, number), a, b)
                if inner is None:
                    return None
                parts.append(tuple(inner))
            elif a == b:
                parts.append(a)
            else:
                return None
        return parts

    def _pair(self, side: int, place: object, one: Value, other: Value) -> Value:
        mine, theirs = self._tokens[side]
        key = cast(Pair, (mine.get(one, one), theirs.get(other, other)))
        found = self._symbols.get(key)
        if found is None:
            found = self._symbols[key] = self._stand_in(
                place, key, _kind(self._old[side], one), _kind(self._new[side], other)
            )
        return found

    def _stand_in(self, place: object, key: Pair, mine: Optional[str], theirs: Optional[str]) -> Value:
        one, other = key
        if isinstance(one, Symbol):
            kept = one.kind is None or one.kind == theirs
            unbound = type(one) is not MaybeUnbound and (other is UNBOUND or type(other) is MaybeUnbound)
            allowed = one is other or self._renames(one)
            if kept and not unbound and allowed and self._stands_for.setdefault(one, other) is other:
                return one
        elif one == other:
            return one
        unbound = UNBOUND in key or MaybeUnbound in (type(one), type(other))
        if not unbound and (isinstance(one, Marker) or isinstance(other, Marker)):
            raise Refused(STACK_SHAPE, f"paths meet with {one!r} and {other!r} in one place")
        self.changed = True
        return self._fresh(place, mine if mine == theirs else None, unbound)


def _kind(state: State, value: Value) -> Optional[str]:
    if isinstance(value, Symbol):
        return value.kind
    found = state.contents(value)
    return None if found is None else found.kind


def _paired_items(one: Optional[Container], other: Optional[Container]) -> Optional[List[Pair]]:
    """Values inside two containers of the same shape, side by side; None when the shapes differ."""
    if one is None or other is None or one.kind != other.kind or one.shape() != other.shape():
        return None
    return list(zip(one.values(), other.values()))


def _name(state: State, ref: Ref, tokens: Dict[Value, object], counted: Dict[object, int]) -> None:
    if ref in tokens:
        return
    found = state.contents(ref)
    assert found is not None
    for value in found.values():
        if type(value) is Ref and state.contents(value) is not None:
            _name(state, value, tokens, counted)
    inside = tuple(tokens.get(value, state.resolve(value)) for value in found.values())
    contents = ("container", found.kind, found.shape(), inside)
    counted[contents] = counted.get(contents, 0) + 1
    tokens[ref] = (*contents, counted[contents])
