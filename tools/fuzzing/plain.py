"""Random programs of nothing but control flow: large functions and modules whose expressions are names and calls.

What is refused of these is due to jumps; dead code, endless loops and ways out of ``finally`` are common in them.
"""

from __future__ import annotations

from typing import List, NamedTuple

from fuzzing.place import Grower, indented

DEPTH = 4
NAMES = "abcde"


class Around(NamedTuple):
    """What surrounds a statement; ``depth`` is how many levels may still stand in it."""

    depth: int
    in_loop: bool = False
    in_function: bool = False
    # Until 3.8 no `continue` stands in a `finally` that is inside of its loop.
    may_continue: bool = True


def plain_program(seed: int, depth: int = DEPTH) -> str:
    """The text of a module with functions and statements of its own, which stand ``depth`` levels deep.

    The same seed gives the same text.
    """
    grower = Grower(seed)
    parts: List[str] = []
    for number in range(grower.random.randint(1, 3)):
        if grower.chance(0.75):
            parts.append(f"def f{number}(a, b):\n{_body(grower, Around(depth, in_function=True), 8)}")
        else:
            parts.append("".join(_statement(grower, Around(depth - 1)) for _ in range(4)))
    return "".join(parts)


def _body(grower: Grower, around: Around, most: int = 3) -> str:
    return indented("".join(_statement(grower, around) for _ in range(grower.random.randint(1, most))))


def _statement(grower: Grower, around: Around) -> str:
    if around.depth and grower.chance(0.45):
        write = grower.random.choices([_if, _while, _for, _try, _with], [6, 3, 3, 5, 2])[0]
        return write(grower, around._replace(depth=around.depth - 1))
    return _simple(grower, around) + "\n"


def _simple(grower: Grower, around: Around) -> str:
    leaving = ["raise", "raise E(a)"]
    leaving += ["return", "return a", "return f(b)"] * around.in_function
    leaving += ["break"] * 3 * around.in_loop + ["continue"] * 3 * (around.in_loop and around.may_continue)
    others = [f"{grower.one(NAMES)} = {grower.one(NAMES)}", f"f({grower.random.randrange(99)})", "pass", "a.x = f(b)"]
    return grower.one(leaving if grower.chance(0.25) else others)


def _test(grower: Grower) -> str:
    name = grower.one(NAMES)
    return grower.one([name, name, f"not {name}", f"f({name})", f"{name} > 1", f"{name} and b", f"{name} is None"])


def _otherwise(grower: Grower, around: Around, probability: float) -> str:
    return f"else:\n{_body(grower, around)}" if grower.chance(probability) else ""


def _if(grower: Grower, around: Around) -> str:
    text = f"if {_test(grower)}:\n{_body(grower, around)}"
    for _ in range(grower.one([0, 0, 0, 1, 2])):
        text += f"elif {_test(grower)}:\n{_body(grower, around)}"
    return text + _otherwise(grower, around, 0.4)


def _while(grower: Grower, around: Around) -> str:
    test = "True" if grower.chance(0.3) else _test(grower)
    inside = _body(grower, around._replace(in_loop=True, may_continue=True))
    return f"while {test}:\n{inside}{_otherwise(grower, around, 0.25)}"


def _for(grower: Grower, around: Around) -> str:
    inside = _body(grower, around._replace(in_loop=True, may_continue=True))
    return f"for {grower.one(NAMES)} in f({grower.one(NAMES)}):\n{inside}{_otherwise(grower, around, 0.25)}"


def _try(grower: Grower, around: Around) -> str:
    text = f"try:\n{_body(grower, around)}"
    clauses = grower.one([0, 1, 1, 1, 2])
    for number in range(clauses):
        bare = number == clauses - 1 and grower.chance(0.3)
        head = "except" if bare else f"except E{grower.one(['', '', ' as e'])}"
        text += f"{head}:\n{_body(grower, around)}"
    if clauses:
        text += _otherwise(grower, around, 0.3)
    if not clauses or grower.chance(0.35):
        text += f"finally:\n{_body(grower, around)}"
    return text


def _with(grower: Grower, around: Around) -> str:
    return f"with f({grower.one(NAMES)}){grower.one(['', ' as a'])}:\n{_body(grower, around)}"
