"""Run micro-operations on symbols: the operand stack holds expressions, stores become statements.

    LOAD_FAST a; LOAD_FAST b; BINARY_OP +; STORE_FAST c        =>        c = a + b

One :class:`Machine` lifts one stretch of code.  Operations that only combine expressions are rows of
``expressions.py``; the rest are functions of a machine, one per operation, in the files beside this one by family.
"""

from __future__ import annotations

import ast
from typing import Callable, Dict, List, Optional, TypeVar, cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.lift.expressions import EXPRESSIONS, LOAD, is_none
from depyf.decompiler.lift.parallel import Evaluated, Parallel, dropped, name_dropped
from depyf.decompiler.lift.values import (
    Chain,
    Entered,
    Exit,
    Inplace,
    Marker,
    Part,
    Saved,
    Value,
)
from depyf.decompiler.refusals import NO_SOURCE_FORM, PENDING_OPERANDS, STACK_SHAPE, UNKNOWN_OPERATION, Refusal, Refused
from depyf.decompiler.versions import WALRUS_VALUES_ARE_FOLDED

Operation = Callable[["Machine", Node], None]
OPERATIONS: Dict[str, Operation] = {}
Binder = TypeVar("Binder", bound=Callable[..., None])
BINDERS: Dict[type, Callable[..., None]] = {}
# Until 3.8 a slice is no ast.expr.
EXPRESSION = (ast.expr, ast.Slice)


def operation(*ops: str) -> Callable[[Operation], Operation]:
    """Register the function that runs an operation on the machine."""

    def register(function: Operation) -> Operation:
        for op in ops:
            OPERATIONS[op] = function
        return function

    return register


def binds(kind: type) -> Callable[[Binder], Binder]:
    """Register the function that stores a marker of ``kind`` into a target."""

    def register(function: Binder) -> Binder:
        BINDERS[kind] = function
        return function

    return register


class Machine:
    """Symbolic operand stack and the statements made so far.

    ``copied`` holds the identities of values that COPY duplicated: dropping one of those is no statement; ``evaluated``
    tells in which order values came to be.
    ``ends_scope`` is set when a ``with`` was entered, or a loop, ``with`` or handler
    was left: a block has to end there.  ``tested_before`` is a condition that was tested before this stretch of code
    and led here either way; it becomes a part of the first expression that is evaluated.
    """

    def __init__(self, stack: List[Value], copied: Dict[int, Value], evaluated: Evaluated) -> None:
        self.stack = stack
        self.copied = copied
        self.evaluated = evaluated
        self.body: List[ast.stmt] = []
        self.ends_scope = False
        self.parallel: Optional[Parallel] = None
        self.node: Optional[Node] = None
        self.before = tuple(stack)
        self.tested_before: Optional[ast.expr] = None

    def run(self, node: Node) -> None:
        """Run one operation that has one successor."""
        self.node = node
        builder = EXPRESSIONS.get(node.op)
        if builder is not None:
            pops, _pushes = MICRO_OPS[node.op].effect(node.arg)
            self.push(builder(node.arg, *self.operands(pops)))
            return
        function = OPERATIONS.get(node.op)
        if function is None:
            raise self.refused(UNKNOWN_OPERATION, "has no source form here")
        function(self, node)

    # the stack

    def push(self, value: Value) -> None:
        """Push a value that has just been evaluated."""
        if self.tested_before is not None and isinstance(value, ast.expr) and not self._evaluated():
            value = ast.IfExp(
                ast.BoolOp(ast.And(), [self.tested_before, ast.Constant(False)]), ast.Constant(None), value
            )
            self.tested_before = None
        self.evaluated.note(value)
        self.stack.append(value)

    def _evaluated(self) -> bool:
        """Whether an expression was evaluated in this stretch of code and waits on the stack."""
        return any(isinstance(value, ast.expr) for value in self.stack[len(self.before) :])

    def pop(self) -> Value:
        """Pop a value of any kind."""
        if not self.stack:
            raise self.refused(STACK_SHAPE, "pops from an empty stack")
        return self.stack.pop()

    def operand(self) -> ast.expr:
        """Pop an expression."""
        value = self.pop()
        if not isinstance(value, EXPRESSION):
            raise self.refused(STACK_SHAPE, f"takes {type(value).__name__} as an operand")
        return value

    def operands(self, count: int) -> List[ast.expr]:
        """Pop expressions, deepest first."""
        if not count:
            return []
        if len(self.stack) < count:
            raise self.refused(STACK_SHAPE, "pops from an empty stack")
        values = [only_element(value) for value in self.stack[-count:]]
        del self.stack[-count:]
        for value in values:
            if not isinstance(value, EXPRESSION):
                raise self.refused(STACK_SHAPE, f"takes {type(value).__name__} as an operand")
        return cast(List[ast.expr], values)

    def peek(self, depth: int) -> Value:
        """The value ``depth`` slots down, 1 being the top."""
        if not 0 < depth <= len(self.stack):
            raise self.refused(STACK_SHAPE, "reads below the stack")
        return self.stack[-depth]

    def refused(self, refusal: Refusal, why: str) -> Refused:
        """A refusal that names the operation being run."""
        if self.node is None:
            return Refused(refusal, why)
        return Refused(refusal, f"{self.node.op} {why}", where=f"offset {self.node.offset}")

    def enter(self, exit_: Exit) -> None:
        """Push what ``__enter__`` returned: from here on control is inside of the ``with``."""
        self.push(Entered(exit_))
        self.ends_scope = True

    # statements

    def emit(self, statement: ast.stmt) -> None:
        """Add a statement; operands that were evaluated before it must not be pending."""
        if self.pending():
            raise self.refused(PENDING_OPERANDS, f"is a statement ({type(statement).__name__}) under pending operands")
        self.body.append(statement)

    def pending(self) -> bool:
        """Whether an expression waits on the stack above the innermost construct."""
        top = next((value for value in reversed(self.stack) if not isinstance(value, Saved)), None)
        # Until 3.8 a None waits below a `try` whose `finally` may drop a return value.
        return isinstance(top, ast.expr) and not (is_none(top) and self.inherited(top))

    def inherited(self, value: Value) -> bool:
        """Whether a value was on the stack before this stretch of code."""
        return any(held is value for held in self.before)

    def store(self, target: ast.expr) -> None:
        """Store the top of the stack into ``target``."""
        self.complete(target, self.pop())

    def complete(self, target: ast.expr, value: Value) -> None:
        """Bind ``value``, just popped, to ``target``: whatever statement that turns out to be."""
        if self.stack and self.stack[-1] is value and isinstance(value, ast.expr):
            self.stack[-1] = self._chained(value, target)
        elif isinstance(value, Marker):
            self._bind_marker(target, value)
        elif self.pending():
            self.store_in_parallel(target, value)
        elif self.parallel is not None:
            self.store_in_parallel(target, value)
            self._assign_in_parallel()
        else:
            self.emit(assignment(target, value))

    def _chained(self, value: ast.expr, target: ast.expr) -> Chain:
        """``value``, bound to one more target; it was evaluated when it was pushed."""
        # A new one each time: COPY may have duplicated the value as it was before.
        chain = Chain(value.value, [*value.targets, target]) if isinstance(value, Chain) else Chain(value, [target])
        self.evaluated.replace(value, chain)
        return chain

    def store_in_parallel(self, target: ast.expr, value: ast.expr) -> None:
        """Bind one of several values that are assigned at once."""
        parallel = self.parallel or self.evaluated.parallel([*self.stack, value])
        self.parallel = parallel.stored(target, value)

    def _assign_in_parallel(self) -> None:
        statement = self.parallel.statement() if self.parallel is not None else None
        if statement is None:
            raise self.refused(PENDING_OPERANDS, "stores a value in parallel that was not evaluated before")
        self.parallel = None
        self.emit(statement)

    def drop_in_parallel(self, value: ast.expr) -> None:
        """Bind one of several values to a target that the next store overwrites."""
        self.store_in_parallel(dropped(), value)
        if not self.pending():
            self._assign_in_parallel()

    def _bind_marker(self, target: ast.expr, value: Marker) -> None:
        binder = BINDERS.get(type(value))
        if binder is None:
            raise self.refused(STACK_SHAPE, f"stores {type(value).__name__}")
        binder(self, target, value)


def assignment(target: ast.expr, value: ast.expr) -> ast.stmt:
    """``target = value``, in the form that the value asks for."""
    if isinstance(value, Chain):
        if not WALRUS_VALUES_ARE_FOLDED and isinstance(value.targets[0], ast.Name) and _would_be_folded(value.value):
            # a = (b := -1) has not been computed ahead, a = b = -1 is.
            return ast.Assign([*value.targets[1:], target], Chain(value.value, value.targets[:1]), lineno=0)
        name_dropped([*value.targets, target])
        return ast.Assign([*value.targets, target], value.value, lineno=0)
    if isinstance(value, Inplace):
        if isinstance(target, ast.Name) and not (isinstance(value.left, ast.Name) and value.left.id == target.id):
            raise Refused(NO_SOURCE_FORM, f"what an operation in place gave is stored under another name, {target.id}")
        return ast.AugAssign(cast(ast.Name, target), value.op, value.right)
    return ast.Assign([target], value, lineno=0)


def _would_be_folded(value: ast.expr) -> bool:
    """Whether a part of an expression is what the compiler computes ahead in most places (Python/ast_opt.c)."""
    return any(_is_foldable(part) for part in ast.walk(value) if not is_constant(cast(ast.expr, part)))


def _is_foldable(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        inner = node.operand
        return is_constant(inner) or (isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare))
    if isinstance(node, ast.BinOp):
        return is_constant(node.left) and is_constant(node.right)
    if isinstance(node, ast.Subscript):
        return is_constant(node.value)
    return isinstance(node, ast.Compare) and isinstance(node.comparators[-1], (ast.List, ast.Set))


def only_element(value: Value) -> Value:
    """``*value`` where an unpacked single value is used as an operand: how annotations and defaults of ``*args`` are
    starred (PEP 646).
    """
    if (
        isinstance(value, Part)
        and len(value.owner.elements) == 1
        and value.owner.star is None
        and isinstance(value.owner.source, ast.expr)
    ):
        return ast.Starred(value.owner.source, LOAD)
    return value


def is_constant(node: ast.expr) -> bool:
    """Whether an expression came from one LOAD_CONST."""
    return getattr(node, "from_constant", False)
