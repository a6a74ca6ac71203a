"""The micro-operations that effect graphs are made of, one row each: operand, what it pops and pushes, whether it can raise.

Names are CPython's newest wherever CPython has one.  Versions stop mattering here: ``decode.py`` rewrites every instruction
of every Python into these rows.
"""
