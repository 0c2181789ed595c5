"""Runs a kernel of several PTX files on the CPU and compares what it stores.

    compare_floats.py CLANG KERNEL TOLERANCE FOLDER FIRST.ptx OTHER.ptx...

The kernel takes (const unsigned *in, float *out, unsigned n), is run by a block
of 32 threads with 4096 random words, and stores 1024 numbers. Prints for each
other file `same`, bit for bit, `close`, within TOLERANCE of the value, or
`far`.
"""

import struct
import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
sys.path.insert(0, str(FUZZ))

from ptx import translate

NUMBERS = 1024


def outputs(clang, kernel, text, path):
    """The bytes that the kernel of this PTX text stores."""
    source, result = path.with_suffix(".cpp"), path.with_suffix(".out")
    source.write_text(
        translate.translate(text) + '#include "host_main.h"\n'
        "int main(int, char **argv) {\n"
        f'  fz_check("{kernel}", {kernel}, {{32, 1, 1}}, {{1, 1, 1}}, 4096, '
        f"{NUMBERS}, 0, 1, argv[1]);\n}}\n")
    # A product is fused where the PTX says so.
    subprocess.run([clang, "-std=c++17", "-O0", "-w", f"-I{FUZZ}",
                    "-DFZ_WHOLE_BLOCK", "-march=native", "-ffp-contract=off",
                    source, "-o", path], check=True)
    subprocess.run([path, result], check=True, stdout=subprocess.DEVNULL)
    return result.read_bytes()


def compared(first, other, tolerance):
    if first == other:
        return "same"
    pairs = zip(*(struct.unpack(f"<{NUMBERS}f", b) for b in (first, other)))
    near = all(abs(a - b) <= tolerance * abs(a) for a, b in pairs)
    return "close" if near else "far"


def main():
    clang, kernel, tolerance, folder, *files = sys.argv[1:]
    found = [outputs(clang, kernel, Path(f).read_text(),
                     Path(folder) / f"{kernel}{i}")
             for i, f in enumerate(files)]
    for name, other in zip(files[1:], found[1:]):
        print(f"{Path(name).name}: {compared(found[0], other, float(tolerance))}")


if __name__ == "__main__":
    main()
