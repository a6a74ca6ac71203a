"""Torch's texts in words: guards, breaks, recompilations. Needs no torch."""

from __future__ import annotations

import pytest

from depyf.capture.compilation import Function
from depyf.capture.guards import guards_from_tree, raw_text
from depyf.capture.reasons import break_from_text, recompile_reasons

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


def test_a_break_that_first_names_the_instruction():
    longer = "Encountered graph break when attempting to trace CALL: a call\n\nFailed to trace\n"
    text = BREAK.format(file="gone.py").replace("Data-dependent branching\n", longer, 1)
    assert break_from_text(text).reason == "Failed to trace"


def test_a_break_in_an_unknown_form_still_has_a_reason():
    assert break_from_text("call_function Builtin(print)\nmore").reason == "call_function Builtin(print)"
    assert break_from_text("").reason == "no reason given"


@pytest.mark.parametrize(
    ("payload", "reasons"),
    [
        ('["0/1: x is 3", "0/0: y"]', ("0/1: x is 3", "0/0: y")),
        ("\"4/0: L['n'] == 0     # def f(n):  # toy.py:33 in f\\nUser stack trace:\"", ("4/0: n == 0 (line 33)",)),
        ("4/0: n == 0", ("4/0: n == 0",)),
    ],
)
def test_why_it_was_compiled_again(payload, reasons):
    assert recompile_reasons(payload) == reasons


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
