"""Random expressions.  Operands are always in parentheses, so that what is written is what is meant."""

from __future__ import annotations

from fuzzing.place import (
    ASYNC_IN_COMPREHENSIONS,
    ATTRIBUTES,
    BOUND_IN_EXPRESSIONS,
    FUNCTIONS,
    GENERATOR,
    ITERATED,
    PLAIN,
    PYTHON,
    VARIABLES,
    Grower,
    Place,
    Table,
)

EXPRESSIONS = Table()
CONSTANTS = [
    "0", "1", "-1", "2.5", "-0.0", "1e309", "3j", "None", "True", "False", "...", "''", "'t'", "'%s'", "b'y'", "10**30",
    "(1, 2, 3)", "(1, ('t', None))", "(1, 1.0, True)", "'\\ud800'", "'it\\'s'", "__debug__", "__name__", "-(1 + 2j)",
    "'a' 'b'", "2 * 3", "(1, 2)[0]", "not 1", "1 << 70", "{1: 2, 3: 4}", "[1, 2, 3, 4]", "{1, 2, 3}",
]  # fmt: skip
BINARY = ["+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "&", "^", "|"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"]
# Before 3.12 the text of a field was a part of a string.
FIELDS_HOLD_ANY_TEXT = PYTHON >= (3, 12)


def expression(grower: Grower, place: Place) -> str:
    """Any expression; starred ones and lists without parentheses are not among them."""
    if place.depth <= 0 or grower.chance(0.3):
        return leaf(grower, place)
    return EXPRESSIONS.choose(grower, place.deeper())


def operand(grower: Grower, place: Place) -> str:
    """An expression that may stand beside an operator."""
    text = expression(grower, place)
    return text if text.isidentifier() else f"({text})"


def leaf(grower: Grower, place: Place) -> str:
    """A name or a constant."""
    if place.has_super and grower.chance(0.1):
        return grower.one(["super()", "__class__", "super().x", "super().x()"])
    names = VARIABLES + ITERATED + FUNCTIONS + BOUND_IN_EXPRESSIONS
    return grower.one(names) if grower.chance(0.85) else grower.one(CONSTANTS)


def condition(grower: Grower, place: Place) -> str:
    """What ``if`` and ``while`` test."""
    if grower.chance(0.03):
        return grower.one(["0", "1", "True", "None", "__debug__", "''", "not 0", "not __debug__", "()", "a is None"])
    if grower.chance(0.4):
        return grower.one([boolean, comparison, negation, conditional])(grower, place.deeper())
    text = expression(grower, place)
    # Constants are tested above: as often as they are operands, they would make most of every program dead.
    return grower.one(VARIABLES) if text in CONSTANTS else text


def items(grower: Grower, place: Place, least: int, most: int, starred: bool = True) -> str:
    """Expressions with commas behind them."""
    written = []
    for _ in grower.times(least, most):
        star = "*" if starred and grower.chance(0.12) else ""
        written.append(f"{star}{operand(grower, place)},")
    return grower.gap().join(written)


@EXPRESSIONS.kind(8)
def binary(grower: Grower, place: Place) -> str:
    """a + b"""
    return f"{operand(grower, place)}{grower.gap()}{grower.one(BINARY)}{grower.gap()}{operand(grower, place)}"


@EXPRESSIONS.kind(2)
def unary(grower: Grower, place: Place) -> str:
    """-a"""
    return f"{grower.one('-+~')}{operand(grower, place)}"


@EXPRESSIONS.kind(3)
def negation(grower: Grower, place: Place) -> str:
    """not a"""
    return f"not {operand(grower, place)}"


@EXPRESSIONS.kind(9)
def boolean(grower: Grower, place: Place) -> str:
    """a and b and c"""
    word = grower.one(["and", "or"])
    operands = [operand(grower, place) for _ in range(grower.one([2, 2, 2, 3, 4]))]
    return f"{grower.gap()}{word}{grower.gap()}".join(operands)


@EXPRESSIONS.kind(6)
def comparison(grower: Grower, place: Place) -> str:
    """a < b < c"""
    text = operand(grower, place)
    for _ in range(grower.one([1, 1, 1, 2, 3])):
        text += f"{grower.gap()}{grower.one(COMPARISONS)} {compared(grower, place)}"
    return text


def compared(grower: Grower, place: Place) -> str:
    """The right side of a comparison; displays of constants become constants."""
    if grower.chance(0.1):
        return grower.one(["[1, 2]", "{1, 2}", "{'t', None, (1, 2)}", "(1, a)", "None"])
    return operand(grower, place)


@EXPRESSIONS.kind(5)
def conditional(grower: Grower, place: Place) -> str:
    """a if b else c"""
    gap = grower.gap()
    return f"{operand(grower, place)} if ({condition(grower, place)}){gap}else {operand(grower, place)}"


@EXPRESSIONS.kind(5)
def attribute(grower: Grower, place: Place) -> str:
    """a.b"""
    return f"{operand(grower, place)}.{grower.one(ATTRIBUTES)}"


@EXPRESSIONS.kind(5)
def subscript(grower: Grower, place: Place) -> str:
    """a[b], a[b:c], a[b, c:d]"""
    return f"{operand(grower, place)}[{index(grower, place)}]"


def index(grower: Grower, place: Place) -> str:
    """What stands in square brackets."""
    if grower.chance(0.5):
        return expression(grower, place)
    if grower.chance(0.6):
        return a_slice(grower, place)
    starred = [f"*{operand(grower, place)}"] if PYTHON >= (3, 11) and grower.chance(0.2) else []
    return ", ".join([a_slice(grower, place), expression(grower, place), *starred])


def a_slice(grower: Grower, place: Place) -> str:
    """a:b:c, some of them missing"""
    ends = [operand(grower, place) if grower.chance(0.6) else "" for _ in range(grower.one([2, 2, 3]))]
    return ":".join(ends)


@EXPRESSIONS.kind(9)
def call(grower: Grower, place: Place) -> str:
    """a(b, *c, d=e, **f)"""
    called = operand(grower, place)
    if grower.chance(0.4):
        called += f".{grower.one(ATTRIBUTES)}"
    return f"{called}({arguments(grower, place)})"


def arguments(grower: Grower, place: Place) -> str:
    """b, *c, d=e, **f"""
    written = [grower.one(["", "", "", "*"]) + operand(grower, place) for _ in grower.times(0, 4)]
    names = grower.one(["", "", "k", "kl"])
    named = [f"{name}={operand(grower, place)}" for name in names]
    named += [f"**{operand(grower, place)}" for _ in grower.times(0, 2)]
    return f",{grower.gap()}".join(written + named)


@EXPRESSIONS.kind(5)
def display(grower: Grower, place: Place) -> str:
    """(a,), [a, *b], {a, b}"""
    first, last = grower.one(["()", "[]", "{}"])
    least = 1 if first == "{" else 0
    return f"{first}{items(grower, place, least, 4) or ('1,' if least else '')}{last}"


@EXPRESSIONS.kind(3)
def dictionary(grower: Grower, place: Place) -> str:
    """{a: b, **c}"""
    pairs = []
    for _ in grower.times(0, 4):
        starred = grower.chance(0.2)
        pairs.append(
            f"**{operand(grower, place)}" if starred else f"{operand(grower, place)}: {operand(grower, place)}"
        )
    return "{" + f",{grower.gap()}".join(pairs) + "}"


@EXPRESSIONS.kind(3, lambda place: place.may_walrus)
def walrus(grower: Grower, place: Place) -> str:
    """(a := b)"""
    return f"({grower.one(BOUND_IN_EXPRESSIONS)} := {operand(grower, place)})"


@EXPRESSIONS.kind(6)
def comprehension(grower: Grower, place: Place) -> str:
    """[a for b in c if d for e in f]"""
    may_await = place.may_await and (ASYNC_IN_COMPREHENSIONS or not place.in_comprehension)
    element = place.deeper(
        in_comprehension=True,
        may_yield=False,
        may_await=may_await,
        may_walrus=place.may_walrus and not place.in_class,
        has_super=place.has_super and not place.in_class,
    )
    clauses = "".join(clause(grower, element, number == 0) for number in range(grower.one([1, 1, 1, 2, 3])))
    what = operand(grower, element)
    if grower.chance(0.2):
        return f"{{{operand(grower, element)}: {what}{clauses}}}"
    first, last = grower.one([("[", "]"), ("[", "]"), ("{", "}"), ("(", ")"), ("f(", ")")])
    return f"{first}{what}{clauses}{last}"


def clause(grower: Grower, place: Place, is_first: bool) -> str:
    """for a in b if c"""
    word = "async for" if place.may_await and grower.chance(0.3) else "for"
    variables = grower.one(
        ["i", "j", "k", "i, j", "i, (j, *k)", "[i, j]", "a.x", "a[i]"] if is_first else ["j", "i, k"]
    )
    around = place._replace(may_walrus=False)
    tests = "".join(f"{grower.gap()}if {guard(grower, place)}" for _ in range(grower.one([0, 0, 0, 1, 1, 2])))
    return f"{grower.gap()}{word} {variables} in {operand(grower, around)}{tests}"


def guard(grower: Grower, place: Place) -> str:
    """The test of a clause."""
    return f"({condition(grower, place)})"


@EXPRESSIONS.kind(2)
def function(grower: Grower, place: Place) -> str:
    """lambda a, *b, c=1, **d: a"""
    yields = grower.chance(0.1)
    inner = place.deeper(
        scope=GENERATOR if yields else PLAIN, may_yield=yields, may_await=False, may_walrus=True,
        in_comprehension=False, in_class=False,
    )  # fmt: skip
    head = grower.one(["", " a", " a, b", " *a", " a, *, b", " **e", f" a, b={operand(grower, place)}", " a, /, b"])
    if place.in_class:
        inner = inner._replace(has_super=False)
    return f"lambda{head}: {operand(grower, inner)}"


@EXPRESSIONS.kind(3)
def formatted(grower: Grower, place: Place) -> str:
    """f"{a!r:>{b}} text" """
    return "f" + formatted_text(grower, place)


def formatted_text(grower: Grower, place: Place) -> str:
    """The text of an f-string, without its prefix."""
    parts = []
    for _ in range(grower.one([1, 1, 2, 3])):
        parts += [grower.one(["", "text ", "{{}} ", "100% "]), field(grower, place)]
    return '"' + "".join(parts) + grower.one(["", " end", " it's", "\\n"]) + '"'


def field(grower: Grower, place: Place) -> str:
    """{a!r:>{b}}"""
    text = operand(grower, place)
    if not FIELDS_HOLD_ANY_TEXT and set(text) & set("'\"\\\n#"):
        text = grower.one(VARIABLES)
    conversion = grower.one(["", "", "", "!r", "!s", "!a", "="])
    spec = grower.one(["", "", "", ":>10", ":{b}", ":{c!r}.{d}"])
    return "{" + text + conversion + spec + "}"


@EXPRESSIONS.kind(2, since=(3, 14))
def template(grower: Grower, place: Place) -> str:
    """t"{a}" """
    return "t" + formatted_text(grower, place)


@EXPRESSIONS.kind(2)
def percent(grower: Grower, place: Place) -> str:
    """ "%s and %r" % (a, b)"""
    return f"'%s and %r' % ({operand(grower, place)}, {operand(grower, place)})"


@EXPRESSIONS.kind(5, lambda place: place.may_yield)
def yielded(grower: Grower, place: Place) -> str:
    """(yield a), (yield from a)"""
    if place.scope == GENERATOR and grower.chance(0.3):
        return f"(yield from {operand(grower, place)})"
    return f"(yield {operand(grower, place)})" if grower.chance(0.8) else "(yield)"


@EXPRESSIONS.kind(6, lambda place: place.may_await)
def awaited(grower: Grower, place: Place) -> str:
    """await a"""
    return f"await {operand(grower, place)}"
