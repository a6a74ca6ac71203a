"""Give ``except*`` the shape of ``except`` (PEP 654).

    PUSH_EXC_INFO; COPY 1; BUILD_LIST 0; SWAP 2                    PUSH_EXC_INFO
    LOAD_GLOBAL E; CHECK_EG_MATCH; COPY 1; None; IS_OP; BRANCH     LOAD_GLOBAL E; CHECK_EG_MATCH; BRANCH
    body, guarded by LIST_APPEND 3; POP_TOP                  =>    body; POP_EXCEPT
    next clause                                                    next clause
    LIST_APPEND 1; PREP_RERAISE_STAR; ...                          RERAISE

What the clauses raise is collected in a list, which waits on the operand stack with the exception group and what no
clause has taken of it; every clause goes on to the next (Python/compile.c, compiler_try_star_except).  None of this is
written in the source, and control cannot leave a clause but by its end, so that a clause may as well end the statement.
"""

from __future__ import annotations

from typing import Callable, List, NamedTuple, Optional, Set

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.refusals import CONTROL_FLOW, Refused

# What lies between the saved exception state and the operands of a clause: the group, the list, the rest of the group.
_WAITING = 3


def contract_except_star(graph: Graph) -> Graph:
    """``graph`` with every ``except*`` as if it were ``except``, told from it by CHECK_EG_MATCH."""
    if not any(node.op == "CHECK_EG_MATCH" for node in graph.nodes):
        return graph
    nodes = list(graph.nodes)
    # Outer statements come first: what they hold is shifted as a whole.
    for number in range(len(nodes)):
        if nodes[number].op == "PUSH_EXC_INFO" and _first_clause(nodes, number) is not None:
            _Statement(nodes, number).contract()
    return prune(graph.code, nodes, graph.entry)


def _trail(nodes: List[Node], start: int, count: int) -> List[int]:
    """Up to ``count`` nodes from ``start`` on that lead straight to each other."""
    trail = [start]
    while len(trail) < count and len(nodes[trail[-1]].next) == 1:
        trail.append(nodes[trail[-1]].next[0])
    return trail


def _first_clause(nodes: List[Node], handler: int) -> Optional[int]:
    """Where the first clause starts, behind what makes the list; None if a handler makes none."""
    trail = _trail(nodes, handler, 5)
    made = [(nodes[number].op, nodes[number].arg) for number in trail[1:]]
    if made[:2] == [("BUILD_LIST", 0), ("COPY", 2)]:
        return trail[3]
    if made[:3] == [("COPY", 1), ("BUILD_LIST", 0), ("SWAP", 2)]:
        return trail[4]
    return None


class _Clause(NamedTuple):
    check: int
    body: int
    otherwise: int
    following: int


class _Statement:
    """The clauses of one statement.

    ``finish`` is its PREP_RERAISE_STAR, ``leave`` the POP_EXCEPT when nothing is left to raise.
    """

    def __init__(self, nodes: List[Node], handler: int) -> None:
        self.nodes = nodes
        self.handler = handler
        self.clauses: List[_Clause] = []
        self.finish = -1
        start: Optional[int] = _first_clause(nodes, handler)
        while start is not None:
            clause = self._clause(start)
            self.clauses.append(clause)
            start = None if self._is_end(clause.following) else clause.following
        self.leave = self._where_left()

    def refused(self, number: int, why: str) -> Refused:
        return Refused(CONTROL_FLOW, f"except*: {why}", where=f"offset {self.nodes[number].offset}")

    def _clause(self, start: int) -> _Clause:
        check = self._find(start, lambda node: node.op == "CHECK_EG_MATCH")
        trail = _trail(self.nodes, check, 5)
        if [self.nodes[number].op for number in trail[1:]] != ["COPY", "LOAD_CONST", "IS_OP", "BRANCH"]:
            raise self.refused(check, "CHECK_EG_MATCH is not tested for None")
        nothing, matched = self.nodes[trail[-1]].next
        return _Clause(check, matched, nothing, self.nodes[nothing].next[0])

    def _find(self, start: int, wanted: Callable[[Node], bool]) -> int:
        seen = {start}
        pending = [start]
        while pending:
            number = pending.pop(0)
            if wanted(self.nodes[number]):
                return number
            for target in self.nodes[number].next:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        raise self.refused(start, "a clause without a test")

    def _is_end(self, number: int) -> bool:
        """Whether a node ends the last clause: it hands over what no clause has taken."""
        node = self.nodes[number]
        if node.op != "LIST_APPEND" or node.arg != 1 or self.nodes[node.next[0]].op != "PREP_RERAISE_STAR":
            return False
        if self.finish < 0:
            self.finish = node.next[0]
        return self.finish == node.next[0]

    def _where_left(self) -> int:
        trail = _trail(self.nodes, self.finish, 5)
        nothing_left = self.nodes[trail[-1]].next[0]
        leave = self.nodes[nothing_left].next[0]
        if (
            self.nodes[trail[-1]].op != "BRANCH"
            or self.nodes[nothing_left].op != "POP_TOP"
            or self.nodes[leave].op != "POP_EXCEPT"
        ):
            raise self.refused(self.finish, "PREP_RERAISE_STAR is not tested for None")
        return leave

    def contract(self) -> None:
        """Rewrite the nodes of the statement."""
        nodes = self.nodes
        first = _first_clause(nodes, self.handler)
        assert first is not None
        for clause in self.clauses:
            self._free_body(clause)
        reraise = len(nodes)
        cleanup = nodes[self.clauses[0].check].handler
        nodes.append(nodes[self.finish]._replace(op="RERAISE", arg=0, next=(), handler=cleanup))
        for clause in self.clauses:
            branch = _trail(nodes, clause.check, 5)[-1]
            otherwise = reraise if self._is_end(clause.following) else clause.following
            nodes[branch] = nodes[branch]._replace(next=(clause.body, otherwise))
            nodes[clause.check] = nodes[clause.check]._replace(next=(branch,))
        nodes[self.handler] = nodes[self.handler]._replace(next=(first,))

    def _free_body(self, clause: _Clause) -> None:
        """Let a body lead out of the statement, and take it out of the handler that collects what it raises."""
        nodes = self.nodes
        cleanup = nodes[clause.check].handler
        members = self._members(clause)
        # Every clause has a way out of its own, as if the compiler had written it there.
        leave = len(nodes)
        nodes.append(nodes[self.leave]._replace(position=nodes[clause.body].position))
        ends = any(self._ends_body(target, clause) for number in members for target in nodes[number].next)
        for number in members:
            node = nodes[number]
            targets = tuple(leave if self._ends_body(target, clause) else target for target in node.next)
            if not ends and node.op == "RAISE_VARARGS" and node.handler and self._collects(node.handler, cleanup):
                # Control goes on behind the statement even if every body raises: nothing may be left to raise then.
                targets = (leave,)
            nodes[number] = node._replace(next=targets, handler=self._outside(node.handler, cleanup))

    def _outside(self, handler: Optional[Handler], cleanup: Optional[Handler]) -> Optional[Handler]:
        if handler is None or handler == cleanup:
            return handler
        return cleanup if self._collects(handler, cleanup) else handler._replace(depth=handler.depth - _WAITING)

    def _collects(self, handler: Handler, cleanup: Optional[Handler]) -> bool:
        """Whether a handler puts what a body raised into the list of this statement."""
        if cleanup is None or handler.depth != cleanup.depth + _WAITING:
            return False
        trail = [self.nodes[number] for number in _trail(self.nodes, handler.target, 5)]
        if _unbinds(trail):
            trail = trail[3:]
        return [(node.op, node.arg) for node in trail[:2]] == [("LIST_APPEND", 3), ("POP_TOP", None)]

    def _members(self, clause: _Clause) -> Set[int]:
        """The nodes of a body, with the handlers of statements inside of it."""
        members: Set[int] = set()
        pending = [clause.body]
        cleanup = self.nodes[clause.check].handler
        while pending:
            number = pending.pop()
            if number in members:
                continue
            members.add(number)
            node = self.nodes[number]
            pending += [target for target in node.next if not self._ends_body(target, clause)]
            handler = node.handler
            if (
                handler is not None
                and MICRO_OPS[node.op].raises
                and handler != cleanup
                and not self._collects(handler, cleanup)
            ):
                pending.append(handler.target)
        return members

    def _ends_body(self, number: int, clause: _Clause) -> bool:
        if number == clause.following or (self._is_end(clause.following) and self._is_end(number)):
            return True
        binding = self.nodes[clause.body]
        trail = [self.nodes[place] for place in _trail(self.nodes, number, 4)]
        if not _unbinds(trail) or (trail[1].op, trail[1].arg) != (binding.op, binding.arg):
            return False
        following = trail[2].next[0]
        return following == clause.following or (self._is_end(clause.following) and self._is_end(following))


def _unbinds(trail: List[Node]) -> bool:
    """``e = None; del e``: how the name of a clause is unbound."""
    if len(trail) < 3 or trail[0].op != "LOAD_CONST" or trail[0].arg != Const(None):
        return False
    return (
        trail[1].op.startswith("STORE_")
        and trail[2].op == trail[1].op.replace("STORE", "DELETE")
        and trail[1].arg == trail[2].arg
    )
