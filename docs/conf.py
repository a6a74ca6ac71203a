"""How Sphinx builds the documentation: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

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
