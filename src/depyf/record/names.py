"""File names that every file system takes, and texts that two runs share.

A name keeps ``A-Z a-z 0-9 _``. What had to be replaced or cut off is made up for by a hash tail, so that different
functions never share a file. Torch's uuids and memory addresses differ from run to run and say nothing: they are left
out of texts.
"""

from __future__ import annotations

import hashlib
import re

# The longest file name made from a function's name adds 30 bytes before and 44 behind it; the contract is < 200.
LONGEST_NAME = 110

_UUID = r"[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}"
_NAMED = re.compile(rf"(__compiled_fn_\d+|__resume_at_\d+_\d+)_{_UUID}")
_GRAPH_NUMBER = re.compile(r"__compiled_fn_(\d+)")
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")
RESUME_NAME = re.compile(rf"__resume_at_(\d+)_\d+(?:_{_UUID})?\Z")  # TORCHVERSIONS: 2.8 adds a uuid


def safe_name(name: str) -> str:
    """``name`` as a piece of a file name: ``<lambda>`` becomes ``lambda``, odd or long names get a hash tail."""
    bare = name.strip("<>")
    safe = re.sub(r"[^A-Za-z0-9_]", "_", bare)
    if safe == bare and 0 < len(safe) <= LONGEST_NAME:
        return safe
    tail = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[: LONGEST_NAME - 9]}_{tail}"


def without_uuid(text: str) -> str:
    """``__compiled_fn_1_<uuid>`` becomes ``__compiled_fn_1``; the number is unique within a process."""
    return _NAMED.sub(r"\1", text) if "__compiled_fn_" in text or "__resume_at_" in text else text


def without_addresses(text: str) -> str:
    """``<function f at 0x7f…>`` becomes ``<function f at 0x...>``, uuids go as well."""
    return without_uuid(_ADDRESS.sub("at 0x...", text) if "at 0x" in text else text)


def is_graph_name(name: str) -> bool:
    """True for a global that holds a compiled graph."""
    return _GRAPH_NUMBER.match(name) is not None
