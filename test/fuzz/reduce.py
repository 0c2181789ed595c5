#!/usr/bin/env python3
"""Shrinks a failing seed of run.py to a small kernel.

    reduce.py --seed 123 --plugin build/lib/RegDem.so -o reduced/

The kernel must still be accepted by stock clang and fail as it did: the same
oracle, and the same words in the message (numbers aside), or --match. With
--test CMD the failure is whatever CMD says: it is run with the path of a .cu
file, and exits with 0 if the file is interesting.
"""

import argparse
import os
import re
import shlex
import sys
import tempfile

from driver.files import write
from driver.llvm_reduction import reduce_ir
from driver.toolchain import add_plugin, add_tools, toolchain
from driver.tree_reduction import TreeReduction
from gen import add_contents, contents
from kernelgen import unit
from kernelgen.kernel import Kernel


class Failure:
    """Decides whether a kernel still fails. oracle: "any", "compile" or
    "ptxas"; a checker's failure is one of the compiler."""

    def __init__(self, tools, oracle, match, test):
        self.tools = tools
        self.oracle = oracle
        self.match = match
        self.test = test

    def signature(self, kernel):
        """(oracle, message without numbers, message) or None."""
        with tempfile.TemporaryDirectory(prefix="regdem-reduce-") as folder:
            source = os.path.join(folder, "k.cu")
            ptx = os.path.join(folder, "k.ptx")
            write(source, unit.source([kernel]))
            family = kernel.family
            if not self.tools.stock(family, source, ptx).ok:
                return None
            if self.test:
                outcome = self.tools.run(shlex.split(self.test) + [source])
                return ("test", "", "") if outcome.ok else None
            stage = "compile"
            outcome = self.tools.regdem(family, source, ptx,
                                        os.path.join(folder, "report"))
            if outcome.ok:
                stage = "ptxas"
                outcome = self.tools.assemble(ptx, ptx + ".cubin")
            if outcome.ok or self.oracle not in ("any", stage):
                return None
            if self.match:
                found = re.search(self.match, outcome.text)
                return (stage, "", found.group(0)) if found else None
            line = outcome.headline().replace(folder, "")
            return stage, re.sub(r"[0-9]+", "N", line)[:60], line


def words_of(signature):
    """The longest part of the message that holds no number."""
    parts = re.split(r"\d+", signature[2].split("error:")[-1])
    return max(parts, key=len).strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--oracle", default="any",
                        choices=["any", "compile", "ptxas"])
    add_plugin(parser)
    add_contents(parser)
    add_tools(parser, limit=60)
    parser.add_argument("--match", metavar="REGEX")
    parser.add_argument("--test", metavar="CMD")
    parser.add_argument("-o", "--output", required=True, metavar="DIR")
    args = parser.parse_args()
    if not args.plugin and not args.test:
        sys.exit("reduce.py: error: one of --plugin and --test is needed")
    tools = toolchain(args)
    failure = Failure(tools, args.oracle, args.match, args.test)
    kernel = Kernel(args.seed, contents(args))
    wanted = failure.signature(kernel)
    if wanted is None:
        sys.exit("reduce.py: error: seed %d does not fail" % args.seed)
    os.makedirs(args.output, exist_ok=True)
    lines = kernel.text().count("\n")

    def interesting(candidate):
        found = failure.signature(candidate)
        return found is not None and found[:2] == wanted[:2]

    TreeReduction(kernel, interesting).run()
    source = os.path.join(args.output, "seed_%d.cu" % args.seed)
    write(source, unit.source([kernel]))
    print("failure: %s: %s" % (wanted[0], wanted[2]))
    print("kernel reduced from %d to %d lines: %s" % (
        lines, kernel.text().count("\n"), source))
    if wanted[0] == "compile":
        print(reduce_ir(tools, kernel.family, source, args.output,
                        args.match or words_of(wanted)))
    if args.plugin:
        print("command: " + " ".join(shlex.quote(c) for c in (
            tools.base_command(kernel.family)
            + tools.plugin_flags(kernel.family, "report.jsonl")
            + ["-S", source])))


if __name__ == "__main__":
    main()
