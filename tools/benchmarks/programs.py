"""Programs of any length, one family a construct: ``FAMILIES[name](n)`` is a function that has it ``n`` times.

    FAMILIES["sequential ifs"](2)   =>   def f(a, b, c):
                                             if a: b = c
                                             if a: b = c

Where construct stands in construct, CPython's own limits end the row: 20 nested blocks, 100 levels of indentation, the
depth of its parser.
"""

from __future__ import annotations

from typing import Callable, Dict, List

Family = Callable[[int], str]


def _function(lines: List[str]) -> str:
    return "\n".join(["def f(a, b, c):", *(f"    {line}" for line in lines), ""])


def _repeated(*lines: str) -> Family:
    return lambda n: _function(list(lines) * n)


def _nested(*lines: str, innermost: str = "b = c", behind: str = "") -> Family:
    """``lines`` in each other ``n`` deep, the last of them heading the next; ``behind`` stands after each block."""

    def program(n: int) -> str:
        found = [" " * depth + line for depth in range(n) for line in lines]
        found.append(" " * n + innermost)
        if behind:
            found += [" " * depth + line for depth in reversed(range(n)) for line in behind.split("\n")]
        return _function(found)

    return program


def _expression(text: Callable[[int], str]) -> Family:
    return lambda n: _function([f"return {text(n)}"])


def _elif_chain(n: int) -> str:
    arms = [line for number in range(n) for line in (f"elif a == {number}:", f" b = {number}")]
    return _function(["if a is b:", " b = c", *arms, "else:", " b = a", "return b"])


def _returning_chain(n: int) -> str:
    return _function([line for number in range(n) for line in (f"if a == {number}:", f" return {number}")])


def _nested_functions(n: int) -> str:
    return "".join(" " * depth + f"def f{depth}(a{depth}):\n" for depth in range(n)) + " " * n + "return a0\n"


def _match(n: int) -> str:
    return _function(["match a:", *(line for k in range(n) for line in (f"    case {k}:", f"        b = {k}"))])


def _and_or(n: int) -> str:
    return " or ".join(f"a.x{number} and b.y{number}" for number in range(n))


FAMILIES: Dict[str, Family] = {
    "straight line": _repeated("a = b.x(c) + 1"),
    "sequential ifs": _repeated("if a:", "    b = c"),
    "nested ifs": _nested("if a:"),
    "nested ifs and more": _nested("if a:", behind="b = a"),
    "if else": _repeated("if a:", "    b = c", "else:", "    c = b"),
    "elif chain": _elif_chain,
    "chain of returns": _returning_chain,
    "and": _expression(lambda n: " and ".join(["a"] * n)),
    "and of or": _expression(lambda n: " and ".join(["(a or b)"] * n)),
    "or of and, as test": lambda n: _function([f"if {_and_or(n)}:", "    b = c", "return b"]),
    "and, in sequence": _repeated("a = b and c or a"),
    "ternaries": _repeated("a = b if c else a"),
    "ternary chain": _expression(lambda n: "a if b else " * n + "c"),
    "while loops": _repeated("while a:", "    b = c"),
    "for loops": _repeated("for a in b:", "    c = a"),
    "for loops with ifs": _repeated("for a in b:", "    if a:", "        continue", "    c = a"),
    "for loops with breaks": _repeated("for a in b:", "    if a:", "        break", "    c = a"),
    "one loop, many ifs": lambda n: _function(["for a in b:", *["    if a:", "        c = a", "    b = a"] * n]),
    "one loop, many breaks": lambda n: _function(["while a:", *["    if b:", "        break", "    b = a"] * n]),
    "nested loops": _nested("for a in b:", innermost="c = a"),
    "tries": _repeated("try:", "    a(b)", "except E:", "    c = b"),
    "try in handler": lambda n: _function(
        [" " * depth + line for depth in range(n) for line in ("try:", " a(b)", "except E:")] + [" " * n + "c = b"]
    ),
    "nested tries": _nested("try:", innermost="a(b)", behind="except E:\n c = b"),
    "tries with finally": _repeated("try:", "    a(b)", "finally:", "    c(b)"),
    "nested finally": _nested("try:", innermost="a(b)", behind="finally:\n c(b)"),
    "withs": _repeated("with a as b:", "    c = b.x"),
    "nested withs": _nested("with a as b:", innermost="c = b.x"),
    "sum": _expression(lambda n: " + ".join(["a"] * n)),
    "nested calls": _expression(lambda n: "a(" * n + "b" + ")" * n),
    "chained methods": _expression(lambda n: "a" + ".b(c)" * n),
    "arguments": _expression(lambda n: f"[{', '.join(['a.x'] * n)}]"),
    "comparisons": _repeated("a = a < b < c"),
    "long comparison": _expression(lambda n: " < ".join(["a"] * (n + 1))),
    "list of constants": _expression(lambda n: f"[{', '.join(map(str, range(n)))}]"),
    "dict": _expression(lambda n: "{" + ", ".join(f"'k{number}': a" for number in range(n)) + "}"),
    "ternaries in a list": _expression(lambda n: f"[{', '.join(['a if b else c'] * n)}]"),
    "functions": lambda n: "".join(f"def f{number}(a):\n    return a + {number}\n" for number in range(n)),
    "nested functions": _nested_functions,
    "nested lambdas": lambda n: f"f = {'lambda a: ' * n}a\n",
    "match": _match,
}
