# SPDX-License-Identifier: GPL-2.0
"""Loads the commands of this room as modules, for tests."""

import importlib.machinery
import importlib.util
import os

ROOM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def load(name):
    """Return the command with this name as a module. Nothing of it runs."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(ROOM, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
