"""What every test sees."""

from __future__ import annotations

from importlib.util import find_spec

# On a Python without torch everything else is tested.
collect_ignore = [] if find_spec("torch") else ["capture", "debugger"]
