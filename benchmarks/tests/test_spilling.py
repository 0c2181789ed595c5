#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the spilling analysis: ncu's CSV, the rule. No GPU, no ncu
needed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from regdem_common import metrics, ncu, spilling

LOG = '''==PROF== Connected to process 4711 (/tmp/programs/mix64)
==PROF== Profiling "mix64" - 0: 0%....50%....100% - 9 passes
==WARNING== Something about caches.
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Kernel Name","Block Size","CC",\
"gpu__time_duration.sum","smsp__inst_issued.sum","lts__t_sectors.sum",\
"dram__throughput.avg.pct_of_peak_sustained_elapsed"
"","","","","","","{unit}","inst","sector","%"
"0","4711","mix64","mix64(unsigned int*, int)","(256, 1, 1)","9.0",\
"1,234.5","12,345,678","0","n/a"
"1","4711","mix64","mix64(unsigned int*, int)","(256, 1, 1)","9.0",\
"2","7","","55.25"
'''


def rows_of(text):
    return [row for _, row in ncu.launches(text)]


class Csv(unittest.TestCase):
    def test_rows_follow_the_launches(self):
        first, second = rows_of(LOG.format(unit="ns"))
        self.assertEqual(first["gpu__time_duration.sum"], 1234.5)
        self.assertEqual(first["smsp__inst_issued.sum"], 12345678)
        self.assertEqual(second["smsp__inst_issued.sum"], 7)

    def test_blank_and_not_available_are_none(self):
        first, second = rows_of(LOG.format(unit="ns"))
        name = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
        self.assertIsNone(first[name])
        self.assertEqual(second[name], 55.25)
        self.assertEqual(first["lts__t_sectors.sum"], 0)
        self.assertIsNone(second["lts__t_sectors.sum"])

    def test_times_become_nanoseconds(self):
        for unit, factor in (("ns", 1), ("nsecond", 1), ("us", 1e3),
                             ("msecond", 1e6)):
            _, row = rows_of(LOG.format(unit=unit))
            self.assertEqual(row["gpu__time_duration.sum"], 2 * factor, unit)

    def test_descriptions_are_no_metrics(self):
        self.assertEqual(len(rows_of(LOG.format(unit="ns"))[0]), 4)

    def test_log_without_table_has_no_rows(self):
        self.assertEqual(rows_of("==ERROR== no kernels\n"), [])
        self.assertEqual(rows_of(""), [])
        self.assertEqual(rows_of('"ID","gpu__time_duration.sum"\n'), [])

    def test_errors_and_warnings_are_found(self):
        self.assertEqual(ncu.complaints(LOG), ["Something about caches."])
        self.assertEqual(ncu.complaints("==WARNING== A\nx\n==PROF== B\n==ERROR== C\n"),
                         ["C", "A"])

    def test_alternative_names_stand_in(self):
        name = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
        values = metrics.by_short_name({name: 3.0})
        self.assertEqual(values["dram_pct"], 3.0)
        self.assertIsNone(values["l2_pct"])


def launch(stalls=None, **values):
    """A launch of 1000 instructions without local or shared accesses, with
    nothing in use, changed by `values` (short names)."""
    row = {
        "dram_pct": 0, "l2_pct": 0, "l1_pct": 0, "issue_pct": 0, "sm_pct": 0,
        "issued": 1000, "local_ld": 0, "local_st": 0, "local_ld_requests": 0, "global_ld_requests": 10,
        "local_ld_sectors": 0, "local_st_sectors": 0, "local_ld_misses": 0,
        "local_st_misses": 0, "l2_sectors": 100, "wavefronts": 100,
        **values,
    }
    named = {metrics.METRICS[k][0]: v for k, v in row.items()}
    for reason, value in (stalls or {"long_scoreboard": 1.0}).items():
        named[metrics.stall_metric(reason)] = value
    return spilling.Launch(named)


SPILLS = {
    "local_ld": 30, "local_st": 20, "local_ld_requests": 30,
    "local_ld_sectors": 120, "local_st_sectors": 80, "local_ld_misses": 10,
    "local_st_misses": 20,
}
WAITS = {"long_scoreboard": 3.0, "lg_throttle": 1.0, "wait": 4.0}

# What is used, what the verdict begins with, weight of local memory.
CASES = (
    (dict(dram_pct=85, issue_pct=30), "bandwidth-bound (DRAM 85 %)", 0.3),
    (dict(l2_pct=70, sm_pct=69), "bandwidth-bound (L2 70 %)", 0.3),
    (dict(l1_pct=90, issue_pct=89), "bandwidth-bound (L1 90 %)", 0.5),
    (dict(issue_pct=75, dram_pct=74), "instruction-bound (issue slots 75 %)",
     0.05),
    (dict(sm_pct=61), "instruction-bound (busiest unit 61 %)", 0.05),
    (dict(dram_pct=60, issue_pct=60), "bandwidth-bound (DRAM 60 %)", 0.3),
    (dict(dram_pct=59, issue_pct=20), "latency-bound (at most DRAM 59 %)",
     0.5 * 30 / 40),
    (dict(dram_pct=None, l2_pct=65), "bandwidth-bound (L2 65 %)", 0.3),
)


class Verdict(unittest.TestCase):
    def test_limit_decides_what_is_weighed(self):
        for used, begin, weight in CASES:
            with self.subTest(**used):
                one = launch(stalls=WAITS, **{**SPILLS, **used,
                                              "wavefronts": 100})
                text = spilling.verdict(one, "spills")
                self.assertTrue(text.startswith(begin), text)
                self.assertAlmostEqual(one.local_weight(one.limit()), weight)
                words = {0.05: "spilling matters little (5.0 %)"}
                self.assertIn(words.get(weight, "spilling matters ("), text)

    def test_weight_decides_the_words(self):
        for weight, words in ((0.1, "matters"), (0.099, "matters little"),
                              (0.03, "matters little"),
                              (0.029, "does not matter"), (None, "unknown")):
            self.assertEqual(spilling.judge(weight), words)

    def test_no_local_memory_is_said(self):
        self.assertEqual(
            spilling.verdict(launch(issue_pct=80)),
            "instruction-bound (issue slots 80 %); no local memory accesses",
        )

    def test_arrays_are_not_called_spills(self):
        one = launch(issue_pct=80, **SPILLS)
        self.assertIn("no spills", spilling.verdict(one, "arrays"))
        self.assertNotIn("no spills", spilling.verdict(one, "spills"))

    def test_missing_counters_never_become_a_judgement(self):
        one = launch(issue_pct=None, sm_pct=None)
        self.assertEqual(spilling.verdict(one),
                         "limit unknown: counters are missing")
        one = launch(**{**SPILLS, "dram_pct": 90, "l2_sectors": None})
        self.assertIn("unknown", spilling.verdict(one, "spills"))
        one = launch(issue_pct=90, local_ld=None)
        self.assertIn("unknown", spilling.verdict(one, "spills"))

    def test_nothing_at_all_is_survived(self):
        one = spilling.Launch({})
        self.assertEqual(spilling.verdict(one),
                         "limit unknown: counters are missing")
        self.assertIsNone(one.hit_rate)
        self.assertEqual(one.stalls, [])


class Figures(unittest.TestCase):
    def test_shares(self):
        one = launch(**SPILLS)
        self.assertAlmostEqual(one.hit_rate, 1 - 10 / 120)
        self.assertAlmostEqual(one.l2_share, 0.3)
        self.assertAlmostEqual(one.local_share, 0.05)

    def test_no_local_loads_have_no_hit_rate(self):
        self.assertIsNone(launch().hit_rate)

    def test_stalls_are_sorted(self):
        one = launch(stalls=WAITS)
        self.assertEqual([r for r, _ in one.stalls],
                         ["wait", "long_scoreboard", "lg_throttle"])
        self.assertEqual(one.stall_share("wait"), 0.5)


if __name__ == "__main__":
    unittest.main()
