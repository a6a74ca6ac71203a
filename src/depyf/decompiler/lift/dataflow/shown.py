"""Values as a printer meets them: containers that nobody else holds are spelt out."""

from __future__ import annotations

from typing import Dict, FrozenSet, Iterator, List, Union

from depyf.decompiler.symbolic.state import Container, State
from depyf.decompiler.symbolic.values import Output, Ref, Symbol, Term, Value

# A value as it is printed.
Shown = Union[Value, Container]


def show(state: State, value: Value) -> Shown:
    """``value`` with the containers that only this frame holds spelt out."""
    value = state.resolve(value)
    contents = state.contents(value) if type(value) is Ref else None
    if contents is None:
        return value
    return contents.with_values(iter([show(state, item) for item in contents.values()]))  # type: ignore[misc]


def everything(state: State) -> Iterator[Value]:
    """All values that a frame holds, in locals that nobody reads as well."""
    pending: List[Value] = [*state.stack, *state.locals.values()]
    while pending:
        value = state.resolve(pending.pop())
        yield value
        contents = state.contents(value) if type(value) is Ref else None
        if contents is not None:
            pending.extend(contents.values())
        elif type(value) is Output:
            pending.append(value.parts[0])  # type: ignore[arg-type]


def symbols_in(value: Shown) -> Iterator[Symbol]:
    """Symbols that a shown value needs, in order of evaluation."""
    if isinstance(value, Symbol):
        yield value
    elif isinstance(value, Container):
        for item in value.values():
            yield from symbols_in(item)
    elif isinstance(value, Term):
        for part in value.parts:
            if isinstance(part, (Symbol, Term)):
                yield from symbols_in(part)


def fingerprint(state: State, live: FrozenSet[str]) -> object:
    """A key that is equal for states that hold the same values in the same places."""
    numbers: Dict[Ref, object] = {}

    def key(value: Value) -> object:
        value = state.resolve(value)
        contents = state.contents(value) if type(value) is Ref else None
        if contents is None:
            return value
        if value not in numbers:
            numbers[value] = len(numbers)  # type: ignore[index]
            return (contents.kind, contents.shape(), tuple(key(item) for item in contents.values()))
        return ("again", numbers[value])  # type: ignore[index]

    places = tuple(key(value) for value in state.stack)
    names = tuple((name, key(state.locals[name])) for name in sorted(live) if name in state.locals)
    return places, names, state.handled
