"""Operations that are statements: one small function per kind, which appends to the block being printed.

("STORE_ATTR", "a") on s1, x    =>    x.a = s1
("UNPACK_SEQUENCE", 2) on s1    =>    b, c = s1
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Callable, Dict, List, NamedTuple, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.lift.dataflow.events import Operation
from depyf.decompiler.lift.dataflow.functions import is_comprehension
from depyf.decompiler.lift.dataflow.shown import symbols_in
from depyf.decompiler.lift.expressions import BINARY, DELETE, LOAD, STORE, index_of
from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.symbolic.calls import ITER
from depyf.decompiler.symbolic.values import Symbol

if TYPE_CHECKING:
    from depyf.decompiler.lift.dataflow.printing import Printing


class ExceptionTest(ast.expr):
    """Whether the exception being handled is of a type; only an ``except`` clause can say it."""

    _fields = ("type",)

    def __init__(self, type: ast.expr) -> None:
        super().__init__()
        self.type = type


class Pending(NamedTuple):
    """A value that is not evaluated yet."""

    value: Symbol
    expression: ast.expr
    event: int
    description: str
    kind: Tuple[object, ...]


def _store(printing: Printing, target: ast.expr, value: ast.expr) -> None:
    printing.body.append(ast.Assign([target], value))


def _store_attribute(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    name = printing.printer.names.identifier(event.kind[1])  # type: ignore[arg-type]
    _store(printing, ast.Attribute(operands[1], name, STORE), operands[0])


def _store_item(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    _store(printing, ast.Subscript(operands[1], index_of(operands[2]), STORE), operands[0])


def _store_variable(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    name = _outer_name(printing, event)
    _store(printing, ast.Name(name, STORE), operands[0])


def _delete_variable(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.body.append(ast.Delete([ast.Name(_outer_name(printing, event), DELETE)]))


def _outer_name(printing: Printing, event: Operation) -> str:
    operation, name = event.kind
    names = printing.printer.names
    scope = "global" if str(operation).endswith("GLOBAL") else "cell"
    printing.printer.stored.add((scope, str(name)))
    return names.global_variable(str(name)) if scope == "global" else names.identifier(str(name))


def _delete_attribute(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    name = printing.printer.names.identifier(event.kind[1])  # type: ignore[arg-type]
    printing.body.append(ast.Delete([ast.Attribute(operands[0], name, DELETE)]))


def _delete_item(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.body.append(ast.Delete([ast.Subscript(operands[0], index_of(operands[1]), DELETE)]))


def _return(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.body.append(ast.Return(operands[0]))


def _raise(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.body.append(ast.Raise(operands[0] if operands else None, operands[1] if len(operands) > 1 else None))


def _reraise(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.body.append(ast.Raise(None, None))


# Parts of what ``items()`` gives.
_PAIR = ("key", "entry")


def _unpack(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    targets: List[ast.expr] = []
    pair = event.operands[0] in printing.printer.pairs and len(event.results) == len(_PAIR)
    words = _PAIR if pair else ("item",) * len(event.results)
    starred = event.kind[1] if event.kind[0] == "UNPACK_EX" else -1
    for number, (result, word) in enumerate(zip(event.results, words)):
        printing.variables[result] = printing.name_for(result, index, word)
        name: ast.expr = ast.Name(printing.variables[result], STORE)
        targets.append(ast.Starred(name, STORE) if number == starred else name)
    kind = ast.Tuple if targets else ast.List
    printing.body.append(ast.Assign([kind(targets, STORE)], operands[0]))


def in_place(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """``x += y``: the variable of the result starts as that of the left operand."""
    (result,) = event.results
    printing.variables[result] = name = printing.name_for(result, index, "value")
    if not (isinstance(operands[0], ast.Name) and operands[0].id == name):
        printing.body.append(ast.Assign([ast.Name(name, STORE)], operands[0]))
    operator = BINARY[str(event.kind[1])[:-1]]()
    printing.body.append(ast.AugAssign(ast.Name(name, STORE), operator, operands[1]))


def _append(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """R-APPEND."""
    if not isinstance(operands[0], ast.Name):
        raise Refused(NO_SOURCE_FORM, "an item is appended to a list without a name")
    target = ast.Name(operands[0].id, STORE)
    printing.body.append(ast.AugAssign(target, ast.Add(), ast.List([operands[1]], LOAD)))


def _get_iter(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """The iterable waits for its loop; if something happens before, in a variable."""
    (result,) = event.results
    expression = operands[0]
    if _is_collected(printing, result, index):
        printing.pending.append(Pending(result, expression, index, "items", event.kind))
        return
    if _is_handed_out(printing, result, index):
        # R-ITER: source says GET_ITER only in loops.
        made: ast.expr = ast.Call(printing.printer.expressions.constant(ITER), [expression], [])
        printing.result(event, made, "iterator", index)
        return
    if any(isinstance(later, Operation) for later in printing.block.events[index + 1 :]) and not isinstance(
        expression, ast.Name
    ):
        name = printing.name_for(result, index, "items")
        printing.body.append(ast.Assign([ast.Name(name, STORE)], expression))
        expression = ast.Name(name, LOAD)
    printing.printer.iterables[result] = expression


def _is_handed_out(printing: Printing, iterator: Symbol, index: int) -> bool:
    """Whether an iterator goes to another operation of its block than a loop."""
    later = (event for event in printing.block.events[index + 1 :] if isinstance(event, Operation))
    others = (event for event in later if event.kind != ("FOR_ITER",))
    return any(iterator in symbols_in(operand) for event in others for operand in event.operands)


def _is_collected(printing: Printing, iterator: Symbol, index: int) -> bool:
    """Whether an iterator is only made for the function of a comprehension."""
    later = (event for event in printing.block.events[index + 1 :] if isinstance(event, Operation))
    following = next(later, None)
    return (
        following is not None
        and following.kind[0] == "CALL"
        and following.operands[1:] == (iterator,)
        and (is_comprehension(following.operands[0]))
    )


def _for_iter(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    (iterator,) = event.operands
    found = printing.printer.iterables.get(iterator) if isinstance(iterator, Symbol) else None
    printing.test = printing.printer.expressions.value(iterator, {}) if found is None else found
    (result,) = event.results
    printing.variables[result] = printing.name_for(result, index, "item")
    called = printing.test.func if isinstance(printing.test, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr == "items":
        printing.printer.pairs.add(result)


def _branch(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    printing.test = operands[0]


def _before_with(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """The context manager waits for its ``with``."""
    printing.test = operands[0]
    value = event.results[1]
    if printing.uses.get(value, 0):
        printing.variables[value] = printing.name_for(value, index, "entered")


def _with_except_start(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """The ``with`` statement does this by itself."""
    printing.pending.append(Pending(event.results[0], ast.Constant(False), index, "swallows", event.kind))


def _exception_match(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """The clause is printed by whoever prints the ``try``; the value is only good for its branch."""
    printing.pending.append(Pending(event.results[0], ExceptionTest(operands[0]), index, "match", event.kind))


def _import(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """``import a``, ``import a.b as c``, ``from a import b, c``: one statement for the import and what is taken from
    it.
    """
    name, (level, names), (module,) = str(event.kind[1]), event.operands, event.results
    taken = _taken_from(printing, module, index)
    if type(level) is not Const or type(names) is not Const:
        raise Refused(NO_SOURCE_FORM, "an import of names that are no constants", printing.flow.graph.code.co_name)
    if names.value:
        aliases = [ast.alias(str(part.kind[1]), _bound(printing, part, index)) for part in taken]
        if tuple(alias.name for alias in aliases) != names.value:
            raise Refused(
                NO_SOURCE_FORM, "an import of names that are not taken in order", printing.flow.graph.code.co_name
            )
        printing.body.append(ast.ImportFrom(name or None, aliases, cast(int, level.value)))
        return
    parts = name.split(".")
    if [str(part.kind[1]) for part in taken] == parts[1:] and printing.uses.get(module, 0) == min(len(taken), 1):
        bound = _bound(printing, taken[-1] if taken else event, index)
        printing.body.append(ast.Import([ast.alias(name, bound)]))
        return
    bound = _bound(printing, event, index)
    if taken or bound != parts[0]:
        raise Refused(NO_SOURCE_FORM, f"import of {name} under the name {bound}", printing.flow.graph.code.co_name)
    printing.body.append(ast.Import([ast.alias(name, None)]))


def _bound(printing: Printing, event: Operation, index: int) -> str:
    (result,) = event.results
    printing.variables[result] = name = printing.name_for(result, index, str(event.kind[1]).split(".")[0])
    return name


def _taken_from(printing: Printing, module: Symbol, index: int) -> List[Operation]:
    """The IMPORT_FROM operations on an imported module, or on what was taken from it before, that follow its import."""
    found: List[Operation] = []
    sources = {module}
    for later in printing.block.events[index + 1 :]:
        if isinstance(later, Operation):
            if later.kind[0] != "IMPORT_FROM" or later.operands[0] not in sources:
                break
            found.append(later)
            sources.add(later.results[0])
    return found


def _taken(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """IMPORT_FROM is printed with its import; apart from it, no variable holds its result."""


def _check_bound(printing: Printing, event: Operation, operands: List[ast.expr], index: int) -> None:
    """Reading a local that may be unbound."""
    name = printing.printer.names.identifier(str(event.kind[1]))
    printing.variables[event.results[0]] = name
    printing.body.append(ast.Expr(ast.Name(name, LOAD)))


# Operations whose operands the statement does not name: the exception being handled, the iterator of a loop.
IMPLICIT = {
    "RERAISE": 1,
    "FOR_ITER": 1,
    "EXC_MATCH": 1,
    "IMPORT_NAME": 2,
    "IMPORT_FROM": 1,
    "CHECK_BOUND": 1,
    "WITH_EXCEPT_START": 2,
}
Statement = Callable[["Printing", Operation, List[ast.expr], int], None]
STATEMENTS: Dict[str, Statement] = {
    "STORE_ATTR": _store_attribute,
    "STORE_SUBSCR": _store_item,
    "STORE_DEREF": _store_variable,
    "STORE_GLOBAL": _store_variable,
    "DELETE_DEREF": _delete_variable,
    "DELETE_GLOBAL": _delete_variable,
    "DELETE_ATTR": _delete_attribute,
    "DELETE_SUBSCR": _delete_item,
    "RETURN": _return,
    "RAISE": _raise,
    "RERAISE": _reraise,
    "UNPACK_SEQUENCE": _unpack,
    "UNPACK_EX": _unpack,
    "LIST_APPEND": _append,
    "GET_ITER": _get_iter,
    "FOR_ITER": _for_iter,
    "BRANCH": _branch,
    "EXC_MATCH": _exception_match,
    "BEFORE_WITH": _before_with,
    "WITH_EXCEPT_START": _with_except_start,
    "CHECK_BOUND": _check_bound,
    "IMPORT_NAME": _import,
    "IMPORT_FROM": _taken,
}
