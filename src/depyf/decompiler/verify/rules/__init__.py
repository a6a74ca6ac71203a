"""The rules by name, in the order in which they are tried; the one that takes something for granted comes last."""

from __future__ import annotations

from typing import Dict

from depyf.decompiler.verify.rules.cells import cells_of_a_frame
from depyf.decompiler.verify.rules.class_bodies import first_line, static_attributes
from depyf.decompiler.verify.rules.folding import (
    constant_condition,
    constant_display,
    constant_tuple,
    dropped_constant,
    tuple_taken_apart,
)
from depyf.decompiler.verify.rules.known_truth import known_truth
from depyf.decompiler.verify.rules.null_slots import null_slots
from depyf.decompiler.verify.rules.rule import Rule
from depyf.decompiler.verify.rules.store_order import order_of_stores

RULES: Dict[str, Rule] = {
    rule.name: rule
    for rule in (
        first_line,
        static_attributes,
        null_slots,
        constant_condition,
        constant_tuple,
        constant_display,
        tuple_taken_apart,
        dropped_constant,
        cells_of_a_frame,
        order_of_stores,
        known_truth,
    )
}
