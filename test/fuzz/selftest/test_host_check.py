"""Each fault that a kernel may have must be found on the CPU."""

import tempfile
import unittest

from driver.host_check import HostCheck

from . import support


class HostCheckTest(unittest.TestCase):
    def run_body(self, body):
        check = HostCheck(support.tools(), None)
        with tempfile.TemporaryDirectory() as folder:
            outcome, _ = check._run([support.HandWritten(body)], folder)
        return outcome

    def assert_found(self, body, message):
        outcome = self.run_body(body)
        self.assertFalse(outcome.ok)
        self.assertIn(message, outcome.text)

    def test_exchange_with_barriers_is_fine(self):
        outcome = self.run_body("""
          __shared__ u32 s[64];
          s[lin] = in[lin];
          fz_barrier();
          out[lin] = s[(lin + 1) % 64] + fz_shfl_xor(lin, 3) + fz_ballot(true);
        """)
        self.assertTrue(outcome.ok, outcome.text)

    def test_exchange_without_barrier(self):
        self.assert_found("""
          __shared__ u32 s[64];
          s[lin] = in[lin];
          out[lin] = s[(lin + 1) % 64];
        """, "a race")

    def test_race_between_two_phases(self):
        self.assert_found("""
          __shared__ u32 s[64];
          s[lin] = in[lin];
          fz_barrier();
          u32 v = s[(lin + 1) % 64];
          s[lin] = v + 1;
          out[lin] = v;
        """, "a race")

    def test_barrier_that_half_of_the_threads_reach(self):
        self.assert_found("if (lin < 32) fz_barrier();\nout[lin] = lin;",
                          "threads wait for ever")

    def test_shuffle_that_half_of_a_warp_reaches(self):
        self.assert_found("out[lin] = lin & 1 ? fz_shfl_xor(lin, 2) : 0;",
                          "threads wait for ever")

    def test_two_barriers_instead_of_one(self):
        self.assert_found("""
          if (lin < 32)
            fz_barrier();
          else
            fz_barrier();
          out[lin] = lin;
        """, "threads wait in different places")

    PARTS = """
      __shared__ u32 s[64];
      s[lin] = in[lin];
      fz_barrier();
      u32 v = 0;
      if (lin < %d) {
        v = s[63];
        %s
      } else {
        %s
        if (lin == 63) s[63] = 7;
      }
      out[lin] = v;
    """

    def test_parts_that_wait_for_each_other(self):
        for first, wait in ((32, "fz_barrier_part(64, 1);"),
                            (48, "fz_syncwarp();")):
            outcome = self.run_body(self.PARTS % (first, wait, wait))
            self.assertTrue(outcome.ok, outcome.text)

    def test_parts_that_wait_at_different_barriers(self):
        self.assert_found(self.PARTS % (32, "fz_barrier_part(64, 1);",
                                        "fz_barrier_part(64, 2);"),
                          "threads wait in different places")

    def test_parts_that_do_not_wait(self):
        self.assert_found(self.PARTS % (32, "", ""), "a race")

    def test_uninitialised_variable(self):
        self.assert_found("u32 v;\nif (in[lin] & 1) v = 3;\nout[lin] = v;",
                          "uninitialised")

    def test_shared_memory_that_nobody_wrote(self):
        self.assert_found("__shared__ u32 s[64];\nout[lin] = s[lin];",
                          "nobody wrote")

    def test_overflow(self):
        self.assertFalse(self.run_body(
            "i32 v = (i32)in[lin] | 0x7fffff00;\nv += 256;\nout[lin] = v;").ok)


if __name__ == "__main__":
    unittest.main()
