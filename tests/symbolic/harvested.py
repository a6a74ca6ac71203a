"""The harvested code objects that the running Python can read."""

import sys
from pathlib import Path

import harvest

FOLDER = Path(__file__).parent / "corpus"
PYTHON = f"cp{sys.version_info[0]}{sys.version_info[1]}"


def loaded(name):
    path = FOLDER / name
    return harvest.load(path) if path.exists() else []


# Of torch 2.13, and shapes of earlier ones.
OLDER = loaded(f"{PYTHON}-torch2.2.marshal.xz") + loaded(f"{PYTHON}-torch2.5.marshal.xz")
CORPUS = loaded(f"{PYTHON}.marshal.xz") + OLDER
RESUMED = loaded(f"{PYTHON}-resume.marshal.xz")
