"""How Sphinx builds the documentation: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

import depyf  # noqa: E402  (after the path)

project = "depyf"
author = "the depyf developers"
copyright = "the depyf developers"  # noqa: A001  (Sphinx's name)
release = version = depyf.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "exhibits", "generated"]
exclude_patterns = ["exhibits", "_ext"]
source_suffix = {".md": "markdown"}
nitpicky = True
suppress_warnings = ["toc.not_included"]  # a page may be reached by a link alone

smartquotes = False

myst_enable_extensions = ["deflist", "colon_fence", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = True
# Types in docstrings are words for people, not names to link to.
nitpick_ignore_regex = [("py:.*", ".*")]

html_theme = "furo"
html_title = f"depyf {release}"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["depyf.css"]
html_copy_source = False
html_show_sphinx = False


def examples_are_code(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings show examples as indented blocks behind an empty line; reStructuredText wants ``::`` in front."""
    for number in range(len(lines) - 1, 0, -1):
        begins = lines[number].startswith("    ") and not lines[number - 1].strip()
        before = next((line for line in reversed(lines[:number]) if line.strip()), "")
        if begins and not before.startswith(" ") and before not in ("Args:", "Returns:", "Raises:"):
            lines[number:number] = ["::", ""]


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("autodoc-process-docstring", examples_are_code, priority=400)  # in front of napoleon
