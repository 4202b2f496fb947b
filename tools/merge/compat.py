# SPDX-License-Identifier: GPL-2.0
"""Resolves compat.h for the newest kernel: sources as they are in that kernel's tree.

Conditions on PARQ_HAVE_* are decided, wrappers of compat.h are replaced by what they do there,
and each #include of compat.h by the headers that the comment beside it names. A construct that
this cannot resolve is an error.
"""
import re

# What only older kernels have. The build of the merged tree shows mistakes.
GONE = {"HEALTH_PERIOD", "PORT_HEALTH_DESTROY", "DEVLINK_INFO_NAME", "IRQ_MOVE_PCNTXT",
        "XSK_SYNC_POOL"}
WIDTH = 80
TAB = 8


class Unresolved(Exception):
    """Something of compat.h would be left."""


# ---- conditions ---------------------------------------------------------------

def decide(directive, rest, in_compat):
    """True or False if the condition is about older kernels, else None."""
    if "PARQ_HAVE_" in rest:
        text = re.sub(r"\bdefined\((\w+)\)|^(\w+)$",
                      lambda m: str((m[1] or m[2]).removeprefix("PARQ_HAVE_") not in GONE), rest)
        if not re.fullmatch(r"(True|False|&&|\|\||!|[() ])+", text):
            raise Unresolved(f"#{directive} {rest}")
        text = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
        value = eval(text)  # pylint: disable=eval-used # only True, False and operators
        return not value if directive == "ifndef" else value
    # compat.h defines what the kernel does not.
    if in_compat and directive == "ifndef" and rest != "_PARQ_COMPAT_H":
        return False
    return None


def conditions(text, in_compat=False):
    """The lines that the newest kernel compiles."""
    out, stack = [], []
    for line in text.split("\n"):
        found = re.match(r"#\s*(if|ifdef|ifndef|else|endif)\b\s*(.*)", line)
        if re.match(r"#\s*elif", line):
            raise Unresolved(line)
        if found and found[1] in ("if", "ifdef", "ifndef"):
            stack.append(decide(found[1], re.sub(r"/\*.*", "", found[2]).strip(), in_compat))
            if stack[-1] is not None:
                continue
        elif found and stack[-1] is not None:
            if found[1] == "else":
                stack[-1] = not stack[-1]
            else:
                stack.pop()
            continue
        elif found and found[1] == "endif":
            stack.pop()
        if False not in stack:
            out.append(line)
    return "\n".join(out)


# ---- wrappers -----------------------------------------------------------------

def parameters(text):
    """Names of a parameter list, as '*dev' in 'struct net_device *dev'."""
    return [re.search(r"(\w+|\.\.\.)$", p.strip())[1] for p in text.split(",") if p.strip()]


def wrappers(compat):
    """What compat.h defines for the newest kernel: name -> (parameters, statements)."""
    compat = re.sub(r"/\*.*?\*/", "", conditions(compat, True), flags=re.DOTALL)
    found = {}
    for m in re.finditer(r"^static inline [^;{}]*?\b(\w+)\(([^)]*)\)\n\{\n(.*?)^\}", compat,
                         re.MULTILINE | re.DOTALL):
        body = [line.strip() for line in m[3].split("\n") if line.strip()]
        if not all(line.endswith(";") for line in body):
            raise Unresolved(f"{m[1]}() is more than statements")
        found[m[1]] = (parameters(m[2]), body)
    for m in re.finditer(r"^#define (\w+)(\(([^)]*)\))?((?:.*\\\n)*.*)$", compat, re.MULTILINE):
        if m[1] != "_PARQ_COMPAT_H":
            body = [line.strip(" \t\\") for line in m[4].split("\n")]
            found[m[1]] = (parameters(m[3]) if m[2] else None, [line for line in body if line])
    return found


def arguments(text, start):
    """Arguments of the call whose parenthesis opens at start, and the position behind it."""
    depth, begin, args = 0, start + 1, []
    for i in range(start, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and text[i] == ","):
            args.append(" ".join(text[begin:i].split()))
            begin = i + 1
        if depth == 0:
            return args, i + 1
    raise Unresolved("a call does not end")


def fill(line, names, args):
    """The line of a wrapper with a call's arguments."""
    if names and names[-1] == "...":
        args = args[:len(names) - 1] + [", ".join(args[len(names) - 1:])]
        names = names[:-1] + ["__VA_ARGS__"]
    value = dict(zip(names or [], args))

    def put(m):
        arg, member = value.get(m[1], m[1]), m[2] or ""
        return f"{arg[1:]}." if arg.startswith("&") and member else arg + member

    line = re.sub(r"(?<![\w.>])(\w+)\b(->)?", put, line)
    return re.sub(r"^\(\((\w+)\)(->\w+)\)$", r"\1\2", line)


def width(line):
    """Columns of a line."""
    return len(line.expandtabs(TAB))


def indent_to(columns):
    """Tabs and spaces that end at this column."""
    return "\t" * (columns // TAB) + " " * (columns % TAB)


def folded(statement):
    """A statement in lines of at most WIDTH columns, aligned with the parenthesis."""
    lines, line = [], ""
    for part in re.split(r"(?<=[,|&]) ", statement):
        longer = f"{line} {part}" if line else part
        if line and width(longer) > WIDTH:
            lines.append(line)
            opened, done = [], "\n".join(lines)
            for i, char in enumerate(done):
                if char in "({":
                    opened.append(i)
                elif char in ")}":
                    opened.pop()
            column = 2 * TAB
            if opened:
                before = done[:opened[-1]].rsplit("\n", 1)[-1]
                column = width(before) + 1
            longer = indent_to(column) + part
        line = longer
    return "\n".join(lines + [line])


def bounds(text, begin, end):
    """The statement, member or parameter list around a call: whole lines."""
    code = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r"[^\n]", " ", m[0]), text,
                  flags=re.DOTALL)
    first = max(code.rfind(char, 0, begin) for char in ";{}") + 1
    depth, at = 0, first
    for line in code[first:begin].split("\n")[:-1]:
        at += len(line) + 1
        depth += line.count("(") - line.count(")")
        if not depth and (re.search(r"(^|[,):]|else)\s*$", line) or line.startswith("#")):
            first = at
    last = code.index("\n", end)
    while code[first:last].count("(") > code[first:last].count(")"):
        last = code.index("\n", last + 1)
    return first, last


def replaced(text, m, wrapper):
    """The text with one call or name replaced."""
    names, body = wrapper
    args, end = [], m.end()
    if names is not None:
        args, end = arguments(text, m.end())
    first, last = bounds(text, m.start(), end)
    before, after = text[first:m.start()], text[end:last]
    body = [fill(line, names, args) for line in body]
    whole = not before.strip() and after.strip() in ("", ";")
    if whole:
        lines = [before + line + ("" if line[-1] in ";," else after.strip()) for line in body]
        return text[:first] + "".join(folded(line) + "\n" for line in lines) + text[last + 1:]
    if len(body) > 1:
        raise Unresolved(f"{m[0]} is no single expression")
    value = re.sub(r"^return (.*);$", r"\1", "".join(body))
    # The star of a pointer is beside its name.
    after = after.lstrip(" ") if value.endswith("*") else after
    statement = re.sub(r"(\S)\n\s*", r"\1 ", before + value + after).replace("( ", "(")
    return text[:first] + folded(statement) + text[last:]


def included(text, headers):
    """The text, with these headers added to its list of includes."""
    block = re.search(r"(?:^#include <.*>\n)*", text[(text.find("#include <")) % (len(text) + 1):],
                      re.MULTILINE)[0]
    if headers and not block:
        raise Unresolved("no headers of the kernel are included")
    lines = sorted({*block.splitlines(), *(f"#include {header}" for header in headers)},
                   key=lambda line: (not line.startswith("#include <linux/"), line))
    return text.replace(block, "".join(line + "\n" for line in lines), 1) if headers else text


def resolve(text, known):
    """One source without compat.h."""
    text = conditions(text)
    found = re.search(r'#include "(?:\.\./)?compat.h"[ \t]*(?:/\*(.*?)\*/)?\n', text)
    if found:
        text = included(text.replace(found[0], ""), (found[1] or "").split())
    names = re.compile(r"\b(" + "|".join(sorted(known)) + r")\b")
    at = 0
    while m := names.search(text, at):
        line = text[text.rfind("\n", 0, m.start()) + 1:m.start()]
        if line.lstrip().startswith("#define") or line.lstrip().startswith("#undef"):
            raise Unresolved(f"{m[0]} is defined again")
        text = replaced(text, m, known[m[1]])
        at = 0
    text = re.sub(r"\n\t+return ;", "", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = re.sub(r"\{\n\n", "{\n", re.sub(r"\n\n(\t*\})", r"\n\1", text))
    return text.rstrip("\n") + "\n"
