# ruff: noqa
"""Programs with side effects that Dynamo replays, and with closures, modules, dynamic shapes and the like."""

import collections
import dataclasses
import functools

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


counter = 0
registry = {}


@program
def global_is_stored(compile):
    global counter
    counter = 0

    @compile
    def f(x):
        global counter
        counter += 1
        return x + counter

    return f(numbers(2)), f(numbers(2)), counter


@program
def global_dict_is_changed(compile):
    registry.clear()

    @compile
    def f(x):
        registry["x"] = x + 1
        registry.setdefault("y", []).append(x * 2)
        return len(registry)

    return f(numbers(2)), dict(registry)


@program
def list_is_changed(compile):
    @compile
    def f(x, out):
        out.append(x + 1)
        out.extend([x, x * 2])
        out[0] = x - 1
        out.insert(1, x)
        del out[-1]
        out.reverse()
        return x

    out = [numbers(2), numbers(2)]
    return f(numbers(2), out), out


@program
def list_of_lists(compile):
    @compile
    def f(x, grid):
        grid[0].append(x)
        grid.append([x + 1])
        grid[1][0] = grid[0]
        return grid

    grid = [[1], [2]]
    return f(numbers(2), grid)


@program
def dict_is_changed(compile):
    @compile
    def f(x, d):
        d["new"] = x + 1
        d.pop("old")
        d.update({"a": x, 3: x * 2})
        for key in list(d):
            if key == "b":
                del d[key]
        return d.get("zzz", x)

    d = {"old": 1, "b": 2, "c": 3}
    return f(numbers(2), d), list(d.items())


@program
def set_is_changed(compile):
    @compile
    def f(x, s):
        s.add(3)
        s.discard(1)
        return x + len(s)

    s = {1, 2}
    return f(numbers(2), s), sorted(s)


@program
def deque_and_ordered_dict(compile):
    @compile
    def f(x, q, o):
        q.append(x)
        q.appendleft(x + 1)
        o["z"] = x
        o.move_to_end("a")
        return x * 2

    q, o = collections.deque([1]), collections.OrderedDict(a=1, b=2)
    return f(numbers(2), q, o), list(q), list(o.items())


@program
def defaultdict_is_changed(compile):
    @compile
    def f(x, d):
        d["a"].append(x)
        return x

    d = collections.defaultdict(list)
    return f(numbers(2), d), dict(d)


@program
def attributes_are_stored(compile):
    class Box:
        kind = "box"

        def __init__(self):
            self.items = []
            self.count = 0

    box = Box()

    @compile
    def f(x, b):
        b.count += 1
        b.items.append(x)
        b.fresh = x * 2
        Box.kind = "changed"
        del b.count
        return x + 1

    return f(numbers(2), box), sorted(box.__dict__), Box.kind


@program
def objects_are_made(compile):
    @dataclasses.dataclass
    class Point:
        x: object
        y: object = 0

    Pair = collections.namedtuple("Pair", "left right")

    class Node:
        def __init__(self, value):
            self.value = value
            self.next = None

    @compile
    def f(t):
        a = Node(t)
        b = Node(t + 1)
        a.next = b
        b.next = a
        return Point(t, y=t * 2), Pair(t, t - 1), a

    p, pair, node = f(numbers(2))
    return p.x, p.y, pair, node.value, node.next.value, node.next.next is node


@program
def closure_is_returned(compile):
    @compile
    def f(x):
        y = x * 2

        def inner(z, scale=3):
            return y + z * scale

        return inner, x + 1

    inner, other = f(numbers(2))
    return inner(1), inner(1, scale=2), other


@program
def closure_across_break(compile):
    @compile
    def f(x):
        v = x + 1

        def foo(y):
            return v * y

        torch._dynamo.graph_break()
        v = v * 2
        return foo(x)

    return f(numbers(2))


@program
def nonlocal_is_stored(compile):
    def make():
        total = 0

        @compile
        def f(x):
            nonlocal total
            total += 1
            return x + total

        return f, lambda: total

    f, total = make()
    return f(numbers(2)), f(numbers(2)), total()


@program
def nonlocal_across_break(compile):
    def make():
        state = []
        seen = None

        @compile
        def f(x):
            nonlocal seen
            seen = x + 1
            torch._dynamo.graph_break()
            state.append(seen)
            seen = x * 2
            return x

        return f, lambda: (state, seen)

    f, result = make()
    return f(numbers(2)), result()


@program
def cells_of_cells(compile):
    @compile
    def f(x):
        a = x
        b = x + 1

        def outer():
            c = a + b

            def inner():
                return a + c

            torch._dynamo.graph_break()
            return inner

        g = outer()
        a = x * 2
        torch._dynamo.graph_break()
        return g() + b

    return f(numbers(2))


@program
def decorated_and_partial(compile):
    def twice(function):
        @functools.wraps(function)
        def wrapper(*arguments, **options):
            return function(*arguments, **options) * 2

        return wrapper

    @twice
    def g(x, y):
        return x + y

    @compile
    def f(x):
        h = functools.partial(g, y=x)
        torch._dynamo.graph_break()
        return h(x + 1), functools.partial(g, x)

    value, part = f(numbers(2))
    return value, part(1)


@program
def default_arguments_and_keywords(compile):
    @compile
    def f(a, /, b, *rest, c=2, **options):
        d = a + b
        torch._dynamo.graph_break()
        return d * c, rest, sorted(options)

    return f(numbers(2), 1), f(numbers(2), numbers(2), 3, 4, c=5, k=6)


@program
def module_with_buffers(compile):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Identity(), torch.nn.ReLU()])
            self.register_buffer("seen", torch.zeros(()))
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            self.seen += 1
            for layer in self.layers:
                x = layer(x)
            if x.sum() > 5:
                x = x * 2
            return x

    net = Net()
    compiled = compile(net)
    return compiled(numbers(2)), compiled(numbers(4)), net.seen.clone(), net.calls


@program
def sequential_and_hooks(compile):
    net = torch.nn.Sequential(torch.nn.Linear(2, 2, bias=False), torch.nn.Sequential(torch.nn.ReLU()))
    with torch.no_grad():
        net[0].weight.copy_(numbers(2, 2))
    log = []
    net[1].register_forward_hook(lambda module, inputs, output: log.append(1))
    compiled = compile(net)
    return compiled(numbers(2)), log


@program
def super_call(compile):
    class Base(torch.nn.Module):
        def forward(self, x):
            torch._dynamo.graph_break()
            return x + 1

    class Derived(Base):
        def forward(self, x):
            y = super().forward(x * 2)
            return super().forward(y)

    return compile(Derived())(numbers(2))


@program
def dynamic_shapes(compile):
    @compile
    def f(x, n):
        y = x[: x.shape[0] // 2]
        torch._dynamo.graph_break()
        return y.sum() + n, x.shape[0], y.reshape(-1)

    return [f(numbers(size), size) for size in (4, 6, 8)]


@program
def dynamic_from_the_start(compile):
    def g(x):
        return x.view(x.shape[0] * x.shape[1]), x.shape, x.numel() * 2

    f = compile(g, dynamic=True)
    return f(numbers(2, 3)), f(numbers(4, 3))


@program
def autograd_function(compile):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 2 + x * 0

    @compile
    def f(x):
        y = Double.apply(x)
        torch._dynamo.graph_break()
        return (y * y).sum()

    x = numbers(2).requires_grad_()
    f(x).backward()
    return x.grad


@program
def backward_inside(compile):
    @compile
    def f(x, w):
        loss = ((x * w) ** 2).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
        return loss

    w = numbers(2).requires_grad_()
    return f(numbers(2), w).detach(), w.detach()


@program
def optimizer_step(compile):
    w = torch.nn.Parameter(numbers(2))
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)

    @compile
    def step(x):
        optimizer.zero_grad()
        loss = (w * x).sum()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step(numbers(2)), step(numbers(2)), w.detach()


@program
def inputs_are_mutated(compile):
    @compile
    def f(x, y):
        x.add_(1)
        y[0] = x[1]
        torch._dynamo.graph_break()
        x.mul_(y)
        return x.sum()

    x, y = numbers(2), numbers(2)
    return f(x, y), x, y


@program
def nested_inputs(compile):
    @compile
    def f(batch):
        a = batch["image"]["left"] + batch["labels"][1]
        out = {"sum": a, "parts": [batch["image"], (a, a * 2)]}
        out["self"] = out["parts"][1]
        return out

    return f({"image": {"left": numbers(2)}, "labels": [numbers(2), numbers(2) * 2]})


@program
def same_object_twice(compile):
    @compile
    def f(x):
        shared = [x + 1]
        d = {"a": shared, "b": shared}
        t = (shared, d)
        torch._dynamo.graph_break()
        shared.append(x)
        return t

    t = f(numbers(2))
    return t[0] is t[1]["a"], t[1]["a"] is t[1]["b"], t[0]


@program
def big_dict(compile):
    @compile
    def f(x, k):
        d = {i: x + i for i in range(20)}
        d[k] = x
        return {**d, "last": k}

    return f(numbers(1), "key")


@program
def random_state(compile):
    @compile
    def f(x):
        y = x + torch.rand(2)
        torch._dynamo.graph_break()
        return y * torch.rand(2)

    torch.manual_seed(0)
    return f(numbers(2)).shape


@program
def python_random(compile):
    import random

    @compile
    def f(x):
        return x + random.random() * 0, random.randint(1, 1)

    random.seed(0)
    return f(numbers(2))


@program
def iterators_and_zip(compile):
    @compile
    def f(xs, ys):
        it = iter(xs)
        first = next(it)
        pairs = list(zip(xs, ys))
        torch._dynamo.graph_break()
        return first, [a + b for a, b in pairs], list(enumerate(it))

    return f([numbers(2), numbers(2) + 1], [numbers(2), numbers(2)])


@program
def properties_and_descriptors(compile):
    class Thing:
        def __init__(self, value):
            self._value = value

        @property
        def value(self):
            return self._value

        @value.setter
        def value(self, new):
            self._value = new

        @classmethod
        def make(cls, value):
            return cls(value)

        @staticmethod
        def plus(a, b):
            return a + b

    @compile
    def f(x):
        t = Thing.make(x)
        t.value = Thing.plus(t.value, 1)
        torch._dynamo.graph_break()
        t.value = t.value * 2
        return t.value

    return f(numbers(2))


@program
def higher_order_operators(compile):
    from torch._higher_order_ops.map import map as hop_map

    @compile
    def f(x):
        y = torch.cond(x.sum() > 3, lambda a: a + 1, lambda a: a - 1, (x,))
        return y, hop_map(lambda a: a * 2, x)

    return f(numbers(3)), f(numbers(1))


@program
def vmap_and_grad(compile):
    @compile
    def f(x):
        return torch.func.vmap(lambda a: a * 2)(x), torch.func.grad(lambda a: (a * a).sum())(x)

    return f(numbers(3))


@program
def checkpoint(compile):
    from torch.utils.checkpoint import checkpoint as save_memory

    @compile
    def f(x):
        return save_memory(lambda a: torch.relu(a) * 2, x, use_reentrant=False).sum()

    x = numbers(3).requires_grad_()
    f(x).backward()
    return x.grad


@program
def autocast_and_modes(compile):
    @compile
    def f(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x @ x
            torch._dynamo.graph_break()
            z = y @ x
        with torch.inference_mode():
            w = x + 1
        return z.dtype, w

    return f(numbers(2, 2))


@program
def subclass_and_types(compile):
    @compile
    def f(x):
        d = x.dtype
        y = x.to(torch.float64)
        torch._dynamo.graph_break()
        return y.to(d), type(x), isinstance(x, torch.Tensor), torch.Size([1, 2]), slice(1, 2)

    return f(numbers(2))


@program
def guards_recompile(compile):
    @compile
    def f(x, mode, k=1):
        if mode == "a":
            return x + k
        elif mode == "b":
            return x - k, mode
        return [x] * k

    return f(numbers(2), "a"), f(numbers(2), "b", 3), f(numbers(2), "c", k=2), f(numbers(2).double(), "a")


@program
def constants_of_all_kinds(compile):
    @compile
    def f(x):
        y = x + 1
        return (
            y, None, True, ..., 1.5, float("inf"), -0.0, 2**70, "text\n", b"bytes", 1j, (1, (2, "three")), frozenset([1, 2]),
            {"a": [1, {2}]}, range(3), torch.float32, torch.device("cpu"), int, len,
        )  # fmt: skip

    return str(f(numbers(2)))


@program
def keyword_names(compile):
    @compile
    def f(x):
        d = {"from": x, "a b": 1, "class": 2}
        torch._dynamo.graph_break()
        return dict(**d, other=x)

    return f(numbers(2))


@program
def exceptions_in_resume(compile):
    log = []

    @compile
    def f(x, bad):
        y = x + 1
        torch._dynamo.graph_break()
        try:
            if bad:
                raise KeyError("bad")
            z = y * 2
        except KeyError as error:
            log.append(str(error))
            z = y
        else:
            log.append("else")
        finally:
            log.append("finally")
        return z

    return f(numbers(2), True), f(numbers(2), False), log


@program
def with_after_break(compile):
    import threading

    lock = threading.Lock()

    @compile
    def f(x):
        y = x + 1
        torch._dynamo.graph_break()
        with lock:
            z = y * 2
            with open("/dev/null") as null:
                z = z + len(null.read())
        return z

    return f(numbers(2))


@program
def loops_after_break(compile):
    @compile
    def f(x, n):
        total = x
        torch._dynamo.graph_break()
        out = []
        for i in range(n):
            if i == 1:
                continue
            for j in range(i):
                if j > 2:
                    break
                total = total + j
            else:
                out.append(i)
        while n > 0:
            n -= 1
            print(n)
            if n == 2:
                break
        return total, out, n

    return f(numbers(2), 5)


@program
def async_and_generators_after_break(compile):
    @compile
    def f(x):
        torch._dynamo.graph_break()

        def produce(k):
            got = yield k
            yield from range(int(got))

        g = produce(x.sum().item())
        next(g)
        return g.send(2), list(g), sorted({c for c in "abc"}), {k: v for k, v in zip("ab", (1, 2))}

    return f(numbers(2))


@program
def classes_after_break(compile):
    @compile
    def f(x):
        torch._dynamo.graph_break()

        class Local:
            scale = 3

            def apply(self, y):
                return y * self.scale

        return Local().apply(x)

    return f(numbers(2))


@program
def hooks_on_tensors(compile):
    log = []

    @compile
    def f(x):
        y = x * 2
        y.register_hook(lambda grad: log.append(grad.sum().item()))
        return y.sum()

    x = numbers(2).requires_grad_()
    f(x).backward()
    return x.grad, log


@program
def graph_break_in_setattr(compile):
    class Loud:
        def __setattr__(self, name, value):
            print("set", name)
            object.__setattr__(self, name, value)

    @compile
    def f(x, o):
        o.a = x + 1
        o.b = x * 2
        return o.a + o.b

    return f(numbers(2), Loud())


@program
def mutable_default_and_global_list(compile):
    kept = []

    @compile
    def f(x, seen=[]):  # noqa: B006
        seen.append(x)
        kept.append(len(seen))
        torch._dynamo.graph_break()
        seen.append(x + 1)
        return len(seen), kept

    return f(numbers(2)), f(numbers(2))
