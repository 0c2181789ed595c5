#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of file_cost.py; a shell stands for the compiler."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import file_cost


def entry(script, name="a.cu"):
    return {"file": f"src/{name}", "arguments": ["sh", "-c", script]}


BURN = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
# With what is appended, it takes longer.
SLOW = f'{BURN}; case "$*" in *plugin*) {BURN}; {BURN};; esac'


class FileCostTest(unittest.TestCase):
    def test_commands_write_nothing(self):
        words = file_cost.words_of({"command": "cc -c 'a b.cu' -o x.o -O3"})
        self.assertEqual(words[:4], ["cc", "-c", "a b.cu", "-O3"])
        self.assertEqual(words[-2:], ["-o", "/dev/null"])
        self.assertNotIn("x.o", words)

    def test_ratios(self):
        rows, failed = file_cost.measure([entry(SLOW)], ["-plugin"], 60)
        self.assertEqual(failed, [])
        name, cpu, memory, cpu_ratio, memory_ratio = rows[0]
        self.assertEqual(name, "a.cu")
        self.assertGreater(min(cpu, memory), 0)
        self.assertGreater(cpu_ratio, 1)
        self.assertGreater(memory_ratio, 0)

    def test_failures_are_told_apart(self):
        failing = 'case "$*" in *plugin*) exit 3;; esac'
        rows, failed = file_cost.measure(
            [entry("exit 1", "b.cu"), entry(failing, "c.cu")], ["-plugin"], 60)
        self.assertEqual(rows, [])
        self.assertIn("b.cu: clang", failed[0])
        self.assertIn("c.cu: with RegDem exit status 3", failed[1])

    def test_what_takes_too_long_is_ended(self):
        status, _, _ = file_cost.run(["sleep", "60"], ".", 0.2)
        self.assertLess(status, 0)


if __name__ == "__main__":
    unittest.main()
