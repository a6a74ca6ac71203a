"""Loops that only collect become comprehensions.

for x in .0:                              [x + 1 for x in xs if x]
    if x:                       =>
        <append x + 1>
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import TYPE_CHECKING, Callable, Dict, Iterable, List, Optional, Tuple, Union

from depyf.decompiler.definitions.dead_code import dead_condition, unbound_locals
from depyf.decompiler.definitions.names import Collecting
from depyf.decompiler.lift.values import Append, Comprehension
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused

if TYPE_CHECKING:
    from depyf.decompiler.definitions.assemble import Assembler

COMPREHENSION_NAMES = frozenset(["<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"])


def comprehension(assembler: Assembler, code: CodeType, iterable: ast.expr) -> ast.expr:
    """The comprehension whose code object is ``code``, over ``iterable``."""
    body = [statement for statement in assembler.statements(code) if not isinstance(statement, ast.Return)]
    made = collected(code.co_name, body, iterable)
    condition = dead_condition(code)
    if condition is not None:
        made.generators[0].ifs.insert(0, condition)
    return _binding(made, unbound_locals(code))


def inlined_comprehension(assembler: Assembler, made: Comprehension, iterable: ast.expr) -> ast.expr:
    """A comprehension whose loop runs in the code around it, over ``iterable``."""
    body = [statement for statement in assembler.statements(made.loop.graph) if not isinstance(statement, ast.Return)]
    return _binding(collected(made.loop.name, body, iterable), made.loop.unbound)


def _binding(made: Collecting, names: Iterable[str]) -> Collecting:
    """The comprehension with variables that loops behind a condition bound that is always false."""
    for name in sorted(names):
        made.generators.append(ast.comprehension(ast.Name(name, ast.Store()), ast.Tuple([], ast.Load()), [], 0))
    return made


def collected(name: str, body: List[ast.stmt], iterable: ast.expr) -> Collecting:
    """A comprehension of kind ``name`` from the loop that ``body`` consists of."""
    generators: List[ast.comprehension] = []
    element, key = _element(body, generators)
    generators[0].iter = iterable
    if name == "<dictcomp>":
        if key is None:
            raise Refused(NO_SOURCE_FORM, "a dictionary comprehension without keys")
        return ast.DictComp(key, element, generators)
    kinds: Dict[str, Callable[..., Collecting]] = {
        "<listcomp>": ast.ListComp,
        "<setcomp>": ast.SetComp,
        "<genexpr>": ast.GeneratorExp,
    }
    return kinds[name](element, generators)


def _element(body: List[ast.stmt], generators: List[ast.comprehension]) -> Tuple[ast.expr, Optional[ast.expr]]:
    """The collected element; loops and conditions around it go into ``generators``."""
    while True:
        while len(body) > 1 and generators and isinstance(body[0], ast.Assign) and len(body[0].targets) == 1:
            # `for x in [value]` is compiled as an assignment (bpo-32856).
            only = ast.List([body[0].value], ast.Load())
            generators.append(ast.comprehension(body[0].targets[0], only, [], 0))
            body = body[1:]
        while len(body) > 1 and generators and isinstance(body[0], ast.If) and _does_nothing(body[0]):
            # `if a or True`: what the last operand is the compiler knows.
            generators[-1].ifs.append(_or_true(body[0].test))
            body = body[1:]
        if len(body) != 1:
            raise Refused(NO_SOURCE_FORM, f"a comprehension with {len(body)} statements in a row")
        statement = body[0]
        if isinstance(statement, (ast.For, ast.AsyncFor)) and not statement.orelse:
            generators.append(_generator(statement))
            body = statement.body
        elif isinstance(statement, ast.If) and not statement.orelse and generators:
            generators[-1].ifs.append(statement.test)
            body = statement.body
        elif isinstance(statement, ast.Pass) and generators:
            # The compiler threw the element away with a condition that is always false.
            generators[-1].ifs.append(ast.Constant(False))
            return ast.Constant(None), ast.Constant(None)
        elif isinstance(statement, Append):
            return statement.element, statement.key
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
            return statement.value.value or ast.Constant(None), None
        else:
            raise Refused(NO_SOURCE_FORM, f"a comprehension that contains {type(statement).__name__}")


def _does_nothing(choice: ast.If) -> bool:
    return not choice.orelse and len(choice.body) == 1 and isinstance(choice.body[0], ast.Pass)


def _or_true(test: ast.expr) -> ast.expr:
    operands = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    return ast.BoolOp(ast.Or(), [*operands, ast.Constant(True)])


def _generator(loop: Union[ast.For, ast.AsyncFor]) -> ast.comprehension:
    return ast.comprehension(loop.target, loop.iter, [], int(isinstance(loop, ast.AsyncFor)))
