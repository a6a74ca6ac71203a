"""A whole function: parameters, declarations, body, and what keeps its scopes as they were."""

from __future__ import annotations

import ast
from types import CodeType
from typing import List, NamedTuple, Set

from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.emit import with_remark
from depyf.decompiler.lift.dataflow.expressions import Expressions, no_parameters
from depyf.decompiler.lift.dataflow.finallies import with_finallies, without_needless_flags
from depyf.decompiler.lift.dataflow.flow import Flow
from depyf.decompiler.lift.dataflow.functions import FunctionPrinter, definition, signature
from depyf.decompiler.lift.dataflow.loops import with_unpacked_targets
from depyf.decompiler.lift.dataflow.marks import with_short_marks
from depyf.decompiler.lift.dataflow.names import Names, identifier_of
from depyf.decompiler.lift.dataflow.printing import Printer
from depyf.decompiler.lift.dataflow.stores import StoreLoops
from depyf.decompiler.lift.dataflow.structuring import Structure
from depyf.decompiler.lift.expressions import LOAD, STORE
from depyf.decompiler.symbolic.machine import parameters
from depyf.decompiler.trees import nodes_of


class Way(NamedTuple):
    """How to print: ``repeats_paths`` loads steps of paths again (A-PATH), ``loops_over_stores`` sets attributes in
    loops (R-UNROLL), ``prints_functions`` prints what the function defines, instead of leaving the code objects as they
    are.
    """

    repeats_paths: bool = True
    loops_over_stores: bool = True
    prints_functions: bool = True


# From what reads best to what is right most often.
WAYS = (
    Way(),
    Way(loops_over_stores=False),
    Way(repeats_paths=False, loops_over_stores=False),
    Way(repeats_paths=False, loops_over_stores=False, prints_functions=False),
)


def function_tree(graph: Graph, names: Names, way: Way = WAYS[0]) -> ast.FunctionDef:
    """The function that ``graph`` is the effect graph of.

    Raises :class:`~depyf.decompiler.refusals.Refused` for what has no source form.
    """
    code = graph.code
    expressions = Expressions(names, {})
    functions = FunctionPrinter(expressions, way.prints_functions)
    printer = Printer(Flow(graph), names, functions, way.repeats_paths)
    body = with_finallies(Structure(printer.entry, printer.blocks(), names).statements())
    body = with_short_marks(with_unpacked_targets(without_needless_flags(body)))
    if way.loops_over_stores:
        body = StoreLoops(names).within(body)
    declarations = _declarations(code, names, printer)
    body = [*declarations, *_scopes(code, names, printer, body), *body] or [ast.Pass()]
    name = identifier_of(code)
    return definition(name, signature(code, expressions), body)


def _declarations(code: CodeType, names: Names, printer: Printer) -> List[ast.stmt]:
    stored = sorted(name for scope, name in printer.stored if scope == "global")
    outer = sorted(name for scope, name in printer.stored if scope == "cell" and name in code.co_freevars)
    found: List[ast.stmt] = []
    if stored:
        found.append(ast.Global([names.global_variable(name) for name in stored]))
    if outer:
        found.append(ast.Nonlocal([names.identifier(name) for name in outer]))
    return found


def _scopes(code: CodeType, names: Names, printer: Printer, body: List[ast.stmt]) -> List[ast.stmt]:
    """``if False:`` around what makes the compiler see the same free and cell variables."""
    if not (code.co_freevars or code.co_cellvars):
        return []
    nodes = [node for statement in body for node in nodes_of(statement)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    captured = _captured(nodes)
    found: List[ast.stmt] = []
    for name in code.co_freevars:
        if names.identifier(name) not in used and ("cell", name) not in printer.stored:
            found.append(ast.Expr(ast.Name(names.identifier(name), LOAD)))
    for name in code.co_cellvars:
        if names.identifier(name) not in captured:
            user = ast.Lambda(no_parameters(), ast.Name(names.identifier(name), LOAD))
            found.append(ast.Expr(user))
        if name not in parameters(code) and ("cell", name) not in printer.stored:
            found.append(ast.Assign([ast.Name(names.identifier(name), STORE)], ast.Constant(None)))
    binder = with_remark(ast.If(ast.Constant(False), found, []), "never runs: keeps free and cell variables")
    return [binder] if found else []


def _captured(nodes: List[ast.AST]) -> Set[str]:
    """Names that the functions among ``nodes`` use."""
    inner = [node for node in nodes if isinstance(node, (ast.Lambda, ast.FunctionDef))]
    return {node.id for function in inner for node in ast.walk(function) if isinstance(node, ast.Name)}
