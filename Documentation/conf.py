# SPDX-License-Identifier: GPL-2.0
#
# Sphinx's configuration; Documentation/make-html runs it on a copy of this directory,
# Documentation/make-man on the directory man alone.

import re
from pathlib import Path

project = "PARQ"
copyright = "the PARQ authors, GPL-2.0"
# The package's changelog has the one version number.
changelog = next(path for path in (parent / "debian/changelog"
                                   for parent in Path(__file__).resolve().parents)
                 if path.exists())
version = release = re.match(r"parq \((.+)\)", changelog.read_text())[1]

root_doc = "index"
highlight_language = "none"
primary_domain = "c"

# Attributes of the kernel that the C parser would take for names.
c_id_attributes = ["__iomem", "__le16", "__le32", "__le64", "__be16", "__percpu", "__rcu",
                   "__always_unused", "__maybe_unused", "noinline_for_stack"]

html_theme = "alabaster"
html_static_path = ["static"]
html_css_files = ["parq.css"]
html_show_sourcelink = False
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_theme_options = {
    "description": "A NIC whose PFC parks frames in host memory",
    "page_width": "1180px",
    "sidebar_width": "230px",
    "fixed_sidebar": True,
    "sidebar_collapse": True,
    "font_family": "sans-serif",
    "head_font_family": "sans-serif",
    "font_size": "15px",
    "code_font_size": "13px",
}

# Of the directory man: name, title, section.
man_pages = [
    ("parq_wire", "parq_wire", "check what a recorded wire shows of pauses", [], 1),
    ("parq-lab", "parq-lab", "make labs with PARQ Ethernet NICs inside the kernel", [], 1),
    ("parq_pfc", "parq_pfc", "send pause frames", [], 1),
    ("parq_traffic", "parq_traffic", "send and count numbered datagrams in all priorities", [], 1),
    ("parq-timeline", "parq-timeline", "draw the pauses of a recorded wire", [], 1),
    ("parq-top", "parq-top", "show traffic and pauses of each priority, and lost frames", [], 1),
    ("parq", "parq", "driver of PARQ Ethernet NICs", [], 4),
    ("parqsim", "parqsim", "PARQ Ethernet NICs in software, inside the kernel", [], 4),
    ("parq-nic", "parq-nic", "a PARQ Ethernet NIC in software, for QEMU", [], 8),
]
