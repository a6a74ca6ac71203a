"""Programs that are printed exactly as they stand here, where another way to write them would compile alike."""

from __future__ import annotations

import sys
import textwrap

import pytest

from depyf.decompiler import decompile_code

# Until 3.9 a function that runs off its end has one `return`, which all ways share.
EVERYWHERE = [
    pytest.param(
        """\
        def f(xs):
            for x in xs:
                try:
                    a(x)
                except E:
                    b(x)
                else:
                    c(x)
            try:
                a()
            except E:
                b()
            except OSError as error:
                print(error)
            else:
                c()
        """,
        id="else of a try at the end of a loop and of a function",
    ),
    pytest.param(
        """\
        def f(xs):
            for x in xs:
                with a(x):
                    with b(x):
                        c(x)
        """,
        id="with in with at the end of a loop",
    ),
    pytest.param(
        """\
        def f(a):
            if a:
                print("a")
            else:
                print("b")
        """,
        id="if and else at the end of a function",
    ),
    pytest.param(
        """\
        def f(a, b):
            if a and b:
                c()
                with d:
                    e()
        """,
        id="if of two at the end of a function",
    ),
    pytest.param(
        """\
        def f(xs):
            for x in xs:
                if x:
                    break
            else:
                raise E
            print(x)
        """,
        id="else of a loop that raises",
    ),
]
SINCE_3_10 = [
    pytest.param(
        """\
        def f(a, xs):
            if a:
                print("a")
                return
            if xs:
                for x in xs:
                    if x:
                        return
                    print(x)
        """,
        id="returns that were written",
    ),
    pytest.param(
        """\
        def f(a, b):
            try:
                a()
            except OSError as error:
                if error.errno:
                    return
                raise
            b()
        """,
        id="return in a clause with a name",
    ),
    pytest.param(
        """\
        def f(a):
            while True:
                try:
                    return a()
                except StopIteration:
                    return None
                except KeyError:
                    print(a)
        """,
        id="return of None in a clause",
    ),
    pytest.param(
        """\
        def f(a, b):
            try:
                if a:
                    return
                assert b
                if b > 1:
                    g()
            except E as error:
                h(error)
            except F as error:
                k()
        """,
        id="clauses with names at the end of a function",
    ),
    pytest.param(
        """\
        def f():
            try:
                a()
            except E:
                try:
                    yield
                except F as error:
                    print(error)
                    yield error
        """,
        id="clauses in each other at the end of a function",
    ),
]

# Positions within a line (PEP 657).
SINCE_3_11 = [
    pytest.param(
        """\
        def f(a):
            try:
                a()
            except E:
                pass
            except OSError:
                return
            else:
                c()
            d()
        """,
        id="else of a try with clauses that pass and return",
    ),
    pytest.param(
        """\
        def f(xs):
            for x in xs:
                print(x)
            for x in xs:
                if x:
                    break
                print(x)
        """,
        id="break at the end of a function",
    ),
]


@pytest.mark.parametrize(
    "source",
    EVERYWHERE
    + (SINCE_3_10 if sys.version_info >= (3, 10) else [])
    + (SINCE_3_11 if sys.version_info >= (3, 11) else []),
)
def test_printed_as_written(source: str) -> None:
    source = textwrap.dedent(source)
    assert decompile_code(compile(source, "reading.py", "exec")).source == source.replace("return None", "return")
