"""How Pythons differ, as named behaviours.  PYVERSIONS: every comparison with a version number is in this file."""

from __future__ import annotations

import sys

PYTHON = sys.version_info[:2]

# Handlers are found through co_exceptiontable (Objects/exception_handling_notes.txt), not through a block stack.
EXCEPTION_TABLE = PYTHON >= (3, 11)
# A `finally` body is a subroutine, entered by CALL_FINALLY and BEGIN_FINALLY, instead of a copy per exit.
FINALLY_IS_A_SUBROUTINE = PYTHON == (3, 8)
# Jump operands count code units of two bytes, not bytes.
JUMPS_COUNT_UNITS = PYTHON >= (3, 10)
# Instructions are followed by inline caches.
INLINE_CACHES = PYTHON >= (3, 11)
# Cells, free variables and locals share one index space (co_localsplusnames).
LOCALSPLUS = PYTHON >= (3, 11)
# co_lines() exists (PEP 626).
CO_LINES = PYTHON >= (3, 10)
# co_positions() exists (PEP 657).
CO_POSITIONS = PYTHON >= (3, 11)
# MAKE_FUNCTION pops the qualified name.
QUALNAME_ON_STACK = PYTHON < (3, 11)
# The NULL that pads a call lies above the callable, not below it.
NULL_ABOVE_CALLABLE = PYTHON >= (3, 13)
# CALL_FUNCTION_EX has a slot that PUSH_NULL fills.
CALL_EX_HAS_NULL_SLOT = PYTHON >= (3, 11)
# CALL_FUNCTION_EX always has a slot for keyword arguments, NULL when there are none.
CALL_EX_HAS_KWARGS_SLOT = PYTHON >= (3, 14)
# No conditional jump goes backward: one that would is turned around, and jumps over a jump.
BACKWARD_JUMPS_ARE_UNCONDITIONAL = PYTHON >= (3, 12)
# Conditional jumps take a bool, which TO_BOOL makes where that is needed.
JUMPS_TAKE_BOOLS = PYTHON >= (3, 13)
# LOAD_CLOSURE is a pseudo-instruction: closures load their cells with LOAD_FAST.
CELLS_LOAD_FAST = PYTHON >= (3, 13)
# LOAD_GLOBAL's low operand bit asks for a NULL.
LOAD_GLOBAL_PUSHES_NULL = PYTHON >= (3, 11)
# LOAD_ATTR's low operand bit makes it a method load.
LOAD_ATTR_LOADS_METHODS = PYTHON >= (3, 12)
# LOAD_SUPER_ATTR exists.
HAS_LOAD_SUPER_ATTR = PYTHON >= (3, 12)
# COMPARE_OP's operand: the comparison starts at bit 4 (3.12) or bit 5 (3.13+), where a lower bit asks for a bool.
COMPARE_SHIFT = 0 if PYTHON < (3, 12) else 4 if PYTHON < (3, 13) else 5
COMPARE_BOOL_BIT = 0 if PYTHON < (3, 13) else 16
# Exhaustion of FOR_ITER leaves its cleanup to END_FOR and to a pop of the iterator.
FOR_ITER_CLEANUP = () if PYTHON < (3, 12) else ("END_FOR",) if PYTHON < (3, 13) else ("END_FOR", "POP_TOP|POP_ITER")
# PEP 634: `match` statements.
PATTERN_MATCHING = PYTHON >= (3, 10)
# MATCH_KEYS and MATCH_CLASS push a success flag instead of None for failure.
MATCH_PUSHES_SUCCESS = PYTHON == (3, 10)
# A handler is entered with three slots of old exception state and three of the new one.
HANDLER_PUSHES_SIX = PYTHON < (3, 11)
# The docstring is told by a code flag instead of by the first constant being a string.
DOCSTRING_FLAG = PYTHON >= (3, 14)
# PEP 709: list, set and dict comprehensions have no code object of their own.
COMPREHENSIONS_INLINED = PYTHON >= (3, 12)
# A finished SEND pops the object that it sent to; since 3.12 END_SEND does.
SEND_POPS_RECEIVER = PYTHON < (3, 12)
# ast.Subscript.slice is an ast.Index or ast.ExtSlice around the expression.
SUBSCRIPTS_WRAP_THEIR_INDEX = PYTHON < (3, 9)
# PEP 701: f-strings are tokens, and any expression text may stand in a replacement field.
FIELDS_HOLD_ANY_TEXT = PYTHON >= (3, 12)
# PEP 646: a subscript takes a starred expression without parentheses around it.
STARS_IN_SUBSCRIPTS = PYTHON >= (3, 11)
# code.co_qualname exists.
CODE_HAS_QUALNAME = PYTHON >= (3, 11)
# `assert` loads AssertionError as a global variable, which a program may have bound to something else.
ASSERTION_ERROR_IS_GLOBAL = PYTHON < (3, 9)
# Annotations are evaluated when they are asked for, and can be had as text without (PEP 649, PEP 749).
ANNOTATIONS_ARE_LAZY = PYTHON >= (3, 14)
# A tuple of constants is one constant even where it is taken apart at once.
UNPACKS_CONSTANT_TUPLES = PYTHON < (3, 14)
# A slice whose bounds are written as constants is one, too; bounds that are computed from constants are not
# (Python/codegen.c, is_constant_slice).
CONSTANT_SLICES = PYTHON >= (3, 14)
# BUILD_CONST_KEY_MAP takes the constant keys of a dictionary as one tuple.
CONSTANT_KEYS_ARE_ONE_TUPLE = PYTHON < (3, 14)
# Class bodies store __firstlineno__ and __static_attributes__.
CLASSES_DESCRIBE_THEMSELVES = PYTHON >= (3, 13)
# Handlers are laid out behind everything else (Python/flowgraph.c, push_cold_blocks_to_end).
HANDLERS_COME_LAST = PYTHON >= (3, 12)
# Constant expressions behind := are computed ahead (Python/ast_opt.c, astfold_expr).
WALRUS_VALUES_ARE_FOLDED = PYTHON >= (3, 10)
# "%s" % (a,) is compiled as an f-string.
FORMATTING_IS_FOLDED = PYTHON >= (3, 11)
# BUILD_*_UNPACK join what * and ** give; later Pythons extend a list or dictionary step by step.
BUILDS_UNPACKED_DISPLAYS = PYTHON < (3, 9)
# IMPORT_NAME's operand has two flags below the name; the lowest one makes the import lazy (PEP 810).
IMPORT_NAME_HAS_FLAGS = PYTHON >= (3, 15)
