"""Rules for what the compiler stores in every class body by itself (CPython 3.13+, compiler_class_body)."""

from __future__ import annotations

from typing import Callable, Optional

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.verify.rules.rule import rule, with_nodes

OWN_FIRST_LINE = "the line where the class starts"


# `global` and `nonlocal` reach the names that the compiler stores, too.
_STORES = ("STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")


def _stores(name: str) -> Callable[[Graph], bool]:
    return lambda graph: any(node.arg == name and node.op in _STORES for node in graph.nodes)


def _constant_stored_as(graph: Graph, node: Node, name: str) -> Optional[object]:
    """The constant that ``node`` loads to be stored as ``name`` right after it; None if it does not."""
    if node.op != "LOAD_CONST" or not isinstance(node.arg, Const):
        return None
    following = graph.nodes[node.next[0]]
    return node.arg.value if following.op in _STORES and following.arg == name else None


@rule(
    "first line of a class",
    "LOAD_CONST 12; STORE_NAME __firstlineno__  ==  LOAD_CONST 34; STORE_NAME __firstlineno__",
    safe="both constants are the line where their own class starts, and line numbers are outside the promise",
    applies=_stores("__firstlineno__"),
)
def first_line(graph: Graph) -> Graph:
    """Replace the class's own line number by a word; any other constant stays."""

    def rewritten(node: Node) -> Node:
        line = _constant_stored_as(graph, node, "__firstlineno__")
        own = type(line) is int and line == graph.code.co_firstlineno
        return node._replace(arg=OWN_FIRST_LINE) if own else node

    return with_nodes(graph, [rewritten(node) for node in graph.nodes])


# What the compiler may still do in a class body after it stored the attributes.
_LAST_STORES = ("__classcell__", "__classdictcell__")
_LAST_OPS = frozenset(["LOAD_CLOSURE", "LOAD_CONST", "COPY", "RETURN_VALUE"])


def _ends_class_body(graph: Graph, number: int) -> bool:
    """Whether nothing but the compiler's own last stores follows ``number``."""
    node = graph.nodes[number]
    while node.next:
        node = graph.nodes[node.next[0]]
        if node.op not in _LAST_OPS and not (node.op == "STORE_NAME" and node.arg in _LAST_STORES):
            return False
    return node.op == "RETURN_VALUE"


@rule(
    "order of static attributes",
    "LOAD_CONST ('a', 'b'); STORE_NAME __static_attributes__  ==  "
    "LOAD_CONST ('b', 'a'); STORE_NAME __static_attributes__",
    safe="the compiler takes the tuple from a set of strings, so its order changes from one process to the next",
    applies=_stores("__static_attributes__"),
)
def static_attributes(graph: Graph) -> Graph:
    """Sort the tuple that ends a class body; one that a program stores earlier stays."""

    def rewritten(node: Node) -> Node:
        names = _constant_stored_as(graph, node, "__static_attributes__")
        if not isinstance(names, tuple) or not _ends_class_body(graph, node.next[0]):
            return node
        return node._replace(arg=Const(tuple(sorted(names))))

    return with_nodes(graph, [rewritten(node) for node in graph.nodes])
