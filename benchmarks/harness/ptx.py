# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits of PTX text: performance directives of the kernels in a module."""

import re

# From ".entry name" to the brace that opens the body. Parameter lists hold no
# braces.
ENTRY = re.compile(r"(\.entry\s+[^{]*)\{")

STATED = re.compile(r"\.minnctapersm\s+\d+\s*")

SMEM_SPILLING = '.pragma "enable_smem_spilling";'


def without_minimum(text):
    """The module without the minima of blocks that its source states."""
    return STATED.sub("", text)


def edit(text, max_registers=None, min_blocks=None, smem_spilling=False):
    """The module with directives added to every kernel.

    max_registers: `.maxnreg`; min_blocks: `.minnctapersm`; smem_spilling: ask
    ptxas to spill to shared memory (PTX ISA 8.7 or later). A minimum of blocks
    that the source states gives way to either of the first two.
    """
    directives = ""
    if min_blocks is not None:
        directives += f".minnctapersm {min_blocks}\n"
    if max_registers is not None:
        directives += f".maxnreg {max_registers}\n"
    body = f"\n{SMEM_SPILLING}\n" if smem_spilling else ""

    def with_directives(match):
        head = without_minimum(match[1]) if directives else match[1]
        return f"{head}{directives}{{{body}"

    edited, count = ENTRY.subn(with_directives, text)
    if count == 0:
        raise ValueError("no kernel in this PTX")
    return edited
