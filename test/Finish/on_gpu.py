#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels before and after their frames were moved, and compares.

    on_gpu.py stock.cubin finished.cubin [--rounds N]

Both programs hold the kernels of Inputs/shapes.cu, or others of that signature.
Each kernel runs with blocks of all shapes and fresh random input; every word of
its output, of guards around it and of words that it leaves alone has to be the
same. Prints a line for each kernel with the ratio of times, stock over finished;
exit status 1 if anything differs. Needs a GPU and its driver, nothing else.
"""

import argparse
import ctypes
import random
import sys

WORDS = 1 << 20
GUARD = 1024
SHAPES = [(256, 1, 1), (32, 1, 1), (33, 1, 1), (1, 1, 1), (255, 1, 1),
          (16, 16, 1), (1, 256, 1), (7, 9, 3), (4, 8, 8), (1, 1, 64),
          (31, 2, 4), (2, 128, 1)]
DYNAMIC = {"dynamic"}


CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION


class Attribute(ctypes.Structure):
    """CUlaunchAttribute, with room for the largest value."""

    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int),
                ("value", ctypes.c_uint * 16)]


class Config(ctypes.Structure):
    """CUlaunchConfig"""

    _fields_ = [(f"{kind}{axis}", ctypes.c_uint)
                for kind in ("grid", "block") for axis in "xyz"]
    _fields_ += [("dynamic", ctypes.c_uint), ("stream", ctypes.c_void_p),
                 ("attributes", ctypes.POINTER(Attribute)),
                 ("count", ctypes.c_uint)]


class Driver:
    """The CUDA driver API, as far as it is needed here."""

    def __init__(self):
        try:
            self.lib = ctypes.CDLL("libcuda.so.1")
        except OSError:
            sys.exit("error: no CUDA driver (libcuda.so.1) on this machine: copy the cubins "
                     "and this script to one with a GPU")
        self("cuInit", 0)
        device = ctypes.c_int()
        self("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)

    def __call__(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} failed with {status}")

    def memory(self, size):
        pointer = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def function(self, path, name):
        with open(path, "rb") as file:
            image = file.read()
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), image)
        self("cuModuleGetFunction", ctypes.byref(function), module,
             name.encode())
        return function

    def attribute(self, function, number):
        value = ctypes.c_int()
        self("cuFuncGetAttribute", ctypes.byref(value), number, function)
        return value.value


def kernels_of(path):
    """Names of the kernels in a cubin, by its sections' names."""
    with open(path, "rb") as file:
        data = file.read()
    prefix = b".nv.constant0."
    names, at = set(), data.find(prefix)
    while at >= 0:
        end = data.index(b"\0", at)
        names.add(data[at + len(prefix):end].decode())
        at = data.find(prefix, end)
    return sorted(names)


class Case:
    """One kernel in both programs."""

    def __init__(self, driver, stock, finished, name):
        self.driver = driver
        self.name = name
        self.functions = [driver.function(stock, name),
                          driver.function(finished, name)]
        self.input = driver.memory(4 * WORDS)
        self.outputs = [driver.memory(4 * (WORDS + 2 * GUARD))
                        for _ in self.functions]

    def figures(self):
        """Local bytes and static shared bytes of both builds."""
        return [(self.driver.attribute(f, 3), self.driver.attribute(f, 1))
                for f in self.functions]

    def fill(self, generator, size):
        words = generator.randbytes(4 * size)
        self.driver("cuMemcpyHtoD_v2", self.input, words, ctypes.c_size_t(len(words)))

    def launch(self, which, shape, size, cluster=1):
        threads = shape[0] * shape[1] * shape[2]
        blocks = (size + threads - 1) // threads
        blocks += -blocks % cluster
        grid = (blocks, 1, 1)
        output = ctypes.c_uint64(self.outputs[which].value + 4 * GUARD)
        count = ctypes.c_uint32(size)
        values = (output, self.input, count)
        array = (ctypes.c_void_p * 3)(
            *(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values))
        dynamic = 4 * threads if self.name in DYNAMIC else 0
        if cluster == 1:
            self.driver("cuLaunchKernel", self.functions[which], *grid, *shape,
                        dynamic, None, array, None)
            return
        attribute = Attribute(CLUSTER_DIMENSION, value=(cluster, 1, 1))
        config = Config(*grid, *shape, dynamic, None, ctypes.pointer(attribute),
                        1)
        self.driver("cuLaunchKernelEx", ctypes.byref(config),
                    self.functions[which], array, None)

    def output(self, which):
        size = 4 * (WORDS + 2 * GUARD)
        host = ctypes.create_string_buffer(size)
        self.driver("cuMemcpyDtoH_v2", host, self.outputs[which],
                    ctypes.c_size_t(size))
        return host.raw

    def compare(self, shape, size, cluster, generator):
        self.fill(generator, size)
        for which in range(2):
            self.driver("cuMemsetD32_v2", self.outputs[which], 0xdeadbeef,
                        ctypes.c_size_t(WORDS + 2 * GUARD))
            self.launch(which, shape, size, cluster)
        self.driver("cuCtxSynchronize")
        return self.output(0) == self.output(1)

    def times(self, repeats=9):
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self.driver("cuEventCreate", ctypes.byref(event), 0)
        measured = [[], []]
        for _ in range(repeats):
            for which in range(2):
                self.launch(which, SHAPES[0], WORDS)
                self.driver("cuEventRecord", events[0], None)
                self.launch(which, SHAPES[0], WORDS)
                self.driver("cuEventRecord", events[1], None)
                self.driver("cuEventSynchronize", events[1])
                ms = ctypes.c_float()
                self.driver("cuEventElapsedTime", ctypes.byref(ms), *events)
                measured[which].append(ms.value)
        return [sorted(m)[len(m) // 2] for m in measured]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stock")
    parser.add_argument("finished")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--clusters", type=int, nargs="*", default=[1],
                        help="blocks of a cluster (1: none), one a run")
    parser.add_argument("--no-times", action="store_true")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.getrandbits(32)
    generator = random.Random(seed)
    print("seed", seed)
    driver = Driver()
    wrong = 0
    for name in kernels_of(options.stock):
        case = Case(driver, options.stock, options.finished, name)
        different = []
        runs = 0
        for _ in range(options.rounds):
            for shape in SHAPES:
                size = generator.choice((WORDS, 100003, 4099, 77))
                cluster = generator.choice(options.clusters)
                runs += 1
                if not case.compare(shape, size, cluster, generator):
                    different.append((shape, size, cluster))
        (local, shared), (local_after, shared_after) = case.figures()
        before, after = (1, 1) if options.no_times else case.times()
        wrong += bool(different)
        print(f"{name:14} local {local:4} -> {local_after:3}  "
              f"shared {shared:5} -> {shared_after:5}  {runs} runs  "
              f"{'DIFFERENT ' + str(different[:3]) if different else 'equal':10} "
              f"{before:.3f} / {after:.3f} ms = {before / after:.3f}",
              flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
