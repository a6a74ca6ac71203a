"""Private names of a class as its source has them.

    self._C__x = 1        =>        self.__x = 1          in class C

The compiler puts the name of the class in front (Doc/reference/expressions.rst, private name mangling).  Since 3.13
``__static_attributes__`` keeps the names as they were written: it tells whether an attribute was written in full.
"""

from __future__ import annotations

import ast
from typing import Collection, List, Sequence

# Fields that hold a name which the compiler mangles.  Names of keyword arguments are left alone.
_NAMES = ("id", "attr", "asname", "rest")
_OWN_NAME = (ast.arg, ast.alias, ast.ExceptHandler)


def with_private_names(class_name: str, body: Sequence[ast.stmt], written_in_full: Collection[str] = ()) -> None:
    """Shorten the private names in the body of a class in place; classes in it have names of their own."""
    prefix = f"_{class_name.lstrip('_')}__"
    if prefix == "___":
        return

    def short(name: str) -> str:
        private = name.startswith(prefix) and not name.endswith("__") and name not in written_in_full
        return name[len(prefix) - 2 :] if private else name

    pending: List[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        for field in _NAMES + (("arg", "name") if isinstance(node, _OWN_NAME) else ()):
            value = getattr(node, field, None)
            if isinstance(value, str):
                setattr(node, field, short(value))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [short(name) for name in node.names]
        if isinstance(node, ast.ClassDef):
            pending += [*node.decorator_list, *node.bases, *node.keywords]
        else:
            pending += ast.iter_child_nodes(node)
