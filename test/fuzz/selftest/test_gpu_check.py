"""gpu_check against a driver that faults, hangs and errs on demand."""

import os
import subprocess
import tempfile
import unittest

from driver import gpu_bundle
from driver.gpu_queue import read_results

from . import support


class GpuCheckTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        cls.program = os.path.join(cls.folder, "gpu_check")
        gpu_bundle.build_launcher(cls.program)
        support.build_fake_driver(cls.folder)
        with open(os.path.join(cls.folder, "manifest.txt"), "w",
                  encoding="ascii") as file:
            for pair in range(2):
                file.write("pair p%d\n" % pair)
                for kernel in range(4):
                    file.write("k%d%d 32 1 1 1 1 1 0 8 64 5 1 1\n" % (
                        pair, kernel))
                for side in ("stock", "regdem"):
                    with open(os.path.join(cls.folder, "p%d.%s.cubin" % (
                            pair, side)), "wb") as cubin:
                        cubin.write(b"x")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_check(self, plan):
        """(process, kernel -> verdict)."""
        results = os.path.join(self.folder, "results")
        process = subprocess.run(
            [self.program, "--limit", "1", "--results", results, self.folder],
            env=dict(os.environ, FAKE_CUDA=plan, LD_LIBRARY_PATH=self.folder),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
        return process, {k: v[0] for k, v in read_results(results).items()}

    def check_without(self, name):
        """The same of nothing bad but that a file is missing."""
        path = os.path.join(self.folder, name)
        os.rename(path, path + ".away")
        try:
            return self.run_check("")
        finally:
            os.rename(path + ".away", path)

    def test_all_pass(self):
        process, verdicts = self.run_check("")
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assertEqual(set(verdicts.values()), {"passed"})
        self.assertIn("on Fake GPU", process.stdout)

    def test_bad_kernels_cost_only_themselves(self):
        plan = {"k00:regdem:wrong": "mismatch", "k01:stock:hang": "stock-hang",
                "k02:regdem:fault": "regdem-fault",
                "k10:stock:random": "unstable", "k11:stock:fault":
                "stock-fault", "k12:regdem:die": "regdem-death",
                "k13:regdem:hang": "regdem-hang"}
        process, verdicts = self.run_check(" ".join(plan))
        self.assertEqual(process.returncode, 1, process.stdout)
        expected = {key.split(":")[0]: v for key, v in plan.items()}
        self.assertEqual(verdicts, dict(expected, k03="passed"))
        self.assertIn("mismatch k00: 1 of 64 words, word 3 is a5c35a3d, stock "
                      "a5c35a3c", process.stdout)

    def test_unusable_device_is_an_error(self):
        process, verdicts = self.check_without("p1.stock.cubin")
        self.assertEqual(process.returncode, 2, process.stdout)
        self.assertIn("cannot read", process.stdout)
        self.assertEqual(verdicts["k03"], "passed")
        self.assertEqual(verdicts["k10"], "not-run")

    def test_program_that_is_not_loaded_costs_its_kernels(self):
        process, verdicts = self.check_without("p0.regdem.cubin")
        self.assertEqual(process.returncode, 1, process.stdout)
        for kernel in range(4):
            self.assertEqual(verdicts["k0%d" % kernel], "regdem-fault")
            self.assertEqual(verdicts["k1%d" % kernel], "passed")

    def test_usage(self):
        process = subprocess.run([self.program, "--limit", "0", self.folder],
                                 capture_output=True, check=False)
        self.assertEqual(process.returncode, 2)


if __name__ == "__main__":
    unittest.main()
