"""What printed source says instead of what a code object holds.

Source cannot say everything that a code object holds: constants that are objects, names that are no identifiers, the
order of free variables.  The source is compiled with stand-ins, and these are put back:

    __const_torch_float32  (a name)  compiled as a constant nobody else has, then exchanged in co_consts
    _name_0         (an alias)    exchanged in co_names, co_varnames, co_freevars, co_cellvars
    free variables  (b, a)        compiled under names that sort in this order, since compilers sort them
    {1: x, 2: y}                  compiled with keys that are not seen to be constant, for Dynamo's BUILD_MAP
"""

from __future__ import annotations

import ast
import dis
from types import CodeType
from typing import Dict, FrozenSet, List, Mapping, NamedTuple, Sequence, Tuple


class StandIns(NamedTuple):
    """What the source says instead: constants by name, real names by alias, code objects by the printed name of
    their function.
    """

    objects: Mapping[str, object] = {}
    restored: Mapping[str, str] = {}
    functions: Mapping[str, CodeType] = {}
    nested: Sequence[CodeType] = ()
    kept: FrozenSet[str] = frozenset()


class Substitution(ast.NodeTransformer):
    """Puts constants in the place of names of objects, and aliases in the place of variables."""

    def __init__(self, objects: Mapping[str, object], aliases: Mapping[str, str], reference: CodeType) -> None:
        self.objects = objects
        self.aliases = aliases
        self.builds_maps = _builds_maps(reference)
        self.constants: Dict[FrozenSet[str], object] = {}

    @property
    def changes_something(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.objects or self.aliases or self.builds_maps)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.objects:
            # A frozenset: the compiler takes it as a constant, but computes nothing with it.
            stand_in = frozenset([f"stand-in for {node.id}"])
            self.constants[stand_in] = self.objects[node.id]
            return ast.copy_location(ast.Constant(stand_in), node)
        node.id = self.aliases.get(node.id, node.id)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        if self.builds_maps:
            # A joined string of one constant compiles to that constant, but is not seen to be one.
            node.keys = [_joined(key) if isinstance(key, ast.Constant) else key for key in node.keys]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.aliases.get(node.arg, node.arg)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.aliases.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self.aliases.get(name, name) for name in node.names]
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self.aliases.get(name, name) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = None if node.name is None else self.aliases.get(node.name, node.name)
        return self.generic_visit(node)


def _joined(constant: ast.Constant) -> ast.expr:
    return ast.copy_location(ast.JoinedStr([constant]), constant)


def _builds_maps(code: CodeType) -> bool:
    """Whether ``code`` makes all its dicts of keys on the stack, where compilers put constant keys in a tuple.

    Others that look at the bytecode of a frame, PyTorch's own tests among them, tell the two apart.
    """
    operations, constant_keys = set(code.co_code[::2]), dis.opmap.get("BUILD_CONST_KEY_MAP")
    return constant_keys is not None and dis.opmap["BUILD_MAP"] in operations and constant_keys not in operations


class Restoration:
    """Undoes stand-ins in a code object and in those nested in it."""

    def __init__(
        self, names: Mapping[str, str], constants: Mapping[FrozenSet[str], object], stand_ins: StandIns
    ) -> None:
        self.names = names
        self.constants = constants
        self.functions = stand_ins.functions
        self.kept = stand_ins.kept

    def code(self, code: CodeType, originals: Sequence[CodeType]) -> CodeType:
        """``code`` with everything put back; ``originals`` are what nested code was printed from, in order."""
        waiting = list(originals)
        return code.replace(
            co_consts=tuple(self.constant(constant, waiting) for constant in code.co_consts),
            co_names=self._restored(code.co_names),
            co_varnames=self._restored(code.co_varnames),
            co_freevars=self._restored(code.co_freevars),
            co_cellvars=self._restored(code.co_cellvars),
        )

    def _restored(self, names: Tuple[str, ...]) -> Tuple[str, ...]:
        return tuple(self.names.get(name, name) for name in names)

    def constant(self, constant: object, waiting: List[CodeType]) -> object:
        """A constant of the compiled code as it has to be."""
        if isinstance(constant, CodeType):
            return self._nested(constant, waiting)
        if type(constant) is tuple:
            return tuple(self.constant(item, waiting) for item in constant)
        if type(constant) is frozenset:
            return self.constants.get(constant, constant)
        return constant

    def _nested(self, code: CodeType, waiting: List[CodeType]) -> CodeType:
        original = self.functions.get(code.co_name)
        if code.co_name in self.kept:
            assert original is not None
            return original
        if original is None:
            named = [found for found in waiting if found.co_name == code.co_name]
            if not named:
                return self.code(code, ())
            original = named[0]
            if len(named) > 1:
                # The last one stays: its block may have been printed more than once.
                waiting.remove(original)
        inner = [constant for constant in original.co_consts if isinstance(constant, CodeType)]
        return under_the_names_of(self.code(code, inner), original)


def under_the_names_of(code: CodeType, original: CodeType) -> CodeType:
    """``code`` under the names of ``original``."""
    changes: Dict[str, object] = {"co_name": original.co_name}
    if hasattr(original, "co_qualname"):
        changes["co_qualname"] = original.co_qualname
    return code.replace(**changes)  # type: ignore[arg-type]
