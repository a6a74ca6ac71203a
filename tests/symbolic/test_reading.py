"""What printed code reads like: Dynamo's variables are gone, paths and values have the names of a program."""

import dis
import opcode
import re

import pytest
from harvested import CORPUS

from depyf.decompiler.lift.dataflow.driver import decompile_dataflow

MODULE = """
def forward(self, x):
    tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter
    tmp_2 = tmp_1()
    tmp_3 = self._modules["layers"]._modules
    tmp_4 = tmp_3["0"]._parameters
    a = tmp_4["weight"]
    b = tmp_4["bias"]
    tmp_5 = tmp_3["last one"]._buffers
    c = tmp_5["scale"]
    tmp_6 = __import_torch_dot__dynamo_dot_utils.call_size(x, 0)
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_2)
    return __compiled_fn_1(a, b, c, tmp_5["shift"], tmp_6, x)
"""
READS = """\
def forward(self, x):
    mark = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()  # Dynamo's mark for profilers
    a = self._modules["layers"]._modules["0"]._parameters["weight"]  # self.layers[0].weight
    b = self._modules["layers"]._modules["0"]._parameters["bias"]  # self.layers[0].bias
    c = self._modules["layers"]._modules["last one"]._buffers["scale"]  # self.layers['last one'].scale
    x_size_0 = __import_torch_dot__dynamo_dot_utils.call_size(x, 0)
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(mark)  # Dynamo's mark for profilers
    return __compiled_fn_1(a, b, c, self._modules["layers"]._modules["last one"]._buffers["shift"], x_size_0, x)
"""


def code_of(text):
    namespace = {}
    exec(text, namespace)
    return next(value for value in namespace.values() if hasattr(value, "__code__")).__code__


def test_paths_read_as_a_program_writes_them():
    proved = decompile_dataflow(code_of(MODULE))
    assert proved.source == READS
    assert {"A-HELPER", "A-PATH"} <= set(proved.certificate.axioms)


def test_a_step_is_kept_where_something_happens_in_between():
    text = 'def f(self):\n    p = self._modules\n    q = p["a"]\n    self.x = q\n    return p["b"]\n'
    assert 'p["b"]' in decompile_dataflow(code_of(text)).source


@pytest.mark.skipif(not CORPUS, reason="nothing was harvested on this Python")
def test_dynamos_temporaries_are_named_for_what_they_hold():
    sources = [decompile_dataflow(code).source for _, code in CORPUS[::4]]
    nameless = [source for source in sources if re.search(r"\btmp_\d+ = ", source)]
    assert len(nameless) * 10 <= len(sources)


MARKED = """
def f(x):
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    else:
        tmp_1 = None
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    return __compiled_fn_1(x)
"""


def test_a_mark_that_depends_on_the_profiler_is_one_statement():
    first, *rest = decompile_dataflow(code_of(MARKED)).source.splitlines()[1:]
    assert re.match(
        r"    mark = .*enter\(\) if .*_is_profiler_enabled else None  # Dynamo's mark for profilers$", first
    )
    assert len(rest) == 3


CONTEXTS = """
def f(x, outer, inner):
    with outer():
        with inner():
            print(x)
            kept = x.kept
    return x.first, kept
"""


def test_contexts_that_end_together_need_no_flag():
    assert "completed" not in decompile_dataflow(code_of(CONTEXTS)).source


EFFECTS = """
def f(x, pairs, cls):
    tmp_1 = cls.__new__(cls)
    __import_torch_dot__dynamo_dot_utils.object_setattr_ignore_descriptor(tmp_1, "seen", x)
    for tmp_2 in pairs.items():
        tmp_3, tmp_4 = tmp_2
        cls.update(tmp_1, tmp_3, tmp_4)
    return tmp_1
"""
EFFECTS_READ = """\
def f(x, pairs, cls):
    new_cls = cls.__new__(cls)
    __import_torch_dot__dynamo_dot_utils.object_setattr_ignore_descriptor(new_cls, "seen", x)  # new_cls.seen = x
    for key, entry in pairs.items():
        cls.update(new_cls, key, entry)
    return new_cls
"""


def test_effects_that_dynamo_replays_read_as_a_program_has_them():
    assert decompile_dataflow(code_of(EFFECTS)).source == EFFECTS_READ


UTILS = "__import_torch_dot__dynamo_dot_utils"
STORES = """
def f(x, new, name):
    graph_out_0 = __compiled_fn_1(x)
    SET(new, "keys", graph_out_0[0])
    SET(new, "values", [x, graph_out_0[1]])
    SET(new, "kind", None)
    SET(x, "kind", LAST)
    return new
"""
STORES_READ = """\
    for name_1, value in ("keys", graph_out_0[0]), ("values", [x, graph_out_0[1]]), ("kind", None):
        SET(new, name_1, value)  # setattr(new, name_1, value)
"""


@pytest.mark.parametrize(
    "setter", [UTILS + ".object_setattr_ignore_descriptor", "__import_builtins.object.__setattr__"]
)
def test_attributes_of_one_object_are_set_in_a_loop(setter):
    proved = decompile_dataflow(code_of(STORES.replace("SET", setter)))
    assert STORES_READ in proved.source.replace(setter, "SET")
    assert "R-UNROLL" in proved.certificate.rules


def test_attributes_that_are_looked_up_on_the_way_are_set_one_by_one():
    text = (
        STORES.replace("SET", UTILS + ".object_setattr_ignore_descriptor")
        .replace("None", "graph_out_late[1]")
        .replace("f(x,", "f(x, graph_out_late,")
    )
    assert "for name" not in decompile_dataflow(code_of(text)).source


def test_what_a_loop_uses_again_keeps_its_name():
    text = "def f(x, g):\n    for item in x:\n        a, b = item\n        g(a, b, item)\n"
    assert "for item in x:" in decompile_dataflow(code_of(text)).source


# Keys that the compiler does not see to be constant: Dynamo, too, builds dicts of keys on the stack.
BUILT = 'def f(x, y): return {f"a": x, f"b": y}'


def test_dicts_read_as_displays_and_are_built_as_they_were():
    code = code_of(BUILT)
    proved = decompile_dataflow(code)
    assert '{"a": x, "b": y}' in proved.source
    operations = [[instruction.opname for instruction in dis.get_instructions(one)] for one in (code, proved.code)]
    assert "BUILD_MAP" in operations[0]
    assert operations[0] == operations[1]


STORED_ELSEWHERE = """
def f(x, y):
    total = x
    def resumed(left, right):
        nonlocal total
        total = left + right
        return total
    return resumed(y, x), total
"""


def in_place(code):
    """``code`` with additions in place, as a resume function has them after a break between ``+=`` and its operands."""
    changed = bytearray(code.co_code)
    for at in range(0, len(changed), 2):
        if changed[at] == dis.opmap.get("BINARY_ADD"):
            changed[at] = dis.opmap["INPLACE_ADD"]
        elif changed[at] == dis.opmap.get("BINARY_OP"):
            changed[at + 1] = [symbol for _, symbol in opcode._nb_ops].index("+=")
    return code.replace(co_code=bytes(changed))


def test_what_an_operation_in_place_gave_is_stored_under_another_name():
    code = code_of(STORED_ELSEWHERE)
    (inner,) = (constant for constant in code.co_consts if hasattr(constant, "co_code"))
    resumed = in_place(inner)
    constants = tuple(resumed if constant is inner else constant for constant in code.co_consts)
    assert "value += right\n    total = value" in decompile_dataflow(resumed).source
    assert "is kept as it is" in decompile_dataflow(code.replace(co_consts=constants)).source


MAYBE_UNBOUND = """
def f(x, n):
    if n:
        kept = x(n)
    x()
    return kept
"""


def test_locals_without_identifiers_are_named_after_them():
    code = code_of(MAYBE_UNBOUND)
    proved = decompile_dataflow(code.replace(co_varnames=tuple(f"@{name}" for name in code.co_varnames)))
    assert "_name__kept = _name__x(_name__n)" in proved.source
    assert set(proved.code.co_varnames) >= {"@x", "@n", "@kept"}


def test_what_never_runs_says_why_it_is_there():
    outer = code_of(
        "def outer(y):\n    def f(x):\n        if 0: y\n        return __compiled_fn_1(x)[0]\n    return f\n"
    )
    inner = next(constant for constant in outer.co_consts if hasattr(constant, "co_code"))
    source = decompile_dataflow(inner).source
    assert "    if False:  # never runs: keeps free and cell variables\n        y\n" in source


def test_constants_of_torch_are_named_for_their_values():
    torch = pytest.importorskip("torch")
    code = code_of("def f(x):\n    return __compiled_fn_1(x, 'a', 'b', 'c')[0]\n")
    values = {"a": torch.float32, "b": torch.Size([2, 4]), "c": torch.device("cuda", 1)}
    consts = tuple(values.get(constant, constant) for constant in code.co_consts)
    proved = decompile_dataflow(code.replace(co_consts=consts))
    named = "__const_torch_float32, __const_torch_Size_2_4, __const_device_type_cuda_index_1"
    assert f"return __compiled_fn_1(x, {named})[0]" in proved.source
    assert set(values.values()) <= set(proved.code.co_consts)


def test_a_constant_with_code_of_its_own_is_not_asked():
    class Loud:
        def __repr__(self):
            raise AssertionError("this code is not to run")

    code = code_of("def f(x):\n    return __compiled_fn_1(x, 'a')[0]\n")
    consts = tuple(Loud() if constant == "a" else constant for constant in code.co_consts)
    assert "(x, __const_Loud)" in decompile_dataflow(code.replace(co_consts=consts)).source


def test_a_local_that_dynamo_names_twice():
    code = code_of(MAYBE_UNBOUND)
    twice = code.replace(co_varnames=(*code.co_varnames, "mode", "mode"), co_nlocals=code.co_nlocals + 2)
    proved = decompile_dataflow(twice)
    assert "mode" not in proved.source
    assert proved.code.co_varnames.count("mode") == 1
