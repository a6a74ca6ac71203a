"""Compile printed source back to the code object that is to be compared with the original.

    def f(a): return a + x        =>        def outer(): x = None; def f(a): return a + x        =>        <code f>

Free variables are bound by a function around it; names that the original has only because of where it stood
(``A.f.<locals>.g``) are put back.
"""

from __future__ import annotations
import __future__

import ast
import dis
import inspect
from types import CodeType
from typing import Iterator, List, Optional

from depyf.decompiler.definitions.comprehensions import COMPREHENSION_NAMES
from depyf.decompiler.definitions.declarations import global_targets
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.emit import EmitError, emit
from depyf.decompiler.lift.expressions import STORE
from depyf.decompiler.quiet import compile_quietly
from depyf.decompiler.refusals import NO_SOURCE_FORM, NOT_PROVED, Refused
from depyf.decompiler.versions import CODE_HAS_QUALNAME, HAS_LOAD_SUPER_ATTR

OUTER = "outer"
# The free variable of annotation scopes that stand in a class (PEP 695).
CLASS_NAMESPACE = "__classdict__"
GENERIC = "<generic parameters of "
CO_OPTIMIZED = 0x1
_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag


def compile_candidate(tree: ast.Module, source: str, code: CodeType) -> CodeType:
    """The code object that ``tree``, printed as ``source``, defines in place of ``code``.

    Raises :class:`~depyf.decompiler.refusals.Refused` when the printed source is no program or does not define it.
    """
    if code.co_name == "<module>":
        return _compiled(source, code)
    around = _in_its_module(bound(tree, code), code)
    whole = _compiled(source if around is tree else printed(around), code)
    found = _nested(whole, code.co_name)
    if found is None:
        raise Refused(NOT_PROVED, f"the printed source defines no {code.co_name}")
    return relocated(found, code)


def printed(tree: ast.Module) -> str:
    """The source text of a module; raises :class:`~depyf.decompiler.refusals.Refused` where it has none."""
    try:
        return emit(tree)
    except EmitError as error:
        raise Refused(NO_SOURCE_FORM, str(error)) from error


def _compiled(source: str, code: CodeType) -> CodeType:
    """Compile a module as the original was compiled: same file name, same ``__future__`` features, no optimisation of
    its own.
    """
    try:
        return compile_quietly(source, code.co_filename, code.co_flags & _FUTURE_FLAGS)
    except (SyntaxError, SystemError, ValueError, MemoryError) as error:
        raise Refused(NOT_PROVED, f"the printed source does not compile: {error}") from error


def bound(tree: ast.Module, code: CodeType) -> ast.Module:
    """``tree`` inside of a function that binds the free variables of ``code``, when there are any.

    The body of a nested class is put there, too, and what type parameters belong to: then names are qualified, and
    differ from strings that look like them.
    """
    plain = code.co_flags & CO_OPTIMIZED and not code.co_name.startswith(GENERIC) and not _has_lookalikes(code)
    kind = ast.AsyncFunctionDef if needs_async_scope(code) else ast.FunctionDef
    if not code.co_freevars and kind is ast.FunctionDef and (plain or "." not in _qualified_name(code)):
        return tree
    names = [name for name in code.co_freevars if not name.startswith(".")]
    if code.co_name == "__annotate__":
        names = [name for name in names if name != "__conditional_annotations__"]
    body = tree.body
    if CLASS_NAMESPACE in names:
        names = [name for name in names if name not in (CLASS_NAMESPACE, "__class__")]
        body = [class_around(body, code)]
    made = body[0].name if isinstance(body[0], ast.ClassDef) else defined_name(code)
    binding: List[ast.stmt] = [ast.Assign([ast.Name(name, STORE)], ast.Constant(None), lineno=0) for name in names]
    declared = global_targets(code) if code.co_name in COMPREHENSION_NAMES else set()
    if made not in names and _uses_name(code, made):
        # What uses its own name as a global does not see it in the function around it.
        declared.add(made)
    if declared:
        binding.append(ast.Global(sorted(declared)))
    nothing = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    name = OUTER if defined_name(code) != OUTER else OUTER + "_"
    outer = kind(name=name, args=nothing, body=binding + body, decorator_list=[], returns=None, lineno=0)
    if "type_params" in ast.FunctionDef._fields:
        setattr(outer, "type_params", [])  # noqa: B010 - mypy knows the fields of one Python only
    return ast.Module([outer], [])


def _has_lookalikes(code: CodeType) -> bool:
    """Whether strings of the program look like the names of what ``code`` would define at the top of a module.

    Until 3.10 qualified names are strings among others, so that only their look tells them.
    """
    prefix = f"{code.co_name}."
    return not CODE_HAS_QUALNAME and any(
        text.startswith(prefix) and not text.startswith(f"{prefix}<locals>.")
        for one in _with_nested(code)
        for text in _strings(one)
    )


def _with_nested(code: CodeType) -> List[CodeType]:
    codes = [code]
    for outer in codes:
        codes += nested_codes(outer)
    return codes


def _in_its_module(tree: ast.Module, code: CodeType) -> ast.Module:
    """``tree`` in a module that uses the name ``super``, where that is why ``code`` calls it.

    LOAD_SUPER_ATTR is used where ``super`` is no name of the module (Python/compile.c, can_optimize_super_call).
    """
    if not (HAS_LOAD_SUPER_ATTR and _calls_super(code)):
        return tree
    return ast.Module([*tree.body, ast.Expr(ast.Name("super", ast.Load()))], [])


def _calls_super(code: CodeType) -> bool:
    """Whether ``code``, or code in it, loads ``super`` and never an attribute of it in one step."""
    using = [one for one in _with_nested(code) if "super" in one.co_names]
    loads = {instruction.opname for one in using for instruction in dis.get_instructions(one)}
    return bool(using) and "LOAD_SUPER_ATTR" not in loads


def needs_async_scope(code: CodeType) -> bool:
    """Whether ``code`` is an asynchronous comprehension, which only asynchronous functions may hold."""
    return bool(code.co_name.startswith("<") and code.co_flags & inspect.CO_COROUTINE)


def defined_name(code: CodeType) -> str:
    """The name that what ``code`` belongs to is stored under."""
    return code.co_name[len(GENERIC) : -1] if code.co_name.startswith(GENERIC) else code.co_name


def _uses_name(code: CodeType, name: str) -> bool:
    return name in code.co_names or any(_uses_name(inner, name) for inner in nested_codes(code))


def class_around(body: List[ast.stmt], code: CodeType) -> ast.stmt:
    """A class with ``body``, named like that of ``code``: the private names of its type parameters need that."""
    name = _qualified_name(code).split(".")[-2]
    if name == defined_name(code):
        name = "_"
    made = ast.ClassDef(name=name, bases=[], keywords=[], body=body, decorator_list=[])
    made.type_params = []  # type: ignore[attr-defined]
    return made


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Code objects among the constants of ``code``."""
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _nested(code: CodeType, name: str) -> Optional[CodeType]:
    level = [code]
    while level:
        for outer in level:
            for inner in nested_codes(outer):
                if inner.co_name == name:
                    return inner
        level = [inner for outer in level for inner in nested_codes(outer)]
    return None


def relocated(candidate: CodeType, original: CodeType) -> CodeType:
    """``candidate`` with the qualified names that ``original`` and what it defines have where they stand."""
    old, new = _qualified_name(candidate), _qualified_name(original)
    if old == new:
        return candidate
    if not CODE_HAS_QUALNAME:
        return _renamed(candidate, old, new)
    old_place, _, old_name = old.rpartition(".")
    new_place, _, new_name = new.rpartition(".")
    if candidate.co_name.startswith(GENERIC):
        # What it defines is named as if the scope of the type parameters were not there, or like a global.
        made = defined_name(candidate)
        candidate = _moved(candidate, made, f"{new_place}.{made}")
    if old_place and new_place and old_name == new_name:
        # Functions in bounds, defaults and aliases are named after the scope around these.
        return _moved(candidate, old_place, new_place)
    return _moved(candidate, old, new)


def _moved(code: CodeType, old: str, new: str) -> CodeType:
    """``code`` with the qualified name ``old`` replaced by ``new``, also where that is around others.

    For CPython 3.11+, where code objects know their own names.
    """
    qualname: str = code.co_qualname  # type: ignore[attr-defined]
    moved = new + qualname[len(old) :] if f"{qualname}.".startswith(f"{old}.") else qualname
    constants: List[object] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_moved(constant, old, new))
        else:
            names_itself = constant == qualname and not code.co_flags & CO_OPTIMIZED
            constants.append(moved if names_itself else constant)
    return code.replace(co_consts=tuple(constants), co_qualname=moved)  # type: ignore[call-arg]


def _qualified_name(code: CodeType) -> str:
    if CODE_HAS_QUALNAME:
        return str(code.co_qualname)  # type: ignore[attr-defined]
    # Until 3.10 only what a code object defines tells where it stands: the names that class bodies and MAKE_FUNCTION
    # are given.
    if not code.co_flags & CO_OPTIMIZED:
        return next(
            (name for name in _qualified_names(code) if name == code.co_name or name.endswith(f".{code.co_name}")),
            code.co_name,
        )
    # Functions and lambdas have locals of their own in qualified names, comprehensions have not (PEP 3155).
    has_locals = code.co_name == "<lambda>" or not code.co_name.startswith("<")
    for inner in nested_codes(code):
        below = f"{'.<locals>' if has_locals else ''}.{inner.co_name}"
        ending = f"{code.co_name}{below}"
        for name in (*_qualified_names(code), *_qualified_names(inner)):
            if name == ending or name.endswith(f".{ending}"):
                return name[: -len(below)]
    return code.co_name


def _qualified_names(code: CodeType) -> Iterator[str]:
    """The names that ``code`` gives to the functions that it makes, and to the class whose body it is."""
    nodes = decoded(code).nodes
    for node in nodes:
        if node.op == "LOAD_CONST" and isinstance(node.arg, Const) and isinstance(node.arg.value, str):
            use = nodes[node.next[0]]
            if use.op == "MAKE_FUNCTION_NAMED" or (use.op == "STORE_NAME" and use.arg == "__qualname__"):
                yield node.arg.value


def _strings(code: CodeType) -> Iterator[str]:
    return (constant for constant in code.co_consts if isinstance(constant, str))


def _renamed(code: CodeType, old: str, new: str) -> CodeType:
    prefix = old + "."
    names_itself = not code.co_flags & CO_OPTIMIZED
    constants: List[object] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_renamed(constant, old, new))
        elif isinstance(constant, str) and (constant.startswith(prefix) or (constant == old and names_itself)):
            constants.append(new + constant[len(old) :])
        else:
            constants.append(constant)
    return code.replace(co_consts=tuple(constants))
