"""Check that the wheel works unpacked: ``CORPUS=dist node tools/py314/run.mjs tools/py314/check_wheel.py``."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path


def main(folder: str = "/corpus") -> int:
    """Import depyf from the wheel in ``folder``, and decompile with it."""
    (wheel,) = Path(folder).glob("depyf-*.whl")
    unpacked = tempfile.mkdtemp()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    sys.path[:] = [unpacked, *(place for place in sys.path if not place.startswith("/repo"))]
    import textwrap

    import depyf
    from depyf.cli import main as command

    assert depyf.__file__ is not None
    assert depyf.__file__.startswith(unpacked), depyf.__file__
    assert "def shorten(text, width" in depyf.decompile(textwrap.shorten)
    assert command(["decompile", "textwrap:dedent"]) == 0
    print(f"{wheel.name} works unpacked on Python {sys.version.split()[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
