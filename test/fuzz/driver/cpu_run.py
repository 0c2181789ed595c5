"""Runs kernels' PTX on the CPU: an oracle that needs neither ptxas nor a GPU.

The PTX is translated to C++ (../ptx) and all threads of a launch run as CUDA
defines it. Stock and RegDem PTX must give the same output: what then differs
on a GPU is ptxas's doing.
"""

import os
import struct

from ptx import translate

from . import host_check
from .files import read, write
from .toolchain import Outcome


def outputs(tools, ptx, kernels, folder):
    """(Outcome, kernel -> text with a hash of its output), of PTX text that
    holds these kernels; 'folder' gets the outputs (see output_word). A kernel
    whose run ends the program has no text."""
    path = os.path.join(folder, "cpu")
    try:
        source = translate.translate(ptx)
    except translate.Unknown as error:
        return Outcome(1, "error: unknown PTX: %s" % error), {}
    write(path + ".cpp", source + host_check.block_main(kernels))
    return _run(tools, path, kernels, host_check.compile_host(tools, path, [
        "-DFZ_WHOLE_BLOCK", "-march=native", "-ffp-contract=off"]))


def output_word(folder, kernel, index):
    """A word of the output that outputs() left in the folder."""
    with open(os.path.join(folder, "cpu." + kernel.name), "rb") as file:
        file.seek(4 * index)
        return struct.unpack("<I", file.read(4))[0]


def source_outputs(tools, kernels, folder):
    """The same of the kernels' source."""
    path = os.path.join(folder, "source")
    return _run(tools, path, kernels,
                host_check.build_block_program(tools, kernels, path, []))


def _run(tools, path, kernels, outcome):
    if not outcome.ok:
        return outcome, {}
    outcome = tools.run([path] + ["%s.%s" % (path, k.name) for k in kernels])
    lines = [line.split(" ", 1) for line in outcome.text.splitlines()]
    return outcome, {words[0]: words[1] for words in lines if len(words) == 2}


def compare(tools, paths, kernels, folder):
    """Runs the PTX files in 'paths', stock first. None, or a text that says
    how RegDem's output differs."""
    found = []
    for path in paths:
        outcome, texts = outputs(tools, read(path), kernels, folder)
        if not outcome.ok:
            return "%s on the CPU: %s" % (os.path.basename(path),
                                          outcome.headline())
        found.append(texts)
    for kernel in kernels:
        name = kernel.name
        if found[0][name] != found[1][name]:
            return "error: on the CPU RegDem's PTX gives %s, stock's %s" % (
                found[1][name], found[0][name])
    return None
