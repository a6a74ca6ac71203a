from __future__ import annotations

import sys
from pathlib import Path

import pytest

try:
    import torch
except ImportError:
    torch = None
    texts = {path.name: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")}
    collect_ignore = ["test_programs.py", "test_logs.py"]  # these run programs that do
    collect_ignore += [name for name, text in texts.items() if "import torch" in text.splitlines()]

sys.path.insert(0, str(Path(__file__).parent))


def pytest_collection_modifyitems(items):
    """Torch warns about itself while it compiles; an error there would be another program."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(autouse=True)
def fresh_dynamo():
    """Each test compiles anew, as in a new process."""
    if torch is not None:
        torch._dynamo.reset()


@pytest.fixture(autouse=True, scope="session")
def own_inductor_cache(tmp_path_factory):
    """One cache for the whole run: the second compilation of the same kernel is a cache hit, as in real life."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
        yield
