"""Decompilers side by side: one sample, the released packages as a user gets them, one judge."""
