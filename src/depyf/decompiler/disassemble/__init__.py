"""Code object -> effect graph.  Python versions stop mattering here."""

from depyf.decompiler.disassemble.decode import decode
from depyf.decompiler.disassemble.graph import Graph, Handler, Node, Position

__all__ = ["Graph", "Handler", "Node", "Position", "decode"]
