"""Kinds of mutants by name: of syntax trees (`SOURCE`) and of code objects (`BYTECODE`)."""

from mutations import definitions, expressions, statements
from mutations.bytecode import KINDS as BYTECODE
from mutations.sites import KINDS as SOURCE

__all__ = ["BYTECODE", "SOURCE", "definitions", "expressions", "statements"]
