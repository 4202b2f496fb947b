# SPDX-License-Identifier: GPL-2.0
"""Values of a YAML file, each with its key, so that an error can name it."""

import re
from fractions import Fraction

import yaml

TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


class BadTopology(Exception):
    """A file is refused. The text names file, key, value and reason."""


class Loader(yaml.SafeLoader):
    """Refuses a key that appears twice: YAML would use the last one in silence."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                continue
            name = self.construct_object(key)
            if name in seen:
                raise yaml.YAMLError(f"'{name}' appears twice, {key.start_mark}")
            seen.add(name)
        return super().construct_mapping(node, deep)


# YAML 1.1 has numbers to the base of 60: the MAC address 12:00:00:00:00:02 would be one. Here they
# are texts.
Loader.yaml_implicit_resolvers = {
    first: [("tag:yaml.org,2002:str", re.compile(r"\d+(:\d+)+$")), *resolvers]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def load(text):
    # A subclass of SafeLoader makes nothing but plain values.
    return yaml.load(text, Loader=Loader)


class Node:
    """A value.

    path: of the file
    key: of the value, as "hosts.host-a.nics"
    last: the last part of the key
    """

    def __init__(self, path, key, value, last=None):
        self.path, self.key, self.value, self.last = path, key, value, last

    def fail(self, reason, value=None):
        value = self.value if value is None else value
        shown = f" '{value}':" if isinstance(value, (str, int, float, bool)) else ""
        raise BadTopology(f"{self.path}: {self.key + ':' if self.key else ''}{shown} {reason}")

    # ---- mappings and lists

    def children(self):
        if not isinstance(self.value or {}, dict):
            self.fail("is not a mapping, 'key: value'")
        return {key: Node(self.path, f"{self.key}.{key}" if self.key else str(key), value, key)
                for key, value in (self.value or {}).items()}

    def entries(self):
        """Children of any name."""
        return list(self.children().values())

    def need(self, *names):
        for name in names:
            if name not in self.children():
                self.fail(f"'{name}' is missing", value=[])

    def mapping(self, *known, need=()):
        """Children whose names are known."""
        children = self.children()
        for key, child in children.items():
            if key not in known:
                child.fail(f"unknown key; known here: {', '.join(sorted(known))}", value=[])
        self.need(*need)
        return children

    def items(self):
        if not isinstance(self.value, list):
            self.fail("is not a list, '[a, b]'")
        return [Node(self.path, f"{self.key}[{i}]", value)
                for i, value in enumerate(self.value)]

    # ---- plain values

    @staticmethod
    def is_integer(value):
        return isinstance(value, int) and not isinstance(value, bool)

    def integer(self, low, high, what="a number"):
        if not self.is_integer(self.value) or not low <= self.value <= high:
            self.fail(f"{what} is {low} to {high}")
        return self.value

    def key_integer(self, low, high, what):
        if not self.is_integer(self.last) or not low <= self.last <= high:
            self.fail(f"{what} is {low} to {high}", value=self.last)
        return self.last

    def boolean(self):
        if not isinstance(self.value, bool):
            self.fail("is neither true nor false")
        return self.value

    def choice(self, *names):
        if self.value not in names:
            self.fail(f"is not one of {', '.join(names)}")
        return self.value

    def text(self):
        if not isinstance(self.value, str) or not self.value.strip():
            self.fail("is not a text")
        return self.value.strip()

    def name(self, pattern, reason):
        if not isinstance(self.value, str) or not re.fullmatch(pattern, self.value):
            self.fail(reason)
        return self.value

    def key_name(self, pattern, reason):
        if not isinstance(self.last, str) or not re.fullmatch(pattern, self.last):
            self.fail(reason, value=self.last)
        return self.last

    def duration(self, unit, low, high):
        """"200ms" in whole units."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(ns|us|ms|s)", str(self.value))
        number = Fraction(match[1]) * TIME[match[2]] / TIME[unit] if match else Fraction(-1)
        if not low <= number <= high or number.denominator != 1:
            self.fail(f"is not a time from {low}{unit} to {high}{unit}, as 100ms")
        return int(number)
