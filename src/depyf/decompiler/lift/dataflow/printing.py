"""Blocks of operations to blocks of statements.

    s1 = LOAD_GLOBAL f; s2 = LOAD_GLOBAL g; s3 = CALL s2; s4 = CALL s1(s3); STORE_ATTR x.a = s4    =>    x.a = f(g())

A value that is used once stays unevaluated as long as the values of the next operation are the last ones evaluated,
in order; what is in the way is given a variable first.  A value that is used again, or that another block needs, gets
its variable where it is made.
"""

from __future__ import annotations

import ast
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

from depyf.decompiler.emit import with_remark
from depyf.decompiler.lift.dataflow.descriptions import Descriptions, stored_by_helper
from depyf.decompiler.lift.dataflow.events import Block, Dropped, Event, Made, Operation, Phi, Way
from depyf.decompiler.lift.dataflow.flow import Flow
from depyf.decompiler.lift.dataflow.functions import FunctionPrinter
from depyf.decompiler.lift.dataflow.names import TEMPORARY, Names
from depyf.decompiler.lift.dataflow.repeating import steps_to_repeat
from depyf.decompiler.lift.dataflow.running import entered_by
from depyf.decompiler.lift.dataflow.shown import Shown, show, symbols_in
from depyf.decompiler.lift.dataflow.statements import IMPLICIT, STATEMENTS, ExceptionTest, Pending, in_place
from depyf.decompiler.lift.expressions import DELETE, LOAD, STORE
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.structure.dominators import reverse_postorder
from depyf.decompiler.symbolic.values import UNBOUND, MaybeUnbound, Symbol
from depyf.decompiler.versions import HANDLER_PUSHES_SIX

_DISPLAYS = {"list": "values", "tuple": "values", "set": "members", "dict": "mapping"}
# Results of these are held by what they are loaded from.
_LOADS = frozenset(["LOAD_ATTR", "LOAD_METHOD", "LOAD_GLOBAL", "LOAD_DEREF"])
GOTO, BRANCH, FOR, LEAVE, WITH, EXIT, UNWIND = "goto", "branch", "for", "leave", "with", "exit", "unwind"


class Printed(NamedTuple):
    """Statements of a block and what follows them.

    ``next`` are blocks, each with statements that run on the way there; ``test`` is the condition of a branch or the
    iterable of a loop; ``target`` the variable of a loop or of the exception that the block handles.
    """

    number: int
    kind: str
    body: List[ast.stmt]
    next: List[Tuple[List[ast.stmt], int]]
    handler: Optional[int]
    test: Optional[ast.expr] = None
    target: Optional[str] = None
    quiet: bool = False
    entered: Optional[int] = None
    handled: int = 0


class Printer:
    """Prints the blocks of one flow; ``variables`` says which value is in which variable."""

    def __init__(self, flow: Flow, names: Names, functions: FunctionPrinter, repeats_paths: bool = True) -> None:
        self.flow = flow
        self.repeats_paths = repeats_paths
        self.names = names
        self.functions = functions
        self.variables = functions.expressions.variables
        self.descriptions = Descriptions({symbol: symbol.origin[1] for symbol in flow.arguments})  # type: ignore[index]
        self.remarks: Dict[Symbol, str] = {}
        self.iterables: Dict[Symbol, ast.expr] = {}
        self.pairs: Set[Shown] = set()  # what loops over ``items()`` give
        self.expressions = functions.expressions
        self.stored: Set[Tuple[str, str]] = set()
        self.locals: Set[str] = set()
        for symbol in flow.arguments:
            name: str = symbol.origin[1]  # type: ignore[index]
            self.variables[symbol] = names.identifier(name)
            if name not in flow.machine.cells:
                self.locals.add(self.variables[symbol])
        aliases = ((name, names.identifier(name)) for name in flow.graph.code.co_varnames)
        self.locals.update(alias for name, alias in aliases if alias != name)

    def blocks(self) -> Dict[int, Printed]:
        """Every block, printed."""
        found = self.flow.blocks
        first = self._first()
        order = reverse_postorder(self.flow.graph.entry, lambda number: list(_targets(found[number])))
        printed = {number: Printing(self, found[number]).printed() for number in order}
        if first is not None:
            printed[first.number] = first
        return printed

    @property
    def entry(self) -> int:
        """The block to start with."""
        entry = self.flow.graph.entry
        return -1 if entry in self.flow.machine.joins else entry

    def _first(self) -> Optional[Printed]:
        """Where the code starts with a block that a loop comes back to: a block in front that brings the arguments."""
        entry = self.flow.graph.entry
        if self.entry == entry:
            return None
        way = Way(entry, self.flow.start)
        printing = Printing(self, Block(-1, (), (way,), None, True), way)
        return printing.printed()


def _targets(block: Block) -> Iterable[int]:
    for way in block.ways:
        yield way.target
    for event in block.events:
        if isinstance(event, Operation) and event.raising is not None:
            yield event.raising.target


class Printing:
    """One block being printed."""

    def __init__(self, printer: Printer, block: Block, entry: Optional[Way] = None) -> None:
        self.printer = printer
        self.flow = printer.flow
        self.block = block
        self.variables = printer.variables
        self.body: List[ast.stmt] = []
        self.pending: List[Pending] = []
        self.uses: Dict[Symbol, int] = {}
        self.last: Dict[Symbol, int] = {}
        self.kept: Set[Symbol] = set()
        self.wanted: Dict[Symbol, str] = {}
        self.end = len(block.events)
        self.holders: Dict[str, Symbol] = {}
        self.test: Optional[ast.expr] = None
        self.handled = len(self.flow.entries[block.number].handled) if entry is None else 0
        if block.number in self.flow.handlers and HANDLER_PUSHES_SIX:
            # What this block handles was pushed before it starts.
            self.handled -= 1
        self.is_exit = self._is_exit()
        calls = (index for index, event in enumerate(block.events) if _calls(event))
        self.last_call = max(calls, default=-1)
        self.caught = self._caught()
        self._hold_entry(entry or Way(block.number, self.flow.entries[block.number]))
        self._count_uses()
        self.again = steps_to_repeat(block.events, self.kept) if printer.repeats_paths else frozenset()

    # What is used where.

    def _hold_entry(self, entry: Way) -> None:
        for value in self.flow.live_values(entry):
            for symbol in symbols_in(_shown(entry, value)):
                if symbol in self.variables:
                    self.holders[self.variables[symbol]] = symbol

    def _count_uses(self) -> None:
        for index, event in enumerate(self.block.events):
            if isinstance(event, Operation):
                for operand in event.operands:
                    self._use(operand, index)
                if event.raising is not None:
                    self._keep(event.raising, index)
            elif isinstance(event, Made):
                self._use(event.contents, index)
        single = len(self.block.ways) == 1
        for way in self.block.ways:
            for name, value in self.flow.arrivals(way):
                moved = single and _moves(name, value, way)
                for symbol in symbols_in(value):
                    self.uses[symbol] = self.uses.get(symbol, 0) + 1
                    self.last[symbol] = self.end
                    if not moved or value is not symbol:
                        self.kept.add(symbol)
                if moved and isinstance(value, Symbol) and name in self.variables:
                    self.wanted[value] = self.variables[name]  # type: ignore[index]

    def _use(self, value: Shown, index: int) -> None:
        for symbol in symbols_in(value):
            self.uses[symbol] = self.uses.get(symbol, 0) + 1
            self.last[symbol] = index

    def _keep(self, way: Way, index: int) -> None:
        """What a handler may read has to be in variables before the operation that may raise."""
        for name, value in self.flow.arrivals(way):
            for symbol in symbols_in(value):
                self.kept.add(symbol)
                self.last[symbol] = index
            if _moves(name, value, way) and isinstance(value, Symbol) and name in self.variables:
                self.wanted[value] = self.variables[name]  # type: ignore[index]

    def _caught(self) -> Optional[str]:
        """The variable of the exception, where this block starts a handler and something uses its value."""
        raised = self.flow.symbol(self.block.number, "raised")
        if raised not in self.flow.used_exceptions:
            return None
        name = self._free_name(raised, -1, self.printer.names.wanted(self.flow.hints.get(raised), "error"))
        self.variables[raised] = name
        return name

    # Statements.

    def printed(self) -> Printed:
        for index, event in enumerate(self.block.events):
            if isinstance(event, Operation):
                if not self.is_exit:
                    self._operation(event, index)
            elif isinstance(event, Made):
                self.printer.functions.define(event.contents, self.body)
                ready = self._take([event.contents], index)
                made = self.printer.expressions.value(event.contents, ready)
                self._assign(event.result, made, index, _DISPLAYS.get(str(event.result.kind), "value"))
            else:
                self._drop(event, index)
        return self._finish()

    def _operation(self, event: Operation, index: int) -> None:
        if event.raising is not None:
            self._move(event.raising, index)
        kind = event.kind[0]
        for operand in event.operands:
            self.printer.functions.define(operand, self.body)
        statement = STATEMENTS.get(str(kind))
        if kind == "BINARY_OP" and str(event.kind[1]).endswith("="):
            statement = in_place
        values = event.operands[IMPLICIT.get(str(kind), 0) :]
        ready = self._take(values, index)
        operands = [self.printer.expressions.value(operand, ready) for operand in values]
        if statement is not None:
            self._spill_all()
            statement(self, event, operands, index)
            return
        expression = self.printer.expressions.operation(event.kind, operands)
        self.result(event, expression, self._describe(event), index)

    def _describe(self, event: Operation) -> str:
        descriptions = self.printer.descriptions
        description = descriptions.describe(event)
        hint = self.flow.hints.get(event.results[0], "")
        descriptions.names[event.results[0]] = description if TEMPORARY.match(hint) else hint
        remark = descriptions.remark(event)
        if remark is not None:
            self.printer.remarks[event.results[0]] = remark
        return description

    def result(self, event: Operation, expression: ast.expr, description: str, index: int) -> None:
        (result,) = event.results
        used = self.uses.get(result, 0)
        if result in self.again and _root(expression) in self.printer.locals:
            self.printer.expressions.paths[result] = expression
        elif used == 0 and result not in self.kept:
            self._spill_all()
            self._add(ast.Expr(expression), result, stored_by_helper(event, expression))
        elif used == 1 and result not in self.kept:
            self.pending.append(Pending(result, expression, index, description, event.kind))
        else:
            self._assign(result, _collected(event.kind, expression), index, description)

    def _assign(self, result: Symbol, expression: ast.expr, index: int, description: str) -> None:
        self._spill_all()
        self.variables[result] = self.name_for(result, index, description)
        self._add(ast.Assign([ast.Name(self.variables[result], STORE)], expression), result)

    def _add(self, statement: ast.stmt, result: Symbol, otherwise: Optional[str] = None) -> None:
        """A statement with what is to be said about the value that it evaluates."""
        self.body.append(with_remark(statement, self.printer.remarks.get(result, otherwise)))

    def name_for(self, result: Symbol, index: int, description: str) -> str:
        preferred = self.wanted.get(result)
        if preferred is None:
            preferred = self.printer.names.wanted(self.flow.hints.get(result), description)
        return self._free_name(result, index, preferred)

    def _free_name(self, result: Symbol, index: int, preferred: str) -> str:
        """``preferred``, or that name with a number: a variable can be used again once its value is not."""
        taken, mine = self.printer.names.taken, self.printer.locals
        name, number = preferred, 1
        while (name in taken and name not in mine) or self._alive(name, index):
            name = f"{preferred}_{number}" if not preferred.endswith("_1") else f"{preferred[:-1]}{number}"
            number += 1
        taken.add(name)
        mine.add(name)
        self.holders[name] = result
        return name

    def _alive(self, name: str, index: int) -> bool:
        holder = self.holders.get(name)
        return holder is not None and self.last.get(holder, -1) > index

    def _take(self, values: Sequence[Shown], index: int) -> Dict[Symbol, ast.expr]:
        """Expressions of the unevaluated values among ``values``, which have to be the last ones pending, in order."""
        while True:
            needed = [symbol for value in values for symbol in symbols_in(value) if not self._at_hand(symbol)]
            count = len(needed)
            if [item.value for item in self.pending[len(self.pending) - count :]] == needed:
                break
            if not self.pending:
                raise Refused(NO_SOURCE_FORM, f"{needed[0]!r} is not available", self.flow.graph.code.co_name)
            self._spill()
        taken = self.pending[len(self.pending) - count :]
        del self.pending[len(self.pending) - count :]
        return {item.value: item.expression for item in taken}

    def _at_hand(self, symbol: Symbol) -> bool:
        return symbol in self.variables or symbol in self.printer.expressions.paths

    def _spill(self) -> None:
        """Evaluate the first pending value into a variable."""
        item = self.pending.pop(0)
        if isinstance(item.expression, ExceptionTest):
            raise Refused(
                NO_SOURCE_FORM, "an exception is matched apart from its except clause", self.flow.graph.code.co_name
            )
        self.variables[item.value] = self.name_for(item.value, item.event, item.description)
        target = ast.Name(self.variables[item.value], STORE)
        self._add(ast.Assign([target], _collected(item.kind, item.expression)), item.value)

    def _spill_all(self) -> None:
        while self.pending:
            self._spill()

    def _drop(self, event: Dropped, index: int) -> None:
        """``del``, where the original lets go of a value that a variable would keep alive while more happens."""
        name = self.variables.get(event.value)
        if name is None or self.holders.get(name) is not event.value or self.last.get(event.value, -1) > index:
            return
        if not (self.last_call > index or self.block.ways) or self._held_elsewhere(event.value):
            return
        if any(
            isinstance(node, ast.Name) and node.id == name
            for item in self.pending
            for node in ast.walk(item.expression)
        ):
            self._spill_all()
        del self.holders[name]
        self.body.append(ast.Delete([ast.Name(name, DELETE)]))

    def _held_elsewhere(self, value: Symbol) -> bool:
        """Whether a value is an attribute or variable of something that goes on holding it."""
        origin = value.origin
        return type(origin) is tuple and type(origin[0]) is int and self.flow.graph.nodes[origin[0]].op in _LOADS

    # Leaving the block.

    def _finish(self) -> Printed:
        block = self.block
        kind, entered = self._kind()
        if len(block.ways) == 1:
            self._move_last(block.ways[0])
            nexts: List[Tuple[List[ast.stmt], int]] = [([], block.ways[0].target)]
        else:
            self._spill_all()
            nexts = [(self._moved(way), way.target) for way in block.ways]
        last = block.events[-1] if block.events else None
        target = self.caught
        if kind in (FOR, WITH) and isinstance(last, Operation):
            target = self.variables.get(last.results[-1])
        body = self.body
        return Printed(
            block.number, kind, body, nexts, block.handler, self.test, target, block.quiet, entered, self.handled
        )

    def _kind(self) -> Tuple[str, Optional[int]]:
        """How the block ends, and the BEFORE_WITH that it belongs to if it starts or ends a ``with``."""
        operations = [event for event in self.block.events if isinstance(event, Operation)]
        if self.is_exit:
            return EXIT, entered_by(self.flow.machine, operations[0].operands[0])
        if operations and operations[0].kind == ("WITH_EXCEPT_START",):
            return UNWIND, entered_by(self.flow.machine, operations[0].operands[0])
        if operations and operations[-1].kind == ("BEFORE_WITH",):
            return WITH, operations[-1].node
        if len(self.block.ways) == 2:
            return (FOR if operations[-1].kind == ("FOR_ITER",) else BRANCH), None
        return (GOTO if self.block.ways else LEAVE), None

    def _is_exit(self) -> bool:
        """Whether the block is the call of an exit function, which the ``with`` statement says."""
        operations = [event for event in self.block.events if isinstance(event, Operation)]
        if len(operations) != 1 or operations[0].kind != ("CALL", 3, ()):
            return False
        return entered_by(self.flow.machine, operations[0].operands[0]) is not None

    def _moved(self, way: Way) -> List[ast.stmt]:
        """The statements that run on one of several ways."""
        body, self.body = self.body, []
        self._move(way, self.end)
        moves, self.body = self.body, body
        return moves

    def _move_last(self, way: Way) -> None:
        """Moves at the end of a block take what is pending with them, each into the variable that it is for."""
        moved = [(name, value) for name, value in self.flow.arrivals(way) if _moves(name, value, way)]
        for name, value in moved:
            if name not in self.variables and isinstance(value, Symbol) and value not in self.variables:
                self.wanted.setdefault(value, self._new_phi(name, value, way))  # type: ignore[arg-type]
        self._spill_all()
        self._move(way, self.end)

    def _new_phi(self, phi: Symbol, value: Shown, way: Way) -> str:
        """Choose the variable of a Phi on the first way that is printed: that of the value it gets, if nothing else
        needs it there.
        """
        stays = {
            self.variables.get(name)
            for name, _ in self.flow.arrivals(way)
            if name is not phi and isinstance(name, Symbol)
        }
        found = self.variables.get(value) if isinstance(value, Symbol) else None
        if (
            found is None
            or found in stays
            or any(value is other for name, other in self.flow.arrivals(way) if name is value)
        ):
            described = self.printer.descriptions.names.get(value) if isinstance(value, Symbol) else None
            wanted = self.printer.names.wanted(self.flow.hints.get(phi), described or "value")
            found = self._unheld(wanted, stays)
        self.variables[phi] = found
        return found

    def _unheld(self, wanted: str, stays: Set[Optional[str]]) -> str:
        taken, mine = self.printer.names.taken, self.printer.locals
        name, number = wanted, 1
        while (name in taken and name not in mine) or name in stays:
            name = f"{wanted}_{number}"
            number += 1
        taken.add(name)
        mine.add(name)
        return name

    def _move(self, way: Way, index: int) -> None:
        """Assign what a way brings to the variables that the block at its end calls it by."""
        moves: List[Tuple[str, ast.expr]] = []
        done: Set[Symbol] = set()
        for name, value in list(self.flow.arrivals(way)):
            if not _moves(name, value, way) or name in done:
                continue
            assert isinstance(name, Symbol)
            done.add(name)
            target = self.variables.get(name) or self._new_phi(name, value, way)
            self.printer.functions.define(value, self.body)
            expression = self.printer.expressions.value(value, {})
            if not (isinstance(expression, ast.Name) and expression.id == target):
                moves.append((target, expression))
        self.body += _parallel(moves)


def _moves(name: object, value: Shown, way: Way) -> bool:
    """Whether ``name`` is a Phi of the block at the end of ``way`` that this way brings another value for."""
    if not isinstance(name, Symbol) or value is name or value is UNBOUND or isinstance(value, MaybeUnbound):
        return False
    return isinstance(name.origin, Phi) and name.origin.block == way.target


def _calls(event: Event) -> bool:
    return isinstance(event, Operation) and str(event.kind[0]).startswith("CALL")


def _root(expression: ast.expr) -> Optional[str]:
    """The variable at which a path starts."""
    while isinstance(expression, (ast.Attribute, ast.Subscript)):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


def _shown(way: Way, value: object) -> Shown:
    return show(way.state, value)  # type: ignore[arg-type]


def _collected(kind: Sequence[object], expression: ast.expr) -> ast.expr:
    """What iterating gave, kept in a list or dict until it is spread."""
    if kind[0] == "ITERATE":
        return ast.List([ast.Starred(expression, LOAD)], LOAD)
    if kind[0] == "MERGE":
        return ast.Dict([None], [expression])
    return expression


def _parallel(moves: List[Tuple[str, ast.expr]]) -> List[ast.stmt]:
    """Assignments in an order in which none overwrites what another still reads; one tuple assignment where there is
    none.
    """
    statements: List[ast.stmt] = []
    while moves:
        for number, (target, expression) in enumerate(moves):
            others = [other for place, (_, other) in enumerate(moves) if place != number]
            if not any(
                isinstance(node, ast.Name) and node.id == target for other in others for node in ast.walk(other)
            ):
                statements.append(ast.Assign([ast.Name(target, STORE)], expression))
                del moves[number]
                break
        else:
            targets: List[ast.expr] = [ast.Name(target, STORE) for target, _ in moves]
            values = [expression for _, expression in moves]
            statements.append(ast.Assign([ast.Tuple(targets, STORE)], ast.Tuple(values, LOAD)))
            break
    return statements
