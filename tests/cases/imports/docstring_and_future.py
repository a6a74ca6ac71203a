"""What the module does."""
from __future__ import annotations
import os
# run
__doc__; os.sep
