# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks per multiprocessor, computed without a GPU.

Constants and rules from NVIDIA's cuda_occupancy.h (CUDA 13.0): registers are
given to a warp in units of 256, warps are dealt over four sub-partitions,
shared memory in units of 128 bytes plus 1 KB a block for the system.
"""

from dataclasses import dataclass

WARP = 32
REGISTERS = 65536
REGISTER_UNIT = 256
PARTITIONS = 4
SHARED_UNIT = 128
SYSTEM_SHARED = 1024
STATIC_SHARED = 49152  # most that a block may declare, in bytes


@dataclass(frozen=True)
class Limits:
    threads: int
    blocks: int
    shared: int  # bytes


LIMITS = {
    "sm_80": Limits(2048, 32, 167936),
    "sm_86": Limits(1536, 16, 102400),
    "sm_89": Limits(1536, 24, 102400),
    "sm_90": Limits(2048, 32, 233472),
    "sm_100": Limits(2048, 32, 233472),
    "sm_120": Limits(1536, 24, 102400),
}


def round_up(value, unit):
    return -(-value // unit) * unit


def blocks_per_sm(arch, block, registers, shared):
    """`block` in threads, `registers` a thread, `shared` static bytes."""
    limits = LIMITS[arch]
    warps = -(-block // WARP)
    per_warp = round_up(max(registers, 16) * WARP, REGISTER_UNIT)
    warps_per_partition = REGISTERS // PARTITIONS // per_warp
    by_registers = warps_per_partition * PARTITIONS // warps
    by_threads = limits.threads // (warps * WARP)
    by_shared = limits.shared // (
        round_up(shared, SHARED_UNIT) + SYSTEM_SHARED
    )
    return min(by_registers, by_threads, by_shared, limits.blocks)


def register_steps(arch, block, registers):
    """Caps below `registers`, one per occupancy step, largest first.

    Each is the most registers a thread may use for that many blocks.
    """
    steps = {}
    for cap in range(16, registers):
        steps[blocks_per_sm(arch, block, cap, 0)] = cap
    now = blocks_per_sm(arch, block, registers, 0)
    return sorted((c for b, c in steps.items() if b > now), reverse=True)
