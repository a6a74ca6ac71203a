# ruff: noqa
"""Constructs that are hard to move into other code.  Each takes ``compile`` and returns what has to be the same."""

import collections
import contextlib
import dataclasses
import functools
import gc
import types
import typing
import weakref

import torch

PROGRAMS = []
COUNTER = 0


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


@program
def old_attribute_is_returned(compile):
    @compile
    def f(box, x):
        old = box.value
        box.value = old + x
        return old

    box = Box(numbers(2))
    return f(box, numbers(2)), f(box, numbers(2)), box.value


@program
def old_global_is_returned(compile):
    @compile
    def f(x):
        global COUNTER
        old = COUNTER
        COUNTER = old + 1
        return x + old, old

    global COUNTER
    COUNTER = 5
    return f(numbers(2)), f(numbers(2)), COUNTER


@program
def list_items_are_swapped(compile):
    @compile
    def f(items, box):
        items[0], items[1] = items[1], items[0]
        items[-1], box.value = box.value, items[-1]
        return items[0] + 1

    items, box = [numbers(2), numbers(2) * 3, numbers(2) * 5], Box(numbers(2) * 7)
    return f(items, box), items, box.value


@program
def attributes_are_swapped_across_break(compile):
    @compile
    def f(a, b):
        a.value, b.value = b.value, a.value
        torch._dynamo.graph_break()
        a.value, b.value = b.value + 1, a.value
        return a.value

    a, b = Box(numbers(2)), Box(numbers(2) * 3)
    return f(a, b), a.value, b.value


class Pair(typing.NamedTuple):
    left: torch.Tensor
    right: object = None


@dataclasses.dataclass
class Settings:
    scale: float
    seen: list = dataclasses.field(default_factory=list)


@program
def named_tuples_and_dataclasses(compile):
    @compile
    def f(pair, settings):
        settings.seen.append(pair.left * settings.scale)
        made = Pair(pair.left + 1, [pair.right])
        torch._dynamo.graph_break()
        fresh = Settings(2.0, [made])
        settings.scale += 1
        return made._replace(right=3), fresh

    settings = Settings(3.0)
    return f(Pair(numbers(2), "r"), settings), settings


@program
def sets_and_deques_replayed(compile):
    @compile
    def f(x, names, queue, ordered):
        names.add("new")
        names.discard("old")
        queue.appendleft(x + 1)
        queue.append(x + 2)
        ordered.move_to_end("a")
        ordered["z"] = x
        torch._dynamo.graph_break()
        queue.pop()
        names.clear()
        names.update(("p",))
        return x * len(queue)

    names, queue = {"old", "kept"}, collections.deque([1], maxlen=3)
    ordered = collections.OrderedDict(a=1, b=2)
    return f(numbers(2), names, queue, ordered), names, queue, ordered


@program
def dict_views_and_deletion(compile):
    @compile
    def f(table, x):
        del table["gone"]
        table.setdefault("made", []).append(x)
        popped = table.pop("popped")
        torch._dynamo.graph_break()
        table.update({"more": popped + x, 3: x})
        return [value for key, value in table.items() if key == 3], list(table)

    table = {"gone": 1, "popped": numbers(2), "stays": 2}
    return f(table, numbers(2)), table


@program
def deleted_locals(compile):
    @compile
    def f(x):
        y = x + 1
        z = y * 2
        del y
        torch._dynamo.graph_break()
        del x
        w = z + 1
        torch._dynamo.graph_break()
        return w

    return f(numbers(3))


@program
def unbound_local(compile):
    @compile
    def f(x, flag):
        if flag:
            found = x + 1
        torch._dynamo.graph_break()
        return found

    try:
        second = f(numbers(2), False)
    except UnboundLocalError as error:
        second = str(error)
    return f(numbers(2), True), second


@program
def nonlocal_counter_across_breaks(compile):
    def outer(x):
        count = 0

        def bump(by=1):
            nonlocal count
            count += by
            torch._dynamo.graph_break()
            return x * count

        first = bump()
        second = bump(by=2)
        return first + second, count

    return compile(outer)(numbers(2)), compile(outer)(numbers(3))


@program
def cells_in_factories(compile):
    def make(scale):
        offset = scale + 1

        @compile
        def inner(x):
            nonlocal offset
            y = x * scale
            torch._dynamo.graph_break()
            offset += 1
            get = lambda: (offset, scale, y)
            torch._dynamo.graph_break()
            return get()[0] * y, get()

        return inner, lambda: offset

    inner, offset = make(2)
    return inner(numbers(2)), inner(numbers(2)), offset()


class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))

    def forward(self, x, *, scale=2):
        return x * self.weight * scale


class Derived(Base):
    label = "derived"

    def forward(self, x, **options):
        y = super().forward(x, **options)
        torch._dynamo.graph_break()
        return super().forward(y), __class__.label, __class__.__mro__[1].__name__


@program
def super_and_class_cell(compile):
    model = Derived()
    return compile(model)(numbers(2), scale=3), compile(model.forward)(numbers(2))


@program
def all_kinds_of_parameters(compile):
    @compile
    def f(a, /, b, c=3, *rest, d, e=5, **more):
        x = a + b * c
        torch._dynamo.graph_break()
        for item in rest:
            x = x + item
        torch._dynamo.graph_break()
        return x * d + e, rest, more, sorted(more)

    x = numbers(2)
    return f(x, x, d=1), f(x, x, 4, 5, x, d=x, e=2, z=3, y=x), f(x, b=x, c=x, d=2, rest=1)


@program
def recursion_with_breaks(compile):
    @compile
    def f(x, depth):
        if depth == 0:
            torch._dynamo.graph_break()
            return x
        y = f(x + depth, depth - 1)
        return y * 2

    return f(numbers(2), 3)


@program
def lambdas_and_sorted_keys(compile):
    @compile
    def f(x, rows):
        ordered = sorted(rows, key=lambda row: (-row[0], row[1]))
        torch._dynamo.graph_break()
        scale = (lambda a, *, b=2: a * b)(ordered[0][0])
        largest = max(rows, key=lambda row: row[0])
        return x * scale, ordered, largest, list(map(lambda row: row[1], ordered))

    return f(numbers(2), [(1, "b"), (3, "a"), (3, "A")])


@program
def classes_and_imports_inside(compile):
    @compile
    def f(x):
        import math as m
        from collections import OrderedDict as Ordered, deque

        torch._dynamo.graph_break()

        class Local:
            scale = m.floor(2.5)

            def __call__(self, value):
                return value * self.scale

        torch._dynamo.graph_break()
        return Local()(x), Ordered(a=x), deque([m.pi])

    return f(numbers(2))


@program
def match_statement(compile):
    source = """
def f(x, command):
    match command:
        case ["scale", factor]:
            x = x * factor
        case {"shift": offset, **rest}:
            x = x + offset + len(rest)
        case Box(value=inner) if inner > 1:
            x = x - inner
        case "break" | "graph":
            torch._dynamo.graph_break()
            x = x / 2
        case _:
            return None
    torch._dynamo.graph_break()
    return x
"""

    class Box:
        __match_args__ = ("value",)

        def __init__(self, value):
            self.value = value

    namespace = {"torch": torch, "Box": Box}
    try:
        exec(source, namespace)
    except SyntaxError:
        return None
    f = compile(namespace["f"])
    commands = (["scale", 3], {"shift": 2, "q": 1}, Box(4), "graph", 17)
    return [f(numbers(2), command) for command in commands]


@program
def hundreds_of_locals(compile):
    lines = [f"    v{number} = x + {number}" for number in range(300)]
    kept = ", ".join(f"v{number}" for number in range(0, 300, 7))
    source = "\n".join(["def f(x):", *lines, "    torch._dynamo.graph_break()", f"    return ({kept})"])
    namespace = {"torch": torch}
    exec(source, namespace)
    return compile(namespace["f"])(numbers(2))


@program
def long_names(compile):
    name = "name_" * 60
    source = f"def {name}(x, {name}):\n    y_{name} = x + {name}\n    torch._dynamo.graph_break()\n    return y_{name} * {name}\n"
    namespace = {"torch": torch}
    exec(source, namespace)
    return compile(namespace[name])(numbers(2), numbers(2))


@program
def names_that_look_like_ours(compile):
    @compile
    def f(graph_out, value, tmp_1, item, error, completed):
        graph_out_0 = graph_out + value
        __temp_1 = graph_out_0 * tmp_1
        torch._dynamo.graph_break()
        items, value_1 = [graph_out_0, __temp_1], value
        torch._dynamo.graph_break()
        return items, value_1, item, error, completed, graph_out

    x = numbers(2)
    return f(x, x + 1, x + 2, 1, "e", None)


@program
def builtins_as_locals(compile):
    @compile
    def f(list, type, len):
        super = list + type
        torch._dynamo.graph_break()
        range = super * len
        torch._dynamo.graph_break()
        return [range, super, type]

    return f(numbers(2), numbers(2), 3)


@program
def keyword_attribute_names(compile):
    @compile
    def f(box, x):
        setattr(box, "class", x + 2)
        setattr(box, "not a name", 3)
        torch._dynamo.graph_break()
        setattr(box, "from", x)
        return getattr(box, "class") * x

    box = Box(0)
    return f(box, numbers(2)), vars(box)


@program
def module_hooks(compile):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    seen = []
    model[0].register_forward_pre_hook(lambda module, given: (given[0] + 1,))
    model[0].register_forward_hook(lambda module, given, found: found * 2)
    model.register_full_backward_hook(lambda module, given, found: seen.append(len(given)))
    x = numbers(2).requires_grad_()
    found = compile(model)(x)
    found.sum().backward()
    return found, x.grad, seen


class Tree(torch.nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.children_ = torch.nn.ModuleList(Tree(depth - 1) for _ in range(2)) if depth else None
        self.weight = torch.nn.Parameter(torch.ones(2) * (depth + 1))
        self.table = torch.nn.ParameterDict({"a b": torch.nn.Parameter(torch.ones(2))})

    def forward(self, x):
        if self.children_ is None:
            return x * self.weight + self.table["a b"]
        for child in self.children_:
            x = child(x) + self.weight
        return x


@program
def recursive_module_lists(compile):
    model = Tree(2)
    found = compile(model)(numbers(2))
    found.sum().backward()
    return found, [parameter.grad for parameter in model.parameters()]


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.scale + x, None


@program
def autograd_function_around_break(compile):
    @compile
    def f(x):
        y = Scaled.apply(x, 3)
        torch._dynamo.graph_break()
        return Scaled.apply(y, 2), y

    x = numbers(2).requires_grad_()
    found, kept = f(x)
    (found.sum() + kept.sum()).backward()
    return found, x.grad


@program
def transforms(compile):
    def energy(x):
        return (x.sin() * x).sum()

    @compile
    def f(x):
        first = torch.func.grad(energy)(x)
        second = torch.func.vmap(energy)(x.repeat(3, 1))
        _, third = torch.func.jvp(energy, (x,), (torch.ones_like(x),))
        torch._dynamo.graph_break()
        return first, second, third, torch.func.vjp(energy, x)[1](torch.ones(()))

    return f(numbers(3))


@program
def control_flow_operators(compile):
    @compile
    def f(x):
        chosen = torch.cond(x.sum() > 3, lambda x: x + 1, lambda x: x - 1, (x,))
        (looped,) = torch._higher_order_ops.while_loop(lambda x: x.abs().sum() < 50, lambda x: (x * 2,), (chosen,))
        torch._dynamo.graph_break()
        return looped, chosen

    return f(numbers(3)), f(-numbers(3) / 9)


@program
def scan_operator(compile):
    from torch._higher_order_ops.scan import scan

    @compile
    def f(x):
        torch._dynamo.graph_break()
        return scan(lambda total, item: (total + item, total * item), torch.zeros(2), x, dim=0)

    return f(numbers(3, 2))


@program
def flex_attention_is_called(compile):
    from torch.nn.attention.flex_attention import flex_attention

    @compile
    def f(q, k, v):
        found = flex_attention(q, k, v, score_mod=lambda score, b, h, i, j: score + (i - j) * 0.1)
        torch._dynamo.graph_break()
        return found * 2

    q = numbers(1, 1, 4, 8) / 32
    return f(q, q + 1, q - 1)


class Tagged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        found = super().__torch_function__(function, types, args, kwargs or {})
        return found


@program
def tensor_subclasses(compile):
    @compile
    def f(x, y):
        z = x * y
        torch._dynamo.graph_break()
        return z + x, type(z).__name__

    return f(numbers(2).as_subclass(Tagged), numbers(2))


@program
def compiled_autograd(compile):
    model = torch.nn.Linear(2, 2)
    x = numbers(3, 2)
    with torch._dynamo.compiled_autograd._enable(compile):
        for _ in range(2):
            model(x).sum().backward()
    return [parameter.grad for parameter in model.parameters()]


@program
def adam_steps(compile):
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    step = compile(optimizer.step)
    for _ in range(3):
        optimizer.zero_grad()
        model(numbers(4, 2)).sum().backward()
        step()
        schedule.step()
    return list(model.parameters())


@program
def numpy_and_random_state(compile):
    import random

    import numpy as np

    @compile
    def f(x):
        a = np.random.rand(2)
        b = random.random()
        c = torch.rand(2)
        torch._dynamo.graph_break()
        d = random.randint(0, 9)
        return x + torch.from_numpy(np.sort(a)) + b + c, d, np.float32(d).item()

    return f(numbers(2)), f(numbers(2))


def _inner_with_break(x, box):
    y = x + 1
    box.value = y
    torch._dynamo.graph_break()
    return y * box.value


@program
def nested_graph_breaks(compile):
    def helper(x, box, extra):
        before = x * 2
        found = _inner_with_break(before, box)
        return found + before, extra

    @compile
    def f(x, box):
        kept = [x, x + 3]
        found, extra = helper(x, box, kept)
        extra.append(found)
        return found + kept[1], extra

    box = Box(0)
    with torch._dynamo.config.patch(nested_graph_breaks=True):
        return f(numbers(2), box), box.value


@program
def nested_breaks_with_closures(compile):
    def outer(x):
        total = x

        def middle(y):
            nonlocal total

            def innermost(z):
                nonlocal total
                total = total + z
                torch._dynamo.graph_break()
                return total * z

            total = total * 2
            return innermost(y) + total

        return middle(x + 1), total

    with torch._dynamo.config.patch(nested_graph_breaks=True):
        return compile(outer)(numbers(2))


@program
def nested_breaks_under_contexts(compile):
    def helper(x):
        with torch.no_grad():
            y = x + 1
            torch._dynamo.graph_break()
            z = y * 2
        return z, torch.is_grad_enabled()

    @compile
    def f(x):
        with torch.enable_grad():
            found = helper(x)
        return found, torch.is_grad_enabled()

    with torch._dynamo.config.patch(nested_graph_breaks=True):
        return f(numbers(2).requires_grad_())


@program
def recompile_limit(compile):
    @compile
    def f(x, n):
        y = x + n
        torch._dynamo.graph_break()
        return y * n

    with torch._dynamo.config.patch(recompile_limit=2):
        return [f(numbers(2), float(n)) for n in range(5)]


@program
def frames_without_source(compile):
    namespace = {"torch": torch}
    exec(compile_text("def f(x):\n    y = x + 1\n    torch._dynamo.graph_break()\n    return y * 2\n"), namespace)
    return compile(namespace["f"])(numbers(2))


def compile_text(text):
    return (
        __builtins__["compile"](text, "<console>", "exec")
        if isinstance(__builtins__, dict)
        else __builtins__.compile(text, "<console>", "exec")
    )


@program
def exceptions_around_breaks(compile):
    def risky(x, fail):
        torch._dynamo.graph_break()
        if fail:
            raise ValueError("as asked", fail)
        return x + 1

    def f(x, fail):
        log = []
        try:
            y = compile(risky)(x, fail)
            log.append("fine")
        except (ValueError, KeyError) as error:
            log.append(error.args)
            y = x
        else:
            log.append("else")
        finally:
            log.append("finally")
        return y, log

    return f(numbers(2), False), f(numbers(2), True)


@program
def exception_caught_inside(compile):
    @compile
    def f(x, table):
        try:
            found = table["missing"]
        except KeyError as error:
            found = x + 1
            message = str(error)
        torch._dynamo.graph_break()
        try:
            raise RuntimeError("again")
        except RuntimeError:
            found = found * 2
        finally:
            found = found + 1
        return found, message

    return f(numbers(2), {})


@program
def generator_and_comprehensions_around_break(compile):
    @compile
    def f(x):
        def produce(n):
            for number in range(n):
                yield x + number

        first = sum(produce(3))
        torch._dynamo.graph_break()
        table = {n: x * n for n in range(3) if n != 1}
        nested = [[a + b for a in range(2)] for b in range(2)]
        found = {str(n) for n in range(2)}
        return first, table, nested, sorted(found), list(produce(2)), any(n > 1 for n in range(3))

    return f(numbers(2))


@program
def async_function(compile):
    import asyncio

    @compile
    def step(x):
        y = x + 1
        torch._dynamo.graph_break()
        return y * 2

    async def main(x):
        await asyncio.sleep(0)
        return step(x)

    return asyncio.run(main(numbers(2)))


@program
def walrus_slices_and_star(compile):
    @compile
    def f(x, rows):
        first, *middle, last = rows
        if (size := len(middle)) > 1:
            torch._dynamo.graph_break()
        window = x[1:, ..., None][:size]
        rows[1:2] = [last, first]
        return window, middle, rows[::-1], f"{size:>4}{first!r}"

    return f(numbers(4), [1, 2, 3, 4])


@program
def contexts_nested_with_values(compile):
    class Log:
        def __init__(self, log):
            self.log = log

        def __enter__(self):
            self.log.append("in")
            return len(self.log)

        def __exit__(self, *error):
            self.log.append(error[0])
            return False

    @compile
    def f(x, log):
        with torch.no_grad(), torch.autocast("cpu", enabled=False):
            with torch.set_grad_enabled(True):
                y = x + 1
                torch._dynamo.graph_break()
                z = y * 2
            torch._dynamo.graph_break()
            w = z + y
        return w, torch.is_grad_enabled(), w.requires_grad

    return f(numbers(2).requires_grad_(), []), torch.is_grad_enabled()


@program
def raise_in_context_after_break(compile):
    @compile
    def f(x):
        with torch.no_grad():
            torch._dynamo.graph_break()
            if x.sum() > 0:
                raise ValueError("in context")
        return x

    try:
        f(numbers(2))
    except ValueError as error:
        return str(error), torch.is_grad_enabled()


@program
def while_and_for_after_break(compile):
    @compile
    def f(x, n):
        torch._dynamo.graph_break()
        total = x
        while n > 0:
            if n == 3:
                n -= 2
                continue
            total = total + n
            n -= 1
        else:
            total = total * 2
        for number, letter in enumerate("abc"):
            if letter == "b":
                break
            total = total - number
        return total, n, letter

    return f(numbers(2), 5), f(numbers(2), 1)


@program
def partial_methods_and_properties(compile):
    class Thing:
        count = 0

        def __init__(self):
            self._x = 1

        @property
        def x(self):
            return self._x

        @x.setter
        def x(self, value):
            self._x = value
            Thing.count += 1

        @classmethod
        def make(cls, value):
            made = cls()
            made.x = value
            return made

        @staticmethod
        def twice(value):
            return value * 2

        def __getitem__(self, key):
            return self._x * key

    @compile
    def f(x):
        thing = Thing.make(x)
        torch._dynamo.graph_break()
        thing.x = thing[3]
        return functools.partial(Thing.twice)(thing.x), thing.x

    return f(numbers(2)), Thing.count


@program
def objects_in_constants(compile):
    @compile
    def f(x, kind=torch.float64, device=torch.device("cpu")):
        y = x.to(kind)
        torch._dynamo.graph_break()
        return y.to(device, torch.int32), torch.Size([1, 2]), kind, slice(1, None, 2), ..., 1j, b"x", frozenset([1, 2])

    return f(numbers(2))


@program
def weak_references_and_lifetimes(compile):
    @compile
    def f(x, box):
        y = x + 1
        box.value = None
        torch._dynamo.graph_break()
        return y

    box = Box(Box(1))
    reference = weakref.ref(box.value)
    found = f(numbers(2), box)
    gc.collect()
    return found, reference() is None


@program
def same_list_under_two_names(compile):
    @compile
    def f(items, x):
        alias = items
        nested = [alias, items]
        alias.append(x)
        torch._dynamo.graph_break()
        nested[0].append(x + 1)
        return items, nested[1] is items, len(alias)

    items = []
    return f(items, numbers(2)), items


@program
def tensors_made_and_mutated_in_place(compile):
    @compile
    def f(x, views):
        x.add_(1)
        views.append(x[1:])
        x[0] = 7
        torch._dynamo.graph_break()
        views[-1].mul_(2)
        return x.data_ptr() == views[-1].data_ptr(), x

    views = []
    x = numbers(3)
    return f(x, views), views, x


@program
def checkpointed(compile):
    from torch.utils.checkpoint import checkpoint

    layer = torch.nn.Linear(2, 2)

    @compile
    def f(x):
        y = checkpoint(lambda x: layer(x).sin(), x, use_reentrant=False)
        torch._dynamo.graph_break()
        return checkpoint(layer, y, use_reentrant=False)

    x = numbers(2).requires_grad_()
    f(x).sum().backward()
    return x.grad, layer.weight.grad


@program
def module_attributes_and_buffers(compile):
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", torch.zeros(2))
            self.calls = 0
            self.history = {}

        def forward(self, x):
            self.calls += 1
            self.total += x
            self.history[self.calls] = x.shape
            torch._dynamo.graph_break()
            self.total = self.total * 2
            return x + self.total

    model = Counter()
    compiled = compile(model)
    return compiled(numbers(2)), compiled(numbers(2)), model.total, model.calls, model.history


@program
def error_in_graph_call(compile):
    @compile
    def f(x, y):
        try:
            z = x + 1
            torch._dynamo.graph_break()
            return z @ y
        finally:
            torch._dynamo.graph_break()

    try:
        f(numbers(2), numbers(3))
    except RuntimeError as error:
        return "size" in str(error) or "inconsistent" in str(error)


@program
def types_and_method_descriptors(compile):
    @compile
    def f(x):
        namespace = types.SimpleNamespace(x=x, n=2)
        torch._dynamo.graph_break()
        namespace.n += 1
        return torch.Tensor.add(namespace.x, namespace.n), "a,b".split(","), dict.fromkeys(["k"], x)

    return f(numbers(2))


@program
def suppressed_exceptions(compile):
    @compile
    def f(x, items):
        with contextlib.suppress(IndexError):
            items[5]
        torch._dynamo.graph_break()
        with contextlib.suppress(KeyError):
            {}["nothing"]
        return x + len(items)

    return f(numbers(2), [1])


@program
def locals_that_are_no_identifiers(compile):
    """As in the asserts that pytest rewrites."""

    def f(x, y):
        kept = x + y
        torch._dynamo.graph_break()
        return kept * x

    f.__code__ = renamed(f.__code__)
    return compile(f)(numbers(3), 2.0)


def renamed(code):
    return code.replace(co_varnames=tuple(f"@{name}" for name in code.co_varnames))


@program
def inner_function_without_identifiers(compile):
    def f(x):
        def inner(y, z=2.0):
            kept = x + y
            return kept * z

        torch._dynamo.graph_break()
        return inner(x) + 1

    inner = next(constant for constant in f.__code__.co_consts if hasattr(constant, "co_varnames"))
    constants = [renamed(inner) if constant is inner else constant for constant in f.__code__.co_consts]
    f.__code__ = f.__code__.replace(co_consts=tuple(constants))
    return compile(f)(numbers(3))


@program
def dict_with_constant_keys(compile):
    @compile
    def f(x):
        made = {1: x, "two": x + 1, None: x + 2}
        torch._dynamo.graph_break()
        return made

    return f(numbers(3))
