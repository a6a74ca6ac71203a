"""The harvested code objects that the running Python can read."""

import sys
from pathlib import Path

import harvest

FOLDER = Path(__file__).parent / "corpus"
PYTHON = f"cp{sys.version_info[0]}{sys.version_info[1]}"


def loaded(name):
    path = FOLDER / name
    return harvest.load(path) if path.exists() else []


CORPUS = loaded(f"{PYTHON}.marshal.xz")
RESUMED = loaded(f"{PYTHON}-resume.marshal.xz")
