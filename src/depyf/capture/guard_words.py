"""A guard in words: ``check_tensor(L['a'], Tensor, ..., size=[10], stride=[1])`` is ``a: float32[10], cpu``."""

from __future__ import annotations

import re
from typing import Callable, Match

from depyf.capture.guard_code import IDENTITY, TENSOR, Leaf, is_contiguous
from depyf.record.names import without_addresses

_LOCAL = re.compile(r"\b[LG]\['(\w+)'\]")
_IMPORTED = re.compile(r"\b__import_(\w+)")
_BUILTIN = re.compile(r"\b__builtins_dict___\d+\['(\w+)'\]")
_MEMBER = re.compile(r"_(?:modules|parameters|buffers)\['(\w+)'\]")

# Guards about torch's own state, or about things that programs hardly ever change.
TORCH_WORDS: dict[str, str] = {
    "GLOBAL_STATE": "grad mode and the other global switches",
    "TORCH_FUNCTION_MODE_STACK": "torch function modes",
    "DEFAULT_DEVICE": "the default device",
    "DIMENSION_DYNAMIC_MARKING_GUARD": "dimensions are marked dynamic as they were",
    "DICT_CONTAINS": "attributes that would hide a method",
}


def words(leaf: Leaf) -> str:
    """The check for a reader who knows the program, not torch."""
    make = _MAKERS.get(leaf.kind)
    found = make(leaf.text) if make else None
    if found is None and "top_saved_tensors_hooks" in leaf.text:
        found = "hooks on saved tensors"
    return found or TORCH_WORDS.get(leaf.kind) or plain(leaf.text)


def plain(text: str) -> str:
    """Torch's expression with user's names: ``L['self']._modules['fc'].weight`` becomes ``self.fc.weight``."""
    for named in (_LOCAL, _MEMBER):
        text = "".join(named.split(text))  # of each match its group is left; faster than a template
    text = text.replace(".size()[", ".shape[")
    if "__" in text:  # most have no name of torch's
        text = _BUILTIN.sub(r"\1", text)
        text = _IMPORTED.sub(lambda found: found.group(1).replace("_dot_", "."), text)
    return without_addresses(text)


def _tensor(text: str) -> str | None:
    found = TENSOR.match(text)
    if found is None:
        return None
    source, cls, keys, dtype, index, grad, size, stride = found.groups()
    said = f"{plain(source)}: {dtype}{size.replace('None', 'any')}, {_device(keys, index)}"
    said += "" if "None" in stride or is_contiguous(size, stride) else f", stride {stride}"
    said += "" if grad == "False" or cls == "Parameter" else ", requires grad"
    return said + ("" if cls == "Tensor" else f", a {cls}")


def _device(keys: str, index: str) -> str:
    kind = keys.split(",")[0].strip().lower()
    return kind if index == "None" else f"{kind}:{index}"


def _identity(text: str) -> str | None:
    found = IDENTITY.match(text)
    return f"{plain(found.group(2))} is the same object" if found else None


def _type(text: str) -> str | None:
    found = IDENTITY.match(text)
    if found is None:
        return None
    named = re.search(r"type=<(?:class|enum) '(.*)'>\Z", text)
    return f"{plain(found.group(2))} is of type {named.group(1) if named else text.rpartition('type=')[2]}"


def _aliasing(text: str) -> str | None:
    found: Match[str] | None = re.match(r"check_no_aliasing\((.*)\)", text, re.DOTALL)
    return f"{plain(found.group(1))} are different tensors" if found else None


def _overlapping(text: str) -> str | None:
    found = re.match(r"check_overlapping\(overlapping=\[(.*)\], non_overlapping=\[(.*)\]\)", text, re.DOTALL)
    if found is None:
        return None
    alone = f", {plain(found.group(2))} shares with none" if found.group(2) else ""
    return f"{plain(found.group(1))} share memory{alone}"


def _exists(text: str) -> str:
    return f"{plain(text)} is there"


def _dict(text: str) -> str | None:
    found = re.match(r"check\.is_dict\((.*), '(.*)', (\d+|None)\)\Z", text, re.DOTALL)
    if found is None:
        return None
    size = "" if found.group(3) == "None" else f" with {found.group(3)} keys"
    return f"{plain(found.group(1))} is a {found.group(2)}{size}"


_MAKERS: dict[str, Callable[[str], str | None]] = {
    "TENSOR_MATCH": _tensor,
    "ID_MATCH": _identity,
    "TYPE_MATCH": _type,
    "NO_TENSOR_ALIASING": _aliasing,
    "STORAGE_OVERLAPPING": _overlapping,
    "EXISTS": _exists,
    "DICT_MANAGER": _dict,
}
