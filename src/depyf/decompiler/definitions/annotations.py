"""Annotations that are computed when they are asked for (PEP 649, PEP 749, CPython 3.14+).

    def __annotate__(format, /):
        if format > 2: raise NotImplementedError          class C:
        made = {}                                             x: int
        made['x'] = int                         =>            if a:
        if 0 in __conditional_annotations__:                      y: str = b
            made['y'] = str
        return made

Names that are annotated under a condition have a number, which the body adds to ``__conditional_annotations__`` where
the annotation stands; others have left no trace there, so that only their order is known.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import TYPE_CHECKING, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from depyf.decompiler.lift.values import Append, Entry
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused

if TYPE_CHECKING:
    from depyf.decompiler.definitions.assemble import Assembler

ANNOTATE = "__annotate__"
# Where modules and classes store the function.
STORED_AS = frozenset([ANNOTATE, "__annotate_func__"])
CONDITIONAL = "__conditional_annotations__"


class Annotation(NamedTuple):
    """One annotated name; ``number`` is that of a conditional one."""

    name: str
    value: ast.expr
    number: Optional[int]


class Annotations(ast.stmt):
    """What ``__annotate__`` of a module or class computes, in the place where the function is stored."""

    _fields = ()

    def __init__(self, entries: List[Annotation]) -> None:
        super().__init__()
        self.entries = entries


def written_out(tree: ast.Module) -> ast.Module:
    """``tree`` with its annotations as expressions, which the future import made strings of (PEP 563)."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            value = getattr(node, name, None)
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                setattr(node, name, _expression(value.value))
    return tree


def _expression(text: str) -> ast.expr:
    if text.startswith("*"):
        return ast.Starred(_expression(text[1:]), ast.Load())
    return ast.parse(text, mode="eval").body


def without_format_check(statements: List[ast.stmt]) -> List[ast.stmt]:
    """The statements of an annotation scope without ``if format > 2: raise NotImplementedError`` in front."""
    first = statements[0] if len(statements) > 1 else None
    if (
        not isinstance(first, ast.If)
        or not isinstance(first.test, ast.Compare)
        or not isinstance(first.body[0], ast.Raise)
    ):
        return statements
    tested = first.test.left
    is_check = isinstance(tested, ast.Name) and tested.id.lstrip(".") == "format"
    return first.orelse + statements[1:] if is_check else statements


def annotations_of(assembler: Assembler, code: CodeType) -> Optional[List[Annotation]]:
    """What the function with ``code`` computes; None when the compiler did not make it."""
    if code.co_name != ANNOTATE or code.co_posonlyargcount != 1:
        return None
    statements = without_format_check(assembler.statements(code))
    last = statements[-1] if statements else None
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Dict):
        return None
    found = [_entry(key, value, None) for key, value in zip(last.value.keys, last.value.values)]
    for statement in statements[:-1]:
        number = _condition(statement)
        inner = statement if number is None else statement.body[0]  # type: ignore[attr-defined]
        if not isinstance(inner, Entry):
            return None
        found.append(_entry(inner.key, inner.value, number))
    return found


def _entry(key: Optional[ast.expr], value: ast.expr, number: Optional[int]) -> Annotation:
    assert isinstance(key, ast.Constant)
    return Annotation(key.value, value, number)


def _condition(statement: ast.stmt) -> Optional[int]:
    test = statement.test if isinstance(statement, ast.If) else None
    if (
        not isinstance(test, ast.Compare)
        or not isinstance(test.left, ast.Constant)
        or not _is_conditional(test.comparators[0])
    ):
        return None
    return int(test.left.value)


def _is_conditional(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == CONDITIONAL


def parameter_annotations(assembler: Assembler, code: CodeType) -> ast.expr:
    """Annotations of a function as a display.

    Raises :class:`~depyf.decompiler.refusals.Refused` when ``code`` computes them in a way of its own.
    """
    found = annotations_of(assembler, code)
    if found is None:
        raise Refused(NO_SOURCE_FORM, "annotations of a function that no compiler computes like this")
    return ast.Dict([ast.Constant(entry.name) for entry in found], [entry.value for entry in found])


def with_annotations(statements: List[ast.stmt]) -> List[ast.stmt]:
    """The statements of a module or class with its annotations where they stand."""
    entries = [entry for statement in statements if isinstance(statement, Annotations) for entry in statement.entries]
    statements = [statement for statement in statements if not _is_scaffolding(statement)]
    if not entries:
        return statements
    numbered = {entry.number: entry for entry in entries if entry.number is not None}
    return _in_order(_at_their_marks(statements, numbered), entries)


def _is_scaffolding(statement: ast.stmt) -> bool:
    return isinstance(statement, Annotations) or assigned_name(statement) == CONDITIONAL


def _at_their_marks(statements: List[ast.stmt], numbered: Dict[int, Annotation]) -> List[ast.stmt]:
    result: List[ast.stmt] = []
    for statement in statements:
        for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(part, name, None)
                if isinstance(inner, list) and not isinstance(
                    statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
                ):
                    setattr(part, name, _at_their_marks(inner, numbered))
        if (
            isinstance(statement, Append)
            and isinstance(statement.element, ast.Constant)
            and statement.element.value in numbered
        ):
            entry = numbered[statement.element.value]
            assigned = result.pop() if result and assigned_name(result[-1]) == entry.name else None
            made = annotated(entry, assigned)
            made.number = entry.number  # type: ignore[attr-defined]
            result.append(made)
        elif not (isinstance(statement, ast.Expr) and _is_conditional(statement.value)):
            result.append(statement)
    return result


def assigned_name(statement: ast.stmt) -> Optional[str]:
    """The one name that a statement assigns to."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None


def annotated(entry: Annotation, assigned: Optional[ast.stmt] = None) -> ast.stmt:
    """``name: value``, or that with what is assigned."""
    value = assigned.value if isinstance(assigned, ast.Assign) else None
    return ast.AnnAssign(ast.Name(entry.name, ast.Store()), entry.value, value, 1)


def _in_order(statements: List[ast.stmt], entries: Sequence[Annotation]) -> List[ast.stmt]:
    """Join annotations without a mark with assignments as far as their order allows.

    Those that are not assigned to stand behind the annotation before them, or in front.
    """
    marked: Dict[Optional[int], int] = {
        number: place for place, statement in enumerate(statements) for number in _numbers(statement)
    }
    behind = next((place for place, other in enumerate(statements) if not _comes_first(other)), len(statements))
    following: Dict[int, List[ast.stmt]] = {}
    for group, end in _groups(entries, marked, len(statements)):
        names = [assigned_name(statement) for statement in statements[behind:end]]
        matches = _longest_match([entry.name if entry.number is None else "" for entry in group], names)
        start = behind
        for entry, match in zip(group, matches):
            if entry.number is not None:
                # Its mark was in code that the compiler threw away.
                dead = ast.If(ast.Constant(False), [annotated(entry)], [])
                following.setdefault(behind, []).append(dead)
            elif match is None:
                following.setdefault(behind, []).append(annotated(entry))
            else:
                behind = start + match + 1
                statements[behind - 1] = annotated(entry, statements[behind - 1])
        behind = max(behind, end + 1)
    result = following.get(0, [])
    for place, statement in enumerate(statements):
        result += [statement, *following.get(place + 1, [])]
    return result


def _comes_first(statement: ast.stmt) -> bool:
    """Whether nothing may stand in front of a statement: the docstring, and what is imported from the future."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return assigned_name(statement) == "__doc__"


def _groups(
    entries: Sequence[Annotation], marked: Dict[Optional[int], int], end: int
) -> Iterator[Tuple[List[Annotation], int]]:
    """Runs of annotations without a mark, each with the place of the statement that the next mark is in."""
    group: List[Annotation] = []
    for entry in entries:
        if entry.number in marked:
            yield group, marked[entry.number]
            group = []
        else:
            group.append(entry)
    yield group, end


def _numbers(statement: ast.stmt) -> List[int]:
    found = (getattr(node, "number", None) for node in ast.walk(statement))
    return [number for number in found if number is not None]


def _longest_match(names: Sequence[str], stored: Sequence[Optional[str]]) -> List[Optional[int]]:
    """For each name the place in ``stored`` that it is joined with: a longest common subsequence."""
    lengths = [[0] * (len(stored) + 1) for _ in range(len(names) + 1)]
    for one in reversed(range(len(names))):
        for other in reversed(range(len(stored))):
            joined = lengths[one + 1][other + 1] + 1 if names[one] == stored[other] else 0
            lengths[one][other] = max(joined, lengths[one + 1][other], lengths[one][other + 1])
    places: List[Optional[int]] = []
    start = 0
    for one, name in enumerate(names):
        here = next((place for place in range(start, len(stored)) if stored[place] == name), None)
        if here is not None and lengths[one + 1][here + 1] + 1 == lengths[one][start]:
            places.append(here)
            start = here + 1
        else:
            places.append(None)
    return places


def annotate_on_its_own(assembler: Assembler, code: CodeType) -> Optional[List[ast.stmt]]:
    """Something with the annotations that ``code`` computes: a function, a class or a module.

    None when the compiler did not make ``code``.
    """
    entries = annotations_of(assembler, code)
    if entries is None:
        return None
    if not any(isinstance(statement, Entry) for statement in _flat(assembler.statements(code))):
        return [_function_with(entries)]
    body: List[ast.stmt] = [
        annotated(entry) if entry.number is None else ast.If(ast.Name("condition", ast.Load()), [annotated(entry)], [])
        for entry in entries
    ]
    if CONDITIONAL not in code.co_freevars and any(entry.number is not None for entry in entries):
        return body
    made = ast.ClassDef(name="annotated", bases=[], keywords=[], body=body, decorator_list=[])
    made.type_params = []  # type: ignore[attr-defined]
    return [made]


def _flat(statements: Sequence[ast.stmt]) -> List[ast.stmt]:
    return [inner for statement in statements for inner in (statement, *getattr(statement, "body", ()))]


def _is_starred(value: ast.expr) -> bool:
    text = value.value if isinstance(value, ast.Constant) else None
    return isinstance(value, ast.Starred) or (isinstance(text, str) and text.startswith("*"))


def _function_with(entries: Sequence[Annotation]) -> ast.stmt:
    parameters = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    returns = None
    for entry in entries:
        made = ast.arg(entry.name, entry.value)
        if entry.name == "return":
            returns = entry.value
        elif _is_starred(entry.value):
            parameters.vararg = made
        elif parameters.vararg is not None:
            parameters.kwonlyargs.append(made)
            parameters.kw_defaults.append(None)
        else:
            parameters.args.append(made)
    function = ast.FunctionDef("annotated", parameters, [ast.Pass()], [], returns, lineno=0)
    function.type_params = []  # type: ignore[attr-defined]
    return function
