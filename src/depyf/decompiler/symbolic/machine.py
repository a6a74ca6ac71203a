"""Runs an effect graph on symbols up to the next operation that a program could notice.

    LOAD_FAST a        (silent: stack becomes [a])
    BUILD_LIST 1       (silent: a container that nobody else holds)
    LOAD_CONST 0
    BINARY_SUBSCR      (silent: its item is known)
    LOAD_ATTR f    =>  advance() returns the effect ("LOAD_ATTR", "f") on a

Printer and verifier are both clients of this one question, and neither sees what the other was told.
"""

from __future__ import annotations

from types import CodeType
from typing import AbstractSet, Callable, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple, Union

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.refusals import SILENT_LOOP, STACK_SHAPE, UNKNOWN_OPERATION, Refused
from depyf.decompiler.symbolic.effects import Edge, Effect, Update
from depyf.decompiler.symbolic.paths import remember
from depyf.decompiler.symbolic.rules import R_LOCAL, Rule
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import LASTI, Cell, Previous, Raised, Symbol, Value, is_object
from depyf.decompiler.versions import HANDLER_PUSHES_SIX, LOCALSPLUS

# What one row does: None goes on with the next node, a number goes on there, an effect stops.
Step = Union[None, int, Effect]
Operation = Callable[["Machine", State, Node], Step]
OPERATIONS: Dict[str, Operation] = {}

CO_VARARGS = 0x04
CO_VARKEYWORDS = 0x08
_FRAME_READERS = frozenset(["locals", "vars", "dir", "eval", "exec"])


def operation(*names: str) -> Callable[[Operation], Operation]:
    """Enter a row into the table under ``names``."""

    def enter(row: Operation) -> Operation:
        for name in names:
            OPERATIONS[name] = row
        return row

    return enter


def parameters(code: CodeType) -> Tuple[str, ...]:
    """Names of the parameters in the order of the frame's first locals."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[:count]


class Listener:
    """Is told about what is silent; the base class ignores it."""

    def stored(self, name: str, value: Value) -> None:
        """Local ``name`` is bound to ``value``."""

    def deleted(self, state: State, value: Value) -> None:
        """A local that held ``value`` was deleted by name."""


class Machine:
    """Symbolic execution of one graph.

    ``rules`` collects what was used.  With a ``listener`` the machine works for a printer: raising again is an effect
    then, because source has a statement for it, not a silent way to the handler.
    """

    def __init__(self, graph: Graph, listener: Optional[Listener] = None) -> None:
        self.graph = graph
        self.listener = listener
        self.code = graph.code
        self.nodes = graph.nodes
        self.rules: Set[Rule] = {R_LOCAL}
        self.joins = _nodes_where_paths_meet(graph)
        self.first_local = _first_local(graph)
        self.prologue = _prologue(graph)
        made = [str(graph.nodes[number].arg) for number in self.prologue]
        if LOCALSPLUS and sorted(made) != sorted(graph.code.co_cellvars):
            raise Refused(STACK_SHAPE, f"{graph.code.co_name} starts without its cells {graph.code.co_cellvars}")
        self.cells = frozenset(graph.code.co_cellvars + graph.code.co_freevars)
        self.reads_frame = not _FRAME_READERS.isdisjoint(graph.code.co_names)

    def start(self, arguments: Sequence[Value]) -> State:
        """The state in which the code starts, its parameters bound to ``arguments``."""
        state = State(self.graph.entry)
        state.locals = dict(zip(parameters(self.code), arguments))
        if LOCALSPLUS:
            # One slot per name: that of a cell holds the cell.
            state.locals.update({name: Cell(name) for name in self.cells})
        state.merged = bool(self.joins) and state.node in self.joins
        return state

    def advance(self, state: State) -> Effect:
        """Run silently from where ``state`` is (it is changed) to the next effect, of which nothing has been done yet.

        Raises :class:`Refused` for operations without a row and for slots that are not what an operation needs.
        """
        effect = self._run(state, frozenset())
        assert effect is not None
        return effect

    def advance_to_join(self, state: State) -> Optional[Effect]:
        """As :meth:`advance`, but None as soon as ``state`` comes to a node where paths meet."""
        return self._run(state, self.joins)

    def _run(self, state: State, stops: AbstractSet[int]) -> Optional[Effect]:
        nodes = self.nodes
        joins = self.joins
        # Silent code runs every node once, unless it never does anything.
        for _ in range(2 * len(nodes) + 2):
            node = nodes[state.node]
            row = OPERATIONS.get(node.op)
            if row is None:
                raise self.refused(state, UNKNOWN_OPERATION, node.op)
            try:
                step = row(self, state, node)
            except IndexError:
                raise self.refused(state, STACK_SHAPE, f"{node.op} takes more slots than there are") from None
            if step is None:
                state.node = node.next[0]
            elif type(step) is int:
                state.node = step
            else:
                return step  # type: ignore[return-value]
            if state.node in joins:
                state.merged = True
                state.paths = {}
                if state.node in stops:
                    return None
        raise self.refused(state, SILENT_LOOP, "no operation is reached")

    def take(self, state: State, effect: Effect, number: int, results: Sequence[Symbol]) -> None:
        """Do ``effect`` in ``state`` with these results, and leave by its edge ``number``."""
        edge = effect.edges[number]
        stack = state.stack
        remember(state, effect.kind, effect.operands, results)
        if edge.pops:
            del stack[len(stack) - edge.pops :]
        for item in edge.pushes:
            stack.append(results[item] if type(item) is int else item)  # type: ignore[arg-type]
        if edge.update is not None:
            edge.update(state, tuple(results))
        state.node = edge.target
        state.merged = state.node in self.joins
        if state.merged:
            state.paths = {}

    def enter_handler(self, state: State, effect: Effect, raised: Symbol, partial: Symbol) -> None:
        """Unwind ``state`` to the handler of ``effect``, which raised ``raised``; ``partial`` stands for work half
        done.
        """
        if effect.on_raise is not None:
            effect.on_raise(state, (partial,))
        assert effect.handler is not None
        self.unwind(state, effect.handler.target, effect.handler.depth, effect.handler.lasti, raised)

    def unwind(self, state: State, target: int, depth: int, lasti: bool, raised: Value) -> None:
        """Cut the stack and push what the interpreter pushes for a handler."""
        if len(state.stack) < depth:
            raise self.refused(state, STACK_SHAPE, "a handler keeps more slots than there are")
        del state.stack[depth:]
        if HANDLER_PUSHES_SIX:
            # Blocks of handlers above this one are popped, and each restores the state before it.
            while state.handled and state.handled[-1][0] >= depth:
                state.handled = state.handled[:-1]
            state.stack += [Previous(state.handled)] * 3
            state.stack += [Raised(raised, "traceback"), raised, Raised(raised, "type")]
            state.handled += ((depth, raised),)
        else:
            if lasti:
                state.stack.append(LASTI)
            state.stack.append(raised)
        state.node = target
        state.merged = target in self.joins
        state.paths = {}

    def refused(self, state: State, refusal: object, why: str) -> Refused:
        """A refusal that says where it happened."""
        node = self.nodes[state.node]
        return Refused(refusal, why, f"{self.code.co_name}, offset {node.offset}")  # type: ignore[arg-type]

    def used(self, rule: Rule) -> None:
        """Note that ``rule`` was needed."""
        self.rules.add(rule)

    # What rows are written with.

    def operands(self, state: State, values: Sequence[Value]) -> Tuple[Value, ...]:
        """``values`` as operands: escaped containers as symbols, and every one an object."""
        found = tuple([state.resolve(value) for value in values])
        for value in found:
            if not is_object(value):
                raise self.refused(state, STACK_SHAPE, f"{self.nodes[state.node].op} is given {value!r}")
        return found

    def effect(
        self,
        state: State,
        node: Node,
        kind: Tuple[object, ...],
        values: Sequence[Value],
        pops: int,
        pushes: Tuple[Union[int, Value], ...] = (0,),
        results: Tuple[Optional[str], ...] = (None,),
        update: Optional[Update] = None,
        on_raise: Optional[Update] = None,
    ) -> Effect:
        """An effect with one way on."""
        if pops > len(state.stack):
            raise IndexError(pops)
        raises = MICRO_OPS[node.op].raises
        edges = (Edge(node.next[0], pops, pushes, update),) if node.next else ()
        operands = self.operands(state, values)
        return Effect(kind, operands, results, edges, raises, node.handler if raises else None, on_raise)


def _first_local(graph: Graph) -> Optional[str]:
    """The local that zero-argument ``super()`` reads, if the code can call it: it looks at the frame
    (Objects/typeobject.c: super_init).
    """
    code = graph.code
    if "__class__" not in code.co_freevars or not code.co_varnames:
        return None
    loads = any(node.arg == "super" or (type(node.arg) is Const and node.arg.value is super) for node in graph.nodes)
    return code.co_varnames[0] if loads else None


def _prologue(graph: Graph) -> FrozenSet[int]:
    """MAKE_CELL nodes that run first: the cells that they make are there when symbolic execution starts."""
    found: Set[int] = set()
    number = graph.entry
    while graph.nodes[number].op == "MAKE_CELL" and number not in found:
        found.add(number)
        number = graph.nodes[number].next[0]
    return frozenset(found)


def _nodes_where_paths_meet(graph: Graph) -> Set[int]:
    entered: Dict[int, int] = {graph.entry: 1}
    for node in graph.nodes:
        targets: List[int] = list(node.next)
        if node.handler is not None and MICRO_OPS[node.op].raises:
            targets.append(node.handler.target)
        for target in targets:
            entered[target] = entered.get(target, 0) + 1
    return {number for number, count in entered.items() if count > 1}
