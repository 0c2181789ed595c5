"""Hands a failing kernel's LLVM IR to llvm-reduce.

Only for failures of the compiler itself: the interestingness script compiles
the IR with stock clang, which must succeed, and with the plugin, which must
fail with the same words.
"""

import os
import shlex

from .files import read, write

LLVM_REDUCE = "/usr/lib/llvm-22/bin/llvm-reduce"


def _script(tools, family, folder, words):
    base = [tools.clang, "-x", "ir", "--target=nvptx64-nvidia-cuda",
            "-march=sm_90", "-w", family.opt, "-Xclang",
            "-disable-llvm-passes", "-S"]
    report = os.path.join(folder, "reduce-report.jsonl")
    plugin = base + tools.plugin_flags(family, report)
    quote = " ".join
    return """#!/bin/sh
# Exit status 0: the IR in $1 still shows the failure.
limit="timeout %d"
$limit %s "$1" -o /dev/null >/dev/null 2>&1 || exit 1
log=$($limit %s "$1" -o /dev/null 2>&1)
code=$?
[ $code -ne 0 ] || exit 1
[ $code -ne 124 ] || exit 1
printf '%%s' "$log" | grep -qF -e %s
""" % (tools.limit, quote(map(shlex.quote, base)),
       quote(map(shlex.quote, plugin)), shlex.quote(words))


def reduce_ir(tools, family, source, folder, words):
    """Writes reduced.ll to the folder; returns a line that says how it went.
    words: text that the plugin's diagnostics must contain."""
    if not os.access(LLVM_REDUCE, os.X_OK):
        return "llvm-reduce is not installed: no IR reduced"
    start = os.path.join(folder, "start.ll")
    script = os.path.join(folder, "interesting.sh")
    outcome = tools.run(tools.base_command(family)
                        + ["-S", "-emit-llvm", source, "-o", start])
    if not outcome.ok:
        return "clang gives no IR: " + outcome.headline()
    write(script, _script(tools, family, folder, words))
    os.chmod(script, 0o755)
    if not tools.run([script, start]).ok:
        return "the failure does not show on the IR alone: see start.ll"
    result = os.path.join(folder, "reduced.ll")
    outcome = tools.run([LLVM_REDUCE, "--test=" + script, start, "-o", result],
                        limit=1800)
    if not outcome.ok:
        return "llvm-reduce: " + outcome.headline()
    return "IR reduced to %d lines: %s" % (
        len(read(result).splitlines()), result)
