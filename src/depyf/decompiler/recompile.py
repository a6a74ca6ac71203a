"""Printed source to a code object that can take the place of the one it was printed from.

Where it says something else instead (``stand_ins``), that is put back.
"""

from __future__ import annotations

import ast
import re
import warnings
from types import CodeType
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from depyf.decompiler.refusals import NO_SOURCE_FORM, Refused
from depyf.decompiler.stand_ins import Restoration, StandIns, Substitution, under_the_names_of
from depyf.decompiler.versions import LOCALSPLUS

# Flags that change what compile() does (Include/cpython/compile.h: PyCF_MASK).
_FUTURES = 0x1FE0000
_OUTER = "__outer"


def recompile(source: str, reference: CodeType, stand_ins: StandIns, filename: Optional[str] = None) -> CodeType:
    """Compile the one function in ``source`` to a code object in place of ``reference``.

    ``filename`` becomes ``co_filename`` (that of ``reference`` if None).  Raises
    :class:`~depyf.decompiler.refusals.Refused` when the source does not compile or lacks the function.
    """
    unused = _unnamed(source, reference, stand_ins) if LOCALSPLUS and reference.co_freevars else ()
    made = _compiled(source, reference, stand_ins, {}, filename, unused)
    aliases: Dict[str, str] = {}
    unsorted = any(list(names) != sorted(names) for names in _closures(stand_ins))
    if _order(made) != _order(reference) or unsorted:
        aliases = _sorting_names(reference, stand_ins)
        made = _compiled(source, reference, stand_ins, aliases, filename, unused)
    # torch until 2.4 looks up every local of a frame by name in the code that takes its place
    # (torch/csrc/dynamo/eval_frame.c: eval_custom_code).
    here = {*made.co_varnames, *made.co_cellvars, *made.co_freevars}
    missing = tuple(name for name in dict.fromkeys(reference.co_varnames) if name not in here)
    if missing and LOCALSPLUS and (made.co_cellvars or made.co_freevars):
        # Cells have numbers after those of locals: only the compiler can make room between them.
        return _compiled(source, reference, stand_ins, aliases, filename, (*unused, *missing))
    return made.replace(co_nlocals=made.co_nlocals + len(missing), co_varnames=made.co_varnames + missing)


def _unnamed(source: str, reference: CodeType, stand_ins: StandIns) -> Tuple[str, ...]:
    """Locals of ``reference`` of which the source has not even the name, under none of its forms."""
    named = {*re.findall(r"\w+", source), *stand_ins.restored.values()}
    variables = (*reference.co_cellvars, *reference.co_freevars)
    return tuple(name for name in dict.fromkeys(reference.co_varnames) if name not in named and name not in variables)


def _order(code: CodeType) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    return code.co_freevars, code.co_cellvars


def _compiled(
    source: str,
    reference: CodeType,
    stand_ins: StandIns,
    sorting: Dict[str, str],
    filename: Optional[str],
    unused: Sequence[str] = (),
) -> CodeType:
    name = reference.co_filename if filename is None else filename
    tree = _parsed(source, reference)
    stand_in = Substitution(stand_ins.objects, sorting, reference)
    if stand_in.changes_something:
        tree = stand_in.visit(tree)
    unused_aliases = {f"__unused_{number}": name for number, name in enumerate(unused)}
    if unused:
        _add_locals(tree, list(unused_aliases))
    printed = {real: alias for alias, real in stand_ins.restored.items()}
    free = [printed.get(variable, variable) for variable in reference.co_freevars]
    if free:
        tree = _inside_function(tree, [sorting.get(variable, variable) for variable in free])
    with warnings.catch_warnings():
        # Warnings about user code were shown when it was compiled, and those about stand-ins mean nothing.
        warnings.simplefilter("ignore")
        try:
            top = compile(tree, name, "exec", flags=reference.co_flags & _FUTURES, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise _not_compiled(reference, error) from error
    made = _first_function(_first_function(top, reference) if free else top, reference)
    names = {
        **unused_aliases,
        **stand_ins.restored,
        **{alias: stand_ins.restored.get(real, real) for real, alias in sorting.items()},
    }
    restored = Restoration(names, stand_in.constants, stand_ins)
    return _as_reference(restored.code(made, stand_ins.nested), reference)


def _parsed(source: str, reference: CodeType) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise _not_compiled(reference, error) from error


def _not_compiled(reference: CodeType, error: Exception) -> Refused:
    return Refused(NO_SOURCE_FORM, f"the printed source does not compile: {error}", reference.co_name)


def _add_locals(tree: ast.Module, names: Sequence[str]) -> None:
    """Let the function have these locals, too."""
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    targets: List[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    never = ast.If(ast.Constant(False), [ast.Assign(targets, ast.Constant(None))], [])
    function.body.append(ast.fix_missing_locations(never))


def _first_function(code: CodeType, reference: CodeType) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            return constant
    raise Refused(NO_SOURCE_FORM, "the printed source holds no function", reference.co_name)


def _inside_function(tree: ast.Module, free: Sequence[str]) -> ast.Module:
    """The tree inside a function that binds the free variables."""
    binding: List[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in free]
    outer = ast.parse(f"def {_OUTER}(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = binding
    ast.fix_missing_locations(outer)
    outer.body += tree.body
    return ast.Module(body=[outer], type_ignores=[])


def _closures(stand_ins: StandIns) -> Iterator[Tuple[str, ...]]:
    """Free variables of each printed function, in the order in which its closure has their cells."""
    for code in (*stand_ins.functions.values(), *stand_ins.nested):
        yield code.co_freevars


def _sorting_names(reference: CodeType, stand_ins: StandIns) -> Dict[str, str]:
    """Aliases for free and cell variables that sort as ``reference`` and the code inside of it have them;
    ``__class__`` keeps its name, for super().
    """
    printed = {real: alias for alias, real in stand_ins.restored.items()}
    order = _common_order([*_order(reference), *_closures(stand_ins)])
    place = order.index("__class__") if "__class__" in order else -1
    aliases: Dict[str, str] = {}
    for number, name in enumerate(order):
        if number != place:
            prefix = "A_" if number < place else "a_"
            aliases[printed.get(name, name)] = f"{prefix}{number:06}_{printed.get(name, name)}"
    return aliases


def _common_order(sequences: Sequence[Tuple[str, ...]]) -> List[str]:
    """The names of all sequences, each sequence in its order; one that contradicts those before it is left out."""
    after: Dict[str, Set[str]] = {}
    order: List[str] = []
    for sequence in sequences:
        tried = {name: set(later) for name, later in after.items()}
        for name, later in zip(sequence, [*sequence[1:], None]):
            tried.setdefault(name, set()).update([] if later is None else [later])
        found = _sorted(tried)
        if found is not None:
            after, order = tried, found
    return order


def _sorted(after: Mapping[str, Set[str]]) -> Optional[List[str]]:
    """The names, each before those that come after it; None if they go round in circles."""
    order: List[str] = []
    left = dict(after)
    while left:
        later = {name for names in left.values() for name in names}
        first = next((name for name in left if name not in later), None)
        if first is None:
            return None
        order.append(first)
        del left[first]
    return order


def _as_reference(code: CodeType, reference: CodeType) -> CodeType:
    """What only names the code: taken from ``reference``, the file and lines of the source aside."""
    nested = 0x10
    flags = code.co_flags & ~nested | reference.co_flags & nested
    return under_the_names_of(code.replace(co_flags=flags), reference)
