"""Torch's guard tree, as text -> guards with words and the user's line.

    | | +- TENSOR_MATCH: check_tensor(L['a'], Tensor, DispatchKeySet(CPU, ...), torch.float32, device=None, ...
                         requires_grad=False, size=[10], stride=[1])  # x = a / 2  # dir/toy.py:7 in toy_example
    =>  Guard("TENSOR_MATCH", words="a: float32[10], cpu", user_line="/home/me/dir/toy.py:7", ...)

The text is what ``GuardManagerWrapper.__str__`` gives (torch/_dynamo/guards.py) and the trace calls
``dynamo_cpp_guards_str``; it is not Python. Torch cuts the user's path from the left: a path whose tail is the
frame's file is made whole again.
"""

from __future__ import annotations

import re
from typing import Callable, Match

from depyf.record.names import without_addresses
from depyf.record.schema import Guard

_LEAF = re.compile(r"^[| ]*\+- ([A-Z_]+)(?:: (.*))?$")
_NOTE = re.compile(r"\s{2,}# ")
_WHERE = re.compile(r"(.*):(\d+) in (\S+)(?: \(HINT: .*\))?\Z", re.DOTALL)
_OBJECT = re.compile(r"(___check_(?:obj|type)_id\(.*), \d+\)")
_ID = re.compile(r"___check_(?:obj|type)_id\((.*?)(?:, \d+)?\)(?:, type=(.*))?\Z", re.DOTALL)
_TENSOR = re.compile(
    r"check_tensor\((.*?), (\w+), DispatchKeySet\(([^)]*)\), torch\.(\w+), device=(\w+), "
    r"requires_grad=(\w+), size=(\[.*?\]), stride=(\[.*?\])\)",
    re.DOTALL,
)
_LATENCY = re.compile(r"\n*^Guard latency = .*$", re.MULTILINE)
_LOCAL = re.compile(r"\b[LG]\['(\w+)'\]")
_IMPORTED = re.compile(r"\b__import_(\w+)")
_BUILTIN = re.compile(r"\b__builtins_dict___\d+\['(\w+)'\]")
_MEMBER = re.compile(r"\.?_(?:modules|parameters|buffers)\['(\w+)'\]")

# Guards about torch's own state, or about things that programs hardly ever change.
_TORCH_WORDS: dict[str, str] = {
    "GLOBAL_STATE": "grad mode and the other global switches",
    "TORCH_FUNCTION_MODE_STACK": "torch function modes",
    "DEFAULT_DEVICE": "the default device",
    "DIMENSION_DYNAMIC_MARKING_GUARD": "no dimension is marked dynamic",
    "NO_TENSOR_ALIASING": "",
    "DICT_CONTAINS": "attributes that would hide a method",
}


def guards_from_tree(tree: str, file: str) -> tuple[Guard, ...]:
    """The leaves of a guard tree. ``file`` is the frame's own file."""
    return tuple(guard for line in tree.splitlines() for guard in _leaf(line, file))


def raw_text(tree: str) -> str:
    """The tree as torch wrote it, without what changes from run to run (addresses, the measured latency)."""
    return without_addresses(_OBJECT.sub(r"\1, ...)", _LATENCY.sub("", tree))).strip("\n") + "\n"


def _leaf(line: str, file: str) -> list[Guard]:
    found = _LEAF.match(line)
    if found is None or found.group(2) is None:  # managers, and a NO_TENSOR_ALIASING that repeats the first one
        return []
    kind, rest = found.groups()
    text, *notes = _NOTE.split(rest)
    user_code, user_line, local = _user(notes, file)
    text = text.strip()
    return [
        Guard(
            kind=kind,
            text=without_addresses(_OBJECT.sub(r"\1, ...)", text)),
            words=_words(kind, text),
            source_expr=_source(text),
            user_line=user_line,
            user_code=user_code,
            about_torch=_about_torch(kind, text, local),
        )
    ]


def _user(notes: list[str], file: str) -> tuple[str | None, str | None, bool]:
    """(the user's code, ``file:line``, whether that is in the frame's own file)"""
    where = _WHERE.match(notes[-1]) if notes else None
    if where is None:
        return None, None, False
    path, line, _ = where.groups()
    local = bool(path) and file.replace("\\", "/").endswith(path.replace("\\", "/"))
    code = "  # ".join(notes[:-1]).strip() or None
    return code, f"{file if local else path}:{line}", local


def _about_torch(kind: str, text: str, local: bool) -> bool:
    if kind in _TORCH_WORDS and kind != "NO_TENSOR_ALIASING":
        return True
    if "__import_torch" in text or "top_saved_tensors_hooks" in text or "__builtins_dict__" in text:
        return True
    # torch and what hangs below it are never replaced in practice.
    if kind == "ID_MATCH":
        return re.search(r"G\['torch'\]|G\['F'\]", text) is not None
    return kind == "TYPE_MATCH" and not local


def _words(kind: str, text: str) -> str:
    make = _MAKERS.get(kind)
    words = make(text) if make else None
    if words is None and "top_saved_tensors_hooks" in text:
        words = "hooks on saved tensors"
    return words or _TORCH_WORDS.get(kind) or plain(text)


def plain(text: str) -> str:
    """Torch's expression with user's names: ``L['self']._modules['fc'].weight`` becomes ``self.fc.weight``."""
    text = _LOCAL.sub(r"\1", text)
    text = _BUILTIN.sub(r"\1", text)
    text = _IMPORTED.sub(lambda found: found.group(1).replace("_dot_", "."), text)
    return without_addresses(_MEMBER.sub(r".\1", text))


def _tensor(text: str) -> str | None:
    found = _TENSOR.match(text)
    if found is None:
        return None
    source, cls, keys, dtype, index, grad, size, stride = found.groups()
    words = f"{plain(source)}: {dtype}{_shape(size)}, {_device(keys, index)}"
    words += "" if _is_contiguous(size, stride) else f", stride {stride}"
    words += "" if grad == "False" or cls == "Parameter" else ", requires grad"
    return words + ("" if cls == "Tensor" else f", a {cls}")


def _shape(size: str) -> str:
    return size.replace("None", "any")


def _device(keys: str, index: str) -> str:
    kind = keys.split(",")[0].strip().lower()
    return kind if index == "None" else f"{kind}:{index}"


def _is_contiguous(size: str, stride: str) -> bool:
    sizes, strides = size.strip("[]").split(", "), stride.strip("[]").split(", ")
    expected = 1
    for length, step in zip(reversed(sizes), reversed(strides)):
        if not (length.isdigit() and step.isdigit()):
            return True  # dynamic: torch compares no number here, and there is nothing to say
        if step != str(expected):
            return False
        expected *= int(length)
    return True


def _identity(text: str) -> str | None:
    found = _ID.match(text)
    if found is None:
        return None
    return f"{plain(found.group(1))} is the same object"


def _type(text: str) -> str | None:
    found = _ID.match(text)
    if found is None or found.group(2) is None:
        return None
    named = re.match(r"<class '(.*)'>", found.group(2))
    return f"{plain(found.group(1))} is of type {named.group(1) if named else found.group(2)}"


def _aliasing(text: str) -> str | None:
    found: Match[str] | None = re.match(r"check_no_aliasing\((.*)\)", text, re.DOTALL)
    return f"{plain(found.group(1))} are different tensors" if found else None


_MAKERS: dict[str, Callable[[str], str | None]] = {
    "TENSOR_MATCH": _tensor,
    "ID_MATCH": _identity,
    "TYPE_MATCH": _type,
    "NO_TENSOR_ALIASING": _aliasing,
}


def _source(text: str) -> str | None:
    """The value that the guard looks at, as torch names it."""
    found = re.search(r"[LG]\['\w+'\](?:\.\w+|\[[^\[\]]*\])*", text)
    return found.group(0) if found else None
