#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""app.py PTX [KERNEL.FORM=BEHAVIOUR...]: stands for a program with a GPU.

Its time depends on how the kernels in PTX are built. FORM is stock, capN or
demoteN, with N the cap in registers, if that is not the kernel's own. Each kernel takes 100 units of time;
BEHAVIOUR is another number of them, or `wrong` (another result), `crash`,
`hang`, `silent` (prints no time), or `NUMBER~SPREAD` (a time that changes from
run to run within the spread, in the same way each time that the test is run).
Prints a result of each kernel and the sum of the times.
"""

import os
import re
import sys
import time

# Thirteen steps from -1 to 1, in an order without a trend.
JITTER = (0, 5, -4, 2, -6, 6, -1, 3, -3, -5, 4, 1, -2)


def form(body):
    cap = re.search(r"\.maxnreg (\d+)", body)
    if "st.shared" in body:
        return "demote" + (cap.group(1) if cap else "")
    return "cap" + cap.group(1) if cap else "stock"


def spread(path, number, width):
    """The next time of the program at `path`, from a count kept beside it."""
    counter = f"{path}.count"
    count = 0
    if os.path.exists(counter):
        with open(counter, encoding="utf-8") as file:
            count = int(file.read())
    with open(counter, "w", encoding="utf-8") as file:
        file.write(str(count + 1))
    return number + width * JITTER[count % len(JITTER)] / 6


def main():
    path, *rules = sys.argv[1:]
    behaviours = dict(rule.split("=") for rule in rules)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    total = 0
    for match in re.finditer(r"\.entry (\w+)\(.*?(?=\.entry|\Z)", text, re.S):
        kernel, built = match.group(1), form(match.group(0))
        behaviour = behaviours.get(f"{kernel}.{built}", "100")
        if behaviour == "crash":
            sys.exit(f"{kernel}: an illegal memory access was encountered")
        if behaviour == "hang":
            time.sleep(600)
        if behaviour == "silent":
            return
        print(f"{kernel}: sum {'0x2b' if behaviour == 'wrong' else '0x2a'}")
        if behaviour == "wrong":
            behaviour = "1"
        number, _, width = behaviour.partition("~")
        total += spread(path, float(number), float(width)) if width else \
            float(number)
    print(f"kernel time: {total:.4f} ms")


main()
