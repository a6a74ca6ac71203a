"""What each kernel in Inductor's code computes: from its comments, from torch's provenance, and from the graph.

# Topologically Sorted Source Nodes: [matmul], Original ATen: [aten.mm]
extern_kernels.mm(primals_1, primals_2, out=buf0)
    =>  Computation("extern_kernels.mm", line=140, nodes=("matmul",), user_lines=("/home/me/toy.py:16",))
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Iterable, Iterator, Mapping

from depyf.record.schema import Computation, Kernel

NODES = "inductor_provenance_tracking_node_mappings"
LINES = "inductor_provenance_tracking_kernel_stack_traces"

_FILE_OR_NAME = re.compile(r'^[ \t]+(?:# File: (.*:\d+) in |(\w+)(?:: "[^"]*")? = )', re.MULTILINE)
_COMMENT = re.compile(r"# Topologically Sorted Source Nodes: \[(.*?)\]")
_CALL = re.compile(r"^\s+(?:\w+ = )?((?:cpp_|triton_|extern_kernels\.|torch\.ops\.)[\w.]*?)(?:\.run)?\(")
_STACK = re.compile(r'File "(.*?)", line (\d+)')


def lines_of(graph: str) -> dict[str, str]:
    """Node -> ``file:line`` for a printed graph: a comment stands above the nodes of a line."""
    found: dict[str, str] = {}
    place = None
    for file, name in _FILE_OR_NAME.findall(graph):
        if file:
            place = file
        elif place is not None:
            found[name] = place
    return found


def computations(source: str, places: Mapping[str, str], lowered: Iterable[str] = ()) -> tuple[Computation, ...]:
    """The calls of kernels in Inductor's code, in order. ``places`` are the lines of all nodes of the graph's stages,
    ``lowered`` the nodes of the stage that the code was made of."""
    found = list(_calls(source))
    nodes = [each.nodes for each in found]
    if len(found) == 1 and not nodes[0]:  # there is one kernel: it computes them all
        found = [replace(found[0], nodes=tuple(lowered))]
    return tuple(
        replace(each, user_lines=_unique(places[node] for node in each.nodes if node in places)) for each in found
    )


def _calls(source: str) -> Iterator[Computation]:
    nodes: tuple[str, ...] = ()
    for number, line in enumerate(source.split("\n"), 1):
        comment, call = _COMMENT.search(line), _CALL.match(line)
        if comment is not None:
            nodes = tuple(each.strip() for each in comment.group(1).split(",") if each.strip())
        elif call is not None:
            yield Computation(call.group(1), number, nodes)
            nodes = ()


def with_nodes(kernel: Kernel, payload: Any) -> Kernel:
    """The kernel with torch's own account of the graph nodes behind each call."""
    known = _by_name(_loaded(payload).get("cppCodeToPost"))
    computed = tuple(replace(each, nodes=tuple(known.get(each.name, each.nodes))) for each in kernel.computes)
    return replace(kernel, computes=computed)


def with_lines(kernel: Kernel, payload: Any) -> Kernel:
    """The kernel with torch's own account of the user's lines behind each call."""
    stacks = _by_name(_loaded(payload))
    known = {name: _unique(place for each in texts for place in _innermost(each)) for name, texts in stacks.items()}
    return replace(
        kernel,
        computes=tuple(replace(each, user_lines=known.get(each.name, each.user_lines)) for each in kernel.computes),
    )


def _loaded(payload: Any) -> Mapping[str, Any]:
    """The payload as a dict; on a hit of a cache that was filled without provenance there is none."""
    found = json.loads(payload) if isinstance(payload, str) else None
    return found if isinstance(found, dict) else {}


def _by_name(found: Any) -> dict[str, list[str]]:
    """``cpp_fused_add_0:1`` -> the kernel's name; calls of the same kernel are told together."""
    named: dict[str, list[str]] = {}
    for handle, values in found.items() if isinstance(found, dict) else ():
        if isinstance(values, list):
            named.setdefault(handle.rpartition(":")[0] or handle, []).extend(map(str, values))
    return named


def _innermost(stack: str) -> Iterator[str]:
    found = _STACK.findall(stack)
    if found:
        yield f"{found[-1][0]}:{found[-1][1]}"


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
