"""What an operand-stack slot may hold besides an expression.

Expressions are stdlib ``ast`` nodes.  Everything here is a value that has no source form of its own: it marks a place
in the program (the iterator of a
running ``for``), or is a piece of a construct that later instructions complete (the half-unpacked tuple, the function
without its name).
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, List, Optional, Tuple, Union

from depyf.decompiler.disassemble.graph import Position


class Marker:
    """Base of everything on the stack that is no expression."""

    __slots__ = ()


class Null(Marker):
    """The NULL that pads a call."""


NULL = Null()


class Iter(Marker):
    """The iterator of a ``for`` that has been started; what lies above it is inside the loop."""

    __slots__ = ("is_async", "iterable")

    def __init__(self, iterable: ast.expr, is_async: bool = False) -> None:
        self.iterable = iterable
        self.is_async = is_async


class Item(Marker):
    """What FOR_ITER, or an awaited ``__anext__``, delivers: stored into the loop target."""

    __slots__ = ("loop",)

    def __init__(self, loop: Iter) -> None:
        self.loop = loop


class Next(Marker):
    """The awaitable of ``__anext__``."""

    __slots__ = ("loop",)

    def __init__(self, loop: Iter) -> None:
        self.loop = loop


class Exit(Marker):
    """The bound ``__exit__`` of a ``with`` item; what lies above it is inside the ``with``."""

    __slots__ = ("context", "is_async", "target")

    def __init__(self, context: ast.expr, is_async: bool = False) -> None:
        self.context = context
        self.is_async = is_async
        self.target: Optional[ast.expr] = None


class Entered(Marker):
    """What ``__enter__`` returned: stored into the ``as`` target, or dropped."""

    __slots__ = ("exit",)

    def __init__(self, exit_: Exit) -> None:
        self.exit = exit_


class ExitCall(Marker):
    """The result of ``__exit__(None, None, None)``: the ``with`` is left when it is dropped."""

    __slots__ = ("exit",)

    def __init__(self, exit_: Exit) -> None:
        self.exit = exit_


class Previous(Marker):
    """The exception state saved while handler ``handler`` runs; POP_EXCEPT consumes it."""

    __slots__ = ("handler",)

    def __init__(self, handler: int) -> None:
        self.handler = handler


class Raised(Marker):
    """One slot of the exception that a handler was entered with (``value`` is the exception itself)."""

    __slots__ = ("handler", "part")

    def __init__(self, handler: int, part: str) -> None:
        self.handler = handler
        self.part = part


class Lasti(Marker):
    """The offset of the raising instruction."""


class ExceptionTest(Marker):
    """Whether the exception matches ``kind``: the condition of an ``except`` clause."""

    __slots__ = ("group", "kind")

    def __init__(self, kind: ast.expr, group: bool = False) -> None:
        self.kind = kind
        self.group = group


class Subject(Marker):
    """The subject of a ``match``, which waits on the stack while its cases are tested."""

    __slots__ = ("value",)

    def __init__(self, value: ast.expr) -> None:
        self.value = value


class PatternTest(Marker):
    """Whether ``subject`` matches a pattern: the condition of a ``case``.  ``position`` is where the source has the
    pattern.
    """

    __slots__ = ("pattern", "position", "subject")

    def __init__(self, pattern: Any, subject: Value, position: Position) -> None:
        self.pattern = pattern
        self.subject = subject
        self.position = position


class Phi(ast.expr):
    """A slot that differs between the ways into a block; reduction binds it to one expression.

    It is an expression so that it can be an operand; :func:`resolve` replaces it.
    """

    _fields = ()

    def __init__(self, block: int) -> None:
        super().__init__()
        self.block = block
        self.value: Optional[ast.expr] = None


class Chain(ast.expr):
    """A value that has been stored and stays on the stack: ``a = b = value`` so far, or a walrus."""

    _fields = ()

    def __init__(self, value: Any, targets: List[ast.expr]) -> None:
        super().__init__()
        self.value = value
        self.targets = targets


class Inplace(ast.expr):
    """``left op= right`` before it is stored."""

    _fields = ()

    def __init__(self, left: ast.expr, op: ast.operator, right: ast.expr) -> None:
        super().__init__()
        self.left = left
        self.op = op
        self.right = right


class Unpack(Marker):
    """An UNPACK in progress: ``elements`` fills as its parts are stored."""

    __slots__ = ("elements", "missing", "source", "star")

    def __init__(self, source: object, count: int, star: Optional[int]) -> None:
        self.source = source
        self.elements: List[Optional[ast.expr]] = [None] * count
        self.missing = count
        self.star = star

    def bind(self, index: int, target: ast.expr) -> None:
        """Store one of the values into ``target``."""
        self.elements[index] = ast.Starred(target, ast.Store()) if index == self.star else target


class Part(Marker):
    """One value of an UNPACK."""

    __slots__ = ("index", "owner")

    def __init__(self, owner: Unpack, index: int) -> None:
        self.owner = owner
        self.index = index


class Import(Marker):
    """A module that was imported and not yet bound."""

    __slots__ = ("aliases", "fromlist", "level", "name")

    def __init__(self, name: str, level: int, fromlist: Optional[Tuple[str, ...]]) -> None:
        self.name = name
        self.level = level
        self.fromlist = fromlist
        self.aliases: List[ast.alias] = []


class ImportedName(Marker):
    """What IMPORT_FROM took out of ``owner``."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Import, name: str) -> None:
        self.owner = owner
        self.name = name


class CodeValue(Marker):
    """A nested code object, loaded as a constant."""

    __slots__ = ("code",)

    def __init__(self, code: CodeType) -> None:
        self.code = code


class Function(ast.expr):
    """What MAKE_FUNCTION made: a ``def`` once it is stored under its name, a lambda or comprehension where it is
    used.
    """

    _fields = ()

    def __init__(self, code: CodeType) -> None:
        super().__init__()
        self.code = code
        self.defaults: Optional[ast.expr] = None
        self.kwdefaults: Optional[ast.expr] = None
        self.annotations: Any = None
        self.annotate: Optional[Function] = None
        self.closure: Tuple[str, ...] = ()
        self.type_params: Any = None


class Cell(Marker):
    """A cell, on its way into a closure tuple."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Cells(Marker):
    """A tuple of cells."""

    __slots__ = ("names",)

    def __init__(self, names: Tuple[str, ...]) -> None:
        self.names = names


class BuildClass(Marker):
    """``__build_class__``."""


class Class(ast.expr):
    """The result of calling ``__build_class__``: a ``class`` once it is stored."""

    _fields = ()

    def __init__(self, body: Function, name: str, bases: List[ast.expr], keywords: List[ast.keyword]) -> None:
        super().__init__()
        self.body = body
        self.name = name
        self.bases = bases
        self.keywords = keywords


class Awaitable(Marker):
    """What GET_AWAITABLE made of a value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Delegate(Marker):
    """What GET_YIELD_FROM_ITER made of a value."""

    __slots__ = ("value",)

    def __init__(self, value: ast.expr) -> None:
        self.value = value


class Saved(Marker):
    """A local parked by LOAD_FAST_AND_CLEAR while an inlined comprehension uses its name (PEP 709)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Comprehension(ast.expr):
    """A comprehension that was inlined; ``loop`` is its :class:`~depyf.decompiler.lift.inlined.Inlined`."""

    _fields = ()

    def __init__(self, loop: Any, iterator: Iter) -> None:
        super().__init__()
        self.loop = loop
        self.iterator = iterator


class Done(Marker):
    """The result of an operation that is a statement (IMPORT_STAR, PRINT since 3.12): dropped next."""


DONE = Done()

Value = Union[ast.expr, Marker]


class Entry(ast.stmt):
    """A pair stored into a dictionary display that is still being made: an annotation (PEP 649)."""

    _fields = ("key", "value")

    def __init__(self, key: ast.expr, value: ast.expr) -> None:
        super().__init__()
        self.key = key
        self.value = value


def shared_slots(one: List[Value], other: List[Value]) -> int:
    """At least how many of the lowest slots hold the same objects: looked for from the top, where stacks differ."""
    # Values compare by identity, so that lists of them are compared without a call for each.
    count, step = min(len(one), len(other)), 1
    while count and one[:count] != other[:count]:
        count, step = max(count - step, 0), 2 * step
    return count


class Append(ast.stmt):
    """An element delivered to the comprehension that is being built."""

    _fields = ("element", "key")

    def __init__(self, element: ast.expr, key: Optional[ast.expr] = None) -> None:
        super().__init__()
        self.element = element
        self.key = key
