"""Runs a function on objects that write down everything that is done to them.

    f(x): return g(x[0], [x])     =>     global g; <x> __getitem__ 0 -> o1; <g> __call__ (o1, [<x>]) -> o2; return o2

Two code objects that a program cannot tell apart leave the same record, whatever the objects answer and whichever
operation fails.  This knows nothing of effect graphs or symbolic execution: it is CPython that runs the code.
"""

import builtins
import random
import types

BINARY = ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "xor", "or"]
LOGGED = [
    *(f"__{name}__" for name in BINARY), *(f"__r{name}__" for name in BINARY), *(f"__i{name}__" for name in BINARY),
    *["__neg__", "__pos__", "__invert__", "__lt__", "__le__", "__gt__", "__ge__", "__getitem__", "__call__",
    "__enter__", "__await__", "__aiter__", "__anext__"],
]  # fmt: skip
SILENT = [
    "__setitem__", "__delitem__", "__setattr__", "__delattr__", "__exit__",
]  # fmt: skip
INSTALLED = ("__compiled_fn_", "__resume_at_", "__import_")
LIMIT = 400
# What three axioms leave open: when a function of Dynamo's own is loaded, whether a step of a path is loaded again,
# and when an item of what a graph returned is.
HELPERS_MODULE = "__import_torch_dot__dynamo_dot_utils"
READING = ["record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit", "call_size"]
HELPERS = [*READING, "object_setattr_ignore_descriptor", "dict_keys_getitem", "list_getitem", "dict_getitem",
           "tuple_iterator_getitem", "iter_next", "object_new", "to_subclass", "set_getitem"]  # fmt: skip
DICTIONARIES = ["_modules", "_parameters", "_buffers"]


class Enough(BaseException):
    """A run that does not end by itself."""


class Injected(Exception):
    """An operation fails."""


class Record:
    """What one run did; ``chance`` decides what objects answer, ``fails`` is the number of the operation that fails."""

    def __init__(self, seed, fails=None):
        self.events = []
        self.chance = random.Random(seed)
        self.fails = fails
        self.numbers = {}
        self.count = 0
        self.kept = []
        self.steps = {}
        self.returned = {}

    def note(self, *event):
        self.events.append(event)
        if not only_loads(event):
            self.steps = {}
        if len(self.events) > LIMIT:
            raise Enough
        if len(self.events) - 1 == self.fails:
            raise Injected(self.fails)

    def shown(self, value):
        """``value`` as plain data; one object is one number wherever it occurs."""
        if isinstance(value, (int, str, bytes, float, complex, type(None), type(...))):
            return type(value).__name__, repr(value)
        known = id(value) in self.numbers
        if not known:
            self.count += 1
            self.numbers[id(value)] = self.count
        number = self.numbers[id(value)]
        self.kept.append(value)
        if known or isinstance(value, Traced):
            return "object", number
        if isinstance(value, (list, tuple)):
            return (
                type(value).__name__,
                number if type(value) is list or value else "",
                [self.shown(item) for item in value],
            )
        if isinstance(value, dict):
            return "dict", number, [(self.shown(key), self.shown(item)) for key, item in value.items()]
        if isinstance(value, (set, frozenset)):
            return type(value).__name__, number, [self.shown(item) for item in value]
        if isinstance(value, slice):
            return "slice", self.shown((value.start, value.stop, value.step))
        if isinstance(value, types.FunctionType):
            return (
                "function",
                value.__name__,
                value.__qualname__,
                self.shown(value.__defaults__),
                self.shown(value.__kwdefaults__),
            )
        if isinstance(value, types.CellType):
            return "cell", number
        return type(value).__name__, number


class Traced(Exception):
    """An object that writes down what is done to it."""

    def __init__(self, record, label):
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "label", label)

    def __getattribute__(self, name):
        if name in ("record", "label", "__class__", "__dict__") or name.startswith(
            ("__cause", "__context", "__trace", "__suppr", "args")
        ):
            return object.__getattribute__(self, name)
        return answer(self, "attribute", name)

    def __bool__(self):
        record = object.__getattribute__(self, "record")
        record.note("truth", record.shown(self))
        return record.chance.random() < 0.5

    def __hash__(self):
        record = object.__getattribute__(self, "record")
        record.note("hash", record.shown(self))
        return record.numbers[id(self)]

    def __eq__(self, other):
        return answer(self, "equal", other)

    def __ne__(self, other):
        return answer(self, "differ", other)

    def __contains__(self, item):
        answer(self, "contains", item)
        return object.__getattribute__(self, "record").chance.random() < 0.5

    def __iter__(self):
        answer(self, "iterate")
        record = object.__getattribute__(self, "record")
        return Items(record, record.chance.choice([0, 1, 2, 2, 3]), self)

    def __str__(self):
        answer(self, "text")
        return "text"

    def __repr__(self):
        answer(self, "representation")
        return "representation"

    def __format__(self, spec):
        answer(self, "format", spec)
        return "formatted"


class Items:
    """An iterator that writes down every step."""

    def __init__(self, record, left, source):
        self.record, self.left, self.source = record, left, source

    def __iter__(self):
        self.record.note("iterator of iterator")
        return self

    def __next__(self):
        self.record.note("next", self.record.shown(self.source))
        if not self.left:
            raise StopIteration
        self.left -= 1
        return Traced(self.record, "item")


def only_loads(event):
    called = [("object", name) for name in READING]
    return (
        event[0] == "global"
        or event[1] in ("attribute", "__getitem__")
        or (event[1] == "__call__" and event[0] in called)
    )


def remembered(record, traced, what, operands):
    """What needs no event: a helper, or a step of a path that was loaded a moment ago; and the key of such a step."""
    name = operands[0] if len(operands) == 1 else None
    if what == "__getitem__" and type(name) is int and id(traced) in record.returned:
        return output(record, traced, name), None
    if not isinstance(name, str):
        return None, None
    if what == "attribute" and record.shown(traced) == ("object", HELPERS_MODULE) and name in HELPERS:
        helper = Traced(record, name)
        record.kept.append(helper)
        record.numbers[id(helper)] = name
        return helper, None
    if name in DICTIONARIES if what == "attribute" else what == "__getitem__" and id(traced) in record.steps:
        return record.steps.get((id(traced), name)), (id(traced), name)
    return None, None


def output(record, returned, number):
    """Item ``number`` of what a graph returned: one object, numbered as if it came with the graph's result."""
    items = record.returned[id(returned)]
    if number not in items:
        items[number] = Traced(record, "output")
        record.kept.append(items[number])
        record.numbers[id(items[number])] = (record.numbers[id(returned)], number)
    return items[number]


def answer(traced, what, *operands, **named):
    record = object.__getattribute__(traced, "record")
    known, step = remembered(record, traced, what, operands)
    if known is not None:
        return known
    record.note(
        record.shown(traced),
        what,
        [record.shown(item) for item in operands],
        [(k, record.shown(v)) for k, v in named.items()],
    )
    if what == "attribute" and operands == ("keys",):
        return list
    made = Traced(record, what)
    record.shown(made)
    if what == "__call__" and object.__getattribute__(traced, "label").startswith("__compiled_fn_"):
        record.returned[id(made)] = {}
    if step is not None:
        record.steps[step] = made
        if what == "attribute":
            record.steps[id(made)] = made
    return made


def logged(name):
    return lambda self, *operands, **named: answer(self, name, *operands, **named)


def silent(name):
    def method(self, *operands):
        answer(self, name, *operands)
        return object.__getattribute__(self, "record").chance.random() < 0.3 if name == "__exit__" else None

    return method


for _name in LOGGED:
    setattr(Traced, _name, logged(_name))
for _name in SILENT:
    setattr(Traced, _name, silent(_name))


class Globals(dict):
    """A namespace that writes down what is loaded, Dynamo's own names aside."""

    def __init__(self, record):
        super().__init__(__builtins__=builtins.__dict__)
        self.record = record

    def __getitem__(self, name):
        if not name.startswith(INSTALLED):
            self.record.note("global", name)
        if name not in self:
            value = Traced(self.record, name)
            # Loading an installed global leaves no record, so its number must not tell when it happened.
            self.record.numbers[id(value)] = name
            super().__setitem__(name, value)
        return super().__getitem__(name)


def run(code, seed, fails=None, objects=None):
    """The record of one call of ``code``; ``objects`` maps constants that are objects to labels."""
    record = Record(seed, fails)
    cells = tuple(types.CellType(Traced(record, name)) for name in code.co_freevars)
    for cell in cells:
        record.shown(cell)
        record.shown(cell.cell_contents)
    namespace = Globals(record)
    # The verifier trusts compilers with the size of the stack; mutants of bytecode may need more.
    roomy = code.replace(co_stacksize=code.co_stacksize + 16)
    function = types.FunctionType(roomy, namespace, "f", None, cells)
    positional = [Traced(record, name) for name in code.co_varnames[: code.co_argcount]]
    named = {
        name: Traced(record, name)
        for name in code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    }
    for argument in [*positional, *named.values()]:
        record.shown(argument)
    try:
        end = ("returns", record.shown(function(*positional, **named)))
    except Enough:
        end = ("goes on",)
    except Traced as error:
        end = ("raises", record.shown(error))
    except BaseException as error:
        end = ("raises", type(error).__name__, str(error))
    contents = [record.shown(cell.cell_contents) if filled(cell) else "empty" for cell in cells]
    stored = [(name, record.shown(value)) for name, value in namespace.items() if name != "__builtins__"]
    # Which installed global is looked up first is under A-INSTALLED.
    return (
        record.events,
        end,
        contents,
        sorted((item for item in stored if not item[0].startswith(INSTALLED)), key=repr),
    )


def filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def difference(one, other, seeds=6):
    """The first difference between what two code objects do, or None: with several answers, and with each operation
    failing once.
    """
    for seed in range(seeds):
        expected, found = run(one, seed), run(other, seed)
        if expected != found:
            return seed, None, _first(expected, found)
        for fails in random.Random(seed).sample(range(len(expected[0])), min(8, len(expected[0]))):
            expected, found = run(one, seed, fails), run(other, seed, fails)
            if expected != found:
                return seed, fails, _first(expected, found)
    return None


def _first(expected, found):
    for one, other in zip(expected[0], found[0]):
        if one != other:
            return one, other
    return len(expected[0]), len(found[0]), expected[1:], found[1:]
