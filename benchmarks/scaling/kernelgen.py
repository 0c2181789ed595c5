# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of kernels that differ in length only.

A kernel loads VALUES words, sends them through segments, alternately a loop
and a branch with two arms, and stores them. Every segment reads and changes
other values than the one before it, so that all VALUES stay live throughout:
pressure and nesting are the same whatever the length.
"""

VALUES = 100

HEADER = """\
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, \
i32 %rounds) {
entry:
"""


class Kernel:
    def __init__(self):
        self.lines = []
        self.names = 0
        self.block = "entry"
        self.values = []

    def emit(self, text):
        """Appends an instruction that defines a new name, and returns it."""
        self.names += 1
        name = f"%v{self.names}"
        self.lines.append(f"  {name} = {text}")
        return name

    def open(self, label):
        self.block = label
        self.lines.append(f"{label}:")

    def load_values(self):
        for index in range(VALUES):
            at = self.emit(f"getelementptr i32, ptr addrspace(1) %in, i64 {index}")
            self.values.append(self.emit(f"load i32, ptr addrspace(1) {at}"))

    def store_values(self):
        for index, value in enumerate(self.values):
            at = self.emit(f"getelementptr i32, ptr addrspace(1) %out, i64 {index}")
            self.lines.append(f"  store i32 {value}, ptr addrspace(1) {at}")
        self.lines.append("  ret void")

    def mixed(self, value, others):
        """`value` after a few operations on each of `others`."""
        for other in others:
            product = self.emit(f"mul i32 {value}, {other}")
            value = self.emit(f"xor i32 {product}, {other}")
        return value

    def others(self, segment, count):
        """Values that this segment reads."""
        start = 7 * segment
        return [self.values[(start + 11 * i) % VALUES] for i in range(count)]

    def loop(self, segment):
        """Four values are changed in a loop that reads eight others."""
        label, behind = f"loop{segment}", f"behind{segment}"
        before = self.block
        changed = [(13 * segment + 29 * i) % VALUES for i in range(4)]
        others = self.others(segment, 8)
        phis = {index: f"%p{segment}_{index}" for index in changed}
        count, more = f"%i{segment}", f"%n{segment}"
        self.lines.append(f"  br label %{label}")
        self.open(label)
        body_start = len(self.lines)
        results = {
            index: self.mixed(phi, others) for index, phi in phis.items()
        }
        self.lines.append(f"  {more} = add i32 {count}, 1")
        go_on = self.emit(f"icmp slt i32 {more}, %rounds")
        self.lines.append(f"  br i1 {go_on}, label %{label}, label %{behind}")
        self.lines[body_start:body_start] = [
            f"  {count} = phi i32 [ 0, %{before} ], [ {more}, %{label} ]"
        ] + [
            f"  {phi} = phi i32 [ {self.values[index]}, %{before} ], "
            f"[ {results[index]}, %{label} ]"
            for index, phi in phis.items()
        ]
        for index, result in results.items():
            self.values[index] = result
        self.open(behind)

    def diamond(self, segment):
        """Two values are changed in one of two arms."""
        then, other_arm = f"then{segment}", f"else{segment}"
        behind = f"behind{segment}"
        changed = [(13 * segment + 31 * i) % VALUES for i in range(2)]
        others = self.others(segment, 8)
        condition = self.emit(f"icmp slt i32 {others[0]}, {others[1]}")
        self.lines.append(
            f"  br i1 {condition}, label %{then}, label %{other_arm}"
        )
        arms = []
        for label, read in ((then, others[:4]), (other_arm, others[4:])):
            self.open(label)
            arms.append([self.mixed(self.values[i], read) for i in changed])
            self.lines.append(f"  br label %{behind}")
        self.open(behind)
        for index, *results in zip(changed, *arms):
            self.values[index] = self.emit(
                f"phi i32 [ {results[0]}, %{then} ], [ {results[1]}, %{other_arm} ]"
            )


def kernel(segments):
    """The text of a kernel with this many segments."""
    result = Kernel()
    result.load_values()
    for segment in range(segments):
        if segment % 2:
            result.diamond(segment)
        else:
            result.loop(segment)
    result.store_values()
    return HEADER + "\n".join(result.lines) + "\n}\n"
