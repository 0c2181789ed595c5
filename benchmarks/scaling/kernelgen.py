# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of kernels that differ in length only.

A kernel loads some words, sends them through segments and stores them. Every
segment reads and changes other values than the one before it, so that all
values stay live throughout. SHAPES says what the segments are made of; but
for `wide`, pressure and nesting are the same whatever the length.
"""

VALUES = 100
NEST_DEPTH = 6

HEADER = """\
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, \
i32 %rounds) {
entry:
"""


class Kernel:
    def __init__(self, count=VALUES):
        self.lines = []
        self.names = 0
        self.block = "entry"
        self.values = []
        self.load_values(count)

    def emit(self, text):
        """Appends an instruction that defines a new name, and returns it."""
        self.names += 1
        name = f"%v{self.names}"
        self.lines.append(f"  {name} = {text}")
        return name

    def open(self, label):
        self.block = label
        self.lines.append(f"{label}:")

    def load_values(self, count):
        for index in range(count):
            at = self.emit(f"getelementptr i32, ptr addrspace(1) %in, i64 {index}")
            self.values.append(self.emit(f"load i32, ptr addrspace(1) {at}"))

    def text(self):
        """The whole kernel, which stores all values at its end."""
        for index, value in enumerate(self.values):
            at = self.emit(f"getelementptr i32, ptr addrspace(1) %out, i64 {index}")
            self.lines.append(f"  store i32 {value}, ptr addrspace(1) {at}")
        return HEADER + "\n".join(self.lines) + "\n  ret void\n}\n"

    def mixed(self, value, others):
        """`value` after a few operations on each of `others`."""
        for other in others:
            product = self.emit(f"mul i32 {value}, {other}")
            value = self.emit(f"xor i32 {product}, {other}")
        return value

    def others(self, segment, count):
        """Values that this segment reads."""
        start = 7 * segment
        return [self.values[(start + 11 * i) % len(self.values)]
                for i in range(count)]

    def changed(self, segment, step, count):
        """Indices of the values that this segment changes."""
        return [(13 * segment + step * i) % len(self.values)
                for i in range(count)]

    def loop(self, name, changed, body):
        """`body` in a loop that carries the values with indices `changed`."""
        label, behind = f"loop{name}", f"behind{name}"
        before = self.block
        phis = {index: f"%p{name}_{index}" for index in changed}
        entered = {index: self.values[index] for index in changed}
        self.lines.append(f"  br label %{label}")
        self.open(label)
        body_start = len(self.lines)
        for index, phi in phis.items():
            self.values[index] = phi
        body()
        # Without a counter: scalar evolution takes cubic time for many of them.
        last = self.values[changed[0]]
        go_on = self.emit(f"icmp slt i32 {last}, %rounds")
        self.lines.append(f"  br i1 {go_on}, label %{label}, label %{behind}")
        self.lines[body_start:body_start] = [
            f"  {phi} = phi i32 [ {entered[index]}, %{before} ], "
            f"[ {self.values[index]}, %{self.block} ]"
            for index, phi in phis.items()
        ]
        self.open(behind)

    def change(self, changed, others):
        for index in changed:
            self.values[index] = self.mixed(self.values[index], others)

    def simple_loop(self, segment):
        """Four values are changed in a loop that reads eight others."""
        changed = self.changed(segment, 29, 4)
        others = self.others(segment, 8)
        self.loop(segment, changed, lambda: self.change(changed, others))

    def nest(self, segment, depth=0):
        """Loops in each other, each of which changes two values."""
        changed = self.changed(segment + 3 * depth, 17, 2)
        others = self.others(segment + depth, 2)
        carried = sorted({index for inner in range(depth, NEST_DEPTH)
                          for index in self.changed(segment + 3 * inner, 17, 2)})

        def body():
            self.change(changed, others)
            if depth + 1 != NEST_DEPTH:
                self.nest(segment, depth + 1)

        self.loop(f"{segment}_{depth}", carried, body)

    def diamond(self, segment, reads=8):
        """Two values are changed in one of two arms."""
        then, other_arm = f"then{segment}", f"else{segment}"
        behind = f"behind{segment}"
        changed = self.changed(segment, 31, 2)
        others = self.others(segment, reads)
        condition = self.emit(f"icmp slt i32 {others[0]}, {others[1]}")
        self.lines.append(
            f"  br i1 {condition}, label %{then}, label %{other_arm}"
        )
        arms = []
        for label, read in ((then, others[: reads // 2]),
                            (other_arm, others[reads // 2:])):
            self.open(label)
            arms.append([self.mixed(self.values[i], read) for i in changed])
            self.lines.append(f"  br label %{behind}")
        self.open(behind)
        for index, *results in zip(changed, *arms):
            self.values[index] = self.emit(
                f"phi i32 [ {results[0]}, %{then} ], [ {results[1]}, %{other_arm} ]"
            )


def mixed(segments):
    """Alternately a loop and a branch with two arms."""
    result = Kernel()
    for segment in range(segments):
        if segment % 2:
            result.diamond(segment)
        else:
            result.simple_loop(segment)
    return result.text()


def straight(segments):
    """One block."""
    result = Kernel()
    for segment in range(segments):
        result.change(result.changed(segment, 29, 2), result.others(segment, 4))
    return result.text()


def blocks(segments):
    """Branches with two short arms each."""
    result = Kernel()
    for segment in range(segments):
        result.diamond(segment, reads=2)
    return result.text()


def nests(segments):
    """Nests of six loops."""
    result = Kernel()
    for segment in range(segments):
        result.nest(segment)
    return result.text()


def wide(segments):
    """A loop that changes all of its values, the more the longer it is."""
    result = Kernel(4 * segments)
    everything = range(len(result.values))

    def body():
        for index in everything:
            result.change([index], result.others(index, 2))

    result.loop("", everything, body)
    return result.text()


SHAPES = {shape.__name__: shape
          for shape in (mixed, straight, blocks, nests, wide)}
