"""Private names, as the compiler writes them."""

from __future__ import annotations

import ast


class Mangler(ast.NodeTransformer):
    """``self.__x`` in a class C is ``self._C__x``: private names are mangled (Doc/reference/expressions.rst)."""

    def __init__(self) -> None:
        self.owner = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        outer, self.owner = self.owner, node.name
        self.generic_visit(node)
        self.owner = outer
        node.name = self._mangled(node.name)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "attr", "arg", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str) and not (
                isinstance(node, ast.ClassDef) or (isinstance(node, ast.alias) and "." in name)
            ):
                setattr(node, field, self._mangled(name))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self._mangled(name) for name in node.names]
        if hasattr(node, "kind"):
            node.kind = None
        return super().generic_visit(node)

    def _mangled(self, name: str) -> str:
        owner = self.owner.lstrip("_")
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{owner}{name}" if private and owner else name
