"""Where a piece of a random program stands, and the tables of what may stand there."""

from __future__ import annotations

import random
import sys
from typing import Callable, Dict, FrozenSet, List, NamedTuple, Sequence, Tuple, TypeVar

Item = TypeVar("Item")
PYTHON = sys.version_info[:2]

# Kinds of scopes; those of functions say what the whole function is.
MODULE, CLASS = "module", "class"
PLAIN, GENERATOR, COROUTINE, ASYNC_GENERATOR = "function", "generator", "coroutine", "asynchronous generator"
ASYNCHRONOUS = (COROUTINE, ASYNC_GENERATOR)
YIELDING = (GENERATOR, ASYNC_GENERATOR)

VARIABLES = "abcde"
ITERATED = "ijk"
BOUND_IN_EXPRESSIONS = "vw"
FUNCTIONS = "fgh"
ATTRIBUTES = ("x", "y", "__z")
# 3.11 lets an asynchronous comprehension stand in a comprehension that is none.
ASYNC_IN_COMPREHENSIONS = PYTHON >= (3, 11)


class Place(NamedTuple):
    """What surrounds a statement or an expression; ``depth`` is how many levels may still stand in it."""

    depth: int
    scope: str = MODULE
    in_loop: bool = False
    may_return: bool = False
    may_walrus: bool = True
    may_yield: bool = False
    may_await: bool = False
    in_comprehension: bool = False
    in_class: bool = False
    has_super: bool = False
    bound_around: FrozenSet[str] = frozenset()
    declared: FrozenSet[str] = frozenset()

    def deeper(self, **changes: object) -> Place:
        """The same place one level further in."""
        return self._replace(depth=self.depth - 1, **changes)  # type: ignore[arg-type]

    def silent(self) -> Place:
        """The same place for an expression that neither binds nor waits: annotations, bounds, type parameters."""
        return self._replace(may_walrus=False, may_yield=False, may_await=False)


class Kind(NamedTuple):
    """One way to write something: how often it is chosen, from which Python on, and where."""

    weight: int
    since: Tuple[int, int]
    fits: Callable[[Place], bool]
    write: Callable[[Grower, Place], str]


def anywhere(_place: Place) -> bool:
    """For what may stand in every place."""
    return True


class Table:
    """Kinds of statements or expressions, added by :meth:`kind`."""

    def __init__(self) -> None:
        self.kinds: List[Kind] = []

    def kind(
        self, weight: int, fits: Callable[[Place], bool] = anywhere, since: Tuple[int, int] = (3, 8)
    ) -> Callable[[Callable[[Grower, Place], str]], Callable[[Grower, Place], str]]:
        """Add a function that writes one kind."""

        def added(write: Callable[[Grower, Place], str]) -> Callable[[Grower, Place], str]:
            if since <= PYTHON:
                self.kinds.append(Kind(weight, since, fits, write))
            return write

        return added

    def choose(self, grower: Grower, place: Place) -> str:
        """One of the kinds that fit."""
        fitting = [kind for kind in self.kinds if kind.fits(place)]
        chosen = grower.random.choices(fitting, [kind.weight for kind in fitting])[0]
        grower.used[chosen.write.__name__] = grower.used.get(chosen.write.__name__, 0) + 1
        return chosen.write(grower, place)


class Grower:
    """Random choices; ``used`` counts the kinds that were chosen."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.used: Dict[str, int] = {}

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def one(self, items: Sequence[Item]) -> Item:
        """One of ``items``."""
        return self.random.choice(items)

    def gap(self) -> str:
        """A space, or a line break: what shares a line is optimised in other ways."""
        return "\n" if self.chance(0.04) else " "

    def times(self, least: int, most: int) -> range:
        """As many numbers as are to be written, rather few."""
        return range(min(self.random.randint(least, most), self.random.randint(least, most)))


def indented(text: str) -> str:
    """Every line one level further in."""
    return "".join(f"    {line}\n" for line in text.splitlines())


def one_expression(text: str) -> str:
    """``text`` with its line breaks inside of parentheses."""
    return f"({text})" if "\n" in text else text
