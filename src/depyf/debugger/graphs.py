"""Files of graphs and kernels -> the code objects that torch may be running.

    class GraphModule(torch.nn.Module):          forward(self, primals_1)      as captured (eager)
        def forward(self, primals_1): ...   =>   forward(self, args_list)      as AOTAutograd runs it

The second form takes its arguments in a list that it empties; torch makes it after it printed the graph. Its first
lines are those of the ``def``. Whether either form *is* what runs is for the caller to compare.
"""

from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType
from typing import Iterator

# torch.fx.graph._BoxedCodeGen (TORCHVERSIONS: the first is 2.13's).
_ONE_BY_ONE = "args_iter = iter(args_list)\n{each}args_list.clear()\n"
_AT_ONCE = "{names} = args_list\nargs_list.clear()\n"


def programs(path: Path) -> list[CodeType]:
    """Every code object that the file stands for; none when it is no Python (any more)."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, SyntaxError, ValueError):
        return []
    if ".kernel_" in path.name:
        return list(_functions_in(_compiled(tree, path)))
    return [code for definition in _forwards(tree) for code in _forms(definition, path)]


def _forwards(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The methods of the classes, nested graphs included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef))


def _forms(definition: ast.FunctionDef, path: Path) -> Iterator[CodeType]:
    # On its own: in a class, names that start with two underscores would be mangled.
    yield from _functions_in(_compiled(ast.Module([definition], []), path))
    names = [argument.arg for argument in definition.args.args[1:]]
    for prologue in (_one_by_one, _at_once):
        boxed = _with_body(definition, [*_at(definition, prologue(names)), *definition.body])
        yield from _functions_in(_compiled(ast.Module([boxed], []), path))


def _one_by_one(names: list[str]) -> str:
    each = "".join(f"{name} = next(args_iter)\n" for name in names)
    return _ONE_BY_ONE.format(each=each) if names else ""


def _at_once(names: list[str]) -> str:
    return _AT_ONCE.format(names="".join(f"{name}, " for name in names)) if names else ""


def _at(definition: ast.FunctionDef, source: str) -> list[ast.stmt]:
    """Statements that stand at the line of the definition."""
    statements = ast.parse(source).body
    for node in (node for statement in statements for node in ast.walk(statement)):
        if hasattr(node, "lineno"):
            ast.copy_location(node, definition)
            node.end_lineno = definition.lineno  # type: ignore[attr-defined]
    return statements


def _with_body(definition: ast.FunctionDef, body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.parse("def forward(self, args_list): pass").body[0]
    assert isinstance(arguments, ast.FunctionDef)
    fields = {name: getattr(definition, name) for name in definition._fields if hasattr(definition, name)}
    boxed = ast.FunctionDef(**{**fields, "args": arguments.args, "body": body})
    return ast.fix_missing_locations(ast.copy_location(boxed, definition))


def _compiled(tree: ast.Module, path: Path) -> CodeType:
    code = compile(tree, str(path), "exec", dont_inherit=True)
    assert isinstance(code, CodeType)
    return code


def _functions_in(code: CodeType) -> Iterator[CodeType]:
    """Functions defined in ``code`` and in the classes in it, not those inside of functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            if not constant.co_flags & 0x1:
                yield from _functions_in(constant)
