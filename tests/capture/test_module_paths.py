"""Paths through modules: as a program writes them where that is the same object and runs no code but torch's."""

from __future__ import annotations

import collections
import weakref

import pytest

torch = pytest.importorskip("torch")

from dump import check  # noqa: E402

import depyf  # noqa: E402
from depyf.capture import module_paths  # noqa: E402
from depyf.capture.graph_calls import with_arguments_in_place  # noqa: E402

parameters_are_inputs = pytest.mark.skipif(
    torch.__version__.startswith(("2.2.", "2.3.", "2.4.")),
    reason="torch before 2.5 keeps parameters inside of its graphs",
)


def changed(function, text, roots):
    return function(text, module_paths.paths_in(text, roots))


class Plain(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
        self.named = torch.nn.ModuleDict(
            {"a": torch.nn.ReLU(), "two words": torch.nn.Linear(2, 2), "0": torch.nn.ReLU()}
        )
        self.steps = torch.nn.Sequential(torch.nn.Linear(2, 2))
        self.free = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(2))])
        self.register_buffer("scale", torch.ones(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers[1](x) * self.scale


CERTAIN = {
    'self._modules["layers"]._modules["1"]._parameters["weight"]': "self.layers[1].weight",
    'self.__dict__["_modules"]["layers"]._modules["0"]': "self.layers[0]",
    'self._modules["named"]._modules["a"]': "self.named.a",
    'self._modules["named"]._modules["two words"]._parameters["bias"]': "self.named['two words'].bias",
    'self._modules["named"]._modules["0"]': "self.named['0']",
    'self._modules["steps"]._modules["0"]._parameters["bias"]': "self.steps[0].bias",
    'self._modules["free"]._parameters["0"]': "self.free[0]",
    'self._buffers["scale"]': "self.scale",
}


def read(path: str, module: torch.nn.Module) -> str:
    written = changed(module_paths.as_written, f"def f(self):\n    x = {path}.y\n", {"self": weakref.ref(module)})
    return written.split("x = ")[1].split(".y\n")[0]


@pytest.mark.parametrize("path", CERTAIN)
def test_what_torch_finds_reads_as_a_program(path: str) -> None:
    module = Plain()
    assert read(path, module) == CERTAIN[path]
    assert eval(CERTAIN[path], {"self": module}) is eval(path, {"self": module})


class Asked(Plain):
    def __getattr__(self, name: str) -> object:
        assert name != "layers"
        return super().__getattr__(name)


class Intercepted(Plain):
    def __getattribute__(self, name: str) -> object:
        assert name != "layers"
        return super().__getattribute__(name)


class Hidden(Plain):
    @property
    def layers(self) -> None:
        raise AssertionError("this code is not to run")

    @layers.setter
    def layers(self, value: torch.nn.Module) -> None:
        self._modules["layers"] = value


class Backwards(torch.nn.ModuleList):
    def __getitem__(self, index: int) -> torch.nn.Module:
        raise AssertionError("this code is not to run")


class Numbered(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.add_module("0", torch.nn.ReLU())


def shadowed() -> torch.nn.Module:
    module = Plain()
    module.__dict__["layers"] = [1, 2]
    return module


def with_child(child: torch.nn.Module) -> torch.nn.Module:
    module = Plain()
    module.layers = child
    return module


class Loud(collections.OrderedDict):
    def __getitem__(self, key: str) -> torch.nn.Module:
        return torch.nn.ReLU()


def loud() -> torch.nn.Module:
    module = Plain()
    module._modules = Loud(module._modules)
    return module


FIRST = 'self._modules["layers"]'
UNCERTAIN = {
    "__getattr__": (Asked, FIRST),
    "__getattribute__": (Intercepted, FIRST),
    "a property": (Hidden, FIRST),
    "an attribute in front": (shadowed, FIRST),
    "__getitem__": (lambda: with_child(Backwards([torch.nn.ReLU()])), FIRST + '._modules["0"]'),
    "no container": (lambda: with_child(Numbered()), FIRST + '._modules["0"]'),
    "dictionary with code": (loud, FIRST),
    "nothing there": (Plain, 'self._modules["other"]'),
    "a key that is computed": (Plain, "self._modules[key]"),
    "no module": (Plain, 'other._modules["layers"]'),
}


@pytest.mark.parametrize("case", UNCERTAIN)
def test_what_is_not_certain_stays_as_dynamo_writes_it(case: str) -> None:
    make, path = UNCERTAIN[case]
    wanted = "self.layers" + path[len(FIRST) :] if case in ("__getitem__", "no container") else path
    assert read(path, make()) == wanted


@pytest.mark.parametrize("case", ["a property", "__getitem__", "no container"])
def test_a_remark_is_made_only_beside_what_is_certain(case: str) -> None:
    make, path = UNCERTAIN[case]
    module, line = make(), "    x = {}  # self.layers[0]\n"
    text = (
        f"def f(self, other):\n{line.format(path)}{line.format('self.x')}    y = self._buffers['scale']  # self.scale\n"
    )
    read = changed(module_paths.with_certain_remarks, text, {"self": weakref.ref(module)})
    assert read == text.replace(line.format(path), f"    x = {path}\n")
    plain = Plain()
    text = text.replace(path, 'self._modules["layers"]._modules["0"]')
    assert changed(module_paths.with_certain_remarks, text, {"self": weakref.ref(plain)}) == text


@parameters_are_inputs
def test_full_code_says_it_and_the_code_that_runs_does_not(tmp_path) -> None:
    torch._dynamo.reset()
    module = Plain()
    with depyf.prepare_debug(tmp_path):
        torch.compile(module, backend="eager")(torch.ones(2, 2))
    (frame,) = check(tmp_path).frames
    (entry,) = frame.entries
    assert "self.layers[1].weight" in entry.read_as and "_modules" not in entry.read_as
    assert "(self.layers[1].weight, self.layers[1].bias, x, self.scale)" in entry.read_as
    marks = 2 if hasattr(torch._dynamo.utils, "record_pregraph_bytecode_enter") else 0
    assert (
        entry.transformed_source.count("Dynamo's mark") == marks and 2 * entry.read_as.count("Dynamo's mark") == marks
    )
    assert '_modules["layers"]' in entry.transformed_source
    assert entry.read_as.strip() in (tmp_path / str(frame.full_code_file)).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        'def f(self):\n    self = self.x\n    return self._modules["layers"]\n',
        'def f(self):\n    return lambda self: self._modules["layers"]\n',
        'def f(self):\n    for self in g():\n        h(self._modules["layers"])\n',
    ],
)
def test_a_name_that_is_bound_again_is_no_argument(text: str) -> None:
    module = Plain()
    assert changed(module_paths.as_written, text, {"self": weakref.ref(module)}) == text


ENTER = "__import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()"
EXIT = "__import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit"


def in_place(*statements: str, certain: tuple[str, ...] = ("s.a", "s.b")) -> list[str]:
    return with_arguments_in_place("\n    ".join(("def f(s, x):", *statements)), certain).split("\n    ")[1:]


def test_arguments_of_a_graph_are_written_where_it_takes_them() -> None:
    enter, leave = f"mark = {ENTER}  # m", f"{EXIT}(mark)  # m"
    marks = f"{EXIT}({ENTER})  # m"
    read = in_place(enter, "a = s.a", "n = x[0]", leave, "return __compiled_fn_1(a, n)")
    assert read == ["n = x[0]", marks, "return __compiled_fn_1(s.a, n)"]
    read = in_place(enter, "a = s.a", leave, "return __compiled_fn_1(a, x)[0]  # é")
    assert read == [marks, "return __compiled_fn_1(s.a, x)[0]  # é"]
    called = [enter, "a = s.a", "n = g()", leave, "return __compiled_fn_1(a, n)"]
    assert in_place(*called) == called


def test_marks_that_depend_on_the_profiler_are_one_statement() -> None:
    enter, leave = f"mark = {ENTER} if p.on else None  # m", f"if mark is not None:\n        {EXIT}(mark)  # m"
    read = in_place(enter, "a = s.a", "n = x[0]", leave, "return __compiled_fn_1(a, n)")
    assert read == ["n = x[0]", f"{EXIT}({ENTER}) if p.on else None  # m", "return __compiled_fn_1(s.a, n)"]
    other = in_place("if x:\n        g()", "return __compiled_fn_1(a)")
    assert other == ["if x:", "    g()", "return __compiled_fn_1(a)"]


@pytest.mark.parametrize(
    "statements",
    [
        ("a = s.a", "g()", "return __compiled_fn_1(a)"),
        ("a = s.a", "s.b = x", "return __compiled_fn_1(a)"),
        ("a = s.a", "del s.a", "return __compiled_fn_1(a)"),
        ("a = s.a", "y = x + x", "return __compiled_fn_1(a, y)"),
        ("a = s.a", "return __compiled_fn_1(a, a)"),
        ("a = s.a", "b = __compiled_fn_1(a)", "return a, b"),
        ("a = s.a", "if x:", "    a = x", "return __compiled_fn_1(a)"),
        ("a = s.c", "return __compiled_fn_1(a)"),
        ("a = s.a", "return g(a)"),
        ("a = s.a", "return __compiled_fn_1(k=a)"),
        ("return __compiled_fn_1(x)",),
    ],
)
def test_what_is_used_elsewhere_or_not_quiet_stays(statements: tuple[str, ...]) -> None:
    assert in_place(*statements) == list(statements)


def test_many_arguments_are_one_a_line() -> None:
    names = [f"argument_number_{number}" for number in range(9)]
    read = in_place("a = s.a", f"out = __compiled_fn_1({', '.join(names)}, a)", "return out[0]")
    assert "\n    ".join(read) == "\n        ".join(
        ["out = __compiled_fn_1(", *(f"{each}," for each in names), "s.a,"]
    ) + ("\n    )\n    return out[0]")


def test_marks_are_joined_where_there_is_no_module() -> None:
    text = f"def f(x):\n    mark = {ENTER}\n    n = x[0]\n    {EXIT}(mark)\n    return __compiled_fn_1(n)\n"
    read = changed(module_paths.as_written, text, {})
    assert read == f"def f(x):\n    n = x[0]\n    {EXIT}({ENTER})\n    return __compiled_fn_1(n)\n"


def test_deep_expressions_are_read() -> None:
    module = Plain()
    deep = f"def f(self):\n    return {'-' * 900}self._modules['layers']\n"
    assert (
        changed(module_paths.as_written, deep, {"self": weakref.ref(module)})
        == f"def f(self):\n    return {'-' * 900}self.layers\n"
    )


def test_a_variable_that_holds_a_dictionary_on_the_way() -> None:
    module = Plain()
    text = 'def f():\n    held = self.layers._modules\n    return __compiled_fn_1(held["0"]._parameters["bias"])\n'
    read = changed(module_paths.as_written, text, {"self": weakref.ref(module)})
    assert "return __compiled_fn_1(self.layers[0].bias)" in read
    twice = text.replace("    return", "    held = x\n    return")
    assert changed(module_paths.as_written, twice, {"self": weakref.ref(module)}) == twice
    for make in (Hidden, Asked, shadowed):
        other = make()
        assert changed(module_paths.as_written, text, {"self": weakref.ref(other)}) == text


@parameters_are_inputs
def test_a_module_in_a_closure(tmp_path) -> None:
    torch._dynamo.reset()
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 2))
    with depyf.prepare_debug(tmp_path):
        torch.compile(model, backend="eager")(torch.ones(1, 2))
    (frame,) = check(tmp_path).frames
    assert "fn[2].weight" in str(frame.entries[0].read_as)
