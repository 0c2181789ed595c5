#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""choice_test.py FOLDER...: tests regdem_tune.choice, which is in the FOLDERs."""

import sys
import unittest

sys.dont_write_bytecode = True
while len(sys.argv) > 1:
    sys.path.insert(0, sys.argv.pop())

from regdem_tune.choice import Choice


class WordsTest(unittest.TestCase):
    def test_rewrites_are_listed(self):
        choice = Choice("rewrite", rewrites="skip-slsr,unroll-loops")
        self.assertEqual(str(choice), "rewrite with skip-slsr,unroll-loops")

    def test_rewrites_stand_between_cap_and_order(self):
        self.assertEqual(str(Choice("rewrite", rewrites="unroll-loops")),
                         "rewrite with unroll-loops")
        both = Choice("cap", 40, rewrites="skip-slsr,unroll-loops", order="near")
        self.assertEqual(str(both), "cap 40 regs with skip-slsr,unroll-loops "
                         "order near")


unittest.main()
