"""``python -m depyf`` is the command ``depyf``."""

from __future__ import annotations

import sys

from depyf.cli import main

sys.exit(main())
