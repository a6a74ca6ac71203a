"""The text forms are valid Python whatever they are given."""

from __future__ import annotations

import ast
import sys

import pytest

from depyf.record import stages
from depyf.record.full_code import full_code, renamed
from depyf.record.index import index
from depyf.record.resumes import with_breaks
from depyf.record.schema import SCHEMA, Break, Entry, Frame, Graph, Guard, Resume, Session
from depyf.record.stages import stage_text
from depyf.record.text import comment, docstring

NASTY = [
    '"""',
    "\\",
    '"',
    "\n",
    "\r",
    "\0",
    "\f",
    "\u2028",
    "\ud800",
    '""""',
    "'''\n",
    "# -*- coding: rot13 -*-",
    "\x1c x",
]


def parsed(text):
    """Through bytes, as Python reads a file."""
    return ast.parse(text.encode("utf-8", "backslashreplace"))


@pytest.mark.parametrize("text", NASTY)
def test_comments_and_docstrings_hold_anything(text):
    assert len(parsed(docstring("head") + comment(f"a{text}b")).body) == 1
    assert len(parsed(docstring(f"a{text}b") + docstring(f"a{text}")).body) == 2


@pytest.mark.parametrize("text", NASTY)
def test_the_story_holds_anything(text):
    entry = Entry(
        "0/0",
        "compiled",
        reason=text,
        guards=(
            Guard("K", text, text, user_line=text, python=text),
            Guard("K", text, text, about_torch=True),
            Guard("K", text, text, user_line=f"{text}:3", python="L['a'] == 1"),
        ),
        transformed_file="t.py",
        transformed_source="def f(x):\n    return x\n",
        graph=Graph("g"),
        resumes=(Resume("r"),),
        recompile_reasons=(text,),
        breaks=(Break(text, text, 3, text, (text,), text, text),),
        side_effects=(text,),
    )
    refused = Entry("0/1", text, transformed_file="t.py", refusal=text)
    frame = Frame(0, "f", text, text, 3, f"def f(x):  {text}\n    return x\n", entries=(entry, refused))
    session = Session(SCHEMA, {"torch": text}, (text,), None, 1, 1.0, frames=(frame,))
    names = [node.name for node in parsed(full_code(session, frame)).body if isinstance(node, ast.FunctionDef)]
    assert names == ["guards_0_0", "f"]
    assert "0/1" in index(session)


def test_the_index_tells_what_it_cost():
    entry = Entry("0/0", "compiled", times={"compile": 2.0, "backend": 1.5, "kernels": 0.001, "backward": 0.25})
    frame = Frame(0, "f", "f", "/a/toy.py", 3, entries=(entry, Entry("0/1", "compiled", times={"compile": 1.0})))
    page = index(Session(SCHEMA, {}, ("toy.py",), None, 1, 1.0, frames=(frame,)))
    assert "Compiling took 3.0 s." in page and "| 3.00 s |" in page
    assert "| 2.00 s (backend 1.50), backward 0.25 s |" in page and "| 1.00 s |" in page


GRAPH = """
class <lambda>(torch.nn.Module):
    def forward(self, L_a_: "f32[10][1]cpu", L_b_: "Sym(s97)"):
        l_a_ = L_a_

        # File: toy.py:7 in toy, code: x = a / 2
        abs_1: "f32[10][1]cpu" = torch.abs(l_a_);  l_a_ = None
        x: "f32[10][1]cpu" = abs_1 / 2
        weight = self.weight
        return (x, weight)


 # graph id: 140108847152016
"""


def test_a_printed_graph_becomes_a_module_with_shapes():
    text = stage_text(GRAPH, "About it.", "g")
    scope: dict = {}
    code = compile(parsed(text.source), "graph.py", "exec")
    assert '"""About it."""' in text.source and "140108847152016" not in text.source
    assert text.node_count == 2
    tensor = "f32[10][1]cpu"
    assert dict(text.shapes) == {"L_a_": tensor, "L_b_": "Sym(s97)", "abs_1": tensor, "x": tensor}
    torch = pytest.importorskip("torch")
    exec(code, scope)
    module = scope["lambda_"]()
    module.weight = 3
    assert module.forward(torch.full((2,), -4.0), 2)[0].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("arguments", "body", "reason"),
    [
        ("x", "return x", "the form of x"),
        ('x: "torch.Tensor"', "return x", "the form of x, only torch.Tensor"),
        ('x: "f32[Odd(s1)]"', "return x", "Odd"),
        ("*args", "return args", "no names"),
        ('x: "f32[2]"', "y = self.y;  return y", "the form of self.y"),
        ('x: "f32[2]"', "return pytree.tree_unflatten(x, self._out_spec)", "how its results are packed"),
    ],
)
def test_a_graph_that_is_not_printed_in_full_has_no_example(arguments, body, reason):
    text = stage_text(f"class G:\n    def forward(self, {arguments}):\n        {body}\n", "", "g")
    assert "# No example of its inputs: " in text.source and reason in text.source
    assert len(parsed(text.source).body) >= 1


def test_the_sizes_of_an_example_are_those_of_the_compilation():
    arguments = 'n: "Sym(s1)", x: "f32[s1, Max(1, s2)][s2, 1]cuda:1", y: "i64[2*s1]"'
    text = stage_text(f"class G:\n    def forward(self, {arguments}):\n        return x\n", "", "g", {"s1": "3"})
    assert "    s1 = 3\n    s2 = 8\n    return [s1, " in text.source
    assert "_tensor([s1, max(1, s2)], [s2, 1], torch.float32, 'cuda:1')" in text.source
    assert "_tensor([2*s1], [1], torch.int64, 'cpu')" in text.source


@pytest.mark.skipif(sys.version_info < (3, 9), reason="ast.unparse is new in 3.9")
def test_a_short_graph_is_shown_as_a_function():
    assert stage_text(GRAPH, "", "g").code == (
        "def g(L_a_, L_b_):\n"
        "    abs_1 = torch.abs(L_a_)    # f32[10]\n"
        "    x = abs_1 / 2              # f32[10]\n"
        "    weight = self.weight\n"
        "    return (x, weight)\n"
    )


def test_a_long_graph_or_one_with_graphs_inside_is_not():
    long = "class G:\n  def forward(self, x):\n" + "".join(f"    x{n} = x + {n}\n" for n in range(40))
    inside = "class G:\n  def forward(self, x):\n    return x\n  class H:\n    def forward(self, y):\n      return y\n"
    assert stage_text(long, "", "g").code is None
    assert stage_text(inside, "", "g").code is None


def test_a_long_graph_is_read_from_its_sketch(monkeypatch):
    """Layers that differ in numbers, a graph inside, arguments on lines of their own."""
    layer = """\
        mm_{n}: "f32[{n}, 4][4, 1]cpu" = torch.ops.aten.mm.default(view_{n}, t_{n});  view_{n} = t_{n} = None
        # File: a.py:1 in f, code: x: "not an annotation" = 1
        add_{n} = mm_{n} + 1.5e-{n}
        getitem_{n} = split_{n}[0];  split_{n} = None
"""
    head = """\
class <lambda>(torch.nn.Module):
    def forward(
        self,
        a_1: "f32[2]",
        a_2: "i64[]",
    ):
"""
    primals = "".join(f'        p_{n}: "f32[{n}]cpu"  # PlainAOTInput(idx={n})\n' for n in range(9))
    end = """\
        return (mm_1,
        add_1)
    class inner_0(torch.nn.Module):
        def forward(self, b_1: "f32[3]", b_2: "f32[4]"):
            return (b_1,)
"""
    graph = head + primals + "".join(layer.format(n=n) for n in range(200)) + end
    assert len(stages.sketch(graph)[0]) < len(graph) / 10
    sketched = stage_text(graph, "", "g")
    monkeypatch.setattr(stages, "_LONG", 10_000)
    assert sketched == stage_text(graph, "", "g")
    assert sketched.node_count == 600 and len(sketched.shapes) == 2 + 9 + 200 + 2


def test_a_long_graph_that_is_no_python_is_kept_as_a_comment():
    text = stage_text("class G:\n" + "    x = 1\n" * 500 + "    y = <object>\n", "", "g")
    assert "not Python" in text.source and text.shapes == ()


def test_a_graph_that_is_no_python_is_kept_as_a_comment():
    text = stage_text("%x = call[target=add]", "", "g")
    assert "# %x = call[target=add]" in text.source and len(parsed(text.source).body) == 1


def test_renaming_touches_the_first_definition_only():
    assert renamed("def a(x):\n    def a(y): ...\n", "b") == "def b(x):\n    def a(y): ...\n"
    assert renamed("def a(x): ...\n", "no name") == "def a(x): ...\n"
    inside = "# around\ndef enclosing():\n    n = None\n    async def {}(x): ...\n"
    assert renamed(inside.format("a"), "b") == inside.format("b")


RESUMED = """\
def f(a):
    x = __resume_at_4_1(a, \"""
__resume_at_6_2()\""")  # a value
    if x:
        return __resume_at_8_2(a)
    return g(a)
"""


def test_where_code_goes_on_is_said_beside_it_and_no_line_moves():
    said = with_breaks(RESUMED, [Break("it prints", "/a/toy.py", 5)])
    before, after = RESUMED.split("\n"), said.split("\n")
    assert [number for number, pair in enumerate(zip(before, after)) if pair[0] != pair[1]] == [4]
    assert after[4] == before[4] + "  # after the graph break at toy.py:5: it prints"
    assert ast.dump(ast.parse(said)) == ast.dump(ast.parse(RESUMED))


@pytest.mark.parametrize("text", NASTY)
def test_any_reason_can_stand_behind_a_statement(text):
    said = with_breaks(RESUMED, [Break(f"a{text}b", f"{text}.py", 5)])
    assert ast.dump(parsed(said)) == ast.dump(ast.parse(RESUMED)) and len(said.split("\n")) == len(RESUMED.split("\n"))
