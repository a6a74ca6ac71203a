"""A class object as a class statement: its methods one by one, its values where a literal makes them.

    C.__dict__ == {"f": <function>, "x": 1, "lock": <Lock>}   =>   class C:
                                                                       def f(self): ...
                                                                       x = 1
                                                                       # lock: an object of type lock, ...

The code of a class body is not kept by the class: loops, conditions and decorators in it cannot be recovered, and
comments say what is missing.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Callable, Dict, List, Mapping, Optional

from depyf.decompiler.definitions.private_names import with_private_names
from depyf.decompiler.emit import Comment
from depyf.decompiler.live import LOAD, annotation_tree, annotations_of, tree_of

STORE = ast.Store()
FunctionTrees = Callable[[FunctionType], List[ast.stmt]]
_MADE_BY_CPYTHON = frozenset([
    "__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__",
    "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__classcell__",
    "__abstractmethods__", "_abc_impl", "__parameters__", "__orig_bases__", "__type_params__",
])  # fmt: skip


def class_tree(cls: type, functions: FunctionTrees) -> ast.ClassDef:
    """The class statement; ``functions`` gives the definition of a method, comments before it included."""
    names = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    bases = [_reference(base, names) for base in cls.__bases__ if base is not object]
    keywords = [] if type(cls) is type else [ast.keyword("metaclass", _reference(type(cls), names))]
    body: List[ast.stmt] = [ast.Expr(ast.Constant(cls.__doc__))] if isinstance(vars(cls).get("__doc__"), str) else []
    annotations = _annotations(cls, names)
    body += [comment for name, comment in annotations.items() if isinstance(comment, Comment)]
    body += [item for name, item in annotations.items() if name not in vars(cls) and not isinstance(item, Comment)]
    for name, value in vars(cls).items():
        if name in _MADE_BY_CPYTHON or isinstance(value, (GetSetDescriptorType, MemberDescriptorType)):
            continue
        body += [_annotated(item, annotations.get(name)) for item in _attribute(cls, name, value, names, functions)]
    with_private_names(cls.__name__, body)
    name = re.sub(r"\W", "_", cls.__name__)
    made = ast.ClassDef(name=name, bases=bases, keywords=keywords, body=body or [ast.Pass()], decorator_list=[])
    if "type_params" in ast.ClassDef._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made


def _reference(cls: type, names: Mapping[str, object]) -> ast.expr:
    """A class by name: as this module sees it, else with the module that it comes from."""
    known = tree_of(cls, names)
    if known is not None:
        return known
    parts = f"{cls.__module__}.{cls.__qualname__}".replace(".<locals>", "").split(".")
    tree: ast.expr = ast.Name(parts[0], LOAD)
    for part in parts[1:]:
        tree = ast.Attribute(tree, part, LOAD)
    return tree


def _annotated(item: ast.stmt, annotation: Optional[ast.stmt]) -> ast.stmt:
    """``x = 1`` with its annotation."""
    if isinstance(item, ast.Assign) and isinstance(annotation, ast.AnnAssign):
        return ast.AnnAssign(annotation.target, annotation.annotation, item.value, 1)
    return item


def _annotations(cls: type, names: Mapping[str, object]) -> Dict[str, ast.stmt]:
    """A declaration, or a comment, for every annotated name."""
    found, as_text = annotations_of(cls)
    return {name: _declaration(name, value, as_text, names) for name, value in found.items()}


def _declaration(name: str, value: object, as_text: bool, names: Mapping[str, object]) -> ast.stmt:
    tree = annotation_tree(value, as_text, names)
    if tree is None or not _is_name(name):
        return Comment(f"{name} has an annotation of type {type(value).__name__}, which no literal makes")
    return ast.AnnAssign(ast.Name(name, STORE), tree, None, 1)


def _attribute(
    cls: type, name: str, value: object, names: Mapping[str, object], functions: FunctionTrees
) -> List[ast.stmt]:
    method = _method(name, value, functions)
    if method is not None:
        return method
    if isinstance(value, type) and (value.__module__, value.__qualname__) == (
        cls.__module__,
        f"{cls.__qualname__}.{name}",
    ):
        return [class_tree(value, functions)]
    tree = tree_of(value, names)
    if tree is not None and _is_name(name):
        return [ast.Assign([ast.Name(name, STORE)], tree, lineno=0)]
    return [Comment(f"{name}: an object of type {type(value).__name__}, which no literal makes")]


def _method(name: str, value: object, functions: FunctionTrees) -> Optional[List[ast.stmt]]:
    if isinstance(value, property):
        return _property(name, value, functions)
    decorator = {staticmethod: "staticmethod", classmethod: "classmethod"}.get(type(value))
    function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if not isinstance(function, FunctionType):
        return None
    return _definition(name, function, [ast.Name(decorator, LOAD)] if decorator else [], functions)


def _property(name: str, value: property, functions: FunctionTrees) -> List[ast.stmt]:
    if not isinstance(value.fget, FunctionType):
        return [Comment(f"{name}: a property that reads by an object of type {type(value.fget).__name__}")]
    body = _definition(name, value.fget, [ast.Name("property", LOAD)], functions)
    for part, function in (("setter", value.fset), ("deleter", value.fdel)):
        if isinstance(function, FunctionType):
            body += _definition(name, function, [ast.Attribute(ast.Name(name, LOAD), part, LOAD)], functions)
    return body


def _definition(
    name: str, function: FunctionType, decorators: List[ast.expr], functions: FunctionTrees
) -> List[ast.stmt]:
    """The definition of one method, or what stands for it where it was not defined under this name."""
    *comments, definition = functions(function)
    own_name = name in (function.__name__, _mangled(name, function))
    if isinstance(definition, ast.Expr) and _is_name(name):
        tree: ast.expr = definition.value
        for decorator in decorators:
            tree = ast.Call(decorator, [tree], [])
        return [*comments, ast.Assign([ast.Name(name, STORE)], tree, lineno=0)]
    if not (own_name and isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef))):
        return [Comment(f"{name}: the function {function.__module__}.{function.__qualname__}")]
    definition.decorator_list = decorators
    return [*comments, definition]


def _mangled(name: str, function: FunctionType) -> Optional[str]:
    """``name`` when it is what the class made of the function's private name."""
    own = function.__name__
    return name if own.startswith("__") and name.startswith("_") and name.endswith(own) else None


def _is_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def missing(cls: type) -> str:
    """What a class object never keeps, in words."""
    return (
        f"{cls.__module__}.{cls.__qualname__}, put together from the class object: decorators, comments, the order of\n"
        "statements and code that ran in the class body are not kept by it"
    )
