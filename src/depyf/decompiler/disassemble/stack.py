"""The operand stack before every node of an effect graph, as kinds.

    GET_ITER            [value]
    FOR_ITER            [iter]          -> item: [iter, value], exhausted: []
    STORE_FAST x        [iter, value]
    PUSH_NULL           [iter]
    LOAD_GLOBAL g       [iter, null]
    CALL 0              [iter, null, value]

Kinds tell the nesting of constructs without looking at the order of instructions: a slot of kind ``iter`` lives exactly
inside its ``for``, ``exit`` inside its ``with``, ``previous`` inside its ``except`` clause.  Depths are checked: a
graph whose paths meet with stacks of different size is refused.
"""

from __future__ import annotations

from itertools import islice
from typing import Callable, Dict, Iterator, List, Optional, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import EDGE_EFFECTS, MICRO_OPS
from depyf.decompiler.refusals import DamagedCode
from depyf.decompiler.versions import HANDLER_PUSHES_SIX, NULL_ABOVE_CALLABLE

VALUE = "value"  # an object that a program can see
NULL = "null"  # padding of a call: no object
SAVED = "saved"  # what LOAD_FAST_AND_CLEAR parks: the old value of a local, or no object
ITER = "iter"  # the iterator of a `for`
AITER = "aiter"  # the iterator of an `async for`
EXIT = "exit"  # the bound __exit__ or __aexit__ of a `with`
PREVIOUS = "previous"  # the exception state that POP_EXCEPT restores (three slots until 3.10, one since)
EXCEPTION = "exception"  # the exception being handled (three slots until 3.10, one since)
LASTI = "lasti"  # the offset that RERAISE restores
CELL = "cell"  # the cell itself, not what it holds
# LOAD_METHOD leaves (NULL, attribute) or (function, self), which only the call can tell apart.  Where that matters,
# `method` is the slot next to the arguments until 3.12 and the callable since, `padding` is the other one.
METHOD = "method"
PADDING = "padding"


class StackError(DamagedCode):
    """Paths meet with stacks that differ, or an operation pops more than there is."""

    def __init__(self, graph: Graph, node: int, why: str) -> None:
        at = graph.nodes[node]
        self.why = f"operand stack at {at.op}: {why}"
        super().__init__(graph.code, at.offset, self.why)
        self.graph = graph
        self.node = node


class Stack:
    """An immutable operand stack; within one graph, equal stacks are the same object.

    Stacks share their lower slots, so that pushing costs the same however deep the stack is.
    """

    __slots__ = ("_above", "_cut", "below", "depth", "kind", "nulls")

    def __init__(self, kind: str = "", below: Optional[Stack] = None) -> None:
        self.kind = kind
        self.below = below
        self.depth: int = 0 if below is None else below.depth + 1
        self.nulls: int = 0 if below is None else below.nulls + (kind in (NULL, PADDING))
        self._above: Dict[str, Stack] = {}
        self._cut: Optional[Stack] = None

    def push(self, *kinds: str) -> Stack:
        """This stack with ``kinds`` on it, the last one on top."""
        stack = self
        for kind in kinds:
            above = stack._above.get(kind)
            if above is None:
                above = stack._above[kind] = Stack(kind, stack)
            stack = above
        return stack

    def pop(self, count: int = 1) -> Stack:
        """This stack without its ``count`` topmost slots; IndexError if there are fewer."""
        stack = self
        for _ in range(count):
            if stack.below is None:
                raise IndexError("it pops more than there is")
            stack = stack.below
        return stack

    def peek(self, position: int = 1) -> str:
        """The kind of the ``position``-th slot from the top, which is number 1; IndexError if there is none."""
        stack = self.pop(position - 1)
        if stack.below is None:
            raise IndexError("it reaches below the stack")
        return stack.kind

    def cut(self, depth: int) -> Stack:
        """The lowest ``depth`` slots; IndexError if there are fewer."""
        stack: Optional[Stack] = self
        while stack is not None and stack.depth > depth:
            # Nodes of one region ask for the same depth again and again: the last answer makes that linear.
            stack = stack._cut if stack._cut is not None and stack._cut.depth == depth else stack.below
        if stack is None or stack.depth < depth:
            raise IndexError("its handler keeps more than there is")
        self._cut = stack
        return stack

    def nulls_above(self, depth: int) -> int:
        """How many of the slots above the lowest ``depth`` ones are call padding."""
        return self.nulls - self.cut(depth).nulls

    def kinds(self) -> Tuple[str, ...]:
        """All kinds, bottom first."""
        return tuple(reversed(list(self.from_top())))

    def from_top(self) -> Iterator[str]:
        """All kinds, top first."""
        stack = self
        while stack.below is not None:
            yield stack.kind
            stack = stack.below

    def __repr__(self) -> str:
        return f"[{', '.join(self.kinds())}]"


def entry_stacks(graph: Graph, tell_methods: bool = False) -> List[Stack]:
    """The stack before each node of ``graph``, by node number.

    LOAD_METHOD pushes NULL and a value, or ``padding`` and ``method`` if ``tell_methods`` is set.

    Raises :class:`StackError` when the depth at a node depends on the path, when a slot is padding on one path and an
    object on another, or when an operation pops an empty stack.
    """
    nodes = graph.nodes
    entries: List[Optional[Stack]] = [None] * len(nodes)
    entries[graph.entry] = Stack()
    todo = [graph.entry]
    rules = _TELLING_METHODS if tell_methods else _RULES
    while todo:
        number = todo.pop()
        stack = entries[number]
        assert stack is not None
        for target, after in _flows(graph, number, stack, rules):
            known = entries[target]
            merged = after if known is None else _join(graph, target, known, after)
            if merged is not known:
                entries[target] = merged
                todo.append(target)
    return [stack if stack is not None else Stack() for stack in entries]


_Rule = Callable[[Stack, object], Stack]


def _flows(graph: Graph, number: int, stack: Stack, rules: Dict[str, _Rule]) -> List[Tuple[int, Stack]]:
    """Where control goes from a node, each with the stack it brings there."""
    node = graph.nodes[number]
    try:
        after = _stack_after(node, stack, rules)
        flows = [(target, after) for target in node.next]
        if len(flows) == 2 and node.op in EDGE_EFFECTS:
            pops, pushes = MICRO_OPS[node.op].effect(node.arg)
            flows[1] = (node.next[1], after.pop(pushes - pops - EDGE_EFFECTS[node.op]))
        if node.handler is not None and MICRO_OPS[node.op].raises:
            flows.append((node.handler.target, handler_entry(node.handler, stack)))
    except IndexError as problem:
        raise StackError(graph, number, str(problem)) from None
    return flows


def stack_after(node: Node, stack: Stack) -> Stack:
    """The stack that ``node`` leaves for its first successor; IndexError if ``stack`` is too small."""
    return _stack_after(node, stack, _RULES)


def _stack_after(node: Node, stack: Stack, rules: Dict[str, _Rule]) -> Stack:
    rule = rules.get(node.op)
    if rule is not None:
        return rule(stack, node.arg)
    pops, pushes = MICRO_OPS[node.op].effect(node.arg)
    return stack.pop(pops).push(*(VALUE,) * pushes)


def handler_entry(handler: Handler, stack: Stack) -> Stack:
    """The stack at the start of ``handler`` when a node raises that ran on ``stack``."""
    kept = stack.cut(handler.depth)
    if handler.lasti:
        kept = kept.push(LASTI)
    return kept.push(*_RAISED)


# Until 3.10 the interpreter pushes (traceback, value, type) twice: the old exception state, then the new one.
_RAISED = (PREVIOUS,) * 3 + (EXCEPTION,) * 3 if HANDLER_PUSHES_SIX else (EXCEPTION,)


def _pushing(pops: int, *kinds: str) -> _Rule:
    return lambda stack, _arg: stack.pop(pops).push(*kinds)


_METHOD = (VALUE, NULL) if NULL_ABOVE_CALLABLE else (NULL, VALUE)


def _load_super_attr(method: Tuple[str, ...]) -> Callable[[Stack, Tuple[str, bool, bool]], Stack]:
    return lambda stack, arg: stack.pop(3).push(*(method if arg[1] else (VALUE,)))


def _copy(stack: Stack, position: int) -> Stack:
    return stack.push(stack.peek(position))


def _swap(stack: Stack, position: int) -> Stack:
    lower = stack.pop(position)
    kinds = list(islice(stack.from_top(), position))
    kinds[0], kinds[-1] = kinds[-1], kinds[0]
    return lower.push(*reversed(kinds))


def _keeping(pops: int) -> _Rule:
    """An operation that pops and then changes an object deeper in the stack, in place."""
    return lambda stack, _arg: stack.pop(pops)


_RULES: Dict[str, _Rule] = {
    "PUSH_NULL": _pushing(0, NULL),
    "LOAD_METHOD": _pushing(1, *_METHOD),
    "LOAD_SUPER_ATTR": _load_super_attr(_METHOD),  # type: ignore[dict-item]
    "LOAD_FAST_AND_CLEAR": _pushing(0, SAVED),
    "LOAD_CLOSURE": _pushing(0, CELL),
    "GET_ITER": _pushing(1, ITER),
    "FOR_ITER": _pushing(1, ITER, VALUE),
    "GET_AITER": _pushing(1, AITER),
    "GET_ANEXT": _pushing(1, AITER, VALUE),
    "BEFORE_WITH": _pushing(1, EXIT, VALUE),
    "BEFORE_ASYNC_WITH": _pushing(1, EXIT, VALUE),
    "PUSH_EXC_INFO": _pushing(1, PREVIOUS, EXCEPTION),
    "CHECK_EXC_MATCH": _pushing(2, EXCEPTION, VALUE),
    "CHECK_EG_MATCH": _pushing(2, EXCEPTION, VALUE),
    "COPY": _copy,  # type: ignore[dict-item]
    "SWAP": _swap,  # type: ignore[dict-item]
    "LIST_APPEND": _keeping(1),
    "SET_ADD": _keeping(1),
    "MAP_ADD": _keeping(2),
    "LIST_EXTEND": _keeping(1),
    "SET_UPDATE": _keeping(1),
    "DICT_UPDATE": _keeping(1),
    "DICT_MERGE": _keeping(1),
}

_TOLD_METHOD = (METHOD, PADDING) if NULL_ABOVE_CALLABLE else (PADDING, METHOD)
_TELLING_METHODS: Dict[str, _Rule] = {
    **_RULES,
    "LOAD_METHOD": _pushing(1, *_TOLD_METHOD),
    "LOAD_SUPER_ATTR": _load_super_attr(_TOLD_METHOD),  # type: ignore[dict-item]
}


def _join(graph: Graph, number: int, one: Stack, other: Stack) -> Stack:
    """The stack that describes both ``one`` and ``other``."""
    if one is other:
        return one
    if one.depth != other.depth:
        raise StackError(graph, number, f"{other} on one path, {one} on another")
    differing: List[str] = []
    lower, second = one, other
    while lower is not second:
        kind = _join_kinds(lower.kind, second.kind)
        if kind is None:
            raise StackError(graph, number, f"{other} on one path, {one} on another")
        differing.append(kind)
        assert lower.below is not None and second.below is not None
        lower, second = lower.below, second.below
    return lower.push(*reversed(differing))


def _join_kinds(one: str, other: str) -> Optional[str]:
    """The kind of a slot that holds ``one`` on one path and ``other`` on another; None where a NULL meets an object."""
    if one == other:
        return one
    if NULL in (one, other):
        return SAVED if SAVED in (one, other) else None
    return SAVED if SAVED in (one, other) else VALUE
