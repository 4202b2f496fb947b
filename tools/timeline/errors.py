# SPDX-License-Identifier: GPL-2.0
"""Errors that a user can correct."""


class BadInput(Exception):
    """A file or value is unusable. The text names it and gives the reason."""


class NoFrames(BadInput):
    """A recording is empty."""
