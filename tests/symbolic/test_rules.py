"""The page about rules, and pairs of functions that each rule accepts and must not accept."""

import dis
import sys
from pathlib import Path

import pytest

from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.refusals import Refused
from depyf.decompiler.symbolic import OPERATIONS
from depyf.decompiler.symbolic.rules import AXIOMS, RULES
from depyf.decompiler.verify.symbolic import verify_symbolic
from depyf.decompiler.verify.verdict import Certificate

PAGE = Path(__file__).parents[2] / "docs" / "axioms.md"


@pytest.mark.parametrize("rule", [*RULES, *AXIOMS], ids=lambda rule: rule.name)
def test_page_says_what_the_table_says(rule):
    assert f"| {rule.name} | {rule.says} | {rule.because} |" in PAGE.read_text(encoding="utf-8")


def code(body, parameters="a, b, n", free=""):
    lines = [f"def outer({free}):" if free else "if True:", f"    def f({parameters}):"]
    lines += ["        " + line for line in body.strip("\n").split("\n")]
    if free:
        lines.append("    return f")
    namespace = {}
    exec("\n".join(lines), namespace)
    if free:
        return namespace["outer"](*[1] * len(free.split(","))).__code__
    return namespace["f"].__code__


# (rule that the certificate must name, or "" for none in particular; one body; another; whether they are the same)
PAIRS = [
    ("R-LOCAL", "x = a.p\ny = x\nreturn g(y)", "t = a.p\nreturn g(t)", True),
    ("", "x = a.p\ny = b.p\nreturn g(x, y)", "y = b.p\nx = a.p\nreturn g(x, y)", False),
    ("R-FRESH", "l = [a, b]\nl[0:1] = [n]\ndel l[-1]\nreturn g(l[0])", "return g(n)", True),
    ("R-FRESH", "l = [a]\nl += [b]\nreturn g(l)", "return g([a, b])", True),
    ("", "l = [a]\nl += b\nreturn g(l)", "return g([a, *b])", False),
    ("", "l = [a]\nm = l\nreturn l, m", "return [a], [a]", False),
    ("", "l = [a]\ng(l)\nreturn l[0]", "g([a])\nreturn a", False),
    ("", "return [a, b]", "return (a, b)", False),
    ("", "l = [a]\nm = [a]\ng(l, m)\nreturn l", "l = [a]\nm = [a]\ng(l, m)\nreturn m", False),
    ("R-FRESH", "d = {'x': a}\nd['y'] = b\nreturn d", "return {'x': a, 'y': b}", True),
    ("", "return {'x': a, 'y': b}", "return {'y': b, 'x': a}", False),
    ("R-CONSTTUPLE", "x = 1\nreturn (x, 2)", "return (1, 2)", True),
    ("", "x = 1\nreturn (x, 2)", "return (True, 2)", False),
    ("R-CALLEX", "x = [a, b]\nreturn g(*[n, *x])", "return g(n, a, b)", True),
    ("", "t = (a, b)\nx = g(*t)\nreturn x, t", "x = g(a, b)\nreturn x, (a, b)", False),
    ("", "return g(*a)", "return g(*[*a])", False),
    ("R-CONSTSET", "return {*('x', 'y', 'z')}", "s = {*('x', 'y')}\nreturn {*('x', 'y', 'z')}", True),
    ("R-IS", "x = a is None\nif x:\n    return 1\nreturn 2", "if a is not None:\n    return 2\nreturn 1", True),
    ("", "if a is None:\n    return 1\nreturn 2", "if a == None:\n    return 1\nreturn 2", False),
    ("", "if a:\n    return 1\nreturn 2", "if not a:\n    return 1\nreturn 2", False),
    (
        "R-HANDLED",
        "try:\n    g()\nexcept E:\n    x = 1\nelse:\n    x = 2\nreturn x",
        "try:\n    g()\nexcept E:\n    return 1\nreturn 2",
        True,
    ),
    (
        "",
        "try:\n    g()\nexcept E:\n    h()\nreturn 1",
        "try:\n    g()\nexcept E:\n    pass\nelse:\n    return 1\nh()\nreturn 1",
        False,
    ),
    ("", "try:\n    g()\nexcept:\n    pass\nreturn 1", "try:\n    g()\nexcept E:\n    pass\nreturn 1", False),
    (
        "",
        "try:\n    g()\n    h()\nexcept E:\n    pass\nreturn 1",
        "try:\n    g()\nexcept E:\n    pass\nelse:\n    h()\nreturn 1",
        False,
    ),
    ("R-RERAISE", "try:\n    g()\nfinally:\n    h()", "try:\n    g()\nexcept:\n    h()\n    raise\nh()", True),
    ("", "try:\n    g()\nfinally:\n    h()", "try:\n    g()\nexcept:\n    h()\nh()", False),
    ("R-PASSED", "try:\n    g()\nexcept:\n    raise\nreturn 1", "g()\nreturn 1", True),
    ("", "try:\n    g()\nexcept:\n    x = E\n    raise\nreturn 1", "g()\nreturn 1", False),
    (
        "R-APPEND",
        "x = []\nfor i in a:\n    x += [i]\nreturn x",
        "x = []\ny = x\nfor j in a:\n    y += [j]\nreturn y",
        True,
    ),
    ("", "x = []\nfor i in a:\n    x += [i]\nreturn x", "x = []\nfor i in a:\n    x += [b]\nreturn x", False),
    (
        "",
        "x = []\ny = x\nfor i in a:\n    x += [i]\nreturn y",
        "x = []\ny = []\nfor i in a:\n    x += [i]\nreturn y",
        False,
    ),
    ("R-UNROLL", "g('x', a)\ng('y', b)", "for k, v in (('x', a), ('y', b)):\n    g(k, v)", True),
    ("R-UNROLL", "for i in n:\n    g(a)\n    g([b])", "for i in n:\n    for v in (a, [b]):\n        g(v)", True),
    ("R-UNROLL", "g(a)\ng(b)\nreturn b", "for v in (a, b):\n    g(v)\nreturn v", True),
    ("", "g('x', a)\ng('y', b)", "for k, v in (('y', b), ('x', a)):\n    g(k, v)", False),
    ("", "g(a)\ng(b)", "for v in (a, b, n):\n    g(v)", False),
    ("", "g(a)\ng(b)", "for v in (a, b):\n    g(v)\n    break", False),
    ("", "g(a.p)\ng(b.p)", "for v in (a.p, b.p):\n    g(v)", False),
    ("", "g(a)\ng(b)", "for v in n:\n    g(v)", False),
    ("", "x = [a]\ng(x)\ng(x)", "for v in ([a], [a]):\n    g(v)", False),
    ("", "for i in a:\n    g(i)", "for i in a:\n    g(i)\n    break", False),
    ("", "for i in a:\n    b = g(b)\nreturn b", "for i in a:\n    n = g(b)\nreturn b", False),
    ("", "for i in a:\n    b, n = n, b\nreturn g(b)", "for i in a:\n    pass\nreturn g(b)", False),
    (
        "",
        "while g(a):\n    a = h(a)\nreturn a",
        "while True:\n    if g(a):\n        a = h(a)\n        continue\n    break\nreturn a",
        True,
    ),
    ("", "if n:\n    x = a\nreturn x", "if n:\n    x = b\nreturn x", False),
    ("", "if n:\n    x = a\nreturn x", "if n:\n    y = x = a\nreturn x", True),
    ("", "x = [a]\nif n:\n    x = [b]\nreturn x", "if n:\n    return [b]\nreturn [a]", True),
    (
        "",
        "try:\n    x = [a]\n    x[1:] = n\nexcept E:\n    return x\nreturn 1",
        "try:\n    x = [a]\n    y = [a]\n    y[1:] = n\nexcept E:\n    return x\nreturn 1",
        False,
    ),
    ("", "with a as x:\n    g(x)\nreturn 1", "with a as x:\n    g(x)\n    return 1", False),
    ("", "x = lambda y: a.p\nreturn x", "return lambda y: a.q", False),
    (
        "A-HELPER",
        "f = __import_builtins.object.__setattr__\nx = g()\nreturn f(x, 'p', a)",
        "x = g()\nreturn __import_builtins.object.__setattr__(x, 'p', a)",
        True,
    ),
    (
        "",
        "f = __import_builtins.type.__setattr__\nx = g()\nreturn f(x, 'p', a)",
        "x = g()\nreturn __import_builtins.type.__setattr__(x, 'p', a)",
        False,
    ),
    (
        "A-HELPER",
        "f = __import_torch_dot__dynamo_dot_utils.call_size\nx = g()\nreturn f(x, 0)",
        "x = g()\nreturn __import_torch_dot__dynamo_dot_utils.call_size(x, 0)",
        True,
    ),
    (
        "",
        "f = __import_torch_dot__dynamo_dot_utils.counters\nx = g()\nreturn f(x)",
        "x = g()\nreturn __import_torch_dot__dynamo_dot_utils.counters(x)",
        False,
    ),
    ("", "f = __import_mine.call_size\nx = g()\nreturn f(x)", "x = g()\nreturn __import_mine.call_size(x)", False),
    ("A-OUTPUT", "o = __compiled_fn_1(a)\nx = o[0]\ng()\nreturn x", "o = __compiled_fn_1(a)\ng()\nreturn o[0]", True),
    ("A-OUTPUT", "o = __compiled_fn_1(a)\nx = o[1]\nreturn x, o[0]", "o = __compiled_fn_1(a)\nreturn o[1], o[0]", True),
    ("", "o = __compiled_fn_1(a)\nreturn o[0]", "o = __compiled_fn_1(a)\nreturn o[1]", False),
    ("", "o = __compiled_fn_1(a)\nreturn o[0]", "o = __compiled_fn_1(a)\nreturn o[False]", False),
    ("", "o = __compiled_fn_1(a)\nx = o[-1]\ng()\nreturn x", "o = __compiled_fn_1(a)\ng()\nreturn o[-1]", False),
    ("", "o = __compiled_fn_1(a)\nx = o[b]\ng()\nreturn x", "o = __compiled_fn_1(a)\ng()\nreturn o[b]", False),
    ("", "o = compiled_fn_1(a)\nx = o[0]\ng()\nreturn x", "o = compiled_fn_1(a)\ng()\nreturn o[0]", False),
    ("", "o = __resume_at_1(a)\nx = o[0]\ng()\nreturn x", "o = __resume_at_1(a)\ng()\nreturn o[0]", False),
    (
        "",
        "o = __compiled_fn_1(a)\np = __compiled_fn_1(a)\nreturn o[0]",
        "__compiled_fn_1(a)\no = __compiled_fn_1(a)\nreturn o[0]",
        False,
    ),
    ("", "o = __compiled_fn_1(a)\nreturn o[0]", "return __compiled_fn_1(a)", False),
    (
        "A-PATH",
        "p = a._modules\nx = p['u']._parameters\ny = x['w']\nreturn y, x['b'], p['v'].n",
        "m = a._modules['u']\nreturn m._parameters['w'], m._parameters['b'], a._modules['v'].n",
        True,
    ),
    (
        "A-PATH",
        "d = a.__dict__['_buffers']\nreturn d['x'], d['y']",
        "return a.__dict__['_buffers']['x'], a.__dict__['_buffers']['y']",
        True,
    ),
    ("", "d = a._buffers\nreturn d['x'], d['y']", "return a._buffers['x'], a._modules['y']", False),
    ("", "p = a._modules\ng()\nreturn p['u']", "a._modules\ng()\nreturn a._modules['u']", False),
    ("", "p = a._modules\nb.q = n\nreturn p['u']", "a._modules\nb.q = n\nreturn a._modules['u']", False),
    ("", "p = a._modules\nif b:\n    n = 1\nreturn p, n", "a._modules\nif b:\n    n = 1\nreturn a._modules, n", False),
    ("", "p = a.modules\nx = p['u']\nreturn x, p['v']", "return a.modules['u'], a.modules['v']", False),
    ("", "m = a._modules['u']\nx = m['k']\nreturn x, x", "m = a._modules['u']\nreturn m['k'], m['k']", False),
    ("", "p = a._modules\nx = p[b]\nreturn x, x", "p = a._modules\nreturn p[b], p[b]", False),
    ("A-INSTALLED", "f = __compiled_fn_1\ng()\nreturn f(a)", "g()\nreturn __compiled_fn_1(a)", True),
    ("", "f = compiled_fn_1\ng()\nreturn f(a)", "g()\nreturn compiled_fn_1(a)", False),
    ("", "return g(a, **b)", "x = g\nreturn x(a, **b)", True),
    ("", "return g(a, x=1, **b)", "return g(a, **b, x=1)", False),
    ("", "return {**a, 'x': n, **b}", "return {**a, **b, 'x': n}", False),
    ("", "return g(a, **b)", "return g(a, **{**b})", False),
    ("A-FRAME", "x = 1\nreturn locals()", "y = 1\nreturn locals()", True),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "one", "other", "same"), PAIRS)
def test_pair(rule, one, other, same):
    verdict = verify_symbolic(code(one), code(other))
    assert isinstance(verdict, Certificate) == same, str(verdict)
    if same and rule:
        assert rule in verdict.rules or rule in verdict.axioms


def test_cell_of_a_variable():
    one, other = "def user(): return x\nreturn g(user.__closure__[0])", "return g((lambda: x).__closure__[0])"
    verdict = verify_symbolic(code(one, free="x"), code(other, free="x"))
    assert isinstance(verdict, Certificate)
    assert "R-CELL" in verdict.rules
    value = verify_symbolic(code("return g((lambda: x).__closure__[0])", free="x"), code("return g(x)", free="x"))
    assert not isinstance(value, Certificate)


@pytest.mark.skipif("DICT_MERGE" not in dis.opmap, reason="mappings are merged since 3.9")
def test_mapping_handed_to_a_call_as_it_is():
    copied = code("return g(*n, **b)")
    raw = bytearray(copied.co_code)
    for instruction in dis.get_instructions(copied):
        if instruction.opname in ("BUILD_MAP", "DICT_MERGE"):
            raw[instruction.offset] = dis.opmap["NOP"]
    handed = copied.replace(co_code=bytes(raw))
    verdict = verify_symbolic(handed, copied)
    assert isinstance(verdict, Certificate)
    assert verdict.axioms == ("A-KWARGS",)
    assert not isinstance(verify_symbolic(handed, code("return g(*n, **a)")), Certificate)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the bytes of the loop are those of older Pythons")
def test_iterator_that_a_loop_is_entered_with():
    looped = code("for i in a:\n    g(i)")
    raw = bytearray(looped.co_code)
    for instruction in dis.get_instructions(looped):
        if instruction.opname == "GET_ITER":
            raw[instruction.offset] = dis.opmap["NOP"]
    verdict = verify_symbolic(looped.replace(co_code=bytes(raw)), looped)
    assert isinstance(verdict, Certificate)
    assert verdict.axioms == ("A-ITER",)


def test_function_made_of_what_is_no_code():
    original = code("return g((lambda: x).__closure__[0])", free="x")
    consts = tuple(1 if hasattr(constant, "co_code") else constant for constant in original.co_consts)
    with pytest.raises(Refused):
        verify_symbolic(original, original.replace(co_consts=consts))


def test_operations_without_a_row():
    missing = {op for op in MICRO_OPS if op in dis.opmap} - set(OPERATIONS)
    # Refused by name: exception groups and the ends of coroutines.
    assert missing <= {"CHECK_EG_MATCH", "CLEANUP_THROW", "END_ASYNC_FOR"}
