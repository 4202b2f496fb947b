# SPDX-License-Identifier: GPL-2.0
"""What a user can set right."""


class BadInput(Exception):
    """A file or value that cannot be used; the text names it and says why."""
