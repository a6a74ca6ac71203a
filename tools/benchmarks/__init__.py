"""What ``tools/bench.py`` measures: growth with the length of a program, and the stages on a library."""
