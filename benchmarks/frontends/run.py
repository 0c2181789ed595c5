#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what build.py of this folder has made: run.py DIR.

Needs a GPU and CuPy. On three random inputs each build has to give stock's
results, bit for bit (libNVVM's need not: it is another compiler), and those of
the formula in double precision. Times are medians of twelve launches, the builds
by turns. Exit status 1 if a result is wrong.
"""

import json
import statistics
import sys
from pathlib import Path

import cupy
import numpy

TOLERANCE = 1e-3


class Case:
    """Arguments of a launch, without the output's, and what it should give."""

    def __init__(self, grid, inputs, arguments, expected):
        self.grid = grid
        self.inputs = inputs  # To keep them alive.
        self.arguments = arguments  # Of the output.
        self.expected = expected


def random(seed, count):
    return cupy.random.RandomState(seed).standard_normal(count, dtype=cupy.float32)


def address(array):
    return numpy.uint64(array.data.ptr)


def words(*numbers):
    return [numpy.int32(n) for n in numbers]


def matmul(seed):
    n = 1024
    a, b = random(seed, n * n), random(seed + 1, n * n)
    expected = a.reshape(n, n).astype("f8") @ b.reshape(n, n).astype("f8")
    return Case((n // 64) ** 2, (a, b), lambda out: [
        address(a), address(b), address(out), *words(n, n, n, n, n, n)], expected)


def layer_norm(seed):
    rows, columns, stride = 4096, 2000, 2048
    x, w, b = random(seed, rows * stride), random(seed + 1, columns), random(seed + 2, columns)
    v = x.reshape(rows, stride)[:, :columns].astype("f8")
    d = v - v.mean(1, keepdims=True)
    expected = cupy.zeros((rows, stride))
    expected[:, :columns] = d / cupy.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * w + b
    return Case(rows, (x, w, b), lambda out: [
        address(x), address(out), address(w), address(b), *words(stride, columns),
        numpy.float32(1e-5)], expected)


def softmax_of(columns):
    def softmax(seed):
        rows, stride = 8192, 4096
        x = random(seed, rows * stride)
        v = x.reshape(rows, stride)[:, :columns].astype("f8")
        e = cupy.exp(v - v.max(1, keepdims=True))
        expected = cupy.zeros((rows, stride))
        expected[:, :columns] = e / e.sum(1, keepdims=True)
        return Case(rows, (x,), lambda out: [
            address(out), address(x), *words(stride, columns)], expected)

    return softmax


def mix(seed):
    blocks, apart, rounds = 2048, 4096, 40
    n = 512 * blocks
    x = random(seed, n + rounds * apart) * cupy.float32(0.3)
    total = x[:n].astype("f8")
    for _ in range(2):
        added = total
        for j in range(rounds):
            total = total * x[j * apart:j * apart + n] + added
    return Case(blocks, (x,), lambda out: [address(x), address(out)], total)


def mixed(x, kept):
    """What the kernels of Numba and OpenMP make of 2 * kept rows."""
    v = x.astype("f8").reshape(2 * kept, -1)
    total = v[:kept].sum(0)
    for k in range(kept):
        total = total * v[k] + v[k + kept]
    for k in range(kept):
        total = total * v[kept - 1 - k] + v[k]
    return total


def numba_mix(seed):
    n = 1 << 17
    x = random(seed, n * 64) * cupy.float32(0.3)

    def array(a):  # As Numba passes one.
        size, zero = numpy.int64(a.size), numpy.int64(0)
        return [zero, zero, size, numpy.int64(4), address(a), size, numpy.int64(4)]

    return Case(n // 256, (x,), lambda out: array(x) + array(out) + words(n), mixed(x, 32))


def openmp_mix(seed):
    n = 64 * 128
    x = random(seed, n * 48) * cupy.float32(0.3)
    expected = x.astype("f8")
    expected[:n] = mixed(x, 24)

    def arguments(out):  # The kernel writes over its input.
        out[...] = x
        return [numpy.uint64(0), address(out), numpy.int64(n)]

    return Case(64, (x,), arguments, expected)


KERNELS = {
    "matmul": matmul,
    "layer_norm": layer_norm,
    "softmax_warp": softmax_of(1000),
    "softmax": softmax_of(4000),
    "mix": mix,
    "numba_mix": numba_mix,
    "openmp_mix": openmp_mix,
}


class Build:
    def __init__(self, path):
        self.way = path.name.split(".")[1]
        self.launch_as = json.loads(path.with_suffix(".json").read_text())
        self.module = cupy.RawModule(path=str(path))
        self.kernel = self.module.get_function(self.launch_as["name"])
        self.outputs, self.times, self.error = [], [], 0.0

    def launch(self, case, out):
        """Returns its time in microseconds."""
        arguments = case.arguments(out)
        missing = self.launch_as["parameters"] - len(arguments)
        arguments += [numpy.uint64(0)] * max(0, missing)  # Triton's own.
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        self.kernel((case.grid,), (self.launch_as["threads"],), tuple(arguments),
                    shared_mem=self.launch_as["shared"])
        end.record()
        end.synchronize()
        return 1000 * cupy.cuda.get_elapsed_time(start, end)

    def check(self, case):
        out = cupy.zeros(case.expected.size, cupy.float32)
        self.launch(case, out)
        expected = case.expected.ravel()
        error = (cupy.abs(out - expected) / (1 + cupy.abs(expected))).max()
        self.error = max(self.error, float(error))
        self.outputs.append(out)

    def gives(self, others):
        return all((mine.view("u4") == its.view("u4")).all()
                   for mine, its in zip(self.outputs, others.outputs))


def run(folder, name, make):
    """Prints a row for each build; returns whether all are right."""
    builds = [Build(path) for path in sorted(folder.glob(f"{name}.*.cubin"))]
    stock = next(build for build in builds if build.way == "stock")
    for seed in (11, 222, 3333):
        case = make(seed)
        for build in builds:
            build.check(case)
    for _ in range(12):
        for build in builds:
            build.times.append(build.launch(case, cupy.zeros_like(build.outputs[0])))
    right = True
    for build in builds:
        same = build.gives(stock)
        right &= (same or build.way == "libnvvm") and build.error < TOLERANCE
        time, of_stock = statistics.median(build.times), statistics.median(stock.times)
        kernel = build.kernel
        print(f"{name:12} {build.way:8} {kernel.num_regs:4} registers {kernel.local_size_bytes:4} local "
              f"{kernel.shared_size_bytes:6} shared  {'same' if same else 'OTHER':5} error {build.error:.0e} "
              f"{time:7.1f} us  speed {of_stock / time:.2f}")
    return right


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())
    folder = Path(sys.argv[1])
    results = [run(folder, name, make) for name, make in KERNELS.items()
               if (folder / f"{name}.stock.cubin").exists()]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
