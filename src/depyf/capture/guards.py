"""Torch's guard tree, as text -> guards with words, an expression and the user's line.

    | | +- TENSOR_MATCH: check_tensor(L['a'], Tensor, DispatchKeySet(CPU, ...), torch.float32, device=None, ...
                         requires_grad=False, size=[10], stride=[1])  # x = a / 2  # dir/toy.py:7 in toy_example
    =>  Guard("TENSOR_MATCH", words="a: float32[10], cpu", user_line="/home/me/dir/toy.py:7", ...)

The text is what ``GuardManagerWrapper.__str__`` gives (torch/_dynamo/guards.py) and the trace calls
``dynamo_cpp_guards_str``; it is not Python. Torch cuts the user's path from the left: a path whose tail is the
frame's file is made whole again.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Iterator, NamedTuple

from depyf.capture.guard_code import Identities, Leaf
from depyf.capture.guard_forms import IDENTITY_NUMBER, Forms
from depyf.capture.guard_words import TORCH_WORDS
from depyf.record.names import without_addresses
from depyf.record.schema import Guard

_LEAF = re.compile(r"([A-Z_]+): (.*)\Z")
_MANAGER = re.compile(r"(?:Key|Value)?(?:Manager: )?(\w*GuardManager): source=(.*)\Z")
_TYPE = re.compile(r"<(?:class|enum) '(.*)'>\Z")
_ATTRIBUTE = re.compile(r"GetAttrGuardAccessor\((\w+)\)\Z")
_NOTE = "  # "
# TORCHVERSIONS: 2.8 and newer add it to the check itself
_HINT = re.compile(r"\s*\(HINT: .*\)\s*\Z")
_WHERE = re.compile(r"(.*):(\d+) in (\S+)(?: \(.*\))?\Z", re.DOTALL)
_LATENCY = re.compile(r"\nGuard latency = .*")


def guards_from_tree(tree: str, file: str, identities: Identities | None = None) -> tuple[Guard, ...]:
    """The leaves of a guard tree. ``file`` is the frame's own file; what the expressions refer to by position is added
    to ``identities``."""
    known = Identities() if identities is None else identities
    forms = Forms(known)
    return tuple(_guard(leaf, notes, file, forms) for leaf, notes in _folded(_leaves(tree)))


def raw_text(tree: str) -> str:
    """The tree as torch wrote it, without what changes from run to run (addresses, the measured latency)."""
    return without_addresses(IDENTITY_NUMBER.sub(r"\1, ...)", _LATENCY.sub("", tree))).strip("\n") + "\n"


class _Manager(NamedTuple):
    """A node of the tree: a value that torch looks up, and how."""

    depth: int
    kind: str
    source: str
    accessor: str
    type_name: str
    lookup: str


_ROOT = _Manager(-1, "", "L", "", "dict", "L")


def _leaves(tree: str) -> Iterator[tuple[Leaf, list[str]]]:
    """Every check with torch's notes on it, also those that torch makes without a line of their own: that a value can
    be looked up, and of what type and size a dict is whose keys are guarded."""
    cut = ((bars, text) for bars, found, text in (each.partition("+- ") for each in tree.splitlines()) if found)
    lines = [(bars, text) for bars, text in cut if not bars.strip("| ")]
    managers: list[_Manager] = []
    for index, (bars, text) in enumerate(lines):
        depth = len(bars)
        while managers and managers[-1].depth >= depth:
            managers.pop()
        manager = _manager(depth, text, managers[-1:])
        if manager is not None:
            yield from ((leaf, []) for leaf in _implied(manager, managers[-1:], _below(lines, index, depth)))
            managers.append(manager)
            continue
        found = _LEAF.match(text)
        if found is not None:  # not a pair of managers, nor a relation that repeats the first one's text
            code, notes = _parts(found.group(2))
            over = managers[-1] if managers else _ROOT
            yield Leaf(found.group(1), code, over.source, over.type_name, over.lookup), notes


def _folded(leaves: Iterator[tuple[Leaf, list[str]]]) -> Iterator[tuple[Leaf, list[str]]]:
    """``leaves`` with those as one that say of a tensor which marks it has not: of every tensor there are five."""
    marks: tuple[Leaf, list[str]] | None = None
    for leaf, notes in leaves:
        is_mark = leaf.text.startswith("hasattr(") and "'_dynamo_" in leaf.text and leaf.text.endswith(") == False")
        if marks is not None:
            before = marks[0]
            if is_mark and leaf.source == before.source:
                marks = (before._replace(text=f"{before.text} and {leaf.text}"), marks[1])
                continue
            yield marks
        marks = (leaf, notes) if is_mark else None
        if not is_mark:
            yield leaf, notes
    if marks is not None:
        yield marks


def _below(lines: list[tuple[str, str]], index: int, depth: int) -> Iterator[str]:
    """What the lines one level below say."""
    for number in range(index + 1, len(lines)):
        bars, text = lines[number]
        if len(bars) <= depth:
            return
        if len(bars) == depth + 2:
            yield text


def _manager(depth: int, text: str, over: list[_Manager]) -> _Manager | None:
    found = _MANAGER.match(text) if "GuardManager: source=" in text else None
    if found is None:
        return None
    rest, _, described = found.group(2).partition(", type=")
    type_name, has_tags, _ = described.partition(", tag_safe=")
    source, _, accessor = (rest if has_tags else found.group(2)).partition(", accessed_by=")
    named = _TYPE.match(type_name) if has_tags else None
    lookup = _lookup(source, accessor, over[0] if over else _ROOT)
    kind = named.group(1) if named else "dict" if source == "G" else ""
    return _Manager(depth, found.group(1), source, accessor, kind, lookup)


def _lookup(source: str, accessor: str, over: _Manager) -> str:
    """``source`` as torch's C++ reads it: a defaultdict does not get a new key."""
    if not source.startswith(over.source):
        return source
    rest = source[len(over.source) :]
    if accessor.startswith("DictGetItem") and over.type_name != "dict" and rest.startswith("["):
        return f"check.item({over.lookup}, {rest[1:-1]})"
    return over.lookup + rest


def _implied(manager: _Manager, parents: list[_Manager], below: Iterator[str]) -> Iterator[Leaf]:
    source = manager.source
    if "Dict" in manager.kind:
        indexes = [int(each.rpartition("=")[2]) for each in below if each.startswith("KeyValueManager pair at index=")]
        size = len(indexes) if indexes == list(range(len(indexes))) else None
        text = f"check.is_dict({source}, {manager.type_name!r}, {size})"
        yield Leaf("DICT_MANAGER", text, source, manager.type_name, manager.lookup)
    elif next(below, None) is None:
        attribute = _ATTRIBUTE.match(manager.accessor)
        if attribute is not None and parents and parents[0].source == source:  # hasattr: the source is the owner's
            source = f"{source}.{attribute.group(1)}"
        lookup = manager.lookup if source == manager.source else source
        yield Leaf("EXISTS", source, source, manager.type_name, lookup)


def _parts(text: str) -> tuple[str, list[str]]:
    """The code of a check and the notes behind it. A string in the code may look like the beginning of a note."""
    parts = text.split(_NOTE)
    ends = (end for end in range(1, len(parts)) if _is_whole(_NOTE.join(parts[:end])))
    end = next(ends, 1)
    code = _NOTE.join(parts[:end])
    if "(HINT: " in code:
        code = _HINT.sub("", code)
    return code.strip(), [note.rstrip() for note in parts[end:] if note]


def _is_whole(text: str) -> bool:
    """The text does not end inside of a string."""
    if text.count("'") % 2 == 0 and text.count('"') % 2 == 0:
        return True
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _guard(leaf: Leaf, notes: list[str], file: str, forms: Forms) -> Guard:
    user_code, user_line, local = _user(tuple(notes), file)
    said = forms.said(leaf)
    return Guard(
        kind=leaf.kind,
        text=said.text,
        words=said.words,
        source_expr=said.source_expr,
        user_line=user_line,
        user_code=user_code,
        about_torch=_about_torch(leaf, local),
        python=said.python,
    )


@lru_cache(maxsize=1024)
def _user(notes: tuple[str, ...], file: str) -> tuple[str | None, str | None, bool]:
    """(the user's code, ``file:line``, whether that is in the frame's own file)"""
    where = _WHERE.match(notes[-1]) if notes else None
    if where is None:
        return None, None, False
    path, line, _ = where.groups()
    local = bool(path) and file.replace("\\", "/").endswith(path.replace("\\", "/"))
    code = "  # ".join(notes[:-1]).strip() or None
    return code, f"{file if local else path}:{line}", local


def _about_torch(leaf: Leaf, local: bool) -> bool:
    text = leaf.text
    if leaf.kind in TORCH_WORDS or "'_dynamo_" in text:  # TORCHVERSIONS: 2.8 has a NO_HASATTR for the marks
        return True
    if "__import_torch" in text or "top_saved_tensors_hooks" in text or "__builtins_dict__" in text:
        return True
    # torch and what hangs below it are never replaced in practice.
    if leaf.kind in ("ID_MATCH", "EXISTS"):
        return re.search(r"G\['torch'\]|G\['F'\]", text) is not None
    return leaf.kind == "TYPE_MATCH" and not local
