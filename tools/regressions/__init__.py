"""CPython's own tests, run on decompiled modules."""
