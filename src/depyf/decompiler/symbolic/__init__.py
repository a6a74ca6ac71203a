"""Symbolic execution of effect graphs; importing this package fills the table of operations."""

from depyf.decompiler.symbolic import calls, containers, control, functions, items, plain, variables
from depyf.decompiler.symbolic.machine import OPERATIONS, Machine

__all__ = ["OPERATIONS", "Machine", "calls", "containers", "control", "functions", "items", "plain", "variables"]
