"""The guard functions of full_code files against torch's own ``guard_manager.check``.

Every value that a guard looks at is replaced in turn (another type, an equal copy, another value, none at all, …);
before and after each change both must give the same answer.
"""

from __future__ import annotations

import ast
import collections
import copy
import dataclasses
import enum
import functools
import importlib.util
import operator
import sys
from contextlib import contextmanager, suppress

import pytest
import torch
from dump import check

import depyf
from depyf.capture import guard_checks, seams
from depyf.capture.guard_checks import CannotTell

if seams.TRACE_LOG.find() is None:  # TORCHVERSIONS: guards are seen from 2.5 on
    pytest.skip("this torch does not show its guards", allow_module_level=True)

VERSION = tuple(map(int, torch.__version__.split(".")[:2]))
OLD = VERSION < (2, 13)
LIMIT = 3
OPTIONS = {"scale": 2, "names": ["a", "b"]}


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Model(torch.nn.Module):
    def __init__(self, scale=2.5):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)
        self.names = ["a", "b"]
        self.table = {"k": 2, 3: 4}
        self.scale = scale
        self.extra = None

    def forward(self, x, n, flag):
        y = self.fc(x) * n + len(self.names) + self.table["k"] + self.scale
        if flag and self.extra is None and not hasattr(self, "missing"):
            y = y + LIMIT
        return helper(y)


def helper(x):
    return x.sum()


class Slots:
    def __init__(self):
        self.here = torch.ones(3)
        self.size = 3


def tensors(a, b):
    return a.sin() + b.sum()


def numbers(x, n, k, flag, name, nothing):
    y = x * n + (1 if flag else k)
    return y if name == "add" or nothing is not None else y + 1


def containers(x, options, pair, names, colors):
    for key in options:
        x = x + options[key]
    if "z" in colors:
        x = x + 1
    return x * len(names) + pair[0] + pair[1]


def global_values(x):
    return helper(x) * LIMIT + OPTIONS["scale"] + len(OPTIONS["names"])


def enums(x, color, kind, device):
    return (x + 1 if color is Color.RED else x).to(kind).to(device)


def iterators(x, values, steps, bounds):
    for value in values:
        x = x + value
    for step in steps:
        x = x + step
    for bound in bounds:
        x = x * bound
    return x


def attributes(x, thing):
    return x + thing.here if hasattr(thing, "here") else x + thing.size


def rest_of(x, *rest, k=2, **more):
    return x + len(rest) + k + more["z"] + rest[0]


def numpy_values(x, array):
    return x + torch.from_numpy(array).sum()


def ordered(x, table, default):
    for key, value in table.items():
        x = x + value * key
    return x + default["a"]


def defaults(x, f):
    return f(x)


def closing():
    outside, scale = torch.ones(3), 4

    def inner(x):
        return x * scale + outside

    return inner


def broken(x, n):
    y = x.sin()
    torch._dynamo.graph_break()
    return y + n


def adds(x, by=2):
    return x + by


ones = torch.ones(3)
PROGRAMS = {
    "tensors": (lambda: tensors, lambda: (torch.ones(2, 3), torch.ones(3))),
    "a view": (lambda: tensors, lambda: (torch.ones(4, 6)[::2, 1:4], torch.ones(6)[::2])),
    "requires grad": (lambda: tensors, lambda: (torch.ones(3, requires_grad=True), torch.ones(3))),
    "a parameter": (lambda: tensors, lambda: (torch.nn.Parameter(torch.ones(3)), torch.ones(3))),
    "a scalar tensor": (lambda: tensors, lambda: (torch.tensor(1.0), torch.tensor(2))),
    "the same tensor twice": (lambda: tensors, lambda: (ones, ones)),
    "numbers": (lambda: numbers, lambda: (torch.ones(3), 2, 1.5, True, "add", None)),
    "containers": (lambda: containers, lambda: (torch.ones(3), {"p": 1, "q": 2}, (1, 2.0), ["m"], {"z", "y"})),
    "empty containers": (lambda: containers, lambda: (torch.ones(3), {}, (1, 2), [], set())),
    "globals": (lambda: global_values, lambda: (torch.ones(3),)),
    "enums": (lambda: enums, lambda: (torch.ones(3), Color.RED, torch.float64, torch.device("cpu"))),
    "iterators": (lambda: iterators, lambda: (torch.ones(3), iter((1, 2)), range(3), [1, 2])),
    "attributes": (lambda: attributes, lambda: (torch.ones(3), Slots())),
    "rest": (lambda: rest_of, lambda: (torch.ones(3), 5)),
    "ordered": (lambda: ordered, lambda: (torch.ones(3), collections.OrderedDict({2: 3, 1: 4}), {"a": 1})),
    "functions": (lambda: defaults, lambda: (torch.ones(3), adds)),
    "closures": (closing, lambda: (torch.ones(3),)),
    "a graph break": (lambda: broken, lambda: (torch.ones(3), 2)),
    "a module": (lambda: Model().forward, lambda: (torch.ones(2, 3), 2, True)),
}
KEYWORDS = {"rest": {"z": 1}}
# Replacing these would take the test itself down.
KEPT = ("G['torch']", "G['__builtins", "G['__import_torch")


def story_of(directory):
    """The full_code file as a module."""
    paths = sorted(directory.glob("full_code_for_*.py"))  # TORCHVERSIONS: 2.8 also compiles torch's graph_break()
    path = next(each for each in paths if "disable" not in each.name and "graph_break" not in each.name)
    spec = importlib.util.spec_from_file_location("story", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def frame_locals(function, args, kwargs):
    """What Dynamo sees of a call."""
    code = getattr(function, "__func__", function).__code__
    own = (function.__self__,) if hasattr(function, "__self__") else ()
    names, values = code.co_varnames, [*own, *args]
    found = dict(zip(names[: code.co_argcount], values))
    only = code.co_argcount + code.co_kwonlyargcount
    keywords = dict(kwargs)
    for name in names[code.co_argcount : only]:
        found[name] = keywords.pop(name, (function.__kwdefaults__ or {}).get(name))
    if code.co_flags & 0x04:
        found[names[only]] = tuple(values[code.co_argcount :])
        only += 1
    if code.co_flags & 0x08:
        found[names[only]] = keywords
    for name, cell in zip(code.co_freevars, getattr(function, "__closure__", None) or ()):
        found[name] = cell.cell_contents
    return found


def live_entries(function):
    code = getattr(function, "__func__", function).__code__
    return {str(entry.compile_id): entry for entry in seams.CACHE_ENTRIES.find()(code)}


def manager(entry):
    """Torch's own guards. TORCHVERSIONS: check_fn until 2.7"""
    return getattr(entry, "guard_manager", None) or entry.check_fn


def others(value):
    """Values that differ from ``value`` in one respect, and one that does not."""
    yield "none", None
    yield "itself", value
    yield "an object", object()
    for copied in (copy.copy, copy.deepcopy):
        with suppress(Exception):
            yield "a copy", copied(value)
    if isinstance(value, torch.Tensor):
        plain = value.detach()
        yield "dtype", plain.to(torch.float16)
        yield "shape", torch.ones(*value.shape, 2)
        yield "longer", torch.cat([plain.reshape(-1), plain.reshape(-1)[:1]])
        yield "requires grad", plain.clone().requires_grad_(not value.requires_grad) if value.is_floating_point() else 1
        yield "device", plain.to("meta")
        yield "parameter", torch.nn.Parameter(plain.clone(), requires_grad=False)
        yield "strides", torch.as_strided(torch.ones(9999), value.shape, [2 * each for each in value.stride()])
        yield "sparse", plain.to_sparse() if value.dim() else 1
        yield "conjugate", torch.ones(value.shape, dtype=torch.complex64).conj()
        marked = plain.clone()
        torch._dynamo.mark_dynamic(marked, 0) if value.dim() else None
        yield "marked dynamic", marked
    elif isinstance(value, (bool, int, float)):
        yield from [("next", value + 1), ("bool", bool(value)), ("int", int(value)), ("float", float(value))]
    elif isinstance(value, str):
        yield from [("longer", value + "x"), ("bytes", value.encode())]
    elif isinstance(value, (list, tuple)):
        yield from [("longer", type(value)([*value, 7])), ("shorter", type(value)(value[1:]))]
        yield "kind", tuple(value) if isinstance(value, list) else list(value)
    elif isinstance(value, dict):
        items = list(value.items())
        yield from [("more", {**value, "new": 1}), ("fewer", dict(items[1:])), ("order", dict(items[::-1]))]
        yield "kind", collections.defaultdict(int, value)
        yield "other keys", {f"{key}x": each for key, each in items}
    elif isinstance(value, (set, frozenset)):
        yield from [("more", {*value, 9}), ("fewer", set()), ("kind", frozenset(value))]
    elif isinstance(value, enum.Enum):
        yield "member", Color.BLUE
    elif callable(value):
        yield "function", lambda *args, **kwargs: args[0]


@contextmanager
def replaced(path, value, scope):
    """``path``, such as ``L['d'][0]``, holds another value meanwhile; False when nothing can be put there."""
    target = ast.parse(path, mode="eval").body
    if not isinstance(target, (ast.Attribute, ast.Subscript)):
        yield False
        return
    before, owner = eval(path, scope), eval(ast.unparse(target.value), scope)
    if isinstance(target, ast.Attribute) and isinstance(owner, torch.nn.Module):
        owner, key = vars(owner), target.attr  # a module has an opinion about what its attributes may be
    elif isinstance(target, ast.Attribute):
        key = None
    else:
        key = eval(ast.unparse(target.slice), scope)
    put = functools.partial(operator.setitem, owner, key) if key is not None else None
    put = put or functools.partial(setattr, owner, target.attr)
    try:
        put(value)
    except Exception:
        yield False
        return
    try:
        yield True
    finally:
        put(before)


@contextmanager
def other_state(name):
    states = {
        "no grad": torch.no_grad,
        "inference": torch.inference_mode,
        "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
        "a default device": lambda: torch.device("meta"),
        "torch functions off": torch._C.DisableTorchFunction,
        "saved tensors hooks": lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x),
    }
    with states[name]():
        yield


def compiled(name, directory, **options):
    """A program run once under depyf: (function, its locals, its guard functions by compile id)."""
    make, arguments = PROGRAMS[name]
    function = make()
    args, kwargs = arguments(), KEYWORDS.get(name, {})
    with depyf.prepare_debug(directory):
        torch.compile(function, backend="eager", **options)(*args, **kwargs)
    fresh = arguments()
    return function, frame_locals(function, fresh, kwargs), story_of(directory)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_guarded_value_is_replaced(name, tmp_path):
    if OLD and name == "ordered":
        pytest.skip("TORCHVERSIONS: 2.8 does not tell of what type a dict is")
    function, local, story = compiled(name, tmp_path)
    session = check(tmp_path)
    assert not session.failures
    ((_, entry),) = live_entries(function).items()
    torchs, ours = manager(entry), story.guards_0_0
    scope = {"L": local, "G": torchs.global_scope["G"], **torchs.closure_vars}
    guards = session.frames[0].entries[0].guards
    assert all(guard.python for guard in guards)
    assert ours.on(local) == torchs.check(local) is True, ours.why_not
    sources = {guard.source_expr for guard in guards if guard.source_expr} | {f"L[{each!r}]" for each in local}
    answers = collections.Counter()
    for source in sorted(sources):
        if source.startswith(KEPT):
            continue
        for what, value in others(eval(source, scope)):
            with replaced(source, value, scope) as done:
                if done:
                    expected = torchs.check(local)
                    assert ours.on(local) == expected, (source, what)
                    answers[expected] += 1
    assert answers[False] > 3 * len(local) and answers[True] >= 1, answers
    assert ours.on(local) == torchs.check(local) is True


@pytest.mark.parametrize("name", ["tensors", "a module", "requires grad"])
@pytest.mark.parametrize(
    "state", ["no grad", "inference", "autocast", "a default device", "torch functions off", "saved tensors hooks"]
)
def test_the_state_of_torch_is_guarded(name, state, tmp_path):
    function, local, story = compiled(name, tmp_path)
    ((_, entry),) = live_entries(function).items()
    with other_state(state):
        assert story.guards_0_0.on(local) == manager(entry).check(local)
    assert story.guards_0_0.on(local) is True


@pytest.mark.parametrize("sizes", [(4, 4), (5, 4), (4, 5), (1, 4), (0, 4), (4, 1), (7, 7), (100, 99), (2, 8)])
def test_dynamic_shapes(sizes, tmp_path):
    def relation(x, y, n):
        if x.shape[0] > 2 * n and y.shape[1] < 50:
            return x.sum(1) + y.sum() + n
        return (x * 2).sum(0)[: y.shape[1]]

    with depyf.prepare_debug(tmp_path):
        torch.compile(relation, backend="eager", dynamic=True)(torch.ones(9, 4), torch.ones(3, 6), 3)
    story, ((_, entry),) = story_of(tmp_path), live_entries(relation).items()
    words = [guard.words for guard in check(tmp_path).frames[0].entries[0].guards if not guard.about_torch]
    assert any("x.shape[0]" in each and "2*n" in each for each in words), words
    answers = set()
    for n in (0, 1, 2, 3, 6):
        local = {"x": torch.ones(sizes[0], 4), "y": torch.ones(3, sizes[1]), "n": n}
        answers.add(manager(entry).check(local))
        assert story.guards_0_0(**local) == manager(entry).check(local), local


@pytest.mark.skipif(VERSION < (2, 8), reason="TORCHVERSIONS: 2.5 cannot compile this")
def test_tensors_that_share_memory(tmp_path):
    def mutating(a, b):
        return a.add_(1) + b.mul_(2)

    base = torch.ones(10)
    with depyf.prepare_debug(tmp_path):
        torch.compile(mutating, backend="aot_eager", dynamic=True)(base[:6], base[2:8])
    story, ((_, entry),) = story_of(tmp_path), live_entries(mutating).items()
    assert "share memory" in (tmp_path / "full_code_for_mutating_0.py").read_text()
    for a, b in ((base[:6], base[2:8]), (base[:6], torch.ones(6)), (base[:5], base[5:]), (base[:7], base[1:9])):
        local = {"a": a, "b": b}
        assert story.guards_0_0.on(local) == manager(entry).check(local)


def test_each_of_several_entries_and_resume_functions(tmp_path):
    with depyf.prepare_debug(tmp_path):
        function = torch.compile(broken, backend="eager", dynamic=False)
        for size in (3, 4):
            function(torch.ones(size), 2)
    story, entries = story_of(tmp_path), live_entries(broken)
    assert set(entries) == {"0/0", "0/1"}
    for size in (3, 4, 5):
        found = {key: manager(entry).check({"x": torch.ones(size), "n": 2}) for key, entry in entries.items()}
        assert found == {
            "0/0": story.guards_0_0(torch.ones(size), 2),
            "0/1": story.guards_0_1(x=torch.ones(size), n=2),
        }
    assert story.guards_1_0.on({"n": 2, "y": torch.ones(3)}) and not story.guards_1_0.on({"n": 3, "y": torch.ones(3)})


def test_a_tensor_subclass_asks_torch(tmp_path):
    from torch.testing._internal.two_tensor import TwoTensor

    def double(x):
        return x * 2

    with depyf.prepare_debug(tmp_path):
        torch.compile(double, backend="eager")(TwoTensor(torch.ones(2), torch.zeros(2)))
    story, ((_, entry),) = story_of(tmp_path), live_entries(double).items()
    for x in (TwoTensor(torch.ones(2), torch.ones(2)), torch.ones(2), TwoTensor(torch.ones(3), torch.ones(3))):
        assert story.guards_0_0(x) == manager(entry).check({"x": x})


def test_why_not_names_the_condition_and_its_line(tmp_path):
    _, _, story = compiled("numbers", tmp_path)
    right = (torch.ones(3), 2, 1.5, True, "add", None)
    assert story.guards_0_0.why_not(*right) is None
    why = story.guards_0_0.why_not(torch.ones(3), 3, *right[2:])
    assert why.startswith("check.equal(L['n'], 2)") and "# n == 2" in why
    assert "line " in why or OLD  # TORCHVERSIONS: guards of 2.8 do not name the line
    with torch.no_grad():
        assert story.guards_0_0.why_not(*right) == "check.___check_global_state()"
    with pytest.raises(TypeError):
        story.guards_0_0(torch.ones(3))


def test_a_lookup_that_would_change_the_value_does_not_happen(tmp_path):
    table = collections.defaultdict(int, {"a": 1})

    def read(x, table):
        return x + table["a"]

    with depyf.prepare_debug(tmp_path):
        torch.compile(read, backend="eager")(torch.ones(2), table)
    other = collections.defaultdict(int)
    assert not story_of(tmp_path).guards_0_0(torch.ones(2), other) and not other


def test_where_guards_cannot_be_told(tmp_path):
    _, local, story = compiled("numbers", tmp_path)
    torch._dynamo.reset()
    with pytest.raises(CannotTell, match="torch has dropped"):
        story.guards_0_0.on(local)
    (path,) = tmp_path.glob("full_code_for_*.py")
    copied = path.rename(tmp_path / "elsewhere.py")
    scope = {}
    exec(compile(copied.read_text(), str(copied), "exec"), scope)
    with pytest.raises(CannotTell, match="in the process that wrote"):
        scope["guards_0_0"].on(local)


def test_nothing_is_kept_alive(tmp_path):
    import gc
    import weakref

    model = Model()
    with depyf.prepare_debug(tmp_path):
        torch.compile(model, backend="eager")(torch.ones(2, 3), 2, True)
    torch._dynamo.reset()
    alive = weakref.ref(model)
    del model
    gc.collect()
    assert alive() is None


def test_importing_the_file_imports_no_torch(tmp_path):
    import subprocess

    compiled("numbers", tmp_path)
    (path,) = tmp_path.glob("full_code_for_*.py")
    program = f"import runpy, sys; runpy.run_path({str(path)!r}); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


def test_a_guard_without_a_form_in_python_is_no_answer(tmp_path, monkeypatch):
    _, local, story = compiled("numbers", tmp_path)
    (path,) = tmp_path.glob("full_code_for_*.py")
    known = guard_checks._known[str(path.resolve())]
    partly = dataclasses.replace(known["guards_0_0"], conditions=(*known["guards_0_0"].conditions, None))
    monkeypatch.setitem(guard_checks._known, str(path.resolve()), {"guards_0_0": partly})
    with pytest.raises(CannotTell, match="cannot be evaluated in Python"):
        story.guards_0_0.on(local)
    assert not story.guards_0_0.on({**local, "n": 7})  # another condition decides
