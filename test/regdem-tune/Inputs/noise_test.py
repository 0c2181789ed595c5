#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""noise_test.py FOLDER: tests regdem_tune.noise, which is in FOLDER."""

import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

from regdem_tune.noise import compare, error_of_median


class NoiseTest(unittest.TestCase):
    def test_equal_times_have_no_error(self):
        self.assertEqual(error_of_median([2.0] * 5), 0)

    def test_the_error_of_the_median_is_that_of_a_normal_sample(self):
        generator = random.Random(1)
        sample = [generator.gauss(100, 1) for _ in range(10000)]
        self.assertAlmostEqual(error_of_median(sample), 0.01253, delta=0.0005)

    def test_one_outlier_does_not_move_the_error(self):
        self.assertEqual(error_of_median([10, 11, 12, 13, 14]),
                         error_of_median([10, 11, 12, 13, 1000]))

    def test_gain_and_speedup(self):
        found = compare([10] * 5, [10] * 5, [8] * 5)
        self.assertAlmostEqual(found.gain, 0.2)
        self.assertAlmostEqual(found.speedup, 1.25)
        self.assertTrue(found.is_faster)

    def test_a_gain_below_the_least_does_not_count(self):
        self.assertFalse(compare([10] * 5, [10] * 5, [9.96] * 5).is_faster)

    def test_the_base_against_itself_is_noise(self):
        found = compare([10] * 5, [11] * 5, [9.6] * 5)
        self.assertGreaterEqual(found.noise * 10.5, 1)
        self.assertFalse(found.is_faster)

    def test_a_program_against_itself_is_rarely_faster(self):
        generator = random.Random(2)

        def sample():
            return [generator.gauss(100, 3) for _ in range(7)]
        wrong = sum(compare(sample(), sample(), sample()).is_faster
                    for _ in range(2000))
        # A median absolute deviation of seven figures is a rough guide.
        self.assertLess(wrong, 60)

    def test_a_large_gain_is_found_in_noise(self):
        generator = random.Random(3)

        def sample(middle):
            return [generator.gauss(middle, 2) for _ in range(7)]
        right = sum(compare(sample(100), sample(100), sample(85)).is_faster
                    for _ in range(500))
        self.assertGreater(right, 475)


unittest.main()
