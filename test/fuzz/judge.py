#!/usr/bin/env python3
"""Says whose fault the failures of a GPU campaign are.

    judge.py failing.tar.xz         # of campaign.py, or the folder unpacked

Each kernel's source, its stock PTX and RegDem's PTX are run on the CPU. If the
three agree, the PTX is right, and the assembler made the difference that the
GPU showed: of which build the GPU's word was wrong is said, too. Exit status: 0 if RegDem's PTX does everywhere what
stock's does, 1 if not.
"""

import argparse
import glob
import json
import os
import re
import sys
import tarfile
import tempfile

from driver import cpu_run
from driver.files import read
from driver.toolchain import Toolchain, find_tool


class StoredKernel:
    """A kernel as the campaign stored it, whatever the generator makes of its
    seed today."""

    def __init__(self, folder, details, family):
        self.folder = folder
        self.name = details["kernel"]
        self.seed = details["seed"]
        self.family = family
        self._details = details

    def metadata(self):
        return self._details

    def text(self):
        return read(os.path.join(self.folder, self.name + ".cu"))


class StoredFamily:
    def __init__(self, contract):
        self.contract = contract


def verdict(tools, folder):
    """(line of text, whether both PTX give the same)."""
    details = json.loads(read(os.path.join(folder, "kernel.json")))
    hashes, wrong = {}, ""
    with tempfile.TemporaryDirectory(prefix="regdem-judge-") as scratch:
        for side in ("stock", "regdem"):
            path = glob.glob(os.path.join(folder, "*.%s.ptx" % side))[0]
            kernel = StoredKernel(folder, details, None)
            outcome, texts = cpu_run.outputs(tools, read(path), [kernel],
                                             scratch)
            hashes[side] = texts.get(kernel.name, outcome.headline())
        if kernel.name in texts:
            wrong = _wrong_build(details["text"], scratch, kernel)
        # What is fused of a source under "fast" is the compiler's choice.
        fast = details.get("contract") == "fast"
        sources = set() if fast else {
            _source(tools, folder, details, contract, scratch)
            for contract in ("on", "off")}
    right = hashes["stock"] == hashes["regdem"]
    if not right:
        text = "RegDem's PTX differs: %s, stock %s" % (hashes["regdem"],
                                                       hashes["stock"])
    elif fast:
        text = "both PTX are right if nothing is fused: ptxas fuses " \
            "otherwise, or is wrong" + wrong
    elif hashes["stock"] in sources:
        text = "both PTX are right, as the source is: ptxas" + wrong
    else:
        text = "both PTX agree, the source gives %s" % " or ".join(
            sorted(sources))
    return "%s %s: %s (GPU: %s)" % (details["verdict"], details["kernel"],
                                    text, details["text"]), right


def _wrong_build(finding, folder, kernel):
    """', of RegDem's PTX' or ', of stock PTX', or both: where a word of the GPU
    is not what the CPU gives. Empty if the GPU's finding names no word."""
    words = re.search(r"word (\d+) is ([0-9a-f]{8}), stock ([0-9a-f]{8})",
                      finding)
    if not words:
        return ""
    index, regdem, stock = (int(w, b) for w, b in zip(words.groups(),
                                                      (10, 16, 16)))
    right = cpu_run.output_word(folder, kernel, index)
    sides = [side for side, word in (("RegDem's", regdem), ("stock", stock))
             if word != right]
    return ", of %s PTX" % " and ".join(sides)


def _source(tools, folder, details, contract, scratch):
    kernel = StoredKernel(folder, details, StoredFamily(contract))
    outcome, texts = cpu_run.source_outputs(tools, [kernel], scratch)
    return texts.get(kernel.name, outcome.headline())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("failing", help="failing.tar.xz or a folder")
    parser.add_argument("--clang", default="clang++-22", metavar="PATH")
    args = parser.parse_args()
    tools = Toolchain(find_tool(args.clang, args.clang), "ptxas")
    with tempfile.TemporaryDirectory(prefix="regdem-judge-") as unpacked:
        folder = args.failing
        if not os.path.isdir(folder):
            with tarfile.open(folder) as archive:
                for member in archive.getmembers():
                    if member.isfile() or member.isdir():
                        archive.extract(member, unpacked)
            folder = unpacked
        cases = sorted(glob.glob(os.path.join(folder, "*", "kernel.json")))
        if not cases:
            sys.exit("judge.py: error: no kernel.json in '%s'" % args.failing)
        status = 0
        for case in cases:
            text, right = verdict(tools, os.path.dirname(case))
            print(text, flush=True)
            status |= not right
    return status


if __name__ == "__main__":
    sys.exit(main())
