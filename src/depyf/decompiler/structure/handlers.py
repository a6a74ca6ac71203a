"""What a handler is there for, told by its first operations.

    PUSH_EXC_INFO; LOAD_GLOBAL E; CHECK_EXC_MATCH       =>   EXCEPT
    PUSH_EXC_INFO; WITH_EXCEPT_START                    =>   WITH
    PUSH_EXC_INFO; <statements>; RERAISE                =>   FINALLY
    COPY 3; POP_EXCEPT; RERAISE                         =>   CLEANUP

The compiler makes a handler for each of these; only EXCEPT, FINALLY and WITH have a place in the source.
"""

from __future__ import annotations

from enum import Enum
from typing import Dict, Iterator, List, Optional, Sequence

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.stack import VALUE, Stack
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE

# What a handler starts with.
HANDLER_FRONTS = frozenset(["PUSH_EXC_INFO", "ENTER_HANDLER"])
_TESTS = frozenset(["CHECK_EXC_MATCH", "EXC_MATCH", "CHECK_EG_MATCH"])
# Operand of the RETURN_VALUE of a value that a ``finally`` body never lets go.
IN_VAIN = "in vain"


class Purpose(Enum):
    """Why a handler exists."""

    EXCEPT = "except clauses"
    FINALLY = "a finally body"
    WITH = "a with item"
    NAME = "unbinding the name of an except clause"
    CLEANUP = "restoring the exception state"
    LOOP = "ending an asynchronous loop"
    GENERATOR = "turning StopIteration into RuntimeError"
    COMPREHENSION = "restoring the locals of an inlined comprehension"


def purposes(graph: Graph, stacks: Sequence[Stack]) -> Dict[int, Purpose]:
    """Purpose by first node of each handler."""
    targets = {node.handler.target for node in graph.nodes if node.handler is not None}
    found = {target: _purpose(graph, stacks, target) for target in sorted(targets)}
    for target in _left_in_vain(graph, stacks, found):
        names = [node.op for node in _operations(graph, target, 2)]
        if found[target] is Purpose.EXCEPT and "POP_TOP" in names:
            found[target] = Purpose.FINALLY
    return found


def _left_in_vain(graph: Graph, stacks: Sequence[Stack], found: Dict[int, Purpose]) -> Iterator[int]:
    """Handlers of statements in which the ``return`` of a clause is dropped: by the jump of a ``finally`` body.

    Of several that are left the last one jumps: bodies of the others run before it.
    """
    for node in graph.nodes:
        for place in node.next:
            target = graph.nodes[place]
            if node.handler is None or stacks[place].depth <= node.handler.depth:
                continue
            if node.op != "POP_EXCEPT" and not node.op.startswith("DELETE_"):  # of the clause, or of its name
                continue
            if target.arg != IN_VAIN and (target.op != "POP_TOP" or stacks[place].peek() != VALUE):
                continue
            handler: Optional[Handler] = node.handler
            left: List[int] = []
            # A handler that guards itself is no compiler's.
            while handler is not None and handler != target.handler and handler.target not in left:
                left.append(handler.target)
                handler = graph.nodes[handler.target].handler
            yield from [number for number in left if found[number] in (Purpose.EXCEPT, Purpose.FINALLY)][-1:]


_BY_FIRST_OPERATION = {
    "WITH_EXCEPT_START": Purpose.WITH,
    "POP_TOP": Purpose.EXCEPT,
    "END_ASYNC_FOR": Purpose.LOOP,
    "STOPITERATION_ERROR": Purpose.GENERATOR,
}


def _purpose(graph: Graph, stacks: Sequence[Stack], target: int) -> Purpose:
    first = _operations(graph, target, 6)
    names = [node.op for node in first]
    if names[:3] == ["COPY", "POP_EXCEPT", "RERAISE"]:
        return Purpose.CLEANUP
    if is_name_cleanup(first[1:] if names[0] == "ENTER_HANDLER" else first):
        return Purpose.NAME
    if names[:2] == ["SWAP", "POP_TOP"]:
        return Purpose.COMPREHENSION
    start = target
    if names[0] in HANDLER_FRONTS:
        start = graph.nodes[target].next[0]
        names = names[1:]
    if FINALLY_IS_A_SUBROUTINE and _keeps_a_value(stacks[target]) and not _drops_only_the_exception(names):
        # A `try` in a `finally` body is above the value that is being returned.
        return _by_test(graph, stacks, start)
    if names[0] in _BY_FIRST_OPERATION:
        return _BY_FIRST_OPERATION[names[0]]
    return _by_test(graph, stacks, start)


def _drops_only_the_exception(names: Sequence[str]) -> bool:
    """Whether a handler starts like ``except:``; what starts with a jump out of a ``finally`` drops everything."""
    return list(names[:3]) == ["POP_TOP"] * 3 and names[3:4] != ["POP_EXCEPT"]


def _keeps_a_value(stack: Stack) -> bool:
    """Whether a None waits below the handler: the compiler puts one there for a ``finally`` that returns."""
    kinds = stack.kinds()
    return len(kinds) > 6 and kinds[-7] == VALUE


def _operations(graph: Graph, start: int, count: int) -> List[Node]:
    found = [graph.nodes[start]]
    while len(found) < count and len(found[-1].next) == 1:
        found.append(graph.nodes[found[-1].next[0]])
    return found


def is_name_cleanup(nodes: Sequence[Node]) -> bool:
    """``e = None; del e`` and the re-raise: how the name of an except clause is unbound when its body raises."""
    if len(nodes) < 4 or nodes[0].op != "LOAD_CONST" or nodes[3].op != "RERAISE":
        return False
    return nodes[1].op.startswith("STORE_") and nodes[2].op.startswith("DELETE_") and nodes[1].arg == nodes[2].arg


def _by_test(graph: Graph, stacks: Sequence[Stack], start: int) -> Purpose:
    """EXCEPT when the handler's own exception is tested; tests of handlers inside of it find more on the stack."""
    base = stacks[start].depth
    seen = {start}
    pending = [start]
    while pending:
        number = pending.pop()
        node = graph.nodes[number]
        if node.op in _TESTS and stacks[number].depth == base + (2 if node.op == "EXC_MATCH" else 1):
            return Purpose.EXCEPT
        for target in node.next:
            if target not in seen and stacks[target].depth >= base:
                seen.add(target)
                pending.append(target)
    return Purpose.FINALLY
