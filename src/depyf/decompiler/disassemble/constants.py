"""Constants compared as a program could tell them apart."""

from __future__ import annotations

import math
from types import CodeType
from typing import Tuple


class Const:
    """A constant of a code object: equal to another only when no program can tell them apart.

    ``1``, ``1.0`` and ``True`` differ, ``0.0`` and ``-0.0`` differ, every NaN equals itself, containers are compared
    item by
    item in the same way.  Objects that are no literals (code objects, what Dynamo puts into ``co_consts``) are
    compared by identity.
    """

    __slots__ = ("key", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.key = constant_key(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Const({self.value!r})"


_PLAIN = (type(None), bool, int, str, bytes, type(Ellipsis))


def constant_key(value: object) -> Tuple[object, ...]:
    """A hashable key that is equal for indistinguishable constants, and keeps ``value`` alive when identity matters."""
    kind = type(value)
    if kind in _PLAIN:
        return (kind, value)
    if kind is float:
        return (kind, _float_key(value))  # type: ignore[arg-type]
    if kind is complex:
        return (kind, _float_key(value.real), _float_key(value.imag))  # type: ignore[attr-defined]
    if kind is tuple:
        return (kind, tuple(constant_key(item) for item in value))  # type: ignore[attr-defined]
    if kind is frozenset:
        return (kind, frozenset(constant_key(item) for item in value))  # type: ignore[attr-defined]
    if kind is slice:
        return (kind, constant_key((value.start, value.stop, value.step)))  # type: ignore[attr-defined]
    return (kind, _Identity(value))


def _float_key(value: float) -> Tuple[object, ...]:
    return ("nan", math.copysign(1.0, value)) if math.isnan(value) else (value, math.copysign(1.0, value))


class _Identity:
    """Equality by identity that owns its object, so that an id cannot be reused while keys are compared."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def is_code(value: object) -> bool:
    """Whether a constant is a nested code object."""
    return isinstance(value, CodeType)
