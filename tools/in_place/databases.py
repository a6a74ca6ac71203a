"""The sample databases inside torch, each entry as a program: operators, modules, optimizers."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any, Callable, Iterator, List, Tuple

import torch
from torch.utils import _pytree as pytree

from in_place.comparing import Program

Named = Tuple[str, Program]


def operators(samples: int) -> Iterator[Named]:
    """``op_db``, ``hop_db`` and the databases of custom operators and of autograd functions."""
    from torch.testing._internal.autograd_function_db import autograd_function_db
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.custom_op_db import custom_op_db
    from torch.testing._internal.hop_db import hop_db

    databases = {"hop": hop_db, "custom": custom_op_db, "autograd": autograd_function_db, "op": op_db}
    for database, entries in databases.items():
        seen = set()
        for entry in entries:
            name = ".".join(part for part in (entry.name, entry.variant_test_name) if part)
            while name in seen:
                name += "'"
            seen.add(name)
            yield f"{database}/{name}", _operator(entry, samples)


def _operator(entry: Any, samples: int) -> Program:
    def program(compile: Callable[..., Any]) -> Any:
        results: List[Any] = []
        gradients = torch.float32 in entry.dtypes and entry.supports_autograd
        dtype = torch.float32 if torch.float32 in entry.dtypes else sorted(entry.dtypes, key=str)[0]
        for sample in itertools.islice(entry.sample_inputs("cpu", dtype, requires_grad=gradients), samples):
            torch._dynamo.reset()
            results.append(_called(entry.op, sample, compile))
        return results

    return program


def _called(op: Callable[..., Any], sample: Any, compile: Callable[..., Any]) -> Any:
    """The operator between two graph breaks, on arguments that are held by containers meanwhile."""

    @compile
    def called(first: Any, *args: Any, **kwargs: Any) -> Any:
        held = {"first": first, "args": args, "more": [kwargs]}
        torch._dynamo.graph_break()
        found = op(held["first"], *args, **kwargs)
        held["more"].append(found)
        torch._dynamo.graph_break()
        return found, held["more"][-1]

    try:
        found = called(sample.input, *sample.args, **sample.kwargs)
        return found, _gradients(found, (sample.input, sample.args, sample.kwargs))
    except Exception as error:
        return type(error).__name__


def _gradients(found: Any, inputs: Any) -> Any:
    """Gradients of what can be differentiated."""
    outputs = [value for value in pytree.tree_leaves(found) if isinstance(value, torch.Tensor) and value.requires_grad]
    leaves = [value for value in pytree.tree_leaves(inputs) if isinstance(value, torch.Tensor) and value.requires_grad]
    if not outputs or not leaves:
        return None
    sums = [value.sum() for value in outputs if value.dtype.is_floating_point]
    return torch.autograd.grad(sums, leaves, allow_unused=True) if sums else None


def modules(samples: int) -> Iterator[Named]:
    """``module_db``, in training, with a backward pass."""
    from torch.testing._internal.common_modules import module_db

    for entry in module_db:
        yield f"module/{entry.name}", _module(entry, samples)


def _module(entry: Any, samples: int) -> Program:
    def program(compile: Callable[..., Any]) -> Any:
        results: List[Any] = []
        for training in (True, False):
            given = entry.module_inputs_func(entry, "cpu", torch.float32, requires_grad=True, training=training)
            for sample in itertools.islice(given, samples):
                torch._dynamo.reset()
                made, run = sample.constructor_input, sample.forward_input
                if run is None:
                    continue
                torch.manual_seed(0)
                module = entry.module_cls(*made.args, **made.kwargs).train(training)
                with contextlib.suppress(torch._dynamo.exc.TorchDynamoException):
                    found = compile(module)(*run.args, **run.kwargs)
                    results.append((found, _gradients(found, [run.args, list(module.parameters())])))
        return results

    return program


def optimizers(samples: int) -> Iterator[Named]:
    """``optim_db``: three compiled steps, by themselves and in a function with the backward pass."""
    from torch.testing._internal.common_optimizers import optim_db

    for entry in optim_db:
        for whole in (False, True):
            yield f"optim/{entry.optim_cls.__name__}{'.train' if whole else ''}", _optimizer(entry, samples, whole)


def _optimizer(entry: Any, samples: int, whole: bool) -> Program:
    def program(compile: Callable[..., Any]) -> Any:
        results: List[Any] = []
        for sample in itertools.islice(entry.optim_inputs_func(device="cpu"), samples):
            torch._dynamo.reset()
            torch.manual_seed(0)
            results.append(_trained(entry, sample.kwargs, compile, whole))
        return results

    return program


def _trained(entry: Any, options: Any, compile: Callable[..., Any], whole: bool) -> Any:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    optimizer = entry.optim_cls(model.parameters(), **options)
    inputs = torch.randn(5, 3)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        found = model(inputs).square().sum()
        found.backward()
        return found

    def step() -> None:
        optimizer.step(loss) if entry.step_requires_closure else optimizer.step()

    def train() -> torch.Tensor:
        found = loss()
        step()
        return found

    once = compile(train if whole else step)
    for _ in range(3):
        if not whole:
            loss()
        once()
    return [list(model.parameters()), [value for state in optimizer.state.values() for value in state.values()]]


DATABASES = {"operators": operators, "modules": modules, "optimizers": optimizers}
