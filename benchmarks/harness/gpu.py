# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is there a GPU, and which one?"""

import ctypes
import shutil
import subprocess


def present():
    """True if the CUDA driver is installed and sees a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return False
    return count.value > 0


def describe():
    """Name, driver, clocks and power limit as nvidia-smi states them."""
    program = shutil.which("nvidia-smi")
    if not program:
        return {}
    fields = (
        "name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,"
        "power.limit,ecc.mode.current,mig.mode.current"
    )
    done = subprocess.run(
        [program, f"--query-gpu={fields}", "--format=csv,noheader"],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return {}
    values = done.stdout.splitlines()[0].split(", ")
    return dict(zip(fields.split(","), values))
