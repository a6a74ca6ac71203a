"""Printed blocks to nested statements.

    b0: if t: b1 else b2          if t:
    b1: x = 1; goto b3                x = 1
    b2: x = 2; goto b3      =>    else:
    b3: return x                      x = 2
                                  return x

Dominators say what is inside of what (Ramsey, Beyond Relooper, ICFP 2022): a block where paths meet is printed after
the statement of the block that dominates it.  Every ``try`` gets a head in front, from which one edge leads to its
body and one to its handler.  A block that several places need and that none can fall through to is printed again,
within a budget: the verifier compares copies as well as the one original.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from depyf.decompiler.lift.dataflow.names import Names
from depyf.decompiler.lift.dataflow.printing import BRANCH, EXIT, FOR, GOTO, UNWIND, WITH, Printed
from depyf.decompiler.lift.dataflow.statements import ExceptionTest
from depyf.decompiler.lift.expressions import LOAD, STORE
from depyf.decompiler.refusals import CONTROL_FLOW, Refused
from depyf.decompiler.structure.dominators import immediate_dominators, reverse_postorder

# How many blocks may be printed, as a multiple of those there are.
_COPIES = 4


class _Context(NamedTuple):
    """What surrounds a place: the block that it falls through to, its loop and its handlers, outermost first."""

    follow: Optional[int]
    header: Optional[int]
    leave: Optional[int]
    handlers: Tuple[int, ...]


class Structure:
    """Nests the blocks of one function."""

    def __init__(self, entry: int, blocks: Dict[int, Printed], names: Names) -> None:
        self.blocks = blocks
        self.names = names
        self.completed: Dict[int, str] = {}
        self.heads: Dict[int, Tuple[int, int]] = {}
        self.next: Dict[int, List[int]] = {
            number: [self._past(target) if block.kind in (EXIT, UNWIND) else target for _, target in block.next]
            for number, block in blocks.items()
        }
        self.handlers = self._handlers(entry)
        self.entry = self._with_heads(entry)
        self._place_exits()
        self.swallows: Dict[int, int] = {}
        self._place_with_exits()
        self.order = reverse_postorder(self.entry, self._targets)
        self.place = place = {number: index for index, number in enumerate(self.order)}
        self.dominator = immediate_dominators(self.order, self._targets)
        self.children: Dict[int, List[int]] = {}
        self.ways_in: Dict[int, int] = {}
        self.headers: Set[int] = set()
        for number in self.order:
            for target in self._targets(number):
                if place[target] <= place[number]:
                    self._require_loop(number, target)
                else:
                    self.ways_in[target] = self.ways_in.get(target, 0) + 1
        for number in self.order:
            if number != self.entry and self.ways_in.get(number, 0) > 1 and not self._only_raises(number):
                self.children.setdefault(self.dominator[number], []).append(number)
        for number, swallow in self.swallows.items():
            # The body falls through to what follows its normal end.
            self.children.get(number, []).sort(key=lambda join, last=swallow: (join == last, self.place[join]))  # type: ignore[misc]
        self.bodies = {header: self._loop_body(header) for header in self.headers}
        self.budget = _COPIES * len(blocks) + 16

    def statements(self) -> List[ast.stmt]:
        """The statements of the whole function."""
        return self._tree(self.entry, _Context(None, None, None, ()))

    # Preparation.

    def _targets(self, number: int) -> List[int]:
        return self.next[number]

    def _past(self, number: int) -> int:
        """Behind blocks that do nothing: both ways out of a ``with`` lead to one place where they go on alike."""
        block, seen = self.blocks[number], {number}
        while block.kind == GOTO and not block.body and not block.next[0][0] and block.next[0][1] not in seen:
            number = block.next[0][1]
            seen.add(number)
            block = self.blocks[number]
        return number

    def _chain(self, number: int) -> Tuple[int, ...]:
        """Handlers around a block, outermost first."""
        chain: List[int] = []
        seen: Set[int] = set()
        handler = self.handlers[number]
        while handler is not None and handler not in seen:
            seen.add(handler)
            if self.blocks[handler].kind != UNWIND:
                chain.append(handler)
            handler = self.handlers[handler]
        return tuple(reversed(chain))

    def _handlers(self, entry: int) -> Dict[int, Optional[int]]:
        """The handler of each block; blocks that cannot raise take the one that is around all ways into them."""
        found = {number: block.handler for number, block in self.blocks.items()}
        before: Dict[int, Set[int]] = {number: set() for number in self.blocks}
        for number, block in self.blocks.items():
            for _, target in block.next:
                before[target].add(number)
        for number in reverse_postorder(entry, self._with_handler):
            around = {found[earlier] for earlier in before[number]}
            if self.blocks[number].quiet and len(around) == 1:
                found[number] = around.pop()
        return found

    def _with_handler(self, number: int) -> List[int]:
        handler = self.blocks[number].handler
        return self.next[number] if handler is None else [*self.next[number], handler]

    def _place_exits(self) -> None:
        """From each head also goes an edge to what its body or clause leaves to, which is printed behind them."""
        for head, (entry, handler) in list(self.heads.items()):
            depth = self.blocks[handler].handled
            leaving = self._leaving(entry, partial(self._in_body, handler))
            leaving += self._leaving(handler, partial(self._in_clause, depth))
            self.next[head] += [target for target in dict.fromkeys(leaving) if target not in self.next[head]]

    def _in_body(self, handler: int, number: int) -> bool:
        """Whether a block is inside of the body that a handler guards."""
        return handler in self._chain(number)

    def _in_clause(self, depth: int, number: int) -> bool:
        """Whether a block still handles what a clause handles, or only leaves the frame from there."""
        block = self.blocks[number]
        return block.handled > depth or (block.quiet and not block.next)

    def _leaving(self, start: int, inside: Callable[[int], bool]) -> List[int]:
        """Where edges lead from the blocks around ``start`` for which ``inside`` holds to others."""
        seen: Set[int] = set()
        pending, found = [start], []
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            seen.add(number)
            for target in self.next[number]:
                at = target
                while at in self.heads:
                    at = self.heads[at][0]
                if inside(at):
                    pending.append(target)
                else:
                    found.append(target)
        return found

    def _place_with_exits(self) -> None:
        """From each ``with`` go edges to what its normal exits lead to, then to where it goes on after a swallowed
        exception.
        """
        entering = {block.entered: block.number for block in self.blocks.values() if block.kind == WITH}
        for block in self.blocks.values():
            start = entering.get(block.entered)
            if block.kind == EXIT and start is not None:
                self._add(start, self.next[block.number][0])
        for block in self.blocks.values():
            start = entering.get(block.entered)
            if block.kind == UNWIND and start is not None:
                self.swallows[start] = self.next[block.number][0]
                self._add(start, self.next[block.number][0])

    def _add(self, number: int, target: int) -> None:
        if target not in self.next[number]:
            self.next[number].append(target)

    def _with_heads(self, entry: int) -> int:
        """Put heads on the edges into each ``try``; returns the block to start with."""
        made: Dict[Tuple[int, int], int] = {}
        first = max(self.blocks) + 1

        def through_heads(target: int, around: Tuple[int, ...]) -> int:
            chain = self._chain(target)
            shared = 0
            while shared < min(len(chain), len(around)) and chain[shared] == around[shared]:
                shared += 1
            for handler in reversed(chain[shared:]):
                key = (target, handler)
                if key not in made:
                    made[key] = first + len(made)
                    self.next[made[key]] = [target, handler]
                    self.heads[made[key]] = (target, handler)
                target = made[key]
            return target

        for number in list(self.blocks):
            around = self._chain(number)
            self.next[number] = [through_heads(target, around) for target in self.next[number]]
        return through_heads(entry, ())

    def _only_raises(self, number: int) -> bool:
        """Whether a block is one ``raise``: it is printed wherever it is needed, as in an ``assert``."""
        block = self.blocks.get(number)
        return block is not None and not block.next and len(block.body) == 1 and isinstance(block.body[0], ast.Raise)

    def _require_loop(self, latch: int, header: int) -> None:
        at = latch
        while at != header:
            if at == self.entry:
                raise Refused(CONTROL_FLOW, "a loop is entered in two places")
            at = self.dominator[at]
        self.headers.add(header)

    def _loop_body(self, header: int) -> Set[int]:
        place = self.place
        before: Dict[int, List[int]] = {}
        for number in self.order:
            for target in self._targets(number):
                before.setdefault(target, []).append(number)
        body = {header}
        pending = [number for number in before[header] if place[number] >= place[header]]
        while pending:
            number = pending.pop()
            if number not in body:
                body.add(number)
                pending += before.get(number, [])
        return body

    # Printing.

    def _tree(self, number: int, context: _Context) -> List[ast.stmt]:
        """The statement of a block, then the blocks that it dominates and where paths meet."""
        self.budget -= 1
        if self.budget < 0:
            raise Refused(CONTROL_FLOW, "too many copies of blocks")
        if number in self.headers:
            return self._loop(number, context)
        return self._node_and_joins(number, context, self.children.get(number, []))

    def _node_and_joins(self, number: int, context: _Context, joins: List[int]) -> List[ast.stmt]:
        follows = [*joins, context.follow]
        statements = self._node(number, context._replace(follow=follows[0]))
        for index, join in enumerate(joins):
            statements += self._tree(join, context._replace(follow=follows[index + 1]))
        return statements

    def _node(self, number: int, context: _Context) -> List[ast.stmt]:
        if number in self.heads:
            return self._try(number, context)
        block = self.blocks[number]
        statements = list(block.body)
        if block.kind == GOTO:
            (moves, _), target = block.next[0], self.next[number][0]
            return [*statements, *moves, *self._go(target, context)]
        if block.kind == WITH:
            return [*statements, *self._with(number, block, context)]
        if block.kind == EXIT:
            return self._exit(number, block, context)
        if block.kind == BRANCH:
            return [*statements, *self._branch(number, block, context)]
        if block.kind == FOR:
            raise Refused(CONTROL_FLOW, "a loop over an iterator runs once")
        return statements

    def _with(self, number: int, block: Printed, context: _Context) -> List[ast.stmt]:
        """A ``with``; where a swallowed exception goes on elsewhere than the body does, a variable tells which it
        was.
        """
        assert block.test is not None and block.entered is not None
        swallow = self.swallows.get(number)
        if swallow is not None and swallow != context.follow:
            self.completed[block.entered] = self.names.unused("completed")
        target = None if block.target is None else ast.Name(block.target, STORE)
        body = self._go(self.next[number][0], context) or [ast.Pass()]
        made = ast.With(items=[ast.withitem(block.test, target)], body=body, type_comment=None)
        flag = self.completed.pop(block.entered, None)
        if flag is None or swallow is None:
            return [made]
        if leaves(body):
            return [made, *self._go(swallow, context)]
        start = ast.Assign([ast.Name(flag, STORE)], ast.Constant(False))
        return [start, made, *conditional(opposite(ast.Name(flag, LOAD)), self._go(swallow, context), [])]

    def _exit(self, number: int, block: Printed, context: _Context) -> List[ast.stmt]:
        """The end of the body of a ``with``."""
        assert block.entered is not None
        rest = [*block.body, *block.next[0][0], *self._go(self.next[number][0], context)]
        flag = self.completed.get(block.entered)
        if flag is not None and not (rest and leaves(rest)):
            return [ast.Assign([ast.Name(flag, STORE)], ast.Constant(True)), *rest]
        return rest

    def _branch(self, number: int, block: Printed, context: _Context) -> List[ast.stmt]:
        assert block.test is not None
        if isinstance(block.test, ExceptionTest):
            raise Refused(CONTROL_FLOW, "an exception is matched outside of a handler")
        (true_moves, _), (false_moves, _) = block.next
        if_true, if_false = self.next[number]
        body = [*true_moves, *self._go(if_true, context)]
        orelse = [*false_moves, *self._go(if_false, context)]
        return conditional(block.test, body, orelse)

    def _go(self, target: int, context: _Context) -> List[ast.stmt]:
        """How to get to ``target`` from the end of a block."""
        if target == context.follow:
            return []
        if target == context.header:
            return [ast.Continue()]
        if target == context.leave:
            return [ast.Break()]
        return self._tree(target, context)

    def _try(self, number: int, context: _Context) -> List[ast.stmt]:
        entry, handler = self.heads[number]
        inside = context._replace(handlers=(*context.handlers, handler))
        body = self._go(entry, inside)
        clauses = self._clauses(handler, context)
        return [ast.Try(body=body or [ast.Pass()], handlers=clauses, orelse=[], finalbody=[])]

    def _clauses(self, handler: int, context: _Context) -> List[ast.ExceptHandler]:
        """Typed clauses while each only tests the type and otherwise goes to the next; then a bare one."""
        clauses: List[ast.ExceptHandler] = []
        at = handler
        name = self.blocks[handler].target
        while True:
            block = self.blocks[at]
            if not isinstance(block.test, ExceptionTest) or block.body:
                break
            body = [*block.next[0][0], *self._go(self.next[at][0], context)]
            clauses.append(ast.ExceptHandler(type=block.test.type, name=name, body=body or [ast.Pass()]))
            at = self.next[at][1]
            if block.next[1][0] or at in self.heads:
                raise Refused(CONTROL_FLOW, "an except clause does something before its test")
        rest = self._tree(at, context) if not (clauses and at == context.follow) else []
        if clauses and len(rest) == 1 and isinstance(rest[0], ast.Raise) and rest[0].exc is None:
            return clauses
        if name is not None and not clauses:
            raise Refused(CONTROL_FLOW, "the value of an exception of any type is used")
        return [*clauses, ast.ExceptHandler(type=None, name=None, body=rest or [ast.Pass()])]

    def _loop(self, header: int, context: _Context) -> List[ast.stmt]:
        """A loop, then what it leads to: the exit that most paths need falls through behind it."""
        inner = [join for join in self.children.get(header, []) if join in self.bodies[header]]
        outer = [join for join in self.children.get(header, []) if join not in self.bodies[header]]
        leave = self._leave(header, context, outer)
        behind = [] if leave is None or leave in outer else [leave]
        block = self.blocks.get(header)
        if block is not None and block.kind == FOR:
            statements, leave = self._for(header, block, context, inner, outer, leave)
        else:
            around = _Context(header, header, leave, context.handlers)
            body = without_last_continue(self._node_and_joins(header, around, inner))
            statements = [_tested(ast.While(test=ast.Constant(True), body=body, orelse=[]))]
        for join, follow in zip(outer, [*outer[1:], context.follow]):
            statements += self._tree(join, context._replace(follow=follow))
        return [*statements, *(step for target in behind for step in self._go(target, context))]

    def _leave(self, header: int, context: _Context, outer: List[int]) -> Optional[int]:
        """Where ``break`` goes: an exit that cannot be printed inside of the loop."""
        body = self.bodies[header]
        block = self.blocks.get(header)
        loops = block is not None and block.kind == FOR
        exits: List[int] = []
        for number in sorted(body, key=self.place.__getitem__):
            if not (loops and number == header):
                exits += [target for target in self.next[number] if target not in body]
        around = (context.follow, context.header, context.leave)
        shared = [target for target in exits if target in around or self.ways_in.get(target, 0) > 1]
        return next((target for target in outer if target in shared), shared[0] if shared else None)

    def _for(
        self, header: int, block: Printed, context: _Context, inner: List[int], outer: List[int], leave: Optional[int]
    ) -> Tuple[List[ast.stmt], Optional[int]]:
        assert block.target is not None and block.test is not None
        item, exhausted = self.next[header]
        (item_moves, _), (exhausted_moves, _) = block.next
        around = _Context(header, header, exhausted if leave is None else leave, context.handlers)
        body = without_last_continue([*item_moves, *self._inside(item, around, inner)])
        loop = ast.For(
            target=ast.Name(block.target, STORE),
            iter=block.test,
            body=body or [ast.Pass()],
            orelse=[],
            type_comment=None,
        )
        behind = context._replace(follow=outer[0] if outer else context.follow)
        rest = [*exhausted_moves, *([] if exhausted in outer[:1] else self._go(exhausted, behind))]
        if leave is None or (leave == exhausted and not exhausted_moves) or not _breaks(loop.body):
            return [*block.body, loop, *([] if leave == exhausted and leave not in outer else rest)], leave
        loop.orelse = rest
        return [*block.body, loop], leave

    def _inside(self, number: int, around: _Context, joins: List[int]) -> List[ast.stmt]:
        follows = [*joins, around.follow]
        statements = self._go(number, around._replace(follow=follows[0]))
        for index, join in enumerate(joins):
            statements += self._tree(join, around._replace(follow=follows[index + 1]))
        return statements


def conditional(test: ast.expr, body: List[ast.stmt], orelse: List[ast.stmt]) -> List[ast.stmt]:
    """An ``if``; what follows an arm that leaves is not nested."""
    if not body and orelse:
        body, orelse, test = orelse, [], opposite(test)
    if not body:
        return [ast.If(test, [ast.Pass()], [])]
    arms = ((body, orelse, test), (orelse, body, opposite(test)))
    for arm, other, condition in arms:
        if asserted(arm):
            return [ast.Assert(opposite(condition), _message(arm)), *other]
    for arm, other, condition in arms:
        if arm and other and leaves(arm):
            return [ast.If(condition, arm, []), *other]
    return [ast.If(test, body, orelse)]


def asserted(arm: List[ast.stmt]) -> bool:
    """Whether an arm is what a failing ``assert`` does: it raises the AssertionError that only ``assert`` can name."""
    if len(arm) != 1 or not isinstance(arm[0], ast.Raise) or arm[0].cause is not None:
        return False
    raised = arm[0].exc
    called = raised.func if isinstance(raised, ast.Call) and len(raised.args) == 1 else raised
    return getattr(called, "is_common_constant", False)


def _message(arm: List[ast.stmt]) -> Optional[ast.expr]:
    (statement,) = arm
    assert isinstance(statement, ast.Raise)
    return statement.exc.args[0] if isinstance(statement.exc, ast.Call) else None


def opposite(test: ast.expr) -> ast.expr:
    """``not test``, which a branch takes without an operation."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        opposites = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
        found = opposites.get(type(test.ops[0]))
        if found is not None:
            return ast.Compare(test.left, [found()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def leaves(body: List[ast.stmt]) -> bool:
    """Whether control never comes out at the end."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def without_last_continue(body: List[ast.stmt]) -> List[ast.stmt]:
    """A loop goes on at the end of its body anyway."""
    return body[:-1] if body and isinstance(body[-1], ast.Continue) else body


def _tested(loop: ast.While) -> ast.While:
    """``while True: if not t: break; …``  =>  ``while t: …``"""
    first = loop.body[0] if loop.body else None
    if isinstance(first, ast.If) and not first.orelse and len(first.body) == 1 and isinstance(first.body[0], ast.Break):
        loop.test, loop.body = opposite(first.test), loop.body[1:]
    loop.body = loop.body or [ast.Pass()]
    return loop


def _breaks(body: List[ast.stmt]) -> bool:
    """Whether a ``break`` of the loop around ``body`` is in it."""
    pending: List[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            return True
        if not isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.expr)):
            pending.extend(ast.iter_child_nodes(node))
    return False
