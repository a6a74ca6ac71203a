# ruff: noqa
"""Modules and containers with code of their own where generated code looks: what the axioms take for granted is counted.

Every call of ``__getattr__``, of a property or of a container's ``__getitem__`` is written down, and what was written
down is part of the outcome.
"""

import collections

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


def used(compile, module, *inputs):
    """What a module gives, twice with a changed parameter in between, and what it wrote down."""
    compiled = compile(module)
    first = compiled(*inputs)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(1)
    second = compiled(*inputs)
    return first, second, list(module.seen), sorted(module._modules), sorted(module._parameters)


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        object.__setattr__(self, "seen", [])
        self.first = torch.nn.Linear(3, 3)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(3)])
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        x = self.first(x) * self.scale
        for layer in self.layers:
            x = layer(x)
        return x


@program
def attributes_are_found_by_code(compile):
    class Named(Counting):
        def __getattr__(self, name):
            self.seen.append(name)
            return super().__getattr__(name)

    torch.manual_seed(0)
    return used(compile, Named(), numbers(2, 3))


@program
def a_property_hides_a_child(compile):
    class Hidden(Counting):
        @property
        def shown(self):
            self.seen.append("shown")
            return self._modules["first"]

        def forward(self, x):
            return self.shown(x) + self._modules["layers"]._modules["1"](x)

    torch.manual_seed(0)
    return used(compile, Hidden(), numbers(2, 3))


@program
def children_in_a_container_with_code(compile):
    seen = []

    class Backwards(torch.nn.ModuleList):
        def __getitem__(self, index):
            seen.append(index)
            return super().__getitem__(-1 - index)

    class Model(Counting):
        def __init__(self):
            super().__init__()
            self.layers = Backwards([torch.nn.Linear(3, 3) for _ in range(3)])

        def forward(self, x):
            return self.layers[0](x) - self.layers[2](x)

    torch.manual_seed(0)
    return used(compile, Model(), numbers(2, 3)), seen


@program
def parameters_made_of_others(compile):
    class Symmetric(torch.nn.Module):
        def forward(self, weight):
            return weight + weight.T

    torch.manual_seed(0)
    module = Counting()
    torch.nn.utils.parametrize.register_parametrization(module.first, "weight", Symmetric())
    return used(compile, module, numbers(2, 3))


@program
def weight_norm_of_a_layer(compile):
    torch.manual_seed(0)
    module = Counting()
    torch.nn.utils.parametrizations.weight_norm(module.first)
    return used(compile, module, numbers(2, 3))


@program
def a_buffer_is_exchanged_before_it_is_read_again(compile):
    class Model(Counting):
        def forward(self, x):
            before = self.scale
            self.scale = self.scale * 2
            self._buffers["other"] = before + 1
            return x * before + self.scale

    torch.manual_seed(0)
    module = Model()
    return used(compile, module, numbers(2, 3)), module.scale, module.other


@program
def a_child_is_exchanged_across_a_break(compile):
    class Model(Counting):
        def forward(self, x):
            x = self.first(x)
            torch._dynamo.graph_break()
            self.first = self.layers[2]
            torch._dynamo.graph_break()
            return self.first(x)

    torch.manual_seed(0)
    module = Model()
    return used(compile, module, numbers(2, 3)), module.first is module.layers[2]


@program
def a_mapping_of_children_with_code(compile):
    seen = []

    class Loud(collections.OrderedDict):
        def __getitem__(self, key):
            seen.append(key)
            return super().__getitem__(key)

    torch.manual_seed(0)
    module = Counting()
    module._modules = Loud(module._modules)
    try:
        return used(compile, module, numbers(2, 3)), seen
    finally:
        seen.append("end")


@program
def a_graph_returns_a_list_that_is_kept(compile):
    kept = []

    def backend(graph, inputs):
        def run(*given):
            kept.append(list(graph(*given)))
            return kept[-1]

        return run

    def f(x):
        y, z = x + 1, x * 2
        torch._dynamo.graph_break()
        return y, [z, y], {"z": z + 1}

    # The comparison without a compiler has no backend either.
    compiled = compile(f, backend=backend)
    return compiled(numbers(2)), compiled(numbers(2)), kept if compiled is not f else None


@program
def sizes_are_read_between_parameters(compile):
    class Model(Counting):
        def forward(self, x):
            return self.first(x)[: x.shape[0] // 2] * x.shape[0]

    torch.manual_seed(0)
    module = Model()
    compiled = compile(module, dynamic=True)
    return [compiled(numbers(rows, 3)) for rows in (4, 6, 8)], module.seen
