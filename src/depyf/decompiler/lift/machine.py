"""Run micro-operations on symbols: the operand stack holds expressions, stores become statements.

    LOAD_FAST a; LOAD_FAST b; BINARY_OP +; STORE_FAST c        =>        c = a + b

One :class:`Machine` lifts one stretch of code.  Operations that only combine expressions are rows of
``expressions.py``; the rest are methods here and
in ``calls.py``, one per operation.
"""

from __future__ import annotations

import ast
import re
from keyword import iskeyword
from typing import Any, Callable, Dict, List, Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const, is_code
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.lift.expressions import BINARY, DELETE, EXPRESSIONS, LOAD, STORE, constant, index_of, is_none
from depyf.decompiler.lift.pattern_trees import constant_statement
from depyf.decompiler.lift.values import (
    DONE,
    NULL,
    Append,
    Awaitable,
    BuildClass,
    Cell,
    Cells,
    Chain,
    CodeValue,
    Comprehension,
    Delegate,
    Done,
    Entered,
    Entry,
    ExceptionTest,
    Exit,
    ExitCall,
    Function,
    Import,
    ImportedName,
    Inplace,
    Item,
    Iter,
    Lasti,
    Marker,
    Next,
    Null,
    Part,
    Previous,
    Raised,
    Saved,
    Subject,
    Unpack,
    Value,
)
from depyf.decompiler.refusals import PENDING_OPERANDS, STACK_SHAPE, UNKNOWN_OPERATION, Refusal, Refused
from depyf.decompiler.versions import FORMATTING_IS_FOLDED, PATTERN_MATCHING

Operation = Callable[["Machine", Node], None]
OPERATIONS: Dict[str, Operation] = {}
# Until 3.8 a slice is no ast.expr.
EXPRESSION = (ast.expr, ast.Slice)


def operation(*ops: str) -> Callable[[Operation], Operation]:
    """Register the function that runs an operation on the machine."""

    def register(function: Operation) -> Operation:
        for op in ops:
            OPERATIONS[op] = function
        return function

    return register


class Machine:
    """Symbolic operand stack and the statements made so far.

    ``copied`` holds the identities of values that COPY duplicated: dropping one of those is no statement.
    ``ends_scope`` is set when a ``with`` was entered, or a loop, ``with`` or handler
    was left: a block has to end there.
    """

    def __init__(self, stack: List[Value], copied: Dict[int, Value]) -> None:
        self.stack = stack
        self.copied = copied
        self.body: List[ast.stmt] = []
        self.ends_scope = False
        self.parallel: List[Tuple[ast.expr, ast.expr]] = []
        self.node: Optional[Node] = None
        self.inherited = {id(value) for value in stack}
        self.ticks: Dict[int, int] = {id(value): number for number, value in enumerate(stack)}
        self.clock = len(stack)

    def run(self, node: Node) -> None:
        """Run one operation that has one successor."""
        self.node = node
        builder = EXPRESSIONS.get(node.op)
        if builder is not None:
            pops, _pushes = MICRO_OPS[node.op].effect(node.arg)
            self.push(builder(node.arg, *self.operands(pops)))
            return
        function = OPERATIONS.get(node.op)
        if function is None:
            raise self.refused(UNKNOWN_OPERATION, "has no source form here")
        function(self, node)

    # the stack

    def push(self, value: Value) -> None:
        """Push a value that has just been evaluated."""
        self.clock += 1
        self.ticks[id(value)] = self.clock
        self.stack.append(value)

    def pop(self) -> Value:
        """Pop a value of any kind."""
        if not self.stack:
            raise self.refused(STACK_SHAPE, "pops from an empty stack")
        return self.stack.pop()

    def operand(self) -> ast.expr:
        """Pop an expression."""
        value = self.pop()
        if not isinstance(value, EXPRESSION):
            raise self.refused(STACK_SHAPE, f"takes {type(value).__name__} as an operand")
        return value

    def operands(self, count: int) -> List[ast.expr]:
        """Pop expressions, deepest first."""
        if not count:
            return []
        if len(self.stack) < count:
            raise self.refused(STACK_SHAPE, "pops from an empty stack")
        values = [only_element(value) for value in self.stack[-count:]]
        del self.stack[-count:]
        for value in values:
            if not isinstance(value, EXPRESSION):
                raise self.refused(STACK_SHAPE, f"takes {type(value).__name__} as an operand")
        return cast(List[ast.expr], values)

    def peek(self, depth: int) -> Value:
        """The value ``depth`` slots down, 1 being the top."""
        if not 0 < depth <= len(self.stack):
            raise self.refused(STACK_SHAPE, "reads below the stack")
        return self.stack[-depth]

    def refused(self, refusal: Refusal, why: str) -> Refused:
        """A refusal that names the operation being run."""
        if self.node is None:
            return Refused(refusal, why)
        return Refused(refusal, f"{self.node.op} {why}", where=f"offset {self.node.offset}")

    def enter(self, exit_: Exit) -> None:
        """Push what ``__enter__`` returned: from here on control is inside of the ``with``."""
        self.push(Entered(exit_))
        self.ends_scope = True

    # statements

    def emit(self, statement: ast.stmt) -> None:
        """Add a statement; operands that were evaluated before it must not be pending."""
        if self.pending():
            raise self.refused(PENDING_OPERANDS, f"is a statement ({type(statement).__name__}) under pending operands")
        self.body.append(statement)

    def pending(self) -> bool:
        """Whether an expression waits on the stack above the innermost construct."""
        top = next((value for value in reversed(self.stack) if not isinstance(value, Saved)), None)
        # Until 3.8 a None waits below a `try` whose `finally` may drop a return value.
        return isinstance(top, ast.expr) and not (is_none(top) and id(top) in self.inherited)

    def store(self, target: ast.expr) -> None:
        """Store the top of the stack into ``target``."""
        self.complete(target, self.pop())

    def complete(self, target: ast.expr, value: Value) -> None:
        """Bind ``value``, just popped, to ``target``: whatever statement that turns out to be."""
        if self.stack and self.stack[-1] is value and isinstance(value, ast.expr):
            chain = value if isinstance(value, Chain) else Chain(value)
            chain.targets.append(target)
            self.stack[-1] = chain
        elif isinstance(value, Marker):
            self._bind_marker(target, value)
        elif self.pending():
            self.parallel.append((target, value))
        elif self.parallel:
            self._assign_in_parallel(target, value)
        else:
            self.emit(assignment(target, value))

    def _assign_in_parallel(self, target: ast.expr, value: ast.expr) -> None:
        # Stores pop in reverse unless a SWAP put the values in order: either way a value's place is that of its
        # evaluation.
        pairs = [*self.parallel, (target, value)]
        self.parallel = []
        pairs.sort(key=lambda pair: self.ticks[id(pair[1])])
        targets: ast.expr = ast.Tuple([pair[0] for pair in pairs], STORE)
        self.emit(ast.Assign([targets], ast.Tuple([pair[1] for pair in pairs], LOAD), lineno=0))

    def _bind_marker(self, target: ast.expr, value: Marker) -> None:
        binder = _BINDERS.get(type(value))
        if binder is None:
            raise self.refused(STACK_SHAPE, f"stores {type(value).__name__}")
        binder(self, target, value)


def assignment(target: ast.expr, value: ast.expr) -> ast.stmt:
    """``target = value``, in the form that the value asks for."""
    if isinstance(value, Chain):
        return ast.Assign([*value.targets, target], value.value, lineno=0)
    if isinstance(value, Inplace):
        return ast.AugAssign(cast(ast.Name, target), value.op, value.right)
    return ast.Assign([target], value, lineno=0)


class BindException(ast.stmt):
    """``except … as name``: the name that a handler's clause binds."""

    _fields = ()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def only_element(value: Value) -> Value:
    """``*value`` where an unpacked single value is used as an operand: how annotations and defaults of ``*args`` are
    starred (PEP 646).
    """
    if (
        isinstance(value, Part)
        and len(value.owner.elements) == 1
        and value.owner.star is None
        and isinstance(value.owner.source, ast.expr)
    ):
        return ast.Starred(value.owner.source, LOAD)
    return value


def _bind_part(machine: Machine, target: ast.expr, part: Part) -> None:
    owner = part.owner
    owner.elements[part.index] = ast.Starred(target, STORE) if part.index == owner.star else target
    owner.missing -= 1
    if isinstance(target, ast.Name):
        _fill_dropped(owner, part.index, target)
    if not owner.missing:
        elements = cast(List[ast.expr], owner.elements)
        machine.complete(ast.Tuple(elements, STORE), cast(Value, owner.source))


def _fill_dropped(owner: Unpack, index: int, target: ast.Name) -> None:
    # Since 3.12 a store that the next one to the same name overwrites is a POP_TOP.
    while index and owner.elements[index - 1] is DROPPED:
        index -= 1
        owner.elements[index] = ast.Name(target.id, STORE)


DROPPED = ast.Name("_", STORE)


def _bind_item(machine: Machine, target: ast.expr, item: Item) -> None:
    machine.body.append(LoopTarget(target))


class LoopTarget(ast.stmt):
    """What a loop's item is stored into; first statement of the body."""

    _fields = ()

    def __init__(self, target: ast.expr) -> None:
        super().__init__()
        self.target = target


def _bind_entered(_machine: Machine, target: ast.expr, entered: Entered) -> None:
    entered.exit.target = target


def _bind_raised(machine: Machine, target: ast.expr, raised: Raised) -> None:
    if not isinstance(target, ast.Name):
        raise machine.refused(STACK_SHAPE, "binds an exception to something that is no name")
    machine.body.append(BindException(target.id))


def _bind_import(machine: Machine, target: ast.expr, module: Import) -> None:
    name = _name_of(machine, target)
    alias = ast.alias(module.name, None if module.name.partition(".")[0] == name else name)
    machine.emit(ast.Import([alias]))


def _bind_imported_name(machine: Machine, target: ast.expr, imported: ImportedName) -> None:
    name = _name_of(machine, target)
    owner = imported.owner
    if owner.fromlist is None:
        machine.emit(ast.Import([ast.alias(owner.name, name)]))
    else:
        owner.aliases.append(ast.alias(imported.name, None if imported.name == name else name))


def _name_of(machine: Machine, target: ast.expr) -> str:
    if not isinstance(target, ast.Name):
        raise machine.refused(STACK_SHAPE, "binds an import to something that is no name")
    return target.id


class BindSubject(ast.stmt):
    """``case name`` or ``case _``: a pattern that always matches."""

    _fields = ()

    def __init__(self, pattern: Any) -> None:
        super().__init__()
        self.pattern = pattern


@operation("MATCH_SUBJECT")
def _match_subject(machine: Machine, _node: Node) -> None:
    machine.push(Subject(machine.operand()))


@operation("MATCH_CAPTURE")
def _match_capture(machine: Machine, node: Node) -> None:
    machine.pop()
    machine.body.append(BindSubject(node.arg.pattern))  # type: ignore[attr-defined]


def _bind_saved(_machine: Machine, _target: ast.expr, _saved: Saved) -> None:
    """A local parked for a comprehension is restored: the source never shows it."""


def _bind_cell(_machine: Machine, _target: ast.expr, _cell: Cell) -> None:
    """A class body hands its cells to the metaclass in __classcell__: the source never shows it."""


_BINDERS: Dict[type, Callable[..., None]] = {
    Part: _bind_part,
    Item: _bind_item,
    Entered: _bind_entered,
    Raised: _bind_raised,
    Import: _bind_import,
    ImportedName: _bind_imported_name,
    Saved: _bind_saved,
    Cell: _bind_cell,
}


# data movement


@operation("NOP", "MAKE_CELL", "ENTER_HANDLER")
def _nothing(_machine: Machine, _node: Node) -> None:
    pass


@operation("LOAD_CONST")
def _load_const(machine: Machine, node: Node) -> None:
    value = cast(Const, node.arg).value
    if is_code(value):
        machine.push(CodeValue(value))  # type: ignore[arg-type]
    else:
        expression = constant(value)
        expression.from_constant = True
        machine.push(expression)


@operation("PUSH_NULL")
def _push_null(machine: Machine, _node: Node) -> None:
    machine.push(NULL)


@operation("COPY")
def _copy(machine: Machine, node: Node) -> None:
    value = machine.peek(cast(int, node.arg))
    machine.copied[id(value)] = value
    machine.stack.append(value)


@operation("SWAP")
def _swap(machine: Machine, node: Node) -> None:
    depth = cast(int, node.arg)
    machine.peek(depth)
    stack = machine.stack
    stack[-1], stack[-depth] = stack[-depth], stack[-1]


@operation("POP_TOP")
def _pop_top(machine: Machine, _node: Node) -> None:
    value = machine.pop()
    if isinstance(value, (Iter, Exit, ExitCall)):
        machine.ends_scope = True
    elif isinstance(value, Import):
        _finish_import(machine, value)
    elif isinstance(value, Part):
        value.owner.elements[value.index] = DROPPED
        value.owner.missing -= 1
    elif isinstance(value, Chain):
        machine.emit(_statement_of_chain(value))
    elif isinstance(value, ast.expr):
        if id(value) not in machine.copied and not (is_none(value) and id(value) in machine.inherited):
            machine.emit(constant_statement(value) if PATTERN_MATCHING and is_constant(value) else ast.Expr(value))
    elif not isinstance(value, (Done, Null, Subject, Raised, Entered, Exit, Lasti, Previous, ImportedName)):
        raise machine.refused(STACK_SHAPE, f"drops {type(value).__name__}")


def _finish_import(machine: Machine, module: Import) -> None:
    if module.fromlist is not None:
        if not module.aliases and module.fromlist:
            raise machine.refused(STACK_SHAPE, "drops an import that binds nothing")
        machine.emit(ast.ImportFrom(module.name or None, module.aliases, module.level))


def _statement_of_chain(chain: Chain) -> ast.stmt:
    if all(isinstance(target, ast.Name) for target in chain.targets):
        return ast.Expr(chain)
    return ast.Assign(chain.targets, chain.value, lineno=0)


# variables


@operation("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
def _store_variable(machine: Machine, node: Node) -> None:
    if node.arg == ".generic_base":
        # The subscripted Generic of a generic class (PEP 695): the source never shows it.
        machine.pop()
        return
    machine.store(ast.Name(cast(str, node.arg), STORE))


@operation("DELETE_FAST", "DELETE_NAME", "DELETE_GLOBAL", "DELETE_DEREF")
def _delete_variable(machine: Machine, node: Node) -> None:
    machine.emit(ast.Delete([ast.Name(cast(str, node.arg), DELETE)]))


@operation("LOAD_CLOSURE")
def _load_closure(machine: Machine, node: Node) -> None:
    machine.push(Cell(cast(str, node.arg)))


@operation("LOAD_LOCALS")
def _load_locals(machine: Machine, _node: Node) -> None:
    machine.push(ast.Name("__classdict__", LOAD))


@operation("LOAD_FAST_AND_CLEAR")
def _load_fast_and_clear(machine: Machine, node: Node) -> None:
    machine.push(Saved(cast(str, node.arg)))


@operation("STORE_ATTR")
def _store_attribute(machine: Machine, node: Node) -> None:
    owner = machine.operand()
    machine.store(ast.Attribute(owner, cast(str, node.arg), STORE))


@operation("DELETE_ATTR")
def _delete_attribute(machine: Machine, node: Node) -> None:
    owner = machine.operand()
    machine.emit(ast.Delete([ast.Attribute(owner, cast(str, node.arg), DELETE)]))


@operation("STORE_SUBSCR")
def _store_subscript(machine: Machine, _node: Node) -> None:
    container, index = machine.operands(2)
    if isinstance(container, ast.Dict) and len(machine.stack) > 1 and machine.stack[-2] is container:
        machine.body.append(Entry(index, machine.operand()))
        return
    machine.store(ast.Subscript(container, index_of(index), STORE))


@operation("DELETE_SUBSCR")
def _delete_subscript(machine: Machine, _node: Node) -> None:
    container, index = machine.operands(2)
    machine.emit(ast.Delete([ast.Subscript(container, index_of(index), DELETE)]))


@operation("UNPACK_SEQUENCE")
def _unpack_sequence(machine: Machine, node: Node) -> None:
    _unpack(machine, cast(int, node.arg), None)


@operation("UNPACK_EX")
def _unpack_ex(machine: Machine, node: Node) -> None:
    before, after = cast(Tuple[int, int], node.arg)
    _unpack(machine, before + 1 + after, before)


def _unpack(machine: Machine, count: int, star: Optional[int]) -> None:
    source = machine.pop()
    owner = Unpack(source, count, star)
    if not count:
        machine.complete(ast.Tuple([], STORE), source)
    for index in reversed(range(count)):
        machine.push(Part(owner, index))


# imports and other statements


@operation("IMPORT_NAME")
def _import_name(machine: Machine, node: Node) -> None:
    level, fromlist = machine.operands(2)
    if not is_constant(level) or not is_constant(fromlist):
        raise machine.refused(STACK_SHAPE, "takes a level and names that are no constants")
    number, names = ast.literal_eval(level), ast.literal_eval(fromlist)
    if type(number) is not int or names is not None and not _is_tuple_of_names(names):
        raise machine.refused(STACK_SHAPE, "takes a level that is no number, or names that are no strings")
    machine.push(Import(cast(str, node.arg), number, names))


def _is_tuple_of_names(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


@operation("IMPORT_FROM")
def _import_from(machine: Machine, node: Node) -> None:
    owner = machine.peek(1)
    if isinstance(owner, ImportedName):
        # import a.b.c as d: each IMPORT_FROM steps into the package that the one before found.
        owner = owner.owner
    if not isinstance(owner, Import):
        raise machine.refused(STACK_SHAPE, "reads from something that was not imported")
    machine.push(ImportedName(owner, cast(str, node.arg)))


@operation("IMPORT_STAR", "IMPORT_STAR_RESULT")
def _import_star(machine: Machine, node: Node) -> None:
    module = machine.pop()
    if not isinstance(module, Import):
        raise machine.refused(STACK_SHAPE, "reads from something that was not imported")
    machine.emit(ast.ImportFrom(module.name or None, [ast.alias("*", None)], module.level))
    if node.op == "IMPORT_STAR_RESULT":
        machine.push(DONE)


@operation("PRINT_EXPR", "PRINT")
def _print_expression(machine: Machine, node: Node) -> None:
    machine.emit(ast.Expr(machine.operand()))
    if node.op == "PRINT":
        machine.push(DONE)


@operation("SETUP_ANNOTATIONS")
def _setup_annotations(_machine: Machine, _node: Node) -> None:
    """The compiler emits it for any annotated name of a class or module."""


# operators that are not pure expressions


@operation("BINARY_OP")
def _binary_op(machine: Machine, node: Node) -> None:
    left, right = machine.operands(2)
    symbol = cast(str, node.arg)
    if symbol == "%" and FORMATTING_IS_FOLDED and _would_be_folded(left, right):
        # The compiler makes an f-string of a literal and a tuple, but not of an f-string without fields.
        left = ast.JoinedStr([left])
    if symbol in BINARY:
        machine.push(ast.BinOp(left, BINARY[symbol](), right))
    else:
        machine.push(Inplace(left, BINARY[symbol[:-1]](), right))


_FOLDED_FIELD = re.compile(r"%%|%-?\d{0,3}(?:\.\d{1,3})?([sra])")


def _would_be_folded(left: ast.expr, right: ast.expr) -> bool:
    """Whether ``left % right`` is what the compiler turns into an f-string (Python/ast_opt.c, optimize_format)."""
    if not isinstance(left, ast.Constant) or not isinstance(left.value, str) or not isinstance(right, ast.Tuple):
        return False
    fields = [found.group(1) for found in _FOLDED_FIELD.finditer(left.value)]
    plain = "%" not in _FOLDED_FIELD.sub("", left.value)
    starred = any(isinstance(element, ast.Starred) for element in right.elts)
    return plain and not starred and len([field for field in fields if field]) == len(right.elts)


@operation("BUILD_TUPLE")
def _build_tuple(machine: Machine, node: Node) -> None:
    count = cast(int, node.arg)
    values = machine.stack[-count:] if count else []
    if values and all(isinstance(value, Cell) for value in values):
        del machine.stack[-count:]
        machine.push(Cells(tuple(cast(Cell, value).name for value in values)))
    else:
        machine.push(ast.Tuple(machine.operands(count), LOAD))


@operation("LIST_APPEND", "SET_ADD")
def _append(machine: Machine, node: Node) -> None:
    element = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if isinstance(display, (ast.List, ast.Set)) and not isinstance(machine.peek(1), Iter):
        display.elts.append(element)
    else:
        machine.body.append(Append(element))


@operation("MAP_ADD")
def _map_add(machine: Machine, node: Node) -> None:
    key, value = machine.operands(2)
    display = machine.peek(cast(int, node.arg))
    if isinstance(display, ast.Dict) and not isinstance(machine.peek(1), Iter):
        display.keys.append(key)
        display.values.append(value)
    else:
        machine.body.append(Append(value, key))


@operation("LIST_EXTEND", "SET_UPDATE")
def _extend(machine: Machine, node: Node) -> None:
    added = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if not isinstance(display, (ast.List, ast.Set)):
        raise machine.refused(STACK_SHAPE, "extends something that is no display")
    # Displays of constants are built from one constant tuple or frozenset.
    if not display.elts and isinstance(added, (ast.Tuple, ast.Set)) and is_constant(added):
        display.elts += added.elts
    else:
        display.elts.append(ast.Starred(added, LOAD))


def is_constant(node: ast.expr) -> bool:
    """Whether an expression came from one LOAD_CONST."""
    return getattr(node, "from_constant", False)


def names_keywords(mapping: ast.Dict) -> bool:
    """Whether every key can be written as the name of a keyword argument."""
    keys = [key.value if isinstance(key, ast.Constant) else None for key in mapping.keys if key is not None]
    return all(isinstance(key, str) and key.isidentifier() and not iskeyword(key) for key in keys)


# The compiler builds longer displays in parts (Python/compile.c, STACK_USE_GUIDELINE).
_LONGEST_RUN = 15


@operation("DICT_UPDATE", "DICT_MERGE")
def _update(machine: Machine, node: Node) -> None:
    added = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if not isinstance(display, ast.Dict):
        raise machine.refused(STACK_SHAPE, "updates something that is no display")
    is_run = display.keys and (
        display.keys[-1] is None or (None not in display.keys[-_LONGEST_RUN:] and len(display.keys) >= _LONGEST_RUN)
    )
    if isinstance(added, ast.Dict) and is_run and (node.op == "DICT_UPDATE" or names_keywords(added)):
        # A run of pairs after a ** item or a full run; a display that was written there compiles to the same.
        display.keys += added.keys
        display.values += added.values
    else:
        display.keys.append(None)
        display.values.append(added)


# iteration and contexts


@operation("GET_ITER")
def _get_iter(machine: Machine, _node: Node) -> None:
    machine.push(Iter(machine.operand()))


@operation("COMPREHENSION")
def _comprehension(machine: Machine, node: Node) -> None:
    iterator = machine.pop()
    if not isinstance(iterator, Iter):
        raise machine.refused(STACK_SHAPE, "iterates over something that is no iterator")
    machine.push(Comprehension(node.arg, iterator))


@operation("GET_AITER")
def _get_aiter(machine: Machine, _node: Node) -> None:
    machine.push(Iter(machine.operand(), is_async=True))


@operation("GET_ANEXT")
def _get_anext(machine: Machine, _node: Node) -> None:
    loop = machine.peek(1)
    if not isinstance(loop, Iter):
        raise machine.refused(STACK_SHAPE, "asks something that is no iterator")
    machine.push(Next(loop))


@operation("GET_AWAITABLE")
def _get_awaitable(machine: Machine, _node: Node) -> None:
    machine.push(Awaitable(machine.pop()))


@operation("GET_YIELD_FROM_ITER")
def _get_yield_from_iter(machine: Machine, _node: Node) -> None:
    machine.push(Delegate(machine.operand()))


@operation("YIELD_FROM")
def _yield_from(machine: Machine, _node: Node) -> None:
    machine.pop()
    source = machine.pop()
    if isinstance(source, Delegate):
        machine.push(ast.YieldFrom(source.value))
    elif isinstance(source, Awaitable) and isinstance(source.value, ast.expr):
        machine.push(ast.Await(source.value))
    elif isinstance(source, Awaitable) and isinstance(source.value, Entered):
        machine.enter(source.value.exit)
    elif isinstance(source, Awaitable):
        machine.push(source.value)
    elif isinstance(source, Next):
        machine.push(Item(source.loop))
    else:
        raise machine.refused(STACK_SHAPE, f"delegates to {type(source).__name__}")


@operation("BEFORE_WITH", "BEFORE_ASYNC_WITH")
def _before_with(machine: Machine, node: Node) -> None:
    exit_ = Exit(machine.operand(), node.op == "BEFORE_ASYNC_WITH")
    machine.push(exit_)
    if exit_.is_async:
        machine.push(Entered(exit_))
    else:
        machine.enter(exit_)


# exceptions


@operation("PUSH_EXC_INFO")
def _push_exc_info(machine: Machine, _node: Node) -> None:
    raised = machine.pop()
    if not isinstance(raised, Raised):
        raise machine.refused(STACK_SHAPE, f"takes {type(raised).__name__}")
    machine.push(Previous(raised.handler))
    machine.push(raised)


@operation("POP_EXCEPT")
def _pop_except(machine: Machine, _node: Node) -> None:
    pops, _pushes = MICRO_OPS["POP_EXCEPT"].effect(None)
    for _slot in range(pops):
        if not isinstance(machine.pop(), Previous):
            raise machine.refused(STACK_SHAPE, "restores something that is no exception state")
    machine.ends_scope = True


@operation("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
def _check_exc_match(machine: Machine, node: Node) -> None:
    machine.push(ExceptionTest(machine.operand(), node.op == "CHECK_EG_MATCH"))


@operation("EXC_MATCH")
def _exc_match(machine: Machine, _node: Node) -> None:
    kind = machine.operand()
    machine.pop()
    machine.push(ExceptionTest(kind))


@operation("WITH_EXCEPT_START")
def _with_except_start(machine: Machine, _node: Node) -> None:
    machine.push(Done())


# functions and classes


@operation("LOAD_BUILD_CLASS")
def _load_build_class(machine: Machine, _node: Node) -> None:
    machine.push(BuildClass())


_FUNCTION_PARTS = ((1, "defaults"), (2, "kwdefaults"), (4, "annotations"), (8, "closure"))


@operation("MAKE_FUNCTION_NAMED", "MAKE_FUNCTION")
def _make_function(machine: Machine, node: Node) -> None:
    if node.op == "MAKE_FUNCTION_NAMED":
        machine.pop()
    code = machine.pop()
    if not isinstance(code, CodeValue):
        raise machine.refused(STACK_SHAPE, "makes a function of something that is no code")
    function = Function(code.code)
    for flag, part in reversed(_FUNCTION_PARTS):
        if cast(int, node.arg) & flag:
            set_function_part(machine, function, part, machine.pop())
    machine.push(function)


_FUNCTION_ATTRIBUTES = {1: "defaults", 2: "kwdefaults", 4: "annotations", 8: "closure", 16: "annotate"}


@operation("SET_FUNCTION_ATTRIBUTE")
def _set_function_attribute(machine: Machine, node: Node) -> None:
    function = machine.pop()
    part = _FUNCTION_ATTRIBUTES.get(cast(int, node.arg))
    if not isinstance(function, Function) or part is None:
        raise machine.refused(STACK_SHAPE, "sets no attribute of a function")
    set_function_part(machine, function, part, machine.pop())
    machine.push(function)


def set_function_part(machine: Machine, function: Function, part: str, value: Value) -> None:
    """Give a function its defaults, annotations or closure."""
    if part == "closure":
        if not isinstance(value, Cells):
            raise machine.refused(STACK_SHAPE, "closes over something that is no tuple of cells")
        function.closure = value.names
    else:
        setattr(function, part, value)
