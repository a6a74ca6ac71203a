"""Random programs of every construct of the running Python, and what becomes of them."""

from fuzzing.definitions import program

__all__ = ["program"]
