"""Await and delegation become one operation each, whatever number of instructions the Python needs.

    SEND -> (YIELD_VALUE -> SEND, END_SEND)                      =>   YIELD_FROM
    GET_ANEXT; LOAD_CONST None; YIELD_FROM, END_ASYNC_FOR        =>   FOR_ITER async -> (item, after the loop)

Since 3.12 a handler around the whole of a generator turns StopIteration into RuntimeError; it is no statement of the
source, and goes.
CLEANUP_THROW and the handlers around it only serve the suspended SEND and go with it (Python/bytecodes.c).
"""

from __future__ import annotations

from typing import List, Sequence

from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.refusals import CONTROL_FLOW, Refused


def contract_delegation(graph: Graph) -> Graph:
    """``graph`` with every SEND loop and every asynchronous iteration as one node."""
    if not any(node.op in ("SEND", "GET_ANEXT", "STOPITERATION_ERROR") for node in graph.nodes):
        return graph
    nodes = [_without_generator_handler(node, graph.nodes) for node in graph.nodes]
    nodes = [_contracted_send(node, nodes) if node.op == "SEND" else node for node in nodes]
    nodes = [_contracted_anext(node, nodes) if node.op == "GET_ANEXT" else node for node in nodes]
    return prune(graph.code, nodes, graph.entry)


def _without_generator_handler(node: Node, nodes: Sequence[Node]) -> Node:
    if node.handler is not None and nodes[node.handler.target].op == "STOPITERATION_ERROR":
        return node._replace(handler=None)
    return node


def _contracted_send(send: Node, nodes: Sequence[Node]) -> Node:
    suspended, finished = (nodes[target] for target in send.next)
    if suspended.op != "YIELD_VALUE" or finished.op != "END_SEND" or nodes[suspended.next[0]] is not send:
        raise Refused(CONTROL_FLOW, "SEND is not the loop of an await or yield from", where=f"offset {send.offset}")
    return send._replace(op="YIELD_FROM", next=finished.next)


def _contracted_anext(anext: Node, nodes: List[Node]) -> Node:
    sent = nodes[anext.next[0]]
    delegated = nodes[sent.next[0]] if sent.op == "LOAD_CONST" else sent
    handler = delegated.handler
    front = nodes[handler.target] if handler is not None else anext
    end = nodes[front.next[0]] if front.op == "ENTER_HANDLER" else front
    if sent.op != "LOAD_CONST" or delegated.op != "YIELD_FROM" or end.op != "END_ASYNC_FOR":
        raise Refused(CONTROL_FLOW, "GET_ANEXT is not the step of an async for", where=f"offset {anext.offset}")
    return anext._replace(op="FOR_ITER", arg="async", next=(delegated.next[0], end.next[0]), handler=front.handler)
