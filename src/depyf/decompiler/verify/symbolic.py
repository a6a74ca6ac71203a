"""Symbolic comparison: data movement is interpreted, every other operation is matched.

    original:   BUILD_LIST 1; COPY 1; LOAD_CONST 0; BINARY_SUBSCR; ... CALL 2        the same call of the same objects:
    candidate:  LOAD_FAST x; ... CALL 2                                              proved

Two machines run over one space of symbols.  Each runs silently to its next effect; kinds and operands must agree,
then both receive the same new symbols as results.  So two places hold the same object exactly if they hold the same
symbol, and no relation between the two programs has to be stored.  Where paths meet, the pair of states is joined
(``symbolic/joins.py``).
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from depyf.decompiler.disassemble.constants import Const, is_code
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.refusals import TOO_LONG, Refused
from depyf.decompiler.symbolic import Machine
from depyf.decompiler.symbolic.effects import Effect
from depyf.decompiler.symbolic.joins import Join
from depyf.decompiler.symbolic.liveness import Liveness
from depyf.decompiler.symbolic.machine import parameters
from depyf.decompiler.symbolic.rules import A_ITER, A_KWARGS, AXIOMS, R_ESCAPED, R_PASSED, R_UNROLL, Rule
from depyf.decompiler.symbolic.state import ITERATOR, State
from depyf.decompiler.symbolic.values import Ref, Symbol, Value
from depyf.decompiler.verify.checks import (
    CODE_CHECKS,
    NESTED_CHECKS,
    REPLACEMENT_CHECKS,
    CodeChecks,
    ambiguous_name,
    differing_fact,
)
from depyf.decompiler.verify.exact import identical
from depyf.decompiler.verify.verdict import SYMBOLIC, Certificate, Mismatch, Place, Verdict
from depyf.decompiler.versions import HANDLER_PUSHES_SIX

# What a frame's code is not asked for: the docstring belongs to the function, which keeps the one it has.
_FRAME_CHECKS: CodeChecks = {
    name: check for name, check in {**CODE_CHECKS, **REPLACEMENT_CHECKS}.items() if name != "docstring"
}
_FUNCTION_CHECKS: CodeChecks = {**CODE_CHECKS, **NESTED_CHECKS}
# Pairs of effects per node of both graphs after which a comparison is given up.
_PAIRS_PER_NODE = 50


def verify_symbolic(original: CodeType, candidate: CodeType) -> Verdict:
    """Whether ``candidate`` can take the place of ``original`` in a frame.

    Raises :class:`~depyf.decompiler.refusals.Refused` when either does something that symbolic execution has no
    answer for, and :class:`~depyf.decompiler.refusals.DamagedCode` if either is no program.
    """
    session = _Session()
    difference = session.compare(original, candidate, (original.co_name,), _FRAME_CHECKS)
    if difference is not None:
        return difference
    names = frozenset(rule.name for rule in session.rules if rule not in AXIOMS)
    axioms = tuple(axiom.name for axiom in AXIOMS if axiom in session.rules)
    return Certificate(SYMBOLIC, names, axioms, session.pairs)


class _Session:
    """Everything compared for one answer: nested code objects are compared once and then remembered."""

    def __init__(self) -> None:
        self.rules: Set[Rule] = set()
        self.pairs = 0
        self._nested: Dict[Tuple[int, int], Optional[Mismatch]] = {}

    def compare(
        self, original: CodeType, candidate: CodeType, path: Tuple[str, ...], checks: CodeChecks
    ) -> Optional[Mismatch]:
        """The first difference, or None."""
        why = differing_fact(checks, original, candidate)
        unclear = ambiguous_name(original) or ambiguous_name(candidate)
        if why or unclear:
            return Mismatch(path, why or f"{unclear} stands for two variables")
        return _Comparison(self, original, candidate, path).run()

    def nested(self, one: CodeType, other: CodeType, path: Tuple[str, ...]) -> bool:
        """Whether functions made from two code objects do the same."""
        key = (id(one), id(other))
        if key not in self._nested:
            same = one is other or identical(one, other)
            self._nested[key] = None if same else self.compare(one, other, (*path, one.co_name), _FUNCTION_CHECKS)
        return self._nested[key] is None


class _Stop(Exception):
    """Two effects differ."""


class _Pair(NamedTuple):
    original: State
    candidate: State


class _Comparison:
    """Two machines in lock-step, effect by effect."""

    def __init__(self, session: _Session, original: CodeType, candidate: CodeType, path: Tuple[str, ...]) -> None:
        self.session = session
        self.path = path
        self.machines = (Machine(decoded(original)), Machine(decoded(candidate)))
        self.met: Dict[Tuple[int, int], _Pair] = {}
        self.liveness: Optional[Tuple[Liveness, Liveness]] = None
        self.budget = _PAIRS_PER_NODE * sum(len(machine.nodes) for machine in self.machines)

    def run(self) -> Optional[Mismatch]:
        one, other = self.machines
        arguments = [Symbol(name) for name in parameters(one.code)]
        pending = [_Pair(one.start(arguments), other.start(arguments))]
        while pending:
            pair = pending.pop()
            try:
                self._follow(pair, pending)
            except _Stop as difference:
                at, found = pair
                return Mismatch(self.path, str(difference), Place(one.graph, at.node), Place(other.graph, found.node))
        for machine in self.machines:
            self.session.rules |= machine.rules
        return None

    def _follow(self, pair: _Pair, pending: List[_Pair]) -> None:
        """Compare from ``pair`` until both leave the frame or a pair is met that is known; other ways on become
        pending.
        """
        one, other = self.machines
        a, b = pair
        while True:
            mine, theirs = one.advance(a), other.advance(b)
            if a.merged:
                if self._known(a, b):
                    return
                mine, theirs = one.advance(a), other.advance(b)
            if mine.kind[0] == "CALL_EX" and theirs.kind[0] == "MERGE" and self._copied(b, mine, theirs):
                continue
            if mine.kind == ("FOR_ITER",) and theirs.kind == ("GET_ITER", None) and self._iterator(b, mine, theirs):
                continue
            if theirs.kind == ("GET_ITER", None) and mine.kind != theirs.kind and self._unrolled(b, theirs):
                continue
            self.session.pairs += 1
            self.budget -= 1
            if self.budget < 0:
                raise Refused(TOO_LONG, f"more than {_PAIRS_PER_NODE} pairs per operation", self.path[-1])
            self._match(a, mine, b, theirs)
            if mine.handler is not None or theirs.handler is not None:
                self._raise(a, mine, b, theirs, pending)
            if not mine.edges:
                return
            results = [Symbol("result", kind) for kind in mine.results]
            for number in range(1, len(mine.edges)):
                copies = _Pair(a.copy(), b.copy())
                one.take(copies.original, mine, number, results)
                other.take(copies.candidate, theirs, number, results)
                pending.append(copies)
            one.take(a, mine, 0, results)
            other.take(b, theirs, 0, results)

    def _iterator(self, b: State, mine: Effect, theirs: Effect) -> bool:
        """A-ITER: the candidate asks for the iterator of what the original iterates."""
        if mine.operands != theirs.operands or (mine.handler is None) != (theirs.handler is None):
            return False
        self.session.rules.add(A_ITER)
        self.machines[1].take(b, theirs, 0, [theirs.operands[0]])  # type: ignore[list-item]
        return True

    def _unrolled(self, b: State, theirs: Effect) -> bool:
        """R-UNROLL: the candidate starts a loop over items that are known."""
        items = b.known(theirs.operands[0], "tuple")
        if items is None:
            return False
        self.session.rules.add(R_UNROLL)
        self.machines[1].take(b, theirs, 0, [b.build(ITERATOR, items.items)])  # type: ignore[list-item]
        return True

    def _copied(self, b: State, mine: Effect, theirs: Effect) -> bool:
        """A-KWARGS: the candidate copies the mapping that the original hands to the call as it is."""
        handed = mine.kind[2] is None and mine.operands[-1:] == theirs.operands
        if (
            not handed
            or theirs.kind != ("MERGE", "DICT_MERGE", ())
            or (mine.handler is None) != (theirs.handler is None)
        ):
            return False
        self.session.rules.add(A_KWARGS)
        self.machines[1].take(b, theirs, 0, [theirs.operands[0]])  # type: ignore[list-item]
        return True

    def _known(self, a: State, b: State) -> bool:
        """Whether this pair of places was met in a state at least as general; otherwise a and b become that general."""
        key = (a.node, b.node)
        known = self.met.get(key)
        if known is None:
            self.met[key] = _Pair(a.copy(), b.copy())
            return False
        if self.liveness is None:
            self.liveness = (_liveness(self.machines[0]), _liveness(self.machines[1]))
        live: Tuple[FrozenSet[str], FrozenSet[str]] = (self.liveness[0].before(a.node), self.liveness[1].before(b.node))
        join = Join(known, (a, b), live)
        if not join.changed:
            return True
        if join.opened:
            self.session.rules.add(R_ESCAPED)
        self.met[key] = _Pair(join.states[0].copy(), join.states[1].copy())
        for state, general in zip((a, b), join.states):
            state.locals, state.stack, state.handled, state.heap = (
                general.locals,
                general.stack,
                general.handled,
                general.heap,
            )
        return False

    def _raise(self, a: State, mine: Effect, b: State, theirs: Effect, pending: List[_Pair]) -> None:
        raised, partial = Symbol("raised"), Symbol("partial")
        copies = _Pair(a.copy(), b.copy())
        for machine, state, effect in zip(self.machines, copies, (mine, theirs)):
            if effect.handler is not None:
                machine.enter_handler(state, effect, raised, partial)
        if mine.handler is not None and theirs.handler is not None:
            pending.append(copies)
            return
        # R-PASSED: one side leaves the frame at once, so the other has to do so before anything happens.
        side = 0 if mine.handler is not None else 1
        machine, state, other = self.machines[side], copies[side], copies[1 - side]
        last = machine.advance(state)
        # Until 3.10, leaving the frame restores what was being handled.
        restored = HANDLER_PUSHES_SIX or state.handled == other.handled
        if last.kind != ("RERAISE",) or last.operands != (raised,) or not restored:
            raise _Stop(f"a handler for one of {show(mine)} and {show(theirs)}")
        self.session.rules.add(R_PASSED)

    def _match(self, a: State, mine: Effect, b: State, theirs: Effect) -> None:
        """Kinds, operands, handlers and exceptions being handled agree; what the operands hand out is unknown from
        here on.
        """
        if mine.kind != theirs.kind:
            raise _Stop(f"{show(mine)} and {show(theirs)}")
        if len(a.handled) != len(b.handled):
            raise _Stop(f"other exceptions are being handled at {show(mine)}")
        pairs: Dict[Ref, Ref] = {}
        mine_all = mine.operands + tuple(exception for _, exception in a.handled)
        theirs_all = theirs.operands + tuple(exception for _, exception in b.handled)
        if len(mine_all) != len(theirs_all):
            raise _Stop(f"{show(mine)} and {show(theirs)}")
        for number, (one, other) in enumerate(zip(mine_all, theirs_all)):
            if not self._same(a, b, one, other, pairs):
                raise _Stop(f"operand {number} of {show(mine)} and {show(theirs)}")
        for one_ref, other_ref in pairs.items():
            found = a.heap[one_ref]
            a.heap[one_ref] = b.heap[other_ref] = Symbol("escaped", found.kind)

    def _same(self, a: State, b: State, one: Value, other: Value, pairs: Dict[Ref, Ref]) -> bool:
        """Whether two values are the same object, or containers that nobody holds yet, with the same contents."""
        pending = [(one, other)]
        taken = set(pairs.values())
        while pending:
            one, other = pending.pop()
            one, other = a.resolve(one), b.resolve(other)
            if type(one) is Ref and type(other) is Ref:
                if one in pairs or other in taken:
                    # One object here must be one object there.
                    if pairs.get(one) is not other:
                        return False
                    continue
                mine, theirs = a.contents(one), b.contents(other)
                assert mine is not None and theirs is not None
                if mine.kind != theirs.kind or mine.shape() != theirs.shape():
                    return False
                pairs[one] = other
                taken.add(other)
                pending += zip(mine.values(), theirs.values())
            elif one != other and not self._same_code(one, other):
                return False
        return True

    def _same_code(self, one: Value, other: Value) -> bool:
        if type(one) is not Const or type(other) is not Const or not is_code(one.value) or not is_code(other.value):
            return False
        return self.session.nested(one.value, other.value, self.path)  # type: ignore[arg-type]


def _liveness(machine: Machine) -> Liveness:
    return Liveness(machine.graph, () if machine.first_local is None else (machine.first_local,))


def show(effect: Effect) -> str:
    """An effect as text for a person."""
    return " ".join(str(part) for part in effect.kind if part not in (None, ()))
