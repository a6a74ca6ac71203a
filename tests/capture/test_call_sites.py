"""Code of programs that use depyf, as they wrote it; names of their own aside."""

from __future__ import annotations

import gc
import glob
import inspect
import os
import types

import dill
import pytest
import torch
from dump import check

import depyf
from depyf.capture import seams

needs_trace = pytest.mark.skipif(seams.TRACE_LOG.find() is None, reason="before torch 2.5 there is no trace")


class Config:
    def __init__(self, path):
        self.path = path


def test_a_serving_framework_enters_now_and_leaves_much_later(tmp_path):
    """A monitor with a global context manager (vLLM, Aphrodite)."""
    path = tmp_path / "rank_0"
    path.mkdir(parents=True, exist_ok=True)
    context_manager = depyf.prepare_debug(path.as_posix())
    context_manager.__enter__()
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    context_manager.__exit__(None, None, None)
    assert check(path).finished


def test_a_bytecode_hook_writes_what_decompile_says(tmp_path):
    """A wrapper's own hook: the transformed code shows which buffer of the module is updated."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("counter", torch.zeros(1))

        def forward(self, x):
            self.counter = self.counter + 1
            return x + self.counter

    written = []

    def bytecode_hook(old_code, new_code):
        if old_code is not Model.forward.__code__:
            return
        try:
            import depyf

            src = depyf.decompile(new_code)
            with open(tmp_path / "transformed_code.py", "w") as f:
                f.write(src)
            written.append(src)
        except Exception as error:
            written.append(error)

    handle = torch._dynamo.convert_frame.register_bytecode_hook(bytecode_hook)
    try:
        torch.compile(Model(), backend="eager", fullgraph=True)(torch.ones(1))
    finally:
        handle.remove()
    assert len(written) == 1 and "def forward(self, x):" in written[0]
    assert "counter" in written[0] and written[0].endswith("\n")


@needs_trace
def test_a_test_backend_enters_its_context_again_and_prints_graphs_of_its_own(tmp_path):
    class TestBackend:
        def __init__(self):
            self.debug_ctx = depyf.prepare_debug(tmp_path.as_posix())

        def __call__(self, graph, example_inputs):
            with self.debug_ctx:
                from torch._dynamo.utils import lazy_format_graph_code

                lazy_format_graph_code("graph_pre_pass", graph)
                lazy_format_graph_code("graph_post_pass", graph)
                return graph.forward

    backend = TestBackend()
    for size in (2, 3):
        torch._dynamo.reset()
        torch.compile(lambda x: x + 1, backend=backend)(torch.ones(size))
        assert len(glob.glob(f"{tmp_path}/*graph_pre_pass*.py")) == 1
        assert len(glob.glob(f"{tmp_path}/*graph_post_pass*.py")) == 1


@needs_trace
def test_files_are_found_by_their_names(tmp_path):
    """As the test of a TPU backend does: the number between the dots is the position."""

    class Model(torch.nn.Module):
        def forward(self, x):
            return x.sin() + 1

    with depyf.prepare_debug(str(tmp_path)):
        for size in (2, 3):
            torch._dynamo.reset()
            torch.compile(Model(), backend="aot_eager", dynamic=False)(torch.ones(size))

    def extract_compiled_index(s):
        parts = s.replace(".", "_").split("_")
        return int(next(part for part in parts if part.isdigit()))

    transformed = sorted(glob.glob(os.path.join(tmp_path, "__transformed_code*for_forward.py")))
    compiled = sorted(glob.glob(os.path.join(tmp_path, "__compiled_fn*Forward_graph*.py")))
    captured = glob.glob(os.path.join(tmp_path, "__compiled_fn*Captured*.py"))
    assert len(transformed) == len(compiled) == len(captured) == 2
    assert [extract_compiled_index(os.path.basename(name)) for name in transformed] == [0, 1]
    assert len({extract_compiled_index(os.path.basename(name)) for name in compiled}) == 2


def test_the_shim_for_inductors_arguments_has_nothing_to_do(tmp_path):
    import torch._inductor.codecache as codecache

    import depyf.explain.enable_debugging as enable_debugging

    hook = enable_debugging.patched_load_by_key_path
    accepted = inspect.signature(hook).parameters
    assert any(p.kind is inspect.Parameter.VAR_KEYWORD for p in accepted.values())
    with depyf.prepare_debug(str(tmp_path)):
        key, path = codecache.PyCodeCache.write("value = 1\n")
        module = codecache.PyCodeCache.load_by_key_path(key, path)
        assert hook(key, path).value == module.value == 1


def test_a_shim_that_was_put_in_place_still_works(tmp_path):
    from depyf.explain.global_variables import data
    from depyf.explain.utils import get_current_compiled_fn_name, write_code_to_file_template

    assert data["dump_src_dir"] is None
    with depyf.prepare_debug(tmp_path):
        assert data["dump_src_dir"] == str(tmp_path)
        name = os.path.join(data["dump_src_dir"], get_current_compiled_fn_name() + ".kernel_%s.py")
        first = write_code_to_file_template("value = 3\n", name)
        assert write_code_to_file_template("value = 3\n", name) == first
        assert write_code_to_file_template("value = 4\n", name) != first
        assert data["unpatched_load_by_key_path"] is not None
    assert [os.path.basename(path) for path in glob.glob(f"{tmp_path}/*.kernel_*.py")] != []


def test_a_bridge_passes_keywords_on_and_wants_files(tmp_path):
    """As torchlens does."""
    prepare_debug = getattr(depyf, "prepare_debug", None)
    dump_dir = tmp_path / "dump"
    with prepare_debug(str(dump_dir), clean_wild_fx_code=True, log_bytecode=False):
        torch.compile(torch.nn.Linear(2, 2))(torch.ones(2))
    assert any(path.is_file() for path in dump_dir.iterdir())


def test_decompile_takes_a_code_object_and_a_resume_function():
    """As PyTorch's documentation shows."""
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list, innermost_fn

    from depyf import decompile

    @torch.compile(backend="eager")
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    toy_example(torch.randn(10), torch.ones(10))
    code = _debug_get_cache_entry_list(innermost_fn(toy_example))[0].code
    resume = next(name for name in code.co_names if name.startswith("__resume_at"))
    assert "def toy_example(a, b):" in decompile(code)
    assert decompile(globals()[resume]).startswith(("def ", "import ", "from "))


def test_safe_decompile_falls_back(tmp_path):
    """As MagiCompiler does."""
    from depyf import Decompiler
    from depyf.decompiler import DecompilationError, decompile

    def function(a, b=1):
        return [a + each for each in range(b)]

    assert decompile is depyf.decompile and issubclass(DecompilationError, Exception)
    assert decompile(function.__code__) == Decompiler(function.__code__).decompile()


class F(torch.nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i

    def forward(self, x):
        return x + self.i


def test_compiled_code_without_guards():
    from depyf.optimization import TorchCompileWrapperWithCustomDispatcher

    class Mod(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self, n):
            self.fs = torch.nn.ModuleList([F(i) for i in range(n)])
            compiled_callable = torch.compile(self.forward, backend="eager")
            super().__init__(compiled_callable)

        def forward(self, x):
            for f in self.fs:
                x = f(x)
            return x

        def __call__(self, x):
            if len(self.compiled_codes) == 1:
                with self.dispatch_to_code(0):
                    return self.forward(x)
            else:
                return self.compiled_callable(x)

    before = len(torch._dynamo.convert_frame._bytecode_hooks)
    mod, other = Mod(10), Mod(3)
    for each, total in ((mod, 45), (other, 3)):
        assert each(torch.tensor([1])) == 1 + total
    mod.fs[0].i = 100  # a guard would have noticed
    assert mod(torch.tensor([2])) == 2 + 45
    assert len(mod.compiled_codes) == len(other.compiled_codes) == 1
    assert mod.forward(torch.tensor([2])) == 2 + 45 + 100 and mod.use_custom_dispatcher
    assert len(torch._dynamo.convert_frame._bytecode_hooks) == before + 2
    del mod, other, each
    torch._dynamo.reset()
    gc.collect()
    assert len(torch._dynamo.convert_frame._bytecode_hooks) == before


def g(x):
    return F(5)(x)


def test_compiled_code_of_a_function_that_forward_calls():
    from depyf.optimization import TorchCompileWrapperWithCustomDispacther

    class MyMod(TorchCompileWrapperWithCustomDispacther):
        def __init__(self):
            super().__init__(torch.compile(g, backend="eager"))

        def forward(self, x):
            return g(x)

        def __call__(self, x):
            if len(self.compiled_codes) == 1:
                with self.dispatch_to_code(0):
                    return self.forward(x)
            return self.compiled_callable(x)

    mod, code = MyMod(), g.__code__
    assert [mod(torch.tensor([i])).item() for i in range(3)] == [5, 6, 7]
    assert mod.compiled_codes and g.__code__ is code


def test_what_was_compiled_earlier_can_still_be_shown():
    from depyf.explain import _extract_artifacts, dump_src

    @torch.compile(backend="eager")
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    toy_example(torch.randn(10), torch.ones(10))
    source = dump_src(toy_example)
    compile(source, "explained.py", "exec")
    assert "def toy_example(a, b):" in source and "not compiled, this way on was never taken" in source
    data = _extract_artifacts(toy_example).to_data()
    assert len(data["frames"]) == 2 and data["frames"][0]["name"] == "toy_example"


def test_small_functions(tmp_path):
    from depyf import utils

    def f(a, /, b, *c, d, **e):
        return lambda: a

    assert utils.get_function_signature(f.__code__) == "def f(a, /, b, *c, d, **e):"
    assert [code.co_name for code in utils.collect_all_code_objects(f.__code__)] == ["f", "<lambda>"]
    assert utils.get_code_owner(F(1)) is F.forward and utils.get_code_owner(f) is f
    with pytest.raises(TypeError, match="no Python code"):
        utils.get_code_owner(len)
    utils.safe_create_directory(tmp_path / "a" / "b")
    utils.safe_create_directory(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert "def other(" in utils.decompile_ensure(_plus_one, "other")


def _plus_one(x):
    return x + 1


def test_decompile_ensure_says_why_there_is_no_answer(monkeypatch):
    from depyf import utils
    from depyf.decompiler import DecompilationError

    def refuse(self, **_):
        raise DecompilationError("cannot")

    monkeypatch.setattr(utils.Decompiler, "decompile", refuse)
    scope: dict = {}
    exec(utils.decompile_ensure(_plus_one), scope)
    with pytest.raises(NotImplementedError, match="cannot"):
        scope["_plus_one"](1)


@needs_trace
def test_code_objects_are_kept_for_dill(tmp_path):
    """log_bytecode=True: three files beside each transformed code, and the third runs like the second."""

    def toy(x):
        y = x + 1
        torch._dynamo.graph_break()
        return y * 2

    with depyf.prepare_debug(tmp_path, log_bytecode=True):
        torch.compile(toy, backend="eager")(torch.ones(2))
    sources = sorted(tmp_path.glob("__transformed_code_*.py"))
    assert len(sources) == 2
    for source in sources:
        original, transformed, back = (
            dill.loads((tmp_path / f"{source.name}.{kind}_bytecode").read_bytes())
            for kind in ("original", "transformed", "decompiled_and_compiled_back")
        )
        assert {type(each) for each in (original, transformed, back)} == {types.CodeType}
        assert back.co_varnames[: back.co_argcount] == transformed.co_varnames[: transformed.co_argcount]
        assert back.co_filename == str(source)
        line = source.read_text().splitlines()[back.co_firstlineno - 1]
        assert line.strip().startswith("def ")
    assert original.co_name in ("toy", "torch_dynamo_resume_in_toy_at_" + str(toy.__code__.co_firstlineno + 2))
