from __future__ import annotations

import sys
from pathlib import Path

import pytest

try:
    import torch
except ImportError:
    torch = None
    collect_ignore = ["test_matrix.py", "test_programs.py", "test_prepare_debug.py"]

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def fresh_dynamo():
    """Each test compiles anew, as in a new process."""
    if torch is not None:
        torch._dynamo.reset()
    yield


@pytest.fixture(autouse=True, scope="session")
def own_inductor_cache(tmp_path_factory):
    """One cache for the whole run: the second compilation of the same kernel is a cache hit, as in real life."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
        yield
