"""A whole campaign on a driver that gives one wrong word, and the judgement."""

import os
import subprocess
import sys
import tempfile
import unittest

from . import support

_FUZZ = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PLUGIN = os.environ.get("REGDEM_PLUGIN")


@unittest.skipUnless(_PLUGIN, "REGDEM_PLUGIN does not name the plugin")
class CampaignTest(unittest.TestCase):
    def run_program(self, name, arguments, folder):
        return subprocess.run(
            [sys.executable, os.path.join(_FUZZ, name)] + arguments,
            env=dict(os.environ, LD_LIBRARY_PATH=folder,
                     FAKE_CUDA="fuzz_2:regdem:wrong fuzz_3:stock:fault"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)

    def test_wrong_word_is_reported_kept_and_judged(self):
        clang = support.tools().clang
        with tempfile.TemporaryDirectory() as folder:
            support.build_fake_driver(folder)
            out = os.path.join(folder, "out")
            process = self.run_program("campaign.py", [
                "--seeds", "0:8", "--seconds", "300", "-j", "2", "--stated",
                "--plugin", _PLUGIN, "--clang", clang, "--out", out], folder)
            self.assertEqual(process.returncode, 1, process.stdout)
            with open(os.path.join(out, "summary.txt"),
                      encoding="utf-8") as file:
                summary = file.read()
            self.assertIn("8 through checker and ptxas", summary)
            self.assertRegex(summary, r"passed +6 kernels")
            self.assertIn("mismatch fuzz_2: 1 of ", summary)
            self.assertIn("stock-fault fuzz_3: ", summary)
            process = self.run_program("judge.py", [
                os.path.join(out, "failing.tar.xz"), "--clang", clang], folder)
            self.assertEqual(process.returncode, 0, process.stdout)
            self.assertIn("mismatch fuzz_2: both PTX", process.stdout)


if __name__ == "__main__":
    unittest.main()
