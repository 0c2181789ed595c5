#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""choice_test.py FOLDER: tests regdem_tune.choice, which is in FOLDER."""

import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

from regdem_tune.choice import Choice


class WordsTest(unittest.TestCase):
    def test_what_is_left_out_is_listed(self):
        choice = Choice("omit", without="slsr,copies")
        self.assertEqual(str(choice), "omit without slsr,copies")

    def test_loops_that_do_not_stay_rolled_are_unrolled(self):
        self.assertEqual(str(Choice("omit", without="loop-rolling")),
                         "omit loops unrolled")
        both = Choice("cap", 40, without="copies,loop-rolling", order="near")
        self.assertEqual(str(both), "cap 40 regs loops unrolled without copies "
                         "order near")


unittest.main()
