# ruff: noqa
"""Values that Dynamo has to build again after a graph, and frames that it leaves in the middle of a construct.  Each
takes ``compile`` and returns what has to be the same.
"""

import collections
import contextlib
import enum
import functools
import operator
import types

import torch

PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def numbers(*shape):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(1.0, count + 1.0).reshape(shape)


class Box:
    def __init__(self, value):
        self.value = value


# Values.


@program
def functions_with_everything(compile):
    @compile
    def f(x, scale):
        shift = x.sum()

        def inner(a, /, b=shift, *rest, c=x * 2, **more) -> "text":
            """Told."""
            return a * scale + b + c + sum(rest) + sum(more.values())

        torch._dynamo.graph_break()
        return inner, inner(x), inner(x, 1, 2, c=3, d=4)

    found, one, other = f(numbers(3), 2.0)
    return one, other, found(numbers(3)), found.__doc__, found.__annotations__, found.__name__, found.__kwdefaults__


@program
def enumerations_and_maps(compile):
    @compile
    def f(x, items):
        numbered = enumerate(items, 3)
        next(numbered)
        mapped = map(lambda item: item * x, items)
        kept = filter(lambda item: item > 1, items)
        torch._dynamo.graph_break()
        return list(numbered), list(mapped), list(kept), list(reversed(items))

    return f(numbers(2), [1, 2, 3])


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 4


@program
def enumerations(compile):
    @compile
    def f(x, colour, level):
        table = {Colour.RED: x, Colour.BLUE: x + 1}
        made = [colour, level | Level.LOW, Colour["BLUE"], Colour(1)]
        torch._dynamo.graph_break()
        return table[colour], made, table, level in Level.HIGH

    found = f(numbers(2), Colour.BLUE, Level.HIGH)
    return found[0], [str(value) for value in found[1]], [str(key) for key in found[2]], found[3]


@program
def ranges_slices_and_views(compile):
    @compile
    def f(x, table):
        span, part = range(1, 9, 3), slice(None, 2)
        keys, values, items = table.keys(), table.values(), table.items()
        table["new"] = x + 5
        torch._dynamo.graph_break()
        return list(span), x[part], part, list(keys), list(values), list(items), span[1:]

    table = {"a": numbers(2), "b": 3}
    return [str(value) for value in f(numbers(4), table)], table


class Tracked(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []

    def __setitem__(self, key, value):
        self.log.append(key)
        super().__setitem__(key, value)


class Stack(list):
    limit = 3

    def push(self, item):
        if len(self) >= self.limit:
            self.pop(0)
        self.append(item)
        return self


@program
def subclasses_of_containers(compile):
    @compile
    def f(x, tracked, stack):
        tracked["first"] = x + 1
        stack.push(x).push(x * 2)
        torch._dynamo.graph_break()
        tracked["second"] = stack[-1] + 1
        stack.push(tracked["first"])
        made = Stack([x])
        made.push(3)
        return len(stack), made

    tracked, stack = Tracked(zero=0), Stack([1, 2])
    return f(numbers(2), tracked, stack), tracked, tracked.log, stack


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left, self.right = left, right


class Careful:
    """Keeps its attributes by code of its own."""

    def __init__(self):
        object.__setattr__(self, "kept", {})

    def __setattr__(self, name, value):
        self.kept[name] = value

    def __getattr__(self, name):
        try:
            return self.kept[name]
        except KeyError:
            raise AttributeError(name) from None


@program
def attributes_with_code_of_their_own(compile):
    @compile
    def f(x, careful):
        pair = Slotted(x, None)
        pair.right = pair.left + 1
        pair.left, pair.right = pair.right, pair.left
        careful.total = x.sum()
        torch._dynamo.graph_break()
        careful.total = careful.total + pair.left.sum()
        del pair.right
        return pair.left, hasattr(pair, "right"), getattr(careful, "missing", 5)

    careful = Careful()
    return f(numbers(2), careful), careful.kept


@program
def bound_methods_are_handed_on(compile):
    class Counter:
        def __init__(self):
            self.count = 0

        def step(self, x, by=1):
            self.count += by
            return x * self.count

        @classmethod
        def named(cls, x):
            return cls.__name__, x + 1

        @staticmethod
        def plain(x):
            return x - 1

    @compile
    def f(x, counter):
        steps = [counter.step, counter.named, counter.plain, functools.partial(counter.step, by=3)]
        torch._dynamo.graph_break()
        return [step(x) for step in steps], steps[0].__self__ is counter

    counter = Counter()
    return f(numbers(2), counter), counter.count


@program
def constants_nobody_writes(compile):
    @compile
    def f(x):
        made = (-0.0, 1j, b"\x00", ..., frozenset([1]), float("nan"), 10**40, (1, (2.0, True)), NotImplemented, type(x))
        torch._dynamo.graph_break()
        return [str(value) for value in made], made[7], x + 1

    return f(numbers(2))


@program
def counters_and_defaults(compile):
    @compile
    def f(x, counted, grouped, chain):
        counted.update("abca")
        grouped["new"].append(x)
        grouped["old"].append(x + 1)
        chain["b"] = 7
        torch._dynamo.graph_break()
        counted["a"] += 2
        grouped["new"].append(counted["a"] * x)
        return counted.most_common(1), chain["a"], x.sum()

    counted = collections.Counter("ab")
    grouped = collections.defaultdict(list, old=[0])
    chain = collections.ChainMap({}, {"a": 1})
    return f(numbers(2), counted, grouped, chain), counted, grouped, dict(chain)


# Places.


@program
def break_between_star_arguments(compile):
    def take(*args, **kwargs):
        return args, kwargs

    def broken(value):
        torch._dynamo.graph_break()
        return value

    @compile
    def f(x, rest, more):
        return take(x, *rest, broken(x + 1), *broken([3, 4]), k=broken(x * 2), **more, **broken({"z": x}))

    return f(numbers(2), (1, 2), {"y": 5})


@program
def break_in_displays_and_slices(compile):
    def broken(value):
        torch._dynamo.graph_break()
        return value

    @compile
    def f(x, rows):
        made = [x, broken(x + 1), *rows, {broken("key"): x, "other": broken(2), **broken({"z": 1})}]
        rows[broken(0) : broken(1)] = [broken(x), 7]
        rows[-1] += broken(3)
        return made, {1, broken(2), *broken([3])}, x[broken(0) : broken(2)], f"{broken(1)!r:>4}"

    rows = [10, 20]
    return f(numbers(3), rows), rows


@program
def break_in_targets_and_operators(compile):
    def broken(value):
        torch._dynamo.graph_break()
        return value

    @compile
    def f(x, box, rows):
        box.value[broken(0)] = x + 1
        broken(box).other = broken(x) * 2
        broken(rows)[broken(1)] += broken(5)
        first, *middle, last = broken(rows)
        kept = broken(1) < broken(2) < broken(3) and not (broken(None) or broken([]))
        return first, middle, last, kept, broken(x) @ broken(x), -broken(x), (later := broken(4)), later

    box, rows = Box([0, 1]), [1, 2, 3, 4]
    return f(numbers(3), box, rows), box.value, box.other, rows


@program
def break_in_definitions(compile):
    def broken(value):
        torch._dynamo.graph_break()
        return value

    def twice(function):
        return lambda *args: function(*args) * 2

    @compile
    def f(x):
        @broken(twice)
        def inner(a, b=broken(3), *, c=broken(4)):
            return a * b + c

        return inner(x), [broken(y) + z for y in broken([x, 1]) for z in (1, 2) if broken(y) is not None]

    return f(numbers(2))


@program
def break_in_with_items(compile):
    log = []

    @contextlib.contextmanager
    def noted(name, swallow=()):
        log.append(f"enter {name}")
        try:
            yield name
        except swallow:
            log.append(f"swallow {name}")
        finally:
            log.append(f"leave {name}")

    def broken(value):
        torch._dynamo.graph_break()
        return value

    @compile
    def f(x):
        total = x
        for number in range(3):
            with noted(broken(f"a{number}")) as a, noted("b", ValueError) as b, torch.no_grad():
                if number == 1:
                    raise ValueError(a + b)
                total = total + broken(number)
                if number == 2:
                    break
            total = total * 2
        return total

    return f(numbers(2)), log


@program
def leaving_through_finally(compile):
    def broken(value):
        torch._dynamo.graph_break()
        return value

    @compile
    def f(x, kind, log):
        for number in range(4):
            try:
                if number == kind:
                    continue
                if number == kind + 1:
                    return broken(x + number)
                x = x + broken(1)
                if kind == 3 and number == 2:
                    break
            finally:
                log.append(number)
                x = x * broken(2)
        else:
            x = x - 100
        return x

    log = []
    return [f(numbers(2), kind, log) for kind in (0, 1, 3, 9)], log


class Wrong(Exception):
    def __init__(self, payload):
        super().__init__("wrong")
        self.payload = payload


@program
def errors_carry_tensors(compile):
    @compile
    def f(x, log):
        try:
            try:
                y = x + 1
                torch._dynamo.graph_break()
                raise Wrong(y)
            except Wrong as error:
                torch._dynamo.graph_break()
                log.append(error.payload.sum())
                raise KeyError("outer") from error
        except (KeyError, TypeError) as error:
            cause = type(error.__cause__).__name__, error.__cause__.payload
            torch._dynamo.graph_break()
            return cause, x * 2
        finally:
            log.append("done")

    log = []
    return f(numbers(2), log), log


@program
def modes_are_left_as_they_were_set(compile):
    @compile
    def f(x):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        y = x * 2
        torch._dynamo.graph_break()
        inside = torch.is_grad_enabled()
        torch.set_grad_enabled(before)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = x.unsqueeze(0) @ x.unsqueeze(1)
            torch._dynamo.graph_break()
            w = x.unsqueeze(0) @ x.unsqueeze(1)
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch._dynamo.graph_break()
            v = (x * 3).requires_grad
        return y.requires_grad, inside, z.dtype, w.dtype, v

    return f(numbers(4).requires_grad_()), torch.is_grad_enabled()


@program
def coroutines_wait_after_a_break(compile):
    @compile
    def step(x):
        y = x + 1
        torch._dynamo.graph_break()
        return y * 2

    async def source(x, count):
        for number in range(count):
            yield step(x + number)

    async def whole(x):
        total = 0
        async for piece in source(x, 3):
            total = total + piece
        return total, [step(piece) async for piece in source(x, 2)]

    coroutine = whole(numbers(2))
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value


@program
def per_sample_gradients(compile):
    def loss(weight, x):
        return (weight * x).sin().sum()

    @compile
    def f(weight, xs):
        each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(weight, xs)
        torch._dynamo.graph_break()
        value, pull = torch.func.vjp(lambda w: loss(w, xs[0]), weight)
        out, tangent = torch.func.jvp(lambda w: w * w, (weight,), (torch.ones_like(weight),))
        torch._dynamo.graph_break()
        return each, value, pull(torch.ones_like(value)), out, tangent, torch.func.hessian(loss)(weight, xs[0])

    return f(numbers(3), numbers(2, 3))


class Wrapped(torch.Tensor):
    """A tensor made of a tensor."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner):
        self.inner = inner

    def __tensor_flatten__(self):
        return ["inner"], None

    @staticmethod
    def __tensor_unflatten__(tensors, _meta, _size=None, _stride=None):
        return Wrapped(tensors["inner"])

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        unwrapped = torch.utils._pytree.tree_map_only(Wrapped, lambda value: value.inner, (args, kwargs or {}))
        found = function(*unwrapped[0], **unwrapped[1])
        return torch.utils._pytree.tree_map_only(torch.Tensor, Wrapped, found)


@program
def a_tensor_made_of_a_tensor(compile):
    @compile
    def f(x, y):
        made = x * y + 1
        torch._dynamo.graph_break()
        return made.sin() + x

    found = f(Wrapped(numbers(3)), Wrapped(numbers(3) * 2))
    return type(found).__name__, found.inner


@program
def reduce_and_operator_functions(compile):
    @compile
    def f(x, rows):
        total = functools.reduce(lambda left, right: left + right, rows, x)
        getter, caller = operator.itemgetter(1, 0), operator.methodcaller("sum", 0)
        torch._dynamo.graph_break()
        one, other = getter(rows)
        return (
            total,
            one - other,
            caller(x),
            operator.attrgetter("shape")(x),
            sorted(rows, key=lambda row: -float(row[0])),
        )

    return f(numbers(2), [numbers(2), numbers(2) * 5])


@program
def a_class_is_made_around_tensors(compile):
    @compile
    def f(x):
        class Local:
            shared = [1]

            def __init__(self, value):
                self.value = value

            def __add__(self, other):
                return Local(self.value + other.value)

        made = Local(x) + Local(x * 2)
        torch._dynamo.graph_break()
        made.extra = made.value.sum()
        return made.value, made.extra, Local.__name__

    return f(numbers(2))


@program
def a_namespace_and_a_mapping_proxy(compile):
    @compile
    def f(x, space, proxy):
        space.total = x + proxy["by"]
        space.again = space.total
        torch._dynamo.graph_break()
        del space.again
        space.more = types.SimpleNamespace(inner=x)
        return vars(space).keys(), proxy["by"], space.more.inner

    space = types.SimpleNamespace(start=1)
    return [str(value) for value in f(numbers(2), space, types.MappingProxyType({"by": 3}))], sorted(vars(space))
