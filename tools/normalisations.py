"""What compiling forgets: pairs of ways to write one program that no bytecode tells apart.

    if not (a or b): return         if not a and not b: return
    else: c()                  =    c()

Two programs *read* the same when their trees are equal after every rule of this file; ``docs/normalisations.md`` lists
them.  A rule belongs here only if the compiler keeps nothing that would tell its two sides apart.  What a rule forgives
is style; that two programs *do* the same is not proved here.
"""

from __future__ import annotations

import ast
import difflib
import operator
import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from depyf.decompiler.emit import emit

Statements = List[ast.stmt]
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()
ROUNDS = 12


class Rule(NamedTuple):
    """``rewrite`` returns what takes the place of a node of one of ``types``, or None for the node itself."""

    picture: str
    reason: str
    types: Tuple[Type[ast.AST], ...]
    rewrite: Callable[[Any], Any]


EXPRESSIONS: List[Rule] = []
STATEMENTS: List[Rule] = []
BLOCKS: List[Rule] = []


def expression(
    picture: str, reason: str, *types: Type[ast.AST]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from node to node."""
    return _registering(EXPRESSIONS, picture, reason, types)


def statement(
    picture: str, reason: str, *types: Type[ast.AST]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from one statement to the statements that take its place."""
    return _registering(STATEMENTS, picture, reason, types)


def block(picture: str, reason: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a rule from the statements of a block to others."""
    return _registering(BLOCKS, picture, reason, ())


def _registering(
    table: List[Rule], picture: str, reason: str, types: Tuple[Type[ast.AST], ...]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        table.append(Rule(picture, reason, types, function))
        return function

    return register


def reads_as(written: str, printed: str) -> Optional[str]:
    """None when the two texts are one program in the reader's eyes, else the lines that differ after all rules."""
    one, other = (normalised(ast.parse(text)) for text in (written, printed))
    if dumped(one) == dumped(other):
        return None
    lines = (emit(tree).splitlines() for tree in (one, other))
    return "\n".join(list(difflib.unified_diff(*lines, "written", "printed", lineterm=""))[2:])


def dumped(tree: ast.AST) -> str:
    """The tree as text; Python 3.8 shows fields that nothing was put into, too."""
    return re.sub(r", (?:kind|type_comment)=None", "", ast.dump(tree))


def normalised(tree: ast.Module) -> ast.Module:
    """``tree``, changed in place, after every rule; rules are repeated until none has anything to say."""
    _Mangler().visit(tree)
    before = ""
    for _round in range(ROUNDS):
        _Rewriter().visit(tree)
        after = dumped(tree)
        if after == before:
            break
        before = after
    return tree


class _Rewriter(ast.NodeTransformer):
    """One pass of all rules, innermost nodes first."""

    def __init__(self) -> None:
        self.in_function = False

    def visit(self, node: ast.AST) -> Any:
        outer = self.in_function
        if isinstance(node, (*SCOPES, ast.Lambda)):
            self.in_function = not isinstance(node, ast.ClassDef)
        if isinstance(node, ast.AnnAssign) and self.in_function:
            return without_annotation(node)
        self.generic_visit(node)
        self.in_function = outer
        for rule in EXPRESSIONS:
            if isinstance(node, rule.types):
                node = rule.rewrite(node) or node
        return (
            self._with_blocks(node)
            if isinstance(node, (ast.Module, ast.stmt, ast.ExceptHandler)) or _is_case(node)
            else node
        )

    def _with_blocks(self, node: Any) -> Any:
        for name in ("body", "orelse", "finalbody"):
            inside = getattr(node, name, None)
            if isinstance(inside, list) and inside:
                documented = isinstance(node, (ast.Module, *SCOPES)) and name == "body"
                setattr(node, name, _block(inside, documented) or ([ast.Pass()] if name != "orelse" else []))
        if isinstance(node, FUNCTIONS):
            node.body = without_tail(node.body, ast.Return) or [ast.Pass()]
        if isinstance(node, LOOPS):
            node.body = without_tail(node.body, ast.Continue) or [ast.Pass()]
        return node


def _is_case(node: ast.AST) -> bool:
    return type(node).__name__ == "match_case"


def _block(body: Statements, documented: bool) -> Statements:
    front = [docstring(body[0])] if documented and _is_docstring(body[0]) else []
    result: Statements = []
    for item in body[len(front) :]:
        result += _rewritten(item)
    for rule in BLOCKS:
        result = rule.rewrite(result)
    return front + result


def _rewritten(item: ast.stmt) -> Statements:
    for rule in STATEMENTS:
        if isinstance(item, rule.types):
            replacement = rule.rewrite(item)
            if replacement is not None:
                return list(replacement)
    return [item]


DOCSTRINGS = (
    '"""a, indented"""  =>  """a"""   (since Python 3.13)',
    "the compiler takes the indentation away (Python/compile.c)",
)


def docstring(item: Any) -> ast.stmt:
    """The docstring without the indentation of its lines."""
    if sys.version_info < (3, 13):
        return item
    return ast.Expr(ast.Constant("\n".join(line.lstrip() for line in item.value.value.split("\n"))))


def _is_docstring(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)


# Names


class _Mangler(ast.NodeTransformer):
    """``self.__x`` in a class C is ``self._C__x``: private names are mangled (Doc/reference/expressions.rst)."""

    def __init__(self) -> None:
        self.owner = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: N802, the name that NodeVisitor asks for
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


# Expressions


def negated(test: ast.expr) -> ast.expr:
    """A condition that holds where ``test`` does not, ``not`` as far inside as it goes."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.BoolOp):
        return ast.BoolOp(
            ast.And() if isinstance(test.op, ast.Or) else ast.Or(), [negated(value) for value in test.values]
        )
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


_OPPOSITE: Dict[type, type] = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def condition(test: ast.expr) -> ast.expr:
    """``test`` where only its truth matters."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = condition(test.operand)
        return negated(inner)
    if isinstance(test, ast.BoolOp):
        return flattened(ast.BoolOp(test.op, [condition(value) for value in test.values])) or test
    return test


@expression(
    "if not (a or b): ...  =>  if not a and not b: ...",
    "the tests jump to the same places",
    ast.If,
    ast.While,
    ast.IfExp,
    ast.Assert,
)
def tests(node: Any) -> None:
    node.test = condition(node.test)


@expression(
    "[x for x in y if a if b]  =>  [x for x in y if a and b]", "the tests jump to the same places", ast.comprehension
)
def filters(node: ast.comprehension) -> None:
    if node.ifs:
        both = node.ifs[0] if len(node.ifs) == 1 else ast.BoolOp(ast.And(), node.ifs)
        node.ifs = [condition(both)]


@expression("not a in b  =>  a not in b", "one instruction with one operand", ast.UnaryOp)
def negated_comparison(node: ast.UnaryOp) -> Optional[ast.expr]:
    operand = node.operand
    if isinstance(node.op, ast.Not) and isinstance(operand, ast.Compare) and len(operand.ops) == 1:
        opposite = _OPPOSITE.get(type(operand.ops[0]))
        return ast.Compare(operand.left, [opposite()], operand.comparators) if opposite else None
    return None


@expression("a and (b and c)  =>  a and b and c", "jumps to jumps are threaded", ast.BoolOp)
def flattened(node: ast.BoolOp) -> Optional[ast.expr]:
    values: List[ast.expr] = []
    for value in node.values:
        values += value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op) else [value]
    return ast.BoolOp(node.op, values)


def literal(node: ast.AST) -> Tuple[object, ...]:
    """The value of a literal in a tuple of one, or nothing."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, ast.Tuple):
        values = [literal(item) for item in node.elts]
        return (tuple(value[0] for value in values),) if all(values) else ()
    return ()


def literal_node(value: object) -> ast.expr:
    """The tree of a literal."""
    return ast.Tuple([literal_node(item) for item in value], LOAD) if isinstance(value, tuple) else ast.Constant(value)


_BINARY: Dict[type, Callable[[Any, Any], object]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.BitAnd: operator.and_,
}  # fmt: skip
_UNARY: Dict[type, Callable[[Any], object]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.inv,
    ast.Not: operator.not_,
}
# Python/ast_opt.c: MAX_INT_SIZE, MAX_STR_SIZE, MAX_COLLECTION_SIZE.
MAX_INT_BITS, MAX_STR, MAX_COLLECTION = 128, 4096, 256


@expression("24 * 60  =>  1440", "constants are folded (Python/ast_opt.c, Python/flowgraph.c)", ast.BinOp, ast.UnaryOp)
def folded(node: Any) -> Optional[ast.expr]:
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    values = [literal(operand) for operand in operands]
    function = (_BINARY if isinstance(node, ast.BinOp) else _UNARY).get(type(node.op))
    if not all(values) or function is None or _is_huge(node, [value[0] for value in values]):
        return None
    try:
        result = function(*(value[0] for value in values))
    except Exception:
        return None
    return literal_node(result) if _is_small(result) else None


def _is_huge(node: Any, values: Sequence[object]) -> bool:
    if not isinstance(node.op, (ast.Pow, ast.LShift, ast.Mult)):
        return False
    return any(
        isinstance(value, int) and value > 100_000 for value in values[1:] if isinstance(node.op, (ast.Pow, ast.LShift))
    )


def _is_small(value: object) -> bool:
    if isinstance(value, int):
        return value.bit_length() <= MAX_INT_BITS
    if isinstance(value, (str, bytes)):
        return len(value) <= MAX_STR
    return not isinstance(value, tuple) or len(value) <= MAX_COLLECTION


def index_of(node: ast.Subscript) -> ast.expr:
    """What stands between the brackets; an ``ast.Index`` around it until Python 3.8."""
    inner: ast.expr = getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice
    return inner


@expression("(1, 2)[0]  =>  1", "constants are folded", ast.Subscript)
def folded_subscript(node: ast.Subscript) -> Optional[ast.expr]:
    container, index = literal(node.value), literal(index_of(node))
    if not (container and index and isinstance(node.ctx, ast.Load)):
        return None
    try:
        return literal_node(container[0][index[0]])  # type: ignore[index]
    except (TypeError, IndexError, KeyError):
        return None


@expression("a if True else b  =>  a", "the arm that is never taken is dropped", ast.IfExp)
def constant_choice(node: ast.IfExp) -> Optional[ast.expr]:
    value = literal(node.test)
    return (node.body if value[0] else node.orelse) if value else None


@expression("a[None:b]  =>  a[:b]", "None stands for a bound that is left out", ast.Slice)
def slice_bounds(node: ast.Slice) -> None:
    for name in ("lower", "upper", "step"):
        if literal(getattr(node, name) or node) == (None,):
            setattr(node, name, None)


@expression(
    "yield None  =>  yield;  return None  =>  return",
    "None is what is yielded or returned otherwise",
    ast.Yield,
    ast.Return,
)
def without_none(node: Any) -> None:
    if node.value is not None and literal(node.value) == (None,):
        node.value = None


@expression("[a, b] = c  =>  a, b = c", "both unpack", ast.List)
def list_target(node: ast.List) -> Optional[ast.expr]:
    return ast.Tuple(node.elts, node.ctx) if isinstance(node.ctx, (ast.Store, ast.Del)) else None


@expression(
    "for x in [a, b]: ...  =>  for x in (a, b): ...",
    "a list that is only iterated over is built as a tuple",
    ast.For,
    ast.comprehension,
)
def iterated_list(node: Any) -> None:
    node.iter = _as_tuple(node.iter)


@expression(
    "x in [a, b]  =>  x in (a, b);  x in {2, 1}  =>  x in {1, 2}", "the container becomes a constant", ast.Compare
)
def searched_container(node: ast.Compare) -> None:
    last = node.comparators[-1]
    if isinstance(node.ops[-1], (ast.In, ast.NotIn)):
        node.comparators[-1] = _as_tuple(last)
        if isinstance(last, ast.Set) and all(literal(item) for item in last.elts):
            by_text = {ast.dump(item): item for item in last.elts}
            last.elts = [by_text[text] for text in sorted(by_text)]


def _as_tuple(node: ast.expr) -> ast.expr:
    plain = isinstance(node, ast.List) and not any(isinstance(item, ast.Starred) for item in node.elts)
    return ast.Tuple(node.elts, LOAD) if isinstance(node, ast.List) and plain else node


@expression("__debug__  =>  True", "compiled without -O", ast.Name)
def debug(node: ast.Name) -> Optional[ast.expr]:
    return ast.Constant(True) if node.id == "__debug__" else None


@expression('f"a"  =>  "a"', "an f-string without fields is a constant", ast.JoinedStr)
def plain_fstring(node: ast.JoinedStr) -> Optional[ast.expr]:
    values = [literal(part) for part in node.values]
    return ast.Constant("".join(str(value[0]) for value in values)) if all(values) else None


@expression(
    '"%s" % (a,)  =>  f"{a!s}"   (since Python 3.11)', "the compiler writes it so (Python/ast_opt.c)", ast.BinOp
)
def percent(node: ast.BinOp) -> Optional[ast.expr]:
    template = literal(node.left)
    if sys.version_info < (3, 11) or not (
        template and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple)
    ):
        return None
    texts = re.split(r"%([sra])", template[0]) if isinstance(template[0], str) else []
    fields = [ast.FormattedValue(value, ord(kind), None) for value, kind in zip(node.right.elts, texts[1::2])]
    if "%" in "".join(texts[::2]) or not len(fields) == len(texts) // 2 == len(node.right.elts):
        return None
    parts: List[ast.expr] = [
        part for pair in zip(map(literal_node, texts[::2]), [*fields, ast.Constant("")]) for part in pair
    ]
    return ast.JoinedStr([part for part in parts if literal(part) != ("",)])


# Statements


def without_annotation(node: ast.AnnAssign) -> Any:
    """``x: int = 1`` in a function is ``x = 1``: annotations of locals are never evaluated (PEP 526)."""
    visited = _Rewriter().generic_visit(node)
    assert isinstance(visited, ast.AnnAssign)
    if visited.value is not None:
        return ast.Assign([visited.target], visited.value)
    owner = getattr(visited.target, "value", None)
    return ast.Pass() if owner is None else ast.Expr(owner)


@statement("pass; 1  =>  (nothing)", "nothing is compiled", ast.Pass, ast.Expr)
def nothing(node: Any) -> Optional[Statements]:
    return [] if isinstance(node, ast.Pass) or literal(node.value) else None


@statement(
    "global a  =>  (nothing)",
    "declarations steer the compiler; that every name has its scope is verified",
    ast.Global,
    ast.Nonlocal,
)
def declaration(_node: ast.stmt) -> Statements:
    return []


@statement("import a, b  =>  import a; import b", "each has its own instruction", ast.Import)
def imports(node: ast.Import) -> Statements:
    return [ast.Import([alias]) for alias in node.names]


@statement("del a, (b, c)  =>  del a; del b; del c", "each has its own instruction", ast.Delete)
def deletions(node: ast.Delete) -> Statements:
    targets: List[ast.expr] = []
    for target in node.targets:
        targets += target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return [ast.Delete([target]) for target in targets]


@statement(
    "with a, b: ...  =>  with a: with b: ...",
    "a with statement of two is two (Doc/reference/compound_stmts.rst)",
    ast.With,
    ast.AsyncWith,
)
def nested_with(node: Any) -> Optional[Statements]:
    if len(node.items) < 2:
        return None
    inner = _rewritten(type(node)(node.items[1:], node.body))
    return [type(node)(node.items[:1], inner)]


@statement(
    "try: a except: b finally: c  =>  try: (try: a except: b) finally: c", "one range inside of another", ast.Try
)
def nested_try(node: ast.Try) -> Optional[Statements]:
    if not (node.finalbody and node.handlers):
        return None
    return [ast.Try([ast.Try(node.body, node.handlers, node.orelse, [])], [], [], node.finalbody)]


@statement(
    "if True: a else: b  =>  a;  while 0: a  =>  (nothing)", "what cannot be reached is dropped", ast.If, ast.While
)
def constant_test(node: Any) -> Optional[Statements]:
    value = literal(node.test)
    if not value:
        return None
    if isinstance(node, ast.If):
        return list(node.body if value[0] else node.orelse)
    node.test = ast.Constant(True)
    return None if value[0] else list(node.orelse)


@statement("if a: (if b: c)  =>  if a and b: c", "both tests jump past c", ast.If)
def nested_if(node: ast.If) -> Optional[Statements]:
    inner = node.body[0] if len(node.body) == 1 else None
    if node.orelse or not isinstance(inner, ast.If) or inner.orelse:
        return None
    both = flattened(ast.BoolOp(ast.And(), [node.test, inner.test]))
    assert both is not None
    return [ast.If(both, inner.body, [])]


@statement("if a: pass else: b  =>  if not a: b", "an empty arm leaves a jump", ast.If)
def empty_arm(node: ast.If) -> Optional[Statements]:
    if not all(isinstance(item, ast.Pass) for item in node.body):
        return None
    return [ast.If(negated(node.test), node.orelse, [])] if node.orelse else [ast.Expr(node.test)]


@statement("for ...: a else: b  =>  for ...: a; b   (no break in a)", "only break skips the else part", *LOOPS)
def loop_else(node: Any) -> Optional[Statements]:
    if not node.orelse or _breaks(node.body):
        return None
    rest, node.orelse = node.orelse, []
    return [node, *rest]


def _breaks(body: Sequence[ast.AST]) -> bool:
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, LOOPS):
            pending += node.orelse
        elif not isinstance(node, (*SCOPES, ast.expr)):
            pending += ast.iter_child_nodes(node)
    return False


# Blocks


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether control never runs off the end of ``body``."""
    last = body[-1] if body else None
    if isinstance(last, LEAVING):
        return True
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    if isinstance(last, ast.While):
        return literal(last.test) == (True,) and not _breaks(last.body)
    if isinstance(last, ast.Try):
        handled = all(leaves(handler.body) for handler in last.handlers)
        return leaves(last.finalbody) or (handled and (leaves(last.body) or leaves(last.orelse)))
    return False


@block("return; a  =>  return", "what cannot be reached is dropped")
def reachable(body: Statements) -> Statements:
    for number in range(len(body)):
        if leaves(body[: number + 1]):
            return body[: number + 1]
    return body


@block("if a: return else: b  =>  if a: return; b", "nothing jumps past b")
def else_after_leaving(body: Statements) -> Statements:
    result: Statements = []
    for item in body:
        result.append(item)
        if isinstance(item, ast.If) and leaves(item.body):
            rest, item.orelse = item.orelse, []
            result += rest
    return result


@block("try: a except: return else: b  =>  try: a except: return; b", "nothing jumps past b")
def try_else(body: Statements) -> Statements:
    result: Statements = []
    for item in body:
        result.append(item)
        if isinstance(item, ast.Try) and item.orelse and all(leaves(handler.body) for handler in item.handlers):
            rest, item.orelse = item.orelse, []
            result += rest
    return result


TAIL = (
    "if a: b; continue; c  =>  if a: b else: c   (at the end of a loop; return at the end of a function)",
    "running off the end does what the jump does",
)


def without_tail(body: Statements, jump: Type[ast.stmt]) -> Statements:
    """``body`` without jumps to where it ends anyway; what such a jump skips becomes the else part."""
    for number, item in enumerate(body):
        rest = body[number + 1 :]
        if rest and isinstance(item, ast.If) and not item.orelse and _ends_in(item.body, jump):
            return without_tail([*body[:number], ast.If(item.test, item.body[:-1] or [ast.Pass()], rest)], jump)
    if _ends_in(body, jump):
        return without_tail(body[:-1], jump)
    if body and isinstance(body[-1], ast.Try) and body[-1].orelse and not body[-1].finalbody:
        return [*body[:-1], *_without_else(body[-1], jump)]
    last = body[-1] if body else None
    for part in _tails(last):
        setattr(last, part, without_tail(getattr(last, part), jump) or ([] if part == "orelse" else [ast.Pass()]))
    for inner in [*getattr(last, "handlers", []), *getattr(last, "cases", [])]:
        inner.body = without_tail(inner.body, jump) or [ast.Pass()]
    return body


TRY_TAIL = (
    "try: a except: b else: c  =>  try: a except: b; return; c   (at the end of a function; continue in a loop)",
    "only handlers jump past c",
)


def _without_else(node: ast.Try, jump: Type[ast.stmt]) -> Statements:
    for handler in node.handlers:
        if not leaves(handler.body):
            handler.body = [*handler.body, jump(value=None) if jump is ast.Return else jump()]
    rest, node.orelse = node.orelse, []
    return [node, *rest]


def _ends_in(body: Sequence[ast.stmt], jump: Type[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], jump) and getattr(body[-1], "value", None) is None


def _tails(last: Optional[ast.stmt]) -> Sequence[str]:
    if isinstance(last, ast.If):
        return ("body", "orelse")
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return ("body",)
    if isinstance(last, ast.Try):
        return ("orelse",) if last.orelse else ("body",)
    return ()


def written_list() -> str:
    """``docs/normalisations.md``: every rule, its picture and its reason."""
    rows = [(rule.picture, rule.reason) for rule in (*EXPRESSIONS, *STATEMENTS, *BLOCKS)]
    rows += [TAIL, TRY_TAIL, DOCSTRINGS]
    rows.append(
        ("x: int = 1  =>  x = 1   (in a function)", "annotations of local variables are never evaluated (PEP 526)")
    )
    rows.append(
        ("self.__x  =>  self._C__x   (in class C)", "private names are mangled (Doc/reference/expressions.rst)")
    )
    lines = [
        f"| {_code(left)} | {_code(right)} | {reason} |" for picture, reason in rows for left, right in _pairs(picture)
    ]
    return _HEAD + "\n".join(lines) + "\n"


def _pairs(picture: str) -> List[Tuple[str, str]]:
    return [(left, right) for left, _, right in (pair.partition("  =>  ") for pair in picture.split(";  "))]


def _code(text: str) -> str:
    code, _, note = text.partition("   (")
    return f"`{code}`" + (f" ({note}" if note else "")


_HEAD = """# What compiling forgets

A decompiled program is meant to read as it was written.  These pairs compile to the same bytecode, so that no
decompiler can know which of the two was written; either counts as a faithful answer in `tests/cases/` and in
`tools/corpus.py --fidelity`.  White space, comments, parentheses and quotes are no part of a syntax tree and need no
rule.  The list is made from `tools/normalisations.py` (`python tools/normalisations.py > docs/normalisations.md`).

| written | the same as | because |
|---|---|---|
"""


if __name__ == "__main__":
    sys.stdout.write(written_list())
