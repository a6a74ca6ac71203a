"""What a code object looks like after every stage of the pipeline, as text for people who work on the decompiler.

instructions   graph   stacks   contracted   merged   regions   blocks   reduced   statements   source   verdict
"""

from __future__ import annotations

import ast
import dis
import io
from types import CodeType
from typing import Iterator, NamedTuple, Optional, Sequence, Tuple

from depyf.decompiler.decompile import decompile_code
from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.disassemble.stack import entry_stacks
from depyf.decompiler.emit import emit
from depyf.decompiler.lift.blocks import Block, Blocks
from depyf.decompiler.pipeline import forms
from depyf.decompiler.refusals import DecompilationError
from depyf.decompiler.verify.verdict import render_node

STAGES = (
    "instructions", "graph", "stacks", "contracted", "merged", "regions", "blocks", "reduced", "statements", "source",
    "verdict",
)  # fmt: skip


class Shown(NamedTuple):
    """A stage's name and its form as text; ``failed`` if the text is the reason why there are no more."""

    stage: str
    text: str
    failed: bool = False


def stages_of(code: CodeType) -> Iterator[Shown]:
    """Every stage in order, as far as the code object gets; the source that is proved may come from another attempt."""
    instructions = io.StringIO()
    dis.disassemble(code, file=instructions)
    yield Shown("instructions", instructions.getvalue())
    try:
        yield from _forms(code)
        found = decompile_code(code)
    except DecompilationError as error:
        yield Shown("refused", f"{error}\n", True)
        return
    yield Shown("source", found.source)
    yield Shown("verdict", f"{found.certificate}\n")


def _forms(code: CodeType) -> Iterator[Shown]:
    for stage, form in forms(code):
        if isinstance(form, Graph):
            yield Shown(stage, graph_text(form))
        elif isinstance(form, Blocks):
            yield Shown(stage, blocks_text(form))
        else:
            yield Shown(stage, statements_text(form))
        if stage == "graph":
            yield Shown("stacks", stacks_text(decode(code)))


def graph_text(graph: Graph) -> str:
    """One line a node, with the line that it comes from where that changes."""
    lines = []
    line: Optional[int] = None
    for number, node in enumerate(graph.nodes):
        shown = "" if node.position.line in (line, None) else f"line {node.position.line}"
        line = node.position.line
        lines.append(f"{shown:>10}  {'->' if number == graph.entry else '  '} {number:4}  {render_node(node)}\n")
    return "".join(lines)


def stacks_text(graph: Graph) -> str:
    """The kinds on the operand stack before every node."""
    rows = zip(graph.nodes, entry_stacks(graph))
    return "".join(f"{number:4}  {node.op:22} {stack!r}\n" for number, (node, stack) in enumerate(rows))


def blocks_text(blocks: Blocks) -> str:
    """Blocks in the order in which they are lifted: what they find, do and leave."""
    known = [number for number in blocks.order if number in blocks.by_number]
    return "".join(_block_text(blocks.by_number[number]) for number in known)


def _block_text(block: Block) -> str:
    found = f"  finds [{_values(block.entry)}]" if block.entry else ""
    guarded = f"  raises to b{block.handler.target}" if block.handler is not None else ""
    lines = [f"b{block.number}:  offset {block.offset}{found}{guarded}"]
    lines += [f"    {line}" for statement in block.body for line in statements_text([statement]).splitlines()]
    test = f" {_values([block.test])}" if block.test is not None else ""
    left = f"  leaves [{_values(block.out)}]" if block.out else ""
    targets = f" -> {', '.join(f'b{number}' for number in block.next)}" if block.next else ""
    lines.append(f"    {block.kind}{test}{targets}{left}")
    return "\n".join(lines) + "\n"


def _values(values: Sequence[object]) -> str:
    return ", ".join(emit(printable(value)).rstrip("\n") for value in values)


def statements_text(body: Sequence[ast.stmt]) -> str:
    """Unfinished statements: what has no source form stands in angle brackets."""
    return emit(ast.Module([printable(statement) for statement in body], []))  # type: ignore[misc]


def printable(value: object) -> ast.AST:
    """A copy of a tree in which names in angle brackets stand for everything that is no syntax."""
    if not isinstance(value, ast.AST) or type(value).__module__ not in ("ast", "_ast"):
        name = ast.Name(f"<{type(value).__name__}{_details(value)}>", ast.Load())
        return ast.Expr(name) if isinstance(value, ast.stmt) else name
    return type(value)(**{field: _printable_field(inner) for field, inner in ast.iter_fields(value)})


def _printable_field(inner: object) -> object:
    if isinstance(inner, list):
        return [_printable_field(item) for item in inner]
    return printable(inner) if isinstance(inner, ast.AST) or _is_value(inner) else inner


def _is_value(inner: object) -> bool:
    return type(inner).__module__.startswith("depyf.")


def _details(value: object) -> str:
    slots: Tuple[str, ...] = tuple(getattr(type(value), "__slots__", ())) or tuple(getattr(value, "__dict__", {}))
    parts = []
    for name in slots:
        inner = getattr(value, name, None)
        if isinstance(inner, CodeType):
            parts.append(inner.co_name)
        elif isinstance(inner, (str, int)) and not isinstance(inner, bool):
            parts.append(str(inner))
        elif isinstance(inner, ast.AST):
            parts.append(emit(printable(inner)).strip().replace("\n", "; "))
    return f" {', '.join(parts)}" if parts else ""
