# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what two builds of a program wrote."""

import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def lines(text, ignore):
    """Without those that one of the expressions matches."""
    patterns = [re.compile(each) for each in ignore]
    return [line for line in text.splitlines()
            if not any(p.search(line) for p in patterns)]


def same(one, other, tolerance):
    """True if two lines are the same but for numbers that differ by no more than
    tolerance, relative to the larger one."""
    if one == other:
        return True
    if not tolerance or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)):
        a, b = float(a), float(b)
        if abs(a - b) > tolerance * max(abs(a), abs(b)):
            return False
    return True


def first_difference(one, other, ignore, tolerance):
    """"" if two texts agree."""
    if one == other:
        return ""
    first, second = lines(one, ignore), lines(other, ignore)
    for a, b in zip(first, second):
        if not same(a, b, tolerance):
            return f"'{a}' and '{b}'"
    if len(first) != len(second):
        return f"{len(first)} and {len(second)} lines"
    return ""


def difference(base, run, ignore, tolerance):
    """The first difference between two runs in stdout or a file, or ""."""
    if found := first_difference(base["stdout"], run["stdout"], ignore, tolerance):
        return found
    for name, text in base["files"].items():
        other = run["files"].get(name)
        if (text is None) != (other is None):
            return f"{name}: only one wrote it"
        if text is not None:
            if found := first_difference(text, other, (), tolerance):
                return f"{name}: {found}"
    return ""
