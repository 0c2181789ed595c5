# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hardware counters of the spilling analysis, as Nsight Compute names them
on sm_90, and the short names under which the analysis knows them.

Sources of names and meanings: "Kernel Profiling Guide" of Nsight Compute 2025
(metrics structure, warp stall reasons, memory tables). Versions differ in a
few names, so a figure may have alternatives: the first that ncu knows counts.
"""

# Short name -> names for ncu. Percentages are 0 to 100; those of a launch are
# registers of a thread and bytes of a block; all others are counts of one
# launch, summed over the GPU; time is in nanoseconds.
METRICS = {
    "time_ns": ("gpu__time_duration.sum",),
    # Achieved occupancy: active warps while an SM works, % of the most.
    "occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active",),
    # Use of what can be the bottleneck, % of its peak.
    "dram_pct": (
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    ),
    "l2_pct": ("lts__throughput.avg.pct_of_peak_sustained_elapsed",),
    # L1's data stage, which shared memory, local and global memory share.
    "l1_pct": (
        "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    ),
    "issue_pct": ("smsp__issue_active.avg.pct_of_peak_sustained_active",),
    "sm_pct": ("sm__throughput.avg.pct_of_peak_sustained_elapsed",),
    # Warp instructions.
    "issued": ("smsp__inst_issued.sum", "smsp__inst_executed.sum"),
    "local_ld": ("smsp__sass_inst_executed_op_local_ld.sum",),
    "local_st": ("smsp__sass_inst_executed_op_local_st.sum",),
    # Requests (one per warp instruction) and 32-byte sectors at L1.
    "local_ld_requests": ("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",),
    "global_ld_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",),
    "local_ld_sectors": ("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",),
    "local_st_sectors": ("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",),
    "local_ld_misses": (
        "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum",
    ),
    "local_st_misses": (
        "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum",
    ),
    # 32-byte sectors that the L1s asked of L2; the alternative counts the
    # sectors of all clients.
    "l2_sectors": ("lts__t_sectors_srcunit_tex.sum", "lts__t_sectors.sum"),
    # Passes through L1's data stage, at most one a cycle and SM.
    "wavefronts": ("l1tex__data_pipe_lsu_wavefronts.sum",),
    "regs": ("launch__registers_per_thread",),
    "static_smem": ("launch__shared_mem_per_block_static",),
    "dynamic_smem": ("launch__shared_mem_per_block_dynamic",),
    # LDL and STL that ptxas made to spill (newer versions, some GPUs).
    "spill_instructions": (
        "sass__inst_executed_register_spilling_mem_local",
    ),
}

# Why a warp did not issue: average warps per issue that wait for the reason.
# "selected" is left out: it is the warp that does issue.
STALLS = (
    "barrier",
    "branch_resolving",
    "dispatch_stall",
    "drain",
    "gmma",
    "imc_miss",
    "lg_throttle",
    "long_scoreboard",
    "math_pipe_throttle",
    "membar",
    "mio_throttle",
    "misc",
    "no_instruction",
    "not_selected",
    "short_scoreboard",
    "sleeping",
    "tex_throttle",
    "wait",
)


def stall_metric(reason):
    return f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"


def all_names():
    """Every name to ask ncu for, the time first."""
    return ([name for names in METRICS.values() for name in names]
            + [stall_metric(r) for r in STALLS])


def by_short_name(row):
    """Values of METRICS from a row of ncu (full name -> number or None); None
    for what ncu did not deliver."""
    found = {}
    for short, names in METRICS.items():
        values = (row.get(name) for name in names)
        found[short] = next((v for v in values if v is not None), None)
    return found


def stalls(row):
    """(reason, warps per issue), largest first; reasons without a value are
    left out. Ties are broken by name."""
    found = [(r, row.get(stall_metric(r))) for r in STALLS]
    known = [(r, v) for r, v in found if v is not None]
    return sorted(known, key=lambda pair: (-pair[1], pair[0]))
