"""What a function or class object knows beyond its code: defaults, annotations, bases, attributes.

    f.__defaults__ == (1, <Foo>)      =>      # the default of b is a Foo, which no literal makes
                                              def f(a=1, b=...):

Values are printed where a literal, or a name that the function itself sees, makes them again.  Elsewhere ``...`` keeps
the signature valid, and a comment says so.
"""

from __future__ import annotations

import ast
import builtins
from importlib import import_module
from types import FunctionType
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from depyf.decompiler.versions import ANNOTATIONS_ARE_LAZY

LOAD = ast.Load()
CO_FUTURE_ANNOTATIONS = 0x1000000
_ATOMS = (int, float, complex, str, bytes, bool, type(None), type(...))

Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


class Signature(NamedTuple):
    """Defaults and annotations as trees; ``lost`` says what stands for itself no longer."""

    defaults: List[ast.expr]
    kwdefaults: Dict[str, ast.expr]
    annotations: Dict[str, ast.expr]
    lost: List[str]


def tree_of(value: object, names: Mapping[str, object]) -> Optional[ast.expr]:
    """An expression that makes ``value`` again where ``names`` are seen; None where there is none."""
    if type(value) in _ATOMS:
        return ast.Constant(value)
    if type(value) is dict:
        return _tree_of_dict(value, names)
    if type(value) in (tuple, list, set) and (value or type(value) is not set):
        items = [tree_of(item, names) for item in value]  # type: ignore[attr-defined]
        known = [item for item in items if item is not None]
        if len(known) < len(items):
            return None
        return ast.Set(known) if type(value) is set else (ast.Tuple if type(value) is tuple else ast.List)(known, LOAD)
    return _name_of(value, names)


def _tree_of_dict(value: Dict[object, object], names: Mapping[str, object]) -> Optional[ast.expr]:
    keys = [tree_of(key, names) for key in value]
    values = [tree_of(item, names) for item in value.values()]
    if None in keys or None in values:
        return None
    return ast.Dict(keys, values)  # type: ignore[arg-type]


def _name_of(value: object, names: Mapping[str, object]) -> Optional[ast.expr]:
    name = getattr(value, "__name__", None)
    if not (isinstance(name, str) and name.isidentifier()):
        return None
    seen = names[name] if name in names else getattr(builtins, name, None)
    return ast.Name(name, LOAD) if seen is value else None


def signature_of(function: FunctionType) -> Signature:
    """The defaults and annotations that ``function`` has now."""
    lost: List[str] = []
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    defaults = list(function.__defaults__ or ())
    with_default = positional[len(positional) - len(defaults) :]
    seen = function.__globals__
    return Signature(
        [_or_placeholder(f"the default of {name}", value, seen, lost) for name, value in zip(with_default, defaults)],
        {
            name: _or_placeholder(f"the default of {name}", value, seen, lost)
            for name, value in (function.__kwdefaults__ or {}).items()
        },
        _annotations(function, lost),
        lost,
    )


def _or_placeholder(what: str, value: object, names: Mapping[str, object], lost: List[str]) -> ast.expr:
    tree = tree_of(value, names)
    if tree is not None:
        return tree
    lost.append(f"{what} is an object of type {type(value).__name__}, which no literal makes")
    return ast.Constant(...)


def annotations_of(owner: Union[FunctionType, type]) -> Tuple[Mapping[str, object], bool]:
    """Annotations by name, and whether all of them are given as source text."""
    if ANNOTATIONS_ARE_LAZY:
        library = import_module("annotationlib")
        return library.get_annotations(owner, format=library.Format.STRING), True
    if isinstance(owner, FunctionType):
        return owner.__annotations__, bool(owner.__code__.co_flags & CO_FUTURE_ANNOTATIONS)
    return vars(owner).get("__annotations__", {}), False


def annotation_tree(value: object, as_text: bool, names: Mapping[str, object]) -> Optional[ast.expr]:
    """An annotation as it is written; None where no literal and no name makes it."""
    parsed = _parsed(value) if as_text and isinstance(value, str) else None
    return parsed or tree_of(value, names)


def _annotations(function: FunctionType, lost: List[str]) -> Dict[str, ast.expr]:
    annotations, as_text = annotations_of(function)
    trees: Dict[str, ast.expr] = {}
    for name, value in annotations.items():
        what = "the annotation of the result" if name == "return" else f"the annotation of {name}"
        tree = annotation_tree(value, as_text, function.__globals__)
        trees[name] = tree or _or_placeholder(what, value, function.__globals__, lost)
    return trees


def _parsed(text: str) -> Optional[ast.expr]:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def with_signature(definition: Definition, signature: Signature) -> Definition:
    """A copy of ``definition`` with these defaults and annotations."""
    old = definition.args
    annotations = signature.annotations

    def annotated(arg: Optional[ast.arg]) -> Optional[ast.arg]:
        return arg and ast.arg(arg.arg, annotations.get(arg.arg, arg.annotation))

    def all_annotated(args: Sequence[ast.arg]) -> List[ast.arg]:
        return [ast.arg(arg.arg, annotations.get(arg.arg, arg.annotation)) for arg in args]

    args = ast.arguments(
        posonlyargs=all_annotated(old.posonlyargs),
        args=all_annotated(old.args),
        vararg=annotated(old.vararg),
        kwonlyargs=all_annotated(old.kwonlyargs),
        kw_defaults=[signature.kwdefaults.get(arg.arg) for arg in old.kwonlyargs],
        kwarg=annotated(old.kwarg),
        defaults=signature.defaults,
    )
    fields = {name: getattr(definition, name) for name in definition._fields if hasattr(definition, name)}
    fields["args"] = args
    if not isinstance(definition, ast.Lambda):
        fields["returns"] = annotations.get("return", definition.returns)
    return type(definition)(**fields, lineno=0, col_offset=0)
