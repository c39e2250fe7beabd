# SPDX-License-Identifier: BSD-3-Clause
# Sphinx: the site that `make html` builds from the Markdown pages, in a copy of the tree where the
# generated pages are added (doc/local.mk).
import os

project = "pfft3d"
author = "the pfft3d authors"
version = release = os.environ.get("PFFT3D_VERSION", "")
copyright = author

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
root_doc = "index"
exclude_patterns = ["doc/site", "README.md"]  # which index.md includes

html_theme = "furo"
html_title = "pfft3d " + version
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["pfft3d.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#6cb6ff", "color-brand-content": "#6cb6ff"},
}
highlight_language = "text"
