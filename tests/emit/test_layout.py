"""Comments, docstrings, blank lines, indentation and the line map."""

from __future__ import annotations

import ast
from textwrap import dedent
from typing import List

import pytest
from print_library import line_in_text

from depyf.decompiler.emit import Comment, EmitError, emit, emit_source, with_remark


def parsed(text: str) -> List[ast.stmt]:
    return ast.parse(dedent(text)).body


def module(*body: ast.stmt) -> ast.Module:
    return ast.Module(body=list(body), type_ignores=[])


def test_comments_stand_before_what_they_are_about() -> None:
    first, second = parsed("a = 1\ndef f(): pass")
    tree = module(Comment("one\n\n  two\t"), first, Comment("about f"), second, Comment("end"))
    assert emit(tree) == dedent(
        """\
        # one
        #
        #   two\\t
        a = 1


        # about f
        def f():
            pass


        # end
        """
    )


@pytest.mark.parametrize("text", ["a\rb", "a\x0cb", "a\x00b", "a\u2028b", "a\ud800b", ""], ids=ascii)
def test_no_comment_text_ends_the_comment(text: str) -> None:
    printed = emit(module(*parsed("a"), Comment(text), *parsed("b")))
    assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse("a\nb"))
    assert all(line.startswith("#") for line in printed.splitlines()[1:-1])


def test_a_body_of_comments_gets_pass() -> None:
    conditional = ast.If(test=ast.Name("a", ast.Load()), body=[Comment("never")], orelse=[Comment("always")])
    assert emit(conditional) == "if a:\n    # never\n    pass\nelse:\n    # always\n    pass\n"


def test_a_comment_before_an_elif_makes_it_an_else() -> None:
    (conditional,) = parsed("if a: b\nelif c: d")
    assert isinstance(conditional, ast.If)
    conditional.orelse.insert(0, Comment("why"))
    assert emit(conditional) == "if a:\n    b\nelse:\n    # why\n    if c:\n        d\n"


@pytest.mark.parametrize(
    "text",
    ["", '"', '""', '"""', '""""', 'a"', "a\\", '\\"', '"a', "a \nb\t\n ", "\t", "\r\n", "\x0c", "\0\ud800é", "\\N{x}"],
    ids=ascii,
)
@pytest.mark.parametrize("kind", [None, "u"])
def test_docstring(text: str, kind: str) -> None:
    function = ast.parse("def f(): 'doc'")
    docstring = ast.Constant(value=text, kind=kind)
    function.body[0].body[0].value = docstring  # type: ignore[attr-defined]
    printed = emit(function)
    assert printed.startswith(f'def f():\n    {kind or ""}"""')
    assert ast.dump(ast.parse(printed)) == ast.dump(function)
    assert all(line == line.rstrip() for line in printed.splitlines())


def test_indent() -> None:
    assert emit(ast.parse("if a:\n while b: c"), indent=2) == "if a:\n  while b:\n    c\n"


def test_kinds_of_trees() -> None:
    assert emit(ast.parse("a;b", mode="single")) == "a\nb\n"
    assert emit(ast.parse("a, b", mode="eval")) == "a, b\n"
    assert emit(ast.parse("(a, *b) -> c", mode="func_type")) == "(a, b) -> c\n"
    assert emit(parsed("return a")[0]) == "return a\n"
    assert emit(ast.parse("")) == ""


def test_every_statement_knows_its_line() -> None:
    tree = ast.parse(
        dedent(
            '''
            """Two
            lines."""
            @a
            @b
            class C:
                def f(self):
                    try:
                        """
                        """
                    except A:
                        if a: b
                        elif c: d
                        else: e
            f"""{"""
            """}"""
            g
            '''
        ).replace('f"""{"""\n"""}"""', "f'''{\"\"\"\n\"\"\"}'''")
    )
    source = emit_source(tree)
    again = ast.parse(source.text)
    for node, other in zip(ast.walk(tree), ast.walk(again)):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            assert source.line_of(node) == line_in_text(other)


def test_unknown_nodes_are_named() -> None:
    class Oracle(ast.expr):
        pass

    class Leap(ast.stmt):
        pass

    with pytest.raises(EmitError, match="Oracle: not an expression"):
        emit(ast.Expr(value=Oracle()))
    with pytest.raises(EmitError, match="Leap: not a statement"):
        emit(module(Leap()))
    with pytest.raises(EmitError, match="Pass: not an expression"):
        emit(ast.Expression(body=ast.Pass()))  # type: ignore[arg-type]


def test_a_remark_stands_behind_the_first_line_of_its_statement():
    first, second = parsed("a = f(x)\nif a:\n    b")
    tree = module(with_remark(first, "calls f"), with_remark(second, "one\nline"), with_remark(parsed("c")[0], None))
    assert emit(tree) == "a = f(x)  # calls f\nif a:  # one\\nline\n    b\nc\n"
