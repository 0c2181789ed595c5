"""Tests of the comparison of a kernel's report with ptxas's figures."""

import unittest

from driver import figures


def _entry(decision, **changes):
    entry = {"decision": decision, "slots": 0, "slot_bytes": 0,
             "block_size": 128, "static_smem": 0, "max_regs": 0}
    return {**entry, **changes}


def _fault(entry, registers, smem=0, dynamic=0):
    return figures.contradiction(
        entry, {"block": [64, 2, 1], "dynamic_smem": dynamic},
        {"registers": registers, "smem": smem})


class Arrays(unittest.TestCase):
    def test_the_checker_must_not_refuse_a_rewrite(self):
        for reason, is_fault in (
                ("the checker finds that the rewritten kernel does something "
                 "else", True), ("its address is stored", False)):
            entry = _entry("cap", max_regs=40, arrays=[{"reason": reason}])
            self.assertEqual(_fault(entry, 40) is not None, is_fault)


class Cap(unittest.TestCase):
    def test_stated_cap_must_be_kept(self):
        for decision in ("cap", "pragma", "demote"):
            entry = _entry(decision, max_regs=40)
            self.assertIsNone(_fault(entry, 40))
            self.assertIn("the cap is 40", _fault(entry, 41))

    def test_ptxas_takes_24_registers_at_least(self):
        self.assertIsNone(_fault(_entry("cap", max_regs=16), 24))

    def test_lifted_limit_and_pragma_alone_have_no_cap(self):
        self.assertIsNone(_fault(_entry("cap", min_blocks=1), 200))
        self.assertIsNone(_fault(_entry("pragma", smem_spilling=True), 200))

    def test_demotion_has_a_cap(self):
        self.assertIn("the cap is 0", _fault(_entry("demote"), 32))


class OwnSharedMemory(unittest.TestCase):
    def test_ptxas_may_lay_it_out_more_closely_where_it_was_not_asked(self):
        entry = _entry("stock", static_smem=1344)
        self.assertIn("ptxas finds 1332", _fault(entry, 40, 1332))
        entry["estimated"] = True
        self.assertIsNone(_fault(entry, 40, 1332))
        self.assertIn("ptxas finds 1200", _fault(entry, 40, 1200))


class Region(unittest.TestCase):
    def test_every_thread_has_its_slots(self):
        entry = _entry("demote", slots=2, slot_bytes=1024, max_regs=40)
        self.assertIsNone(_fault(entry, 40, 1024))
        self.assertIn("bytes for 2 slots", _fault(
            {**entry, "slot_bytes": 512}, 40, 512))
        self.assertIn("region for 64 of 128 threads", _fault(
            {**entry, "block_size": 64}, 40, 1024))

    def test_dynamic_memory_may_follow_at_a_multiple(self):
        entry = _entry("demote", slots=3, slot_bytes=2048, max_regs=40)
        self.assertIsNone(_fault(entry, 40, 2048, dynamic=64))
        self.assertIn("bytes for 3 slots", _fault(entry, 40, 2048))

    def test_ptxas_finds_the_region(self):
        entry = _entry("demote", slots=2, slot_bytes=1024, max_regs=40)
        self.assertIn("ptxas finds 512 bytes", _fault(entry, 40, 512))


if __name__ == "__main__":
    unittest.main()
