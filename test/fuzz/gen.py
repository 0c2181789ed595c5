#!/usr/bin/env python3
"""Writes the kernels of some seeds: one .cu file, and their metadata in JSON.

    gen.py --seeds 0:8 -o kernels.cu --json kernels.json

Compile with -I on this folder; see README.md for the flags.
"""

import argparse
import json
import sys

from driver.files import write
from kernelgen import family, unit


def parse_range(text):
    """'A:B' as the pair (A, B), 'A' as (A, A + 1)."""
    first, _, last = text.partition(":")
    try:
        low = int(first)
        high = int(last) if last else low + 1
    except ValueError:
        raise argparse.ArgumentTypeError("'%s' is not A:B" % text)
    if low < 0 or high <= low:
        raise argparse.ArgumentTypeError("'%s' is an empty range" % text)
    return low, high


def positive(text):
    """A number from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("'%s' is not positive" % text)
    return number


def add_contents(parser):
    """Arguments that say what kernels are to be like; see contents()."""
    parser.add_argument("--arrays", action="store_true",
                        help="kernels with local arrays of all kinds (other "
                        "kernels)")
    parser.add_argument("--calls", action="store_true",
                        help="kernels that call functions which RegDem may "
                        "inline (other kernels)")
    parser.add_argument("--contract", choices=family.CONTRACTS,
                        help="clang's -ffp-contract; default: the family's, "
                        "off or on")
    parser.add_argument("--long-loops", action="store_true",
                        help="kernels whose loops RegDem may unroll (other "
                        "kernels)")
    parser.add_argument("--staged", action="store_true",
                        help="kernels that read shared memory at named places "
                        "(other kernels)")
    parser.add_argument("--strided", action="store_true",
                        help="kernels with strided accesses (other kernels)")


def contents(args):
    return family.Contents(args.contract, args.strided, args.staged,
                           args.long_loops, args.arrays, args.calls)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=parse_range, required=True)
    parser.add_argument("-o", "--output", default="-")
    parser.add_argument("--json", help="file for the kernels' metadata")
    add_contents(parser)
    args = parser.parse_args()
    kernels = unit.generate(range(*args.seeds), contents(args))
    text = unit.source(kernels)
    if args.output == "-":
        sys.stdout.write(text)
    else:
        write(args.output, text)
    if args.json:
        write(args.json, json.dumps([k.metadata() for k in kernels], indent=1)
              + "\n")


if __name__ == "__main__":
    main()
