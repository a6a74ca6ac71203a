"""How Pythons differ, as named behaviours.  PYVERSIONS: every comparison with a version number is in this file."""

from __future__ import annotations

import sys

PYTHON = sys.version_info[:2]
