"""Torch's texts in words: guards, breaks, recompilations. Needs no torch."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from depyf.capture import reasons
from depyf.capture.compilation import Compilation, Function, qualname_at, source_at
from depyf.capture.guards import guards_from_tree, raw_text
from depyf.capture.kernels import computations, lines_of, with_lines, with_nodes
from depyf.capture.reasons import break_from_text
from depyf.capture.recompiles import reasons_in, recompile, said
from depyf.record.schema import Computation, Guard, Kernel

FILE = "/home/me/toy.py"
WHERE = "  # x = a / 2  # me/toy.py:7 in toy"
TENSOR = (
    "check_tensor({}, {}, DispatchKeySet({}, BackendSelect, ADInplaceOrView), torch.{}, device={}, "
    "requires_grad={}, size={}, stride={})"
)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        (
            "TENSOR_MATCH",
            TENSOR.format("L['a']", "Tensor", "CPU", "float32", "None", "False", "[10]", "[1]"),
            "a: float32[10], cpu",
        ),
        (
            "TENSOR_MATCH",
            TENSOR.format("L['a']", "Tensor", "CUDA", "int64", "1", "True", "[2, 3]", "[1, 2]"),
            "a: int64[2, 3], cuda:1, stride [1, 2], requires grad",
        ),
        (
            "TENSOR_MATCH",
            TENSOR.format("L['a']", "Tensor", "CPU", "bool", "None", "False", "[]", "[]"),
            "a: bool[], cpu",
        ),
        (
            "TENSOR_MATCH",
            TENSOR.format("L['a']", "Tensor", "CPU", "float32", "None", "False", "[None, 3]", "[3, 1]"),
            "a: float32[any, 3], cpu",
        ),
        (
            "TENSOR_MATCH",
            TENSOR.format(
                "L['self']._modules['fc']._parameters['weight']",
                "Parameter",
                "CPU",
                "float32",
                "None",
                "True",
                "[3, 3]",
                "[3, 1]",
            ),
            "self.fc.weight: float32[3, 3], cpu, a Parameter",
        ),
        ("EQUALS_MATCH", "L['n'] == 1    ", "n == 1"),
        ("EQUALS_MATCH", "L['n'] == 1    (HINT: integers of modules are static (mostly).)", "n == 1"),
        ("EQUALS_MATCH", "L['n'] == '(HINT: none)'", "n == '(HINT: none)'"),
        (
            "TYPE_MATCH",
            "___check_type_id(L['m'], 94205), type=<class 'tuple'> (HINT: type tuple)",
            "m is of type tuple",
        ),
        ("LENGTH_CHECK", "len(L['self'].names) == 2", "len(self.names) == 2"),
        ("NONE_MATCH", "L['self'].t is None", "self.t is None"),
        (
            "TYPE_MATCH",
            "___check_type_id(L['m'], 94205689393360), type=<class '__main__.M'>",
            "m is of type __main__.M",
        ),
        (
            "ID_MATCH",
            "___check_obj_id(G['helper'], 140435484691088), type=<class 'function'>",
            "helper is the same object",
        ),
        ("ID_MATCH", "___check_obj_id(G['__builtins_dict___7']['print'], 140435484691088)", "print is the same object"),
        ("NO_TENSOR_ALIASING", "check_no_aliasing(L['a'], L['b'])", "a, b are different tensors"),
        ("LAMBDA_GUARD", "2 <= L['a'].size()[0]", "2 <= a.shape[0]"),
        ("SOMETHING_NEW", "whatever(L['a'])", "whatever(a)"),
    ],
)
def test_a_guard_in_words(kind, text, words):
    (guard,) = guards_from_tree(f"TREE_GUARD_MANAGER:\n+- RootGuardManager\n| | +- {kind}: {text}{WHERE}\n", FILE)
    assert (guard.kind, guard.words) == (kind, words)
    assert (guard.user_line, guard.user_code) == ("/home/me/toy.py:7", "x = a / 2")
    assert not any(len(number) > 9 for number in guard.text.split() if number.isdigit())


def test_guards_on_torch_itself_are_told_apart():
    tree = "\n".join(
        [
            "+- RootGuardManager",
            "| +- LAMBDA_GUARD: torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None  "
            "# _dynamo/output_graph.py:1135 in init_ambient_guards",
            '| +- GLOBAL_STATE: ___check_global_state() against {"grad_mode":true}',
            "| +- TORCH_FUNCTION_MODE_STACK: ___check_torch_function_mode_stack()",
            "| +- GuardManager: source=L['a'], accessed_by=FrameLocalsGuardAccessor(key='a')",
            "| | +- DIMENSION_DYNAMIC_MARKING_GUARD: hasattr(L['a'], '_dynamo_dynamic_indices') == False" + WHERE,
            "| | +- NO_TENSOR_ALIASING",
            "| | | +- ID_MATCH: ___check_obj_id(G['torch'].abs, 1404354)" + WHERE,
        ]
    )
    guards = guards_from_tree(tree, FILE)
    assert len(guards) == 5 and all(guard.about_torch for guard in guards)
    assert guards[0].words == "hooks on saved tensors"


def test_a_line_of_another_file_stays_with_that_file():
    (guard,) = guards_from_tree("+- EQUALS_MATCH: L['n'] == 1  # return n  # nn/modules/linear.py:134 in forward", FILE)
    assert guard.user_line == "nn/modules/linear.py:134"


def test_the_raw_tree_loses_only_what_changes_between_runs():
    tree = "\n+- ID_MATCH: ___check_obj_id(G['f'], 140435), type=<f at 0x7f00aa>\n\nGuard latency = 89.49 us"
    assert raw_text(tree) == "+- ID_MATCH: ___check_obj_id(G['f'], ...), type=<f at 0x...>\n"


BREAK = """\
Graph break in user code at {file}:2
Graph Break Reason: Data-dependent branching
  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). Dynamo does not
 support it.
  Hint: This graph break is fundamental.
  Hint: Use `torch.cond` to express dynamic control flow.

  Developer debug context: attempted to jump with TensorVariable()

 For more details about this graph break, please visit: https://example.org/gb0170.html

User code traceback:
  File "toy.py", line 8, in toy_example
"""


def test_a_break(tmp_path):
    (tmp_path / "toy.py").write_text("def f(b):\n    if b.sum() < 0:\n        pass\n")
    found = break_from_text(BREAK.format(file=tmp_path / "toy.py"))
    assert (found.reason, found.file, found.line) == ("Data-dependent branching", str(tmp_path / "toy.py"), 2)
    assert found.explanation.startswith("Detected data-dependent") and found.explanation.endswith("support it.")
    assert found.hints == ("This graph break is fundamental.", "Use `torch.cond` to express dynamic control flow.")
    assert (found.url, found.user_code) == ("https://example.org/gb0170.html", "if b.sum() < 0:")
    assert (found.id, found.stack, found.then) == ("GB0170", ("toy.py:8 in toy_example",), None)


ANOTHER = """\

*** While handling this graph break, another graph break occurred: ***

graph break in loop
  Explanation: torch.compile detected a graph break
 in a loop.
  Hint: This one is not ours.

User code traceback:
"""


def test_a_break_that_leads_to_another_one():
    header = "Failed to handle graph break gracefully. Skipping. Graph break encountered:\n\nData-dependent"
    text = BREAK.replace("Data-dependent", header, 1).replace("\nUser code traceback:\n", ANOTHER)
    found = break_from_text(text.format(file="gone.py"))
    assert found.reason == "Data-dependent branching" and len(found.hints) == 2
    assert found.then == "graph break in loop: torch.compile detected a graph break in a loop."


def test_an_unexplained_break_is_explained_by_the_registry(tmp_path, monkeypatch):
    entry = {"Gb_type": "Odd thing", "Explanation": "It is odd.", "Hints": ["Do not."]}
    (tmp_path / "graph_break_registry.json").write_text(json.dumps({"GB0001": [{"Gb_type": "x"}], "GB0007": [entry]}))
    monkeypatch.setattr(reasons, "GRAPH_BREAKS", SimpleNamespace(find=lambda: str(tmp_path / "__init__.py")))
    reasons._registry.cache_clear()
    found = break_from_text("Odd thing\nmore")
    reasons._registry.cache_clear()
    assert (found.id, found.explanation, found.hints) == ("GB0007", "It is odd.", ("Do not.",))


def test_a_break_that_first_names_the_instruction():
    longer = "Encountered graph break when attempting to trace CALL: a call\n\nFailed to trace\n"
    text = BREAK.format(file="gone.py").replace("Data-dependent branching\n", longer, 1)
    assert break_from_text(text).reason == "Failed to trace"


def test_a_break_in_an_unknown_form_still_has_a_reason():
    assert break_from_text("call_function Builtin(print)\nmore").reason == "call_function Builtin(print)"
    assert break_from_text("").reason == "no reason given"


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ('["0/1: x is 3", "0/0: y"]', ("0/1: x is 3", "0/0: y")),
        ("\"4/0: L['n'] == 0     # def f(n):  # toy.py:33 in f\\nUser stack trace:\"", ("4/0: n == 0 (line 33)",)),
        ("4/0: n == 0", ("4/0: n == 0",)),
    ],
)
def test_why_it_was_compiled_again(payload, expected):
    assert tuple(said(recompile(text, (), {})) for text in reasons_in(payload)) == expected


def test_the_parameters_of_a_frame_as_text():
    outside = 1

    def f(a, b=2, *rest, k, m=3, **more):
        return outside

    def g(a, *, k):
        return a, k

    for function, expected in (
        (f, "a, b, *rest, k, m, outside, **more"),
        (g, "a, *, k"),
        (lambda: outside, "*, outside"),
    ):
        assert Function(0, "f", "", 1, function.__code__).arguments == expected
        assert compile(f"lambda {expected}: 0", "", "eval")
    generator = next(each for each in (lambda: (x for x in [])).__code__.co_consts if hasattr(each, "co_name"))
    assert Function(0, "<genexpr>", "", 1, generator).arguments is None  # its argument is called .0


HERE = f"{FILE}:7"


def guard(words, line=HERE, kind="EQUALS_MATCH", text=""):
    return Guard(kind, text, words, user_line=line, user_code="y = x")


STATE = '___check_global_state() against {{"grad_mode":{}}}'


@pytest.mark.parametrize(
    ("text", "old", "new", "facts", "advised"),
    [
        (
            "tensor 'x' size mismatch at index 1. expected 3, actual 4",
            guard("x: float32[2, 3], cpu", kind="TENSOR_MATCH"),
            guard("x: float32[2, 4], cpu", kind="TENSOR_MATCH"),
            ("x", "size 1", "3", "4", HERE),
            "torch._dynamo.mark_dynamic(x, 1)",
        ),
        (
            "tensor 'x' size mismatch at index 0. expected 3, actual 4",
            guard("x: float32[3], cpu", kind="TENSOR_MATCH"),
            guard("x: float32[any], cpu", kind="TENSOR_MATCH"),
            ("x", "size 0", "3", "4", HERE),
            "any size fits from now on",
        ),
        (
            "tensor 'x' size mismatch at index 0. expected 3, actual 1",
            guard("y == 1"),
            guard("y == 1"),
            ("x", "size 0", "3", "1", None),
            "mark_unbacked(x, 0)",
        ),
        (
            "tensor 'x' requires_grad mismatch. expected requires_grad=0",
            guard("x: float32[3], cpu", kind="TENSOR_MATCH"),
            guard("x: float32[3], cpu", kind="TENSOR_MATCH"),
            ("x", "requires_grad", "False", "True", HERE),
            "requires_grad",
        ),
        (
            "tensor 'x' dtype mismatch. expected Float, actual Double",
            guard("x: float32[3], cpu", kind="TENSOR_MATCH"),
            guard("x: float64[3], cpu", kind="TENSOR_MATCH"),
            ("x", "dtype", "Float", "Double", HERE),
            "same dtype",
        ),
        (
            "tensor 'x' rank mismatch. expected 1, actual 2",
            guard("n == 1"),
            guard("n == 1"),
            ("x", "rank", "1", "2", None),
            "dimensions",
        ),
        (
            "n == 1     # y = x * n  # me/toy.py:3 in f",
            guard("n == 1"),
            guard("n == 2"),
            ("n", "value", "1", "2", "me/toy.py:3"),
            "dynamic=True",
        ),
        (
            "s == 0.5",
            guard("s == 0.5"),
            guard("s == 0.25"),
            ("s", "value", "0.5", "0.25", HERE),
            "a tensor",
        ),
        (
            "n == 1",
            guard("n == 1"),
            guard("n is of type int"),
            ("n", "value", "1", None, HERE),
            "any value",
        ),
        (
            "k == True",
            guard("k == True"),
            guard("k == False"),
            ("k", "value", "True", "False", HERE),
            "few",
        ),
        ("len(d) == 1", guard("len(d) == 1"), guard("len(d) == 2"), ("d", "length", "1", "2", None), "length of d"),
        ("not d", guard("not d"), guard("len(d) == 2"), ("d", "length", "0", "2", None), "length of d"),
        (
            "___check_obj_id(f, 140), type=<class 'function'>  # f(x)  # toy.py:3 in g",
            guard("f is the same object"),
            guard("f is the same object"),
            ("f", "identity", None, None, "toy.py:3"),
            "make f once",
        ),
        (
            'Duplicate tensors found: ["a", "b"]',
            guard("a, b are different tensors", None),
            guard("n == 1"),
            ("a, b", "aliasing", "different tensors", "the same tensor", None),
            "different tensors",
        ),
        (
            "GLOBAL_STATE changed: grad_mode ",
            guard("", None, "GLOBAL_STATE", STATE.format("true")),
            guard("", None, "GLOBAL_STATE", STATE.format("false")),
            ("torch", "grad_mode", "True", "False", None),
            "torch.no_grad()",
        ),
        (
            "s.k == 1   # s.k  # toy.py:19 in f (HINT: make this (integer) dynamic)\nUser stack trace:\n"
            '  File "/me/a.py", line 2, in f\n    f(s)\n  File "/me/toy.py", line 19, in g\n    s.k',
            guard("s.k == 1"),
            guard("s.k == 2"),
            ("s.k", "value", "1", "2", "/me/toy.py:19"),
            "make this (integer) dynamic",
        ),
        ("something torch never said before", guard("a"), guard("b"), (None, None, None, None, None), None),
    ],
)
def test_what_changed_from_what_to_what_and_where(text, old, new, facts, advised):
    found = recompile(f"0/0: {text}", (new,), {"0/0": (old,)})
    assert (found.subject, found.what, found.expected, found.actual, found.user_line) == facts
    assert found.entry == "0/0" and (advised in found.advice if advised else found.advice is None)


def test_a_function_is_named_and_shown_from_its_place_alone(tmp_path):
    file = tmp_path / "toy.py"
    file.write_text(
        "class A:\n    @staticmethod\n    def f(x):\n        def g(): return 1\n        return g\n\ndef g(): pass\n"
    )
    places = ((2, "f", "A.f"), (4, "g", "A.f.<locals>.g"), (7, "g", "g"), (7, "other", "other"))
    for line, name, qualname in places:
        assert qualname_at(str(file), line, name) == qualname
    assert source_at(str(file), 2).startswith("    @staticmethod") and source_at(str(file), 2).endswith("return g\n")
    assert source_at(str(file), 99) is None and qualname_at("gone.py", 1, "f") == "f"


GENERATED = """
    def call(self, args):
        # Topologically Sorted Source Nodes: [matmul, x], Original ATen: [aten.mm]
        extern_kernels.mm(a, b, out=buf0)
        buf1 = empty_strided_cpu((3, ), (1, ), torch.float32)
        cpp_fused_add_0(buf0, buf1)
        triton_poi_fused_1.run(buf0, 8, stream=stream0)
        cpp_fused_add_0(buf1, buf0)
"""
PLACES = {"matmul": "/a.py:3", "x": "/a.py:4", "y": "/a.py:4"}


def test_what_each_kernel_computes():
    found = computations(GENERATED, PLACES)
    names = ["extern_kernels.mm", "cpp_fused_add_0", "triton_poi_fused_1", "cpp_fused_add_0"]
    assert [each.name for each in found] == names
    assert found[0] == Computation("extern_kernels.mm", 4, ("matmul", "x"), ("/a.py:3", "/a.py:4"))
    assert not found[1].nodes and not found[1].user_lines
    (alone,) = computations("    cpp_fused_add_0(buf0)", PLACES, ["matmul", "y"])
    assert alone.nodes == ("matmul", "y") and alone.user_lines == ("/a.py:3", "/a.py:4")
    kernel = Kernel("k.py", "cpp", computes=found)
    nodes = {"cppCodeToPost": {"cpp_fused_add_0:1": ["add"], "cpp_fused_add_0:3": ["add_1"]}, "version": 2.0}
    assert with_nodes(kernel, json.dumps(nodes)).computes[1].nodes == ("add", "add_1")
    stacks = {"triton_poi_fused_1:2": ['  File "/a.py", line 1, in f\n    g()\n  File "/b.py", line 7, in g\n    x\n']}
    assert with_lines(kernel, json.dumps(stacks)).computes[2].user_lines == ("/b.py:7",)
    for payload in (None, "[]", '{"version": 2}', '{"cppCodeToPost": 3}'):
        assert with_lines(with_nodes(kernel, payload), payload) == kernel


def test_the_lines_of_a_printed_graph():
    graph = (
        '    # File: /a.py:3 in f, code: x = a @ b\n    mm: "f32[3]" = f(a);  a = None\n    y = g(mm)\n\n'
        "    # File: /a.py:4 in f, code: return y\n    z = y + 1\n"
    )
    assert lines_of("    early = 1\n" + graph) == {"mm": "/a.py:3", "y": "/a.py:3", "z": "/a.py:4"}


def test_times_are_seconds_and_late_backwards_are_told_apart():
    found = Compilation("0/0")
    found.metrics = {
        "entire_frame_compile_time_s": 1.5,
        "triton_compile_time_us": 250000,
        "backend_compile_time_s": None,
    }
    found.backward_metrics = {"entire_frame_compile_time_s": 9.0, "backward_cumulative_compile_time_us": 500000}
    assert found.times == {"compile": 1.5, "kernels": 0.25, "backward": 0.5}
