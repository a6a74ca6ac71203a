"""Run a program, and what its functions do, on objects that write down everything that is done with them.

    a + f(b).x        =>        ["f(b)", "p0.x", "a + p1"]

What a program does with unknown objects is all that its bytecode decides, so equal programs write down the same; the
verifier has no part in it.  Whether such an object is true is told by how much was written down before.
"""

from __future__ import annotations

import builtins
import operator
import re
import signal
import types
from typing import Any, Callable, Dict, Iterator, List, Tuple

MOST_NOTES = 1500
SECONDS = 2.0
NAMES = "abcdefghijkvwm"
# Computing with these may take more time or memory than there is, in one operation that nothing interrupts.
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_HUGE = ("10**30", "1 << 70")
_BINARY = ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"]
_COMPARED = ["eq", "ne", "lt", "le", "gt", "ge", "contains"]
_OTHERS = ["call", "getitem", "setitem", "delitem", "getattr", "setattr", "delattr", "enter", "exit"]
_OTHERS += ["neg", "pos", "invert", "get"]


def may_run(text: str) -> bool:
    """Whether nothing in a program is known to take for ever."""
    return not (re.search(r"\s\*\*\s", text) and any(huge in text for huge in _HUGE))


class Enough(BaseException):
    """The program did enough, or took too long."""


class Noted:
    """An object that writes down what is done with it."""

    def __init__(self, name: str, notes: List[str]) -> None:
        self.__dict__.update(_name=name, _notes=notes)

    def __repr__(self) -> str:
        return str(self.__dict__["_name"])

    def __hash__(self) -> int:
        return len(repr(self))

    def __bool__(self) -> bool:
        return len(_note(self, "bool")) % 3 != 0

    def __iter__(self) -> Iterator[Noted]:
        _note(self, "iter")
        return iter([Noted(f"{self!r}[{place}]", self.__dict__["_notes"]) for place in range(2)])

    def __await__(self) -> Iterator[None]:
        _note(self, "await")
        yield None

    def __aiter__(self) -> Noted:
        return self

    async def __anext__(self) -> Noted:
        if len(_note(self, "anext")) % 3 == 0:
            raise StopAsyncIteration
        return self

    async def __aenter__(self) -> Noted:
        return self

    async def __aexit__(self, *error: object) -> bool:
        return len(_note(self, "aexit", *error)) % 2 == 0

    def __format__(self, spec: str) -> str:
        return f"{self!r}{spec}"


def _note(self: Noted, what: str, *operands: object) -> List[str]:
    notes: List[str] = self.__dict__["_notes"]
    said = f"{self!r} {what} {', '.join(_shown(operand) for operand in operands)}"
    notes.append(_ADDRESS.sub("", said))
    if len(notes) > MOST_NOTES:
        raise Enough
    return notes


def _shown(value: object) -> str:
    kinds = (Noted, int, float, complex, str, bytes, type(None), type(...))
    return repr(value) if isinstance(value, kinds) else type(value).__name__


def _method(name: str) -> Callable[..., object]:
    def method(self: Noted, *operands: object, **named: object) -> object:
        notes = _note(self, name, *operands, *named.items())
        if name == "call" and len(operands) == 1 and isinstance(operands[0], types.FunctionType):
            return operands[0]  # as a decorator
        if name in _COMPARED or name == "exit":
            return len(notes) % 2 == 0
        return Noted(f"p{len(notes)}", notes)

    return method


for _name in (*_BINARY, *(f"r{name}" for name in _BINARY), *(f"i{name}" for name in _BINARY), *_COMPARED, *_OTHERS):
    setattr(Noted, f"__{_name}__", _method(_name))


def notes_of(module: types.CodeType) -> Tuple[List[str], bool]:
    """What running ``module`` and its functions writes down, and whether it came to an end."""
    notes: List[str] = []
    space: Dict[str, Any] = {name: Noted(name, notes) for name in NAMES}
    builtin = {**vars(builtins), "__import__": lambda name, *_others: Noted(f"import {name}", notes)}
    space.update(
        __builtins__=builtin,
        __name__="program",
        B=type("B", (), {}),
        C=type("C", (), {}),
        E=ValueError,
        F=KeyError,
        K=type,
        M=type,
    )
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        _tried(notes, lambda: exec(module, space))
        for name, value in list(space.items()):
            if isinstance(value, types.FunctionType):
                notes.append(f"calling {name}")
                _tried(notes, lambda: _driven(notes, value))  # noqa: B023
    except Enough:
        return notes, False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return notes, True


def difference(module: types.CodeType, text: str) -> str:
    """The first thing that the program ``text`` does otherwise than ``module``; empty if there is none."""
    expected, ended = notes_of(module)
    found, also_ended = notes_of(compile(text, module.co_filename, "exec", dont_inherit=True))
    if ended and also_ended and len(expected) != len(found):
        return f"{len(expected)} notes expected, found {len(found)}"
    pairs = zip(expected, found)
    return next((f"expected {one!r}, found {other!r}" for one, other in pairs if one != other), "")


def _out_of_time(_signal: int, _frame: object) -> None:
    raise Enough


def _tried(notes: List[str], work: Callable[[], object]) -> None:
    try:
        notes.append(f"gives {_shown(work())}")
    except Exception as error:
        notes.append(f"raises {type(error).__name__} {error.args and _shown(error.args[0])}")


def _driven(notes: List[str], function: types.FunctionType) -> object:
    """Call a function, and let what it returns run on if it is a generator or a coroutine."""
    code = function.__code__
    arguments = [Noted(name, notes) for name in code.co_varnames[: code.co_argcount]]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    made: Any = function(*arguments, **{name: Noted(name, notes) for name in named})
    if hasattr(made, "asend"):
        made = made.asend(None)
    if isinstance(made, (types.GeneratorType, types.CoroutineType)) or hasattr(made, "throw"):
        for _step in range(9):
            notes.append(f"yields {_shown(made.send(None))}")
        operator.methodcaller("close")(made)
    return made
