"""Inside debug() the files of the dump directory run; after it everything is torch's own again."""

from __future__ import annotations

import re
from textwrap import indent

import pytest
import torch
from driving import Program, lines_run, own_code, toy

import depyf
from depyf.capture.seams import PRECOMPILED
from depyf.debugger.functions import FunctionExchange

pytestmark = pytest.mark.usefixtures("no_pause")
RUNS = {
    "eager": {"Captured_Graph"},
    "aot_eager": {"Forward_graph", "Backward_graph"},
    "inductor": {"kernel_0", "kernel_1"},
}


@pytest.mark.parametrize("backend", RUNS)
def test_every_line_runs_from_the_dump_directory(backend, tmp_path):
    program = Program(tmp_path, backend)
    before = own_code()
    with depyf.debug():
        assert own_code() != before
        with lines_run(tmp_path) as seen:
            results = program.main()
    assert own_code() == before
    assert program.same(results) and program.same(program.main())
    assert kinds(seen) == {"transformed", *RUNS[backend]}
    assert len([file for file in seen if file.startswith("__transformed")]) == 3
    for file, lines in seen.items():
        assert_lines_are_statements(tmp_path / file, lines)
    with lines_run(tmp_path) as seen:
        program.main()
    assert not seen


def kinds(files):
    return {re.sub(r"^__(transformed|compiled_fn_\d+[.](\w+)).*", lambda m: m[2] or m[1], file) for file in files}


def assert_lines_are_statements(path, lines):
    """Each line that ran holds code, and the last one of a function returns."""
    text = path.read_text(encoding="utf-8").split("\n")
    assert all(text[line - 1].strip() and not text[line - 1].lstrip().startswith("#") for line in lines)
    assert any("return" in text[line - 1] for line in lines)


@pytest.mark.parametrize("backend", RUNS)
def test_what_is_compiled_inside_follows(backend, tmp_path):
    """Graphs at once, the backward that is compiled later too; transformed code from the second call on."""
    program = Program(tmp_path, backend)
    torch._dynamo.reset()
    before = own_code()

    def lines_of_one_call():
        a = torch.linspace(-1, 1, 10).requires_grad_()
        with lines_run(tmp_path) as seen:
            out = program.compiled(a, torch.ones(10))
            out.sum().backward()
        assert torch.equal(out, program.first[0]) and torch.equal(a.grad, program.first[1])
        return {*seen}

    with depyf.debug():
        first, second = lines_of_one_call(), lines_of_one_call()
        assert len(own_code()["entries"]) == 1
    after = own_code()
    assert after["precompiled"] == [] and after["hooks"] == before["hooks"]
    assert kinds(first) == RUNS[backend] and kinds(second) == {"transformed", *RUNS[backend]}
    assert first == {file for file in second if not file.startswith("__transformed")}


def test_what_is_compiled_again_inside_follows(tmp_path):
    program = Program(tmp_path, "eager")
    with depyf.debug():
        program.main(size=8)
        with lines_run(tmp_path) as seen:
            program.main(size=8)
        assert len(own_code()["entries"]) == 2
    assert own_code()["precompiled"] == []
    assert "__transformed_code_1_for_toy.py" in seen and "__transformed_code_0_for_toy.py" not in seen


def test_a_guard_that_fails_compiles_again_and_hits_do_not(tmp_path):
    program = Program(tmp_path, "eager")
    compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    with depyf.debug():
        program.main()
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == compiles
        with pytest.raises(RuntimeError, match="recompile"), torch.compiler.set_stance("fail_on_recompile"):
            program.main(size=8)
        program.main(size=8)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == compiles + 3


def test_free_variables_and_their_resume_functions(tmp_path):
    factor = torch.tensor(3.0)

    def scaled(x):
        y = x * factor
        torch._dynamo.graph_break()
        return y + factor

    compiled = torch.compile(scaled, backend="eager")
    with depyf.prepare_debug(tmp_path):
        expected = compiled(torch.ones(2))
    with depyf.debug(), lines_run(tmp_path) as seen:
        assert torch.equal(compiled(torch.ones(2)), expected)
    assert len([file for file in seen if file.startswith("__transformed")]) == 2


def boxed_nop(fx_g):
    """As torch's own until 2.8, to the letter of its inner function."""

    def run(args):
        return torch.fx.Interpreter(fx_g).boxed_run(args)

    return run


def test_a_graph_that_torch_interprets_runs_its_forward(tmp_path):
    graph = torch.fx.symbolic_trace(lambda x: x + 1)
    file = tmp_path / "__compiled_fn_1.Forward_graph.0.py"
    file.write_text("class GraphModule:\n" + indent(graph.code, "    "), encoding="utf-8")
    run, exchange = boxed_nop(graph), FunctionExchange()
    for expected in ({file.name}, set()):
        if expected:
            assert exchange.exchange(run, [file]) == {file}
        arguments = [torch.ones(2)]
        with lines_run(tmp_path) as seen:
            assert run(arguments).tolist() == [2, 2]
        assert arguments == [] and {*seen} == expected
        exchange.restore()


def test_an_edited_file_is_not_run(tmp_path, capsys):
    program = Program(tmp_path, "eager")
    transformed = tmp_path / "__transformed_code_0_for_toy.py"
    text = transformed.read_text(encoding="utf-8")
    name = re.search(r"__compiled_fn_\d+", text).group()
    transformed.write_text(text.replace("return", "pass; return"), encoding="utf-8")
    graph = tmp_path / f"{name}.Captured_Graph.0.py"
    graph.write_text(graph.read_text(encoding="utf-8").replace("+ 1", "+ 2"), encoding="utf-8")
    with depyf.debug(), lines_run(tmp_path) as seen:
        assert program.same(program.main())
    assert transformed.name not in seen and graph.name not in seen and len(seen) == 4
    told = capsys.readouterr().err
    assert f"{transformed.name} is only shown: the file was edited" in told and f"{name} is only shown" in told


def test_two_backends_of_one_function_stay_apart(tmp_path, capsys):
    """Each runs what was made for it; one that was not asked before compiles."""
    asked = []
    arguments = torch.ones(10), torch.ones(10)

    def third(graph, inputs):
        asked.append(graph)
        return graph

    both = {name: torch.compile(toy, backend=name) for name in ("eager", "aot_eager")}
    with depyf.prepare_debug(tmp_path):
        expected = [compiled(*arguments) for compiled in both.values()]
    before = own_code()
    with depyf.debug():
        for _ in range(2):
            for (name, compiled), result in zip(both.items(), expected):
                with lines_run(tmp_path) as seen:
                    assert torch.equal(compiled(*arguments), result)
                graph = {"eager": "Captured_Graph", "aot_eager": "Forward_graph"}[name]
                assert kinds(seen) == {"transformed", graph} and len(seen) == 4
        assert torch.equal(torch.compile(toy, backend=third)(*arguments), expected[0]) and len(asked) == 2
    after = own_code()
    assert after["entries"][1:] == before["entries"] and after["precompiled"] == []
    assert "compiled for several backends, and runs from here as soon as one is called" in capsys.readouterr().err


def test_an_entry_that_dies_inside_is_not_run(tmp_path):
    program = Program(tmp_path, "eager")
    with depyf.debug():
        torch._dynamo.reset()
        assert PRECOMPILED.find()(toy.__code__) == []
        assert program.same(program.main())
