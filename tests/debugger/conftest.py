from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
    import torch

    torch._dynamo.reset()


@pytest.fixture(autouse=True)
def pythons_own_breakpoint(monkeypatch):
    """pytest replaces the hook; what is tested is a program that nobody runs under a debugger."""
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)


@pytest.fixture(autouse=True, scope="session")
def own_inductor_cache(tmp_path_factory):
    """One cache for the whole run, as in real life."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
        yield


@pytest.fixture
def no_pause(monkeypatch):
    """The block begins and ends without a debugger."""
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
