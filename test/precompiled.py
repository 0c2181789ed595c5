# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's headers, parsed once for all tests that compile alike.

clang parses them in 0.35 s for each side of a compilation: for most tests that
is more than all else it does. The code it makes is byte for byte the same.
"""

import hashlib
import os
import shutil
import subprocess

# Says that the rest of a command lets it use them. clang takes no header that
# was made with others of these options; of a folder of headers, one for each
# side, it takes none that lacks a macro of the command, either.
_SAME = (r"(?!.* (?:-O[^3]|-std=|-f(?:gpu-|fast-math|sanitize)|-x |-E |-include"
         r"|-save-temps|-Xclang -(?:emit|target)|--(?:no-)?cuda-gpu-arch="
         r"|--cuda-path=%s))")
FOR_SIDE = _SAME % ""
FOR_BOTH = _SAME % "|-D"


def _inputs(path):
    """Where clang notes what it read for a header; clang tries all files of the
    header's own folder."""
    return os.path.join(os.path.dirname(os.path.dirname(path)), os.path.basename(path) + ".d")


def _is_fresh(path, clang):
    """Whether neither clang nor a file that it read for `path` has changed."""
    try:
        made = os.stat(path).st_ctime_ns
        with open(_inputs(path), encoding="utf-8") as file:
            read = file.read().replace("\\\n", " ").split(": ", 1)[1].split()
        return all(os.stat(os.path.realpath(name)).st_ctime_ns < made
                   for name in [clang, *read])
    except OSError:
        return False


def headers(command, folder):
    """A folder in `folder` with headers `device` and `host` for the command,
    which compiles CUDA for one architecture. It makes them where they lack."""
    folder = os.path.join(folder, hashlib.sha256(command.encode()).hexdigest()[:16])
    both = os.path.join(folder, "both")
    os.makedirs(both, exist_ok=True)
    source = os.path.join(folder, "empty.cu")
    if not os.path.exists(source):
        open(source, "ab").close()
    clang, *options = command.split()
    for side, kind in (("device", "-S"), ("host", "-c")):
        made = os.path.join(both, side)
        if not _is_fresh(made, shutil.which(clang)):
            scratch = os.path.join(folder, f"{side}.{os.getpid()}")  # Others may make it at the same time.
            subprocess.run([clang, *options, f"--cuda-{side}-only", kind, source, "-o", scratch,
                            "-Xclang", "-emit-pch", "-MD", "-MF", _inputs(made)], check=True)
            os.replace(scratch, made)
    return both
