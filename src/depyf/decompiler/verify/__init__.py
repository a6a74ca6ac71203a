"""Recompiled code against the original: a certificate, or the first difference."""

from depyf.decompiler.verify.lockstep import rejected, verify
from depyf.decompiler.verify.verdict import Certificate, Mismatch, Verdict

__all__ = ["Certificate", "Mismatch", "Verdict", "rejected", "verify"]
