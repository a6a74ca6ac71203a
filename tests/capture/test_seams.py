from __future__ import annotations

from pathlib import Path

import pytest

from depyf.capture import seams

# TORCHVERSIONS: the page that lists every seam; those of other versions say what differs.
PAGE = Path(__file__).resolve().parents[2] / "docs" / "torch" / "2.13.md"
SOURCES = Path(seams.__file__).resolve().parents[1]


@pytest.mark.parametrize("seam", [*seams.SEAMS, *seams.DEBUG_SEAMS], ids=lambda seam: seam.name)
def test_the_page_lists_every_seam(seam):
    assert f"| {seam.name} | `{seam.at}` | {seam.without} |" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("seam", [*seams.SEAMS, *seams.DEBUG_SEAMS], ids=lambda seam: seam.name)
def test_the_torch_in_use_has_every_seam(seam):
    torch = pytest.importorskip("torch")
    if tuple(map(int, torch.__version__.split(".")[:2])) < (2, 13):
        pytest.skip("TORCHVERSIONS: older ones may lack some")
    assert seam.find() is not None


def test_a_seam_that_is_not_there_is_none():
    assert seams.Seam("x", "json:no_such_name", "").find() is None
    assert seams.Seam("x", "no_such_module_at_all:name", "").find() is None


def test_only_the_seams_name_torch():
    """The rest of the package neither imports torch nor names a module of it, comments and texts aside."""
    import ast

    for path in [*SOURCES.glob("capture/*.py"), *SOURCES.glob("record/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.split(".")[0] == "torch" for name in node.names), path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "torch", path


@pytest.mark.parametrize(
    ("version", "fits"), [("2.1.2", False), ("1.13.1+cu117", False), ("2.2.0", True), ("2.15.0a0+git", True)]
)
def test_torch_older_than_two_two_is_refused_in_words(version, fits, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch, "__version__", version)
    if fits:
        assert seams.torch_version() == version
    else:
        with pytest.raises(RuntimeError, match=f"needs torch 2.2 or newer, this is {version[:4]}"):
            seams.torch_version()
