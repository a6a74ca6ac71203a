# ruff: noqa
"""Programs whose frames Dynamo tears apart.  Each takes ``compile`` and returns what has to be the same without it."""

import contextlib

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


@program
def branch_on_a_tensor(compile):
    @compile
    def f(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    return f(numbers(3), numbers(3)), f(numbers(3), -numbers(3))


@program
def branch_with_else(compile):
    @compile
    def f(a):
        if a.sum() > 3:
            y = a + 1
            z = y * 2
        else:
            y = a - 1
            z = y
        return y, z, a

    return f(numbers(2)), f(numbers(4))


@program
def nested_branches(compile):
    @compile
    def f(a, flag):
        if a.sum() > 3:
            if a.mean() > 2:
                r = a + 1
            else:
                r = a + 2
        elif flag:
            r = a + 3
        else:
            r = a
        return r * 2

    return f(numbers(2), True), f(numbers(4), False), f(numbers(1), True), f(numbers(1), False)


@program
def print_in_the_middle(compile):
    @compile
    def f(a):
        a = a + 1
        print("in the middle")
        b = a * 2
        print("again")
        return a + b

    return f(numbers(3))


@program
def item(compile):
    @compile
    def f(a):
        n = a.sum().item()
        return a * n, n

    return f(numbers(3))


@program
def break_in_expression(compile):
    @compile
    def f(a, b):
        return (a + 1, [b * 2, torch._dynamo.graph_break(), a.sum().item()], {"k": a - 1})

    return f(numbers(3), numbers(2))


@program
def break_under_call_arguments(compile):
    def g(a, b, c=0, *rest, **options):
        return a + b + c + sum(rest), options

    @compile
    def f(x):
        return g(x + 1, x.sum().item(), x * 3, x, x - 1, k=x.mean().item(), m=x)

    return f(numbers(3))


@program
def many_breaks(compile):
    @compile
    def f(x, y, z):
        for_later = [x + 1]
        torch._dynamo.graph_break()
        for_later.append(y * 2)
        torch._dynamo.graph_break()
        d = {"a": z}
        torch._dynamo.graph_break()
        d["b"] = for_later[0] + 1
        torch._dynamo.graph_break()
        return for_later, d, x

    return f(numbers(3), numbers(3), numbers(3))


@program
def break_in_no_grad(compile):
    @compile
    def f(x):
        y = x * 2
        with torch.no_grad():
            z = y + 1
            torch._dynamo.graph_break()
            z = z * 3
        return z + y, torch.is_grad_enabled()

    return f(numbers(3))


@program
def break_in_nested_contexts(compile):
    @compile
    def f(x):
        with torch.no_grad():
            a = x + 1
            with torch.enable_grad():
                b = a * 2
                torch._dynamo.graph_break()
                c = b - 1
            torch._dynamo.graph_break()
            d = c * a
        return a, b, c, d

    return f(numbers(3))


@program
def break_in_user_context(compile):
    class Context:
        def __init__(self):
            self.log = []

        def __enter__(self):
            self.log.append("enter")
            return self

        def __exit__(self, *arguments):
            self.log.append("exit")
            return False

    context = Context()

    @compile
    def f(x):
        with context as c:
            y = x + 1
            torch._dynamo.graph_break()
            y = y * len(c.log)
        return y

    return f(numbers(3)), context.log


@program
def contextmanager_function(compile):
    log = []

    @contextlib.contextmanager
    def around(name):
        log.append(name)
        try:
            yield name
        finally:
            log.append("after " + name)

    @compile
    def f(x):
        with around("one") as n:
            y = x + len(n)
            torch._dynamo.graph_break()
        return y * 2

    return f(numbers(3)), log


@program
def try_except_around_break(compile):
    @compile
    def f(x):
        try:
            y = x + 1
            torch._dynamo.graph_break()
            y = y * 2
        except ValueError:
            y = x
        return y + 1

    return f(numbers(3))


@program
def try_finally_around_break(compile):
    log = []

    @compile
    def f(x):
        try:
            y = x + 1
            torch._dynamo.graph_break()
            y = y * 2
        finally:
            log.append(1)
        return y + 1

    return f(numbers(3)), log


@program
def exception_in_callee(compile):
    def g(x):
        if x.sum() > 0:
            raise ValueError("positive")
        return x

    @compile
    def f(x):
        y = x + 1
        try:
            y = g(y)
        except ValueError as error:
            return y * 2, str(error)
        return y, ""

    return f(numbers(3)), f(-numbers(3))


@program
def loop_with_break(compile):
    @compile
    def f(x):
        for i in range(3):
            x = x + i
            torch._dynamo.graph_break()
        return x * 2

    return f(numbers(3))


@program
def loop_in_callee(compile):
    def g(x, n):
        total = x
        for i in range(n):
            if total.sum() > 20:
                break
            total = total + i
        return total

    @compile
    def f(x, n):
        y = x * 2
        z = g(y, n)
        return z + y

    return f(numbers(3), 4), f(numbers(3), 2)


@program
def while_on_a_tensor(compile):
    @compile
    def f(x):
        n = 0
        while x.sum() < 50:
            x = x * 2
            n += 1
        return x, n

    return f(numbers(3))


@program
def nested_calls_break(compile):
    def h(x):
        torch._dynamo.graph_break()
        return x + 1

    def g(x):
        y = h(x * 2)
        return y - 1

    @compile
    def f(x):
        return g(x + 1) * g(x - 1)

    return f(numbers(3))


@program
def recursion(compile):
    def g(x, n):
        if n == 0:
            torch._dynamo.graph_break()
            return x
        return g(x + n, n - 1)

    @compile
    def f(x):
        return g(x, 3) * 2

    return f(numbers(3))


@program
def assert_and_raise(compile):
    @compile
    def f(x):
        assert x.sum() > 0, "must be positive"
        return x + 1

    def outcome(x):
        try:
            return f(x)
        except (AssertionError, RuntimeError) as error:
            return type(error).__name__

    return outcome(numbers(3)), outcome(-numbers(3))


@program
def data_dependent_index(compile):
    @compile
    def f(x):
        n = int(x.max())
        return x[:n], x[n - 1 :]

    return f(numbers(2))


@program
def numpy_inside(compile):
    @compile
    def f(x):
        y = x.numpy() * 2
        return torch.from_numpy(y) + x

    return f(numbers(3))


@program
def unsupported_builtin(compile):
    class Strange:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return self.value < other.value

    @compile
    def f(x):
        y = x + 1
        order = sorted([Strange(2), Strange(1)])
        return y * order[0].value

    return f(numbers(3))


@program
def break_keeps_many_values(compile):
    @compile
    def f(a, b, c, d):
        e, g = a + b, c + d
        h = [e, g]
        i = {"x": h, "y": (e, g)}
        torch._dynamo.graph_break()
        return i["x"][0] + i["y"][1], h, a, d

    return f(*[numbers(2) + i for i in range(4)])


@program
def break_with_stack_values(compile):
    @compile
    def f(a, b):
        return a + b.sum().item() * (a - b.max().item()) / (1 + a.min().item())

    return f(numbers(3), numbers(2))


@program
def comparison_chain(compile):
    @compile
    def f(a):
        if 0 < a.sum() < 10:
            return a + 1
        return a - 1

    return f(numbers(2)), f(numbers(6))


@program
def boolean_operators(compile):
    @compile
    def f(a, b):
        if (a.sum() > 3 and b.sum() > 3) or a.max() > 100:
            return a + b
        return a - b

    return f(numbers(3), numbers(3)), f(numbers(1), numbers(1)), f(numbers(1) * 1000, numbers(1))


@program
def conditional_expression(compile):
    @compile
    def f(a):
        b = a + 1 if a.sum() > 3 else a - 1
        return b * 2, not (a.sum() > 3)

    return f(numbers(3)), f(numbers(1))


@program
def format_strings(compile):
    @compile
    def f(a, name):
        text = f"{name!r:>10} {a.sum().item():.2f}"
        return a + 1, text

    return f(numbers(3), "n")


@program
def unpack_and_star(compile):
    @compile
    def f(values):
        first, *rest = values
        torch._dynamo.graph_break()
        a, b = rest
        return first + a, [*rest, first], (b, *values)

    return f([numbers(2), numbers(2) + 1, numbers(2) + 2])


@program
def imports_inside(compile):
    @compile
    def f(x):
        import math
        import os.path as path
        from functools import reduce

        torch._dynamo.graph_break()
        return x * math.pi, path.sep, reduce(lambda a, b: a + b, [x, x])

    return f(numbers(2))


@program
def disabled_function(compile):
    @torch._dynamo.disable
    def g(x, scale=2):
        return x * scale

    @compile
    def f(x):
        a = g(x + 1)
        b = g(x - 1, scale=3)
        return a + b

    return f(numbers(2))


@program
def generator_inside(compile):
    def produce(x):
        for i in range(3):
            yield x + i

    @compile
    def f(x):
        total = x
        for y in produce(x):
            total = total + y
        torch._dynamo.graph_break()
        return total, list(produce(x))

    return f(numbers(2))


@program
def comprehension_around_break(compile):
    def g(x):
        torch._dynamo.graph_break()
        return x + 1

    @compile
    def f(x):
        ys = [g(x * i) for i in range(2)]
        zs = {i: y for i, y in enumerate(ys)}
        return ys, zs

    return f(numbers(2))


@program
def skipped_frame_with_compiled_callees(compile):
    def g(x):
        return x * 2 + 1

    @compile
    def f(xs):
        out = []
        for x in xs:
            try:
                out.append(g(x))
                torch._dynamo.graph_break()
            except RuntimeError:
                out.append(None)
        return out

    return f([numbers(2), numbers(3)])


@program
def break_in_lambda_and_map(compile):
    @compile
    def f(x):
        values = list(map(lambda i: x + i, range(3)))
        torch._dynamo.graph_break()
        return sum(values), max([1, 2, 3], key=lambda i: -i)

    return f(numbers(2))


@program
def star_call_after_break(compile):
    def g(*arguments, **options):
        return sum(arguments), sorted(options)

    @compile
    def f(arguments, options):
        torch._dynamo.graph_break()
        a = g(*arguments, **options)
        torch._dynamo.graph_break()
        return a, g(1, *arguments, x=2, **options)

    return f([numbers(2), numbers(2)], {"p": 1})


@program
def walrus_and_slices(compile):
    @compile
    def f(x):
        if (n := x.sum().item()) > 3:
            x = x[1:]
        y = x.clone()
        y[0:1] = n
        y[..., -1] += 1
        torch._dynamo.graph_break()
        y[0] -= 1
        return y, n

    return f(numbers(3)), f(numbers(2))


@program
def two_levels_with_locals(compile):
    def inner(a, b):
        c = a + b
        torch._dynamo.graph_break()
        d = c * 2
        return c, d

    def middle(a):
        k = a - 1
        c, d = inner(a, k)
        return c + d + k

    @compile
    def f(a):
        before = a * 3
        m = middle(before)
        return m + before

    return f(numbers(2))
