# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks per SM by registers and shared memory, without a GPU.

Constants of lib/Transforms/Target/SMLimits.cpp, which has their sources.
"""

import re
from dataclasses import dataclass

WARP = 32
REGISTERS = 65536
REGISTER_UNIT = 256  # a warp gets its registers in multiples of this
PARTITIONS = 4
KB = 1024


@dataclass(frozen=True)
class SM:
    warps: int
    blocks: int
    shared: int  # bytes
    reserve: int  # bytes of shared memory that the driver adds to a block
    granule: int  # bytes of which a block's shared memory is a multiple


_VOLTA, _TURING = SM(64, 32, 96 * KB, 0, 256), SM(32, 16, 64 * KB, 0, 256)
_AMPERE = SM(64, 32, 164 * KB, KB, 128)
_SMALL16, _SMALL24 = (SM(48, n, 100 * KB, KB, 128) for n in (16, 24))
_HOPPER, _THOR = SM(64, 32, 228 * KB, KB, 128), SM(48, 24, 228 * KB, KB, 128)
SMS = {70: _VOLTA, 72: _VOLTA, 75: _TURING, 80: _AMPERE, 86: _SMALL16,
       87: SM(48, 16, 164 * KB, KB, 128), 88: _SMALL16, 89: _SMALL24,
       90: _HOPPER, 100: _HOPPER, 101: _THOR, 103: _HOPPER, 110: _THOR,
       120: _SMALL24, 121: _SMALL24}


def sm_of(arch):
    """The SM of `sm_90a` and the like, or None if it is not known."""
    match = re.fullmatch(r"sm_(\d+)[af]?", arch)
    return SMS.get(int(match[1])) if match else None


def _up(value, unit):
    return -(-value // unit) * unit


def by_registers(threads, registers):
    """Blocks of so many threads that so many registers a thread allow."""
    per_warp = _up(max(registers, 1) * WARP, REGISTER_UNIT)
    warps = REGISTERS // PARTITIONS // per_warp * PARTITIONS
    return warps // (_up(threads, WARP) // WARP)


def by_shared(sm, shared):
    """Blocks that so many bytes of shared memory each allow."""
    block = _up(shared + sm.reserve, sm.granule)
    return sm.shared // block if block else sm.blocks


def by_threads(sm, threads):
    """Blocks that warps and the limit of blocks allow."""
    return min(sm.blocks, sm.warps // (_up(threads, WARP) // WARP))


def blocks(sm, threads, registers, shared):
    return min(by_registers(threads, registers), by_shared(sm, shared),
               by_threads(sm, threads))


def carve_out(sm, shared, count):
    """Percent of an SM's shared memory that so many blocks take, rounded up."""
    return min(100, -(-100 * count * _up(shared + sm.reserve, sm.granule) // sm.shared))


def most_registers(sm, threads, wanted):
    """Most registers a thread may take for so many blocks, or None."""
    fitting = [r for r in range(1, 256) if by_registers(threads, r) >= wanted]
    return max(fitting, default=None) if by_threads(sm, threads) >= wanted else None


def blocks_per_sm(arch, threads, registers, shared):
    return blocks(sm_of(arch), threads, registers, shared)


def register_steps(arch, threads, registers):
    """Caps below `registers`, one per occupancy step, largest first: each is
    the most registers a thread may use for that many blocks."""
    steps = {blocks_per_sm(arch, threads, cap, 0): cap
             for cap in range(16, registers)}
    now = blocks_per_sm(arch, threads, registers, 0)
    return sorted((c for b, c in steps.items() if b > now), reverse=True)
