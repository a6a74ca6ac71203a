"""A guard in torch's text -> an expression that evaluates.

    check_tensor(L['a'], Tensor, DispatchKeySet(CPU, ...), torch.float32, ..., size=[10], stride=[1])
        =>  check.tensor(L['a'], 'float32', [10])
    ___check_obj_id(G['helper'], 140435484691088), type=<class 'function'>
        =>  check.same(G['helper'], 0)              and 140435484691088 joins the identities

The names in it are ``L``, the frame's locals, ``G``, its globals, and ``check``, a
:class:`depyf.capture.guard_checks.Check`. Numbers that only this process understands (``id()``, the version of a dict)
stay out of the expression: it holds their place in a list instead, so that two runs give the same texts.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Callable, NamedTuple

CPU_KEYS = "CPU, BackendSelect, ADInplaceOrView, AutogradCPU"
_OWN_NAMES = frozenset({"L", "G", "check"}) | frozenset(dir(builtins))

TENSOR = re.compile(
    r"check_tensor\((.*?), ([\w.<>]+), DispatchKeySet\(([^)]*)\), torch\.(\w+), device=(\w+), "
    r"requires_grad=(\w+), size=(\[.*?\]), stride=(\[.*?\])\)\Z",
    re.DOTALL,
)
IDENTITY = re.compile(r"_{2,3}check_(obj|type)_id\((.*), (\d+)\)(?:, type=.*)?\Z", re.DOTALL)
_VERSION = re.compile(r"___dict_version\((.*)\) == (\d+)\Z", re.DOTALL)
# What differs between guards of one form: the path to a value, and numbers. Neither makes it another kind of text.
_PATH = re.compile(r"\b[LG]\['\w+'\](?:\.\w+|\['\w+'\]|\[\d+\])*")
_NUMBER = re.compile(r"\b[1-9]\d*\b")
_HOOKS = re.compile(r"torch\._functorch\.aot_autograd\.utils\.top_saved_tensors_hooks ids == (.*)\Z", re.DOTALL)
_KEYS = re.compile(r"(.*)\.raw_repr\(\) == (DispatchKeySet\(.*\))\.raw_repr\(\)\Z", re.DOTALL)
_OPAQUE = re.compile(r"_{2,3}(?:check_metadata|dtensor_spec|check_opaque_guard_fn)_\d+")


@dataclass
class Identities:
    """What the expressions of one entry refer to by position: ids and versions, and torch's texts of the checks that
    only torch can make."""

    numbers: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def number(self, value: str) -> int:
        """The position of a number."""
        self.numbers.append(int(value))
        return len(self.numbers) - 1

    def text(self, value: str) -> int:
        """The position of one of torch's texts."""
        self.texts.append(value)
        return len(self.texts) - 1


class Leaf(NamedTuple):
    """A check in the tree: torch's name and text for it; ``source`` and ``type_name`` of the value it is about, and
    ``lookup``, the source as an expression that changes nothing."""

    kind: str
    text: str
    source: str
    type_name: str
    lookup: str


def expression(leaf: Leaf, identities: Identities) -> str | None:
    """The check as an expression, None when it cannot be evaluated."""
    make = _MAKERS.get(leaf.kind, _as_written)
    if leaf.lookup != leaf.source:
        leaf = leaf._replace(text=leaf.text.replace(leaf.source, leaf.lookup), source=leaf.lookup)
    made = make(leaf, identities)
    return rooted(made) if made is not None else None


def rooted(text: str) -> str | None:
    """``text`` with torch's helpers taken from ``check``: ``math.isnan(L['x'])`` becomes ``check.math.isnan(L['x'])``.

    None when it is no expression.
    """
    form = _NUMBER.sub("0", _PATH.sub("L", text))
    return text if _is_rooted(form) else _rooted(text)


@lru_cache(maxsize=1024)
def _is_rooted(form: str) -> bool:
    """Most guards are of few forms, and parsing is slow."""
    return _rooted(form) == form


def _rooted(text: str) -> str | None:
    line = text.encode("utf-8", "surrogatepass")
    try:
        tree = ast.parse(line, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _OWN_NAMES]
    if b"\n" in line or b"#" in line.rpartition(b"'")[2]:  # a comment in it would swallow what follows
        return None
    for node in sorted(names, key=lambda node: -node.col_offset):
        line = line[: node.col_offset] + b"check." + line[node.col_offset :]
    return line.decode("utf-8", "surrogatepass")


@lru_cache(maxsize=1024)
def is_contiguous(size: str, stride: str) -> bool:
    """Whether strides are those of a contiguous tensor; both as torch writes lists."""
    known: list[int | None] = ast.literal_eval(stride)
    return known == contiguous(ast.literal_eval(size))


def contiguous(size: list[int | None]) -> list[int | None]:
    """The strides of a contiguous tensor; None where a length in the way is not known."""
    strides: list[int | None] = []
    step: int | None = 1
    for length in reversed(size):
        strides.insert(0, step)
        step = None if step is None or length is None else step * max(length, 1)
    return strides


def _as_written(leaf: Leaf, identities: Identities) -> str | None:
    if _OPAQUE.match(leaf.text):
        return _by_torch(leaf.source, leaf, identities)
    hooks = _HOOKS.match(leaf.text)
    if hooks is not None:
        ids = [identities.number(each) for each in re.findall(r"\d+", hooks.group(1))]
        return f"check.saved_tensors_hooks({ids if ids else None})"
    return leaf.text


def _by_torch(source: str, leaf: Leaf, identities: Identities) -> str | None:
    """Torch keeps what it compares with to itself; its own check can be asked while the entry lives."""
    return f"check.by_torch({source}, {identities.text(leaf.text)})" if rooted(source) else None


def _tensor(leaf: Leaf, identities: Identities) -> str | None:
    found = TENSOR.match(leaf.text)
    if found is None:
        return None
    source, cls, keys, dtype, device, grad, size, stride = found.groups()
    arguments = [source, repr(dtype), size]
    if not is_contiguous(size, stride):
        arguments.append(f"stride={stride}")
    cls = leaf.type_name if leaf.type_name.endswith(cls) else "torch.Tensor" if cls == "Tensor" else cls
    named = (("device", device, "None"), ("requires_grad", grad, "False"))
    arguments += [f"{name}={value}" for name, value, usual in named if value != usual]
    texts = (("cls", cls, "torch.Tensor"), ("keys", keys, CPU_KEYS))
    arguments += [f"{name}={value!r}" for name, value, usual in texts if value != usual]
    return f"check.tensor({', '.join(arguments)})"


def _identity(leaf: Leaf, identities: Identities) -> str | None:
    found = IDENTITY.match(leaf.text)
    if found is None:
        return None
    name = {"obj": "same", "type": "is_type"}[found.group(1)]
    return f"check.{name}({found.group(2)}, {identities.number(found.group(3))})"


def _equals(leaf: Leaf, identities: Identities) -> str | None:
    source, _, literal = leaf.text.partition(" == ")
    while literal and rooted(source) is None:  # the source may hold an == of its own, in a key
        more, _, literal = literal.partition(" == ")
        source += f" == {more}"
    if rooted(literal) is None:
        return _by_torch(source, leaf, identities) if literal else None
    return f"check.equal({source}, {literal})"


def _dict_version(leaf: Leaf, identities: Identities) -> str | None:
    found = _VERSION.match(leaf.text)
    return f"check.version({found.group(1)}, {identities.number(found.group(2))})" if found else None


def _length(leaf: Leaf, identities: Identities) -> str:
    empty = re.match(r"not (.*)\Z", leaf.text, re.DOTALL)
    return f"len({empty.group(1)}) == 0" if empty else leaf.text


def _contains(leaf: Leaf, identities: Identities) -> str:
    return re.sub(r"\A(not )?___dict_contains", r"\1check.___dict_contains", leaf.text)


def _dict_length(leaf: Leaf, identities: Identities) -> str:
    return f"isinstance({leaf.source}, dict) and {_length(leaf, identities)}"


def _iterator(leaf: Leaf, identities: Identities) -> str:
    return f"type({leaf.source}).__name__ == {_ITERATORS[leaf.kind]!r} and {leaf.text}"


_ITERATORS = {"TUPLE_ITERATOR_LEN": "tuple_iterator", "RANGE_ITERATOR_MATCH": "range_iterator"}


def _keys(leaf: Leaf, identities: Identities) -> str | None:
    found = _KEYS.match(leaf.text)
    return f"str({found.group(1)}) == {found.group(2)!r}" if found else None


def _global_state(leaf: Leaf, identities: Identities) -> str:
    return "check.___check_global_state()"


def _exists(leaf: Leaf, identities: Identities) -> str:
    return f"check.exists({leaf.source})"


def _is(value: str) -> Callable[[Leaf, Identities], str | None]:
    def made(leaf: Leaf, identities: Identities) -> str | None:
        source, _, literal = leaf.text.rpartition(" == ")
        simple = re.match(r"[\w.\[\]'\"]+\Z", source)
        return (f"{source} is {value}" if simple else f"({source}) is {value}") if literal == value else None

    return made


# Kinds whose text does not say exactly what torch's C++ compares; the others are evaluated as they are written.
_MAKERS: dict[str, Callable[[Leaf, Identities], str | None]] = {
    "TENSOR_MATCH": _tensor,
    "ID_MATCH": _identity,
    "TYPE_MATCH": _identity,
    "EQUALS_MATCH": _equals,
    "TRUE_MATCH": _is("True"),
    "FALSE_MATCH": _is("False"),
    "DICT_VERSION": _dict_version,
    "LENGTH_CHECK": _length,
    "DICT_LENGTH": _dict_length,
    "DICT_CONTAINS": _contains,
    "TUPLE_ITERATOR_LEN": _iterator,
    "RANGE_ITERATOR_MATCH": _iterator,
    "DISPATCH_KEY_SET_MATCH": _keys,
    "GLOBAL_STATE": _global_state,
    "EXISTS": _exists,
    "DICT_MANAGER": lambda leaf, identities: leaf.text,
    "FAKE_SCRIPT_TYPE_MATCH": lambda leaf, identities: _by_torch(leaf.source, leaf, identities),
}
