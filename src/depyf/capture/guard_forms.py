"""What is said of a guard. A large program has a thousand guards of some twenty forms: each form is worked out once.

hasattr(L['self'].a, '_dynamo_static_indices') == False
hasattr(L['self'].b, '_dynamo_static_indices') == False   =>   one form, hasattr(L['__value__'], ...) == False
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from depyf.capture.guard_code import Identities, Leaf, expression
from depyf.capture.guard_words import plain, words
from depyf.record.names import without_addresses

_VALUE = "L['__value__']"
_GOES_ON = _VALUE + "["
_PATH = re.compile(r"[LG](?:\['\w+'\]|\.\w+|\[\d+\])+\Z")
IDENTITY_NUMBER = re.compile(r"(___?check_(?:obj|type)_id\(.*), \d+\)")
_SOURCE = re.compile(r"[LG]\['\w+'\](?:\.\w+|\[[^\[\]]*\])*")


class Said(NamedTuple):
    """The fields of a :class:`depyf.record.schema.Guard` that follow from the check alone."""

    text: str
    words: str
    source_expr: str | None
    python: str | None


class Forms:
    """Those met in one tree; what the expressions refer to by position is added to ``identities``."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._known: dict[tuple[str, str, str], Said] = {}

    def said(self, leaf: Leaf) -> Said:
        """What there is to say of ``leaf``."""
        if not _is_path(leaf.source):
            return self._worked_out(leaf)
        key = (leaf.kind, leaf.text.replace(leaf.source, _VALUE), leaf.type_name)
        if _GOES_ON in key[1]:  # the path goes on, and words for it may begin before
            return self._worked_out(leaf)
        form = self._known.get(key)
        if form is None:
            texts = self._identities.texts
            asked = len(texts)
            form = self._worked_out(leaf._replace(text=key[1], source=_VALUE, lookup=_VALUE))
            if len(texts) > asked:  # torch is asked by the guard's own text, not by that of a form
                del texts[asked:]
                return self._worked_out(leaf)
            self._known[key] = form
        return Said(
            form.text.replace(_VALUE, leaf.source),
            form.words.replace("__value__", _plain(leaf.source)),
            form.source_expr and form.source_expr.replace(_VALUE, leaf.source),
            form.python and form.python.replace(_VALUE, leaf.lookup),
        )

    def _worked_out(self, leaf: Leaf) -> Said:
        found = _SOURCE.search(leaf.text)
        return Said(
            without_addresses(IDENTITY_NUMBER.sub(r"\1, ...)", leaf.text)),
            words(leaf),
            found.group(0) if found else None,
            expression(leaf, self._identities),
        )


@lru_cache(maxsize=16)  # the guards of one value follow each other
def _is_path(source: str) -> bool:
    return _PATH.match(source) is not None


_plain = lru_cache(maxsize=16)(plain)
