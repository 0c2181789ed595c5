# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of a kernel that an SM holds at once, by the rules of the toolkit's
cuda_occupancy.h (cudaOccMaxActiveBlocksPerMultiprocessor). Shares nothing with
RegDem's own computation."""

from dataclasses import dataclass

WARP = 32
MOST_THREADS = 1024  # of a block
REGISTERS = 65536  # of an SM, and of a block; cudaDeviceProp
PARTITIONS = 4  # cudaOccSubPartitionsPerMultiprocessor
REGISTER_UNIT = 256  # cudaOccRegAllocationGranularity, of a warp
SHARED_UNIT = 128  # cudaOccSMemAllocationGranularity, bytes
SHARED_RESERVED = 1024  # bytes of each block: reservedSharedMemPerBlock
SHARED_DEFAULT = 48 * 1024  # bytes of a block that has not opted in to more


@dataclass(frozen=True)
class Limits:
    """Of an architecture. Shared memory in bytes."""

    threads: int  # of an SM: maxThreadsPerMultiprocessor
    blocks: int  # of an SM: cudaOccMaxBlocksPerMultiprocessor
    shared: int  # of an SM: sharedMemPerMultiprocessor

    @property
    def shared_opt_in(self):
        """What a block may have if its launch opts in."""
        return self.shared - SHARED_RESERVED


ARCHITECTURES = {
    "sm_80": Limits(2048, 32, 164 * 1024),
    "sm_90": Limits(2048, 32, 228 * 1024),
}


def round_up(value, unit):
    return -(-value // unit) * unit


def blocks_by_registers(registers, warps):
    """Warps are dealt over the partitions; a block's are rounded up to all of
    them where the hardware checks whether it can be launched."""
    of_warp = round_up(registers * WARP, REGISTER_UNIT)
    if of_warp * round_up(warps, PARTITIONS) > REGISTERS:
        return 0
    return REGISTERS // PARTITIONS // of_warp * PARTITIONS // warps


def blocks_per_sm(limits, threads, registers, shared):
    """shared: bytes of a block, static and dynamic. 0: cannot be launched."""
    if threads > MOST_THREADS or shared > limits.shared_opt_in:
        return 0
    warps = round_up(threads, WARP) // WARP
    of_block = round_up(shared + SHARED_RESERVED, SHARED_UNIT)
    return min(limits.blocks, limits.threads // WARP // warps,
               limits.shared // of_block, blocks_by_registers(registers, warps))
