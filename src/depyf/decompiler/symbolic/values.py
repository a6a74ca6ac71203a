"""What a stack slot or a local can hold while code is run on names instead of objects.

    Const(1)            a constant of the code object
    Symbol              some object, the same one wherever the symbol occurs
    Ref                 a list, tuple, slice, dict, set or function built here and never handed out
    Cell("x")           the cell of variable x, not what it holds
    Installed("f")      the global f, under A-INSTALLED
    Output(s, 2)        item 2 of what a graph returned, under A-OUTPUT
    Identity(a, b)      whether a is b
    Negation(b)         the other truth value
    NULL, Half(s, 0)    call padding; LOAD_METHOD's two slots, which only have a meaning together

Two values are equal only when every run gives the two places the same object.
"""

from __future__ import annotations

from typing import Optional, Tuple, Union

from depyf.decompiler.disassemble.constants import Const


class Symbol:
    """An unknown object, equal to itself only.

    ``kind`` is the exact builtin type where it is known (``"list"``, ``"dict"``, ``"set"``, ``"tuple"``, ``"bool"``);
    ``origin`` says where the object comes from, for whoever made the symbol.
    """

    __slots__ = ("kind", "origin")

    def __init__(self, origin: object = None, kind: Optional[str] = None) -> None:
        self.origin = origin
        self.kind = kind

    def __repr__(self) -> str:
        return f"<{self.origin}>"


class MaybeUnbound(Symbol):
    """A local that some paths bind and others do not."""

    __slots__ = ()


class Ref:
    """A container or function that nobody else holds; equal to itself only, its contents are in the state's heap."""

    __slots__ = ()


class Marker:
    """A slot that holds no object."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


NULL = Marker("NULL")
LASTI = Marker("LASTI")
UNBOUND = Marker("UNBOUND")


class Term:
    """A value made of other values: equal when its class and its parts are."""

    __slots__ = ("_hash", "parts")

    def __init__(self, *parts: object) -> None:
        self.parts = parts
        self._hash = hash((type(self), parts))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.parts == other.parts)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.parts}"


class Cell(Term):
    """The cell of a variable: ``Cell(name)``."""

    __slots__ = ()


class Installed(Term):
    """A global that Dynamo installed: ``Installed(name)``."""

    __slots__ = ()


class Output(Term):
    """An item of what a graph returned: ``Output(returned, index)``."""

    __slots__ = ()


class Identity(Term):
    """Whether two values are one object: ``Identity(left, right)``."""

    __slots__ = ()


class Negation(Term):
    """The negation of a value that is a bool: ``Negation(value)``."""

    __slots__ = ()


class Half(Term):
    """One of the two slots of a method load: ``Half(symbol, slot)``."""

    __slots__ = ()


class Previous(Term):
    """The exception state that POP_EXCEPT restores: ``Previous(handled)``."""

    __slots__ = ()


class Inserting(Term):
    """The dict below is being filled with pairs that lie below it: ``Inserting(pairs left)``."""

    __slots__ = ()


class Raised(Term):
    """Type or traceback of an exception, on Pythons that keep three slots for one: ``Raised(exception, part)``."""

    __slots__ = ()


Value = Union[Const, Symbol, Ref, Term, Marker]

NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
SINGLETONS = (type(None), bool, type(Ellipsis))
HASHABLE_LITERALS = (str, int, bytes, bool, type(None))


def truth(value: Value) -> Optional[bool]:
    """The truth value of a constant whose test runs no code, else None."""
    if isinstance(value, Const) and type(value.value) in (bool, type(None), int, str, bytes):
        return bool(value.value)
    return None


def is_literal_key(value: object) -> bool:
    """Whether hashing and comparing ``value`` runs no code of a program."""
    return isinstance(value, Const) and type(value.value) in HASHABLE_LITERALS


def is_object(value: Value) -> bool:
    """Whether ``value`` can be handed to an operation: not padding, half a method or a local that may be unbound."""
    return not isinstance(value, (Marker, MaybeUnbound, Half, Inserting, Previous, Raised))


def negation(value: Value) -> Optional[Value]:
    """``not value`` where it needs no operation: constants and values known to be a bool."""
    known = truth(value)
    if known is not None:
        return FALSE if known else TRUE
    if isinstance(value, Negation):
        return value.parts[0]  # type: ignore[return-value]
    if isinstance(value, Identity) or (isinstance(value, Symbol) and value.kind == "bool"):
        return Negation(value)
    return None


Values = Tuple[Value, ...]
