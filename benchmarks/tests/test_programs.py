#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the benchmark of programs: the table, the stand-in for nvcc, a build
and a fetch of a program made up here, comparing outputs, the report, and with a
CUDA toolkit the library that times kernels."""

import dataclasses
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
sys.path[:0] = [str(PROGRAMS), str(HERE.parent)]

import build
import fetch
import nvcc_options
import outputs
import pack
import report
import run
import stand_in
import table
import times

CUDA = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
TABLE = """
seed = "1"
[sets.made]
url = "{url}"
commit = "{commit}"
candidates = ["*/"]
[dropped]
"made/c" = "no kernel"
[[programs]]
name = "a"
set = "made"
chosen = "seed"
folder = "a"
build = "make"
run = "{{bin}}/a"
files = ["a"]
"""


def parsed(url="u", commit="0" * 40):
    return table.parse(TABLE.format(url=url, commit=commit))


class Tables(unittest.TestCase):
    def test_faults_are_told(self):
        text = TABLE.format(url="u", commit="0" * 40)
        for old, new, fault in (
                ("0" * 40, "main", "40 digits"),
                ('set = "made"', 'set = "other"', "no set other"),
                ('chosen = "seed"', 'chosen = "luck"', "chosen for what"),
                ('build = "make"', "", "build"),
                ('folder = "a"', 'colour = "a"', "no field 'colour'")):
            with self.assertRaisesRegex(table.TableError, fault):
                table.parse(text.replace(old, new))
        with self.assertRaisesRegex(table.TableError, "twice"):
            table.parse(text + text[text.index("[[programs]]"):])

    def test_held_out_depends_on_seed_and_name_alone(self):
        one, two = parsed(), parsed()
        two.programs.append(two.programs[0])
        names = [table.Program(f"p{i}", "made", "seed", "", "", ())
                 for i in range(400)]
        held = [one.held_out(p) for p in names]
        self.assertEqual(held, [two.held_out(p) for p in names])
        self.assertTrue(70 < sum(held) < 130)

    def test_every_directory_before_the_last_is_accounted_for(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "abcd":
                (Path(folder) / "made" / name).mkdir(parents=True)
            found = parsed()
            drawn = table.draw(found, Path(folder))["made"]
            self.assertEqual(sorted(d for d, _ in drawn), list("abcd"))
            self.assertEqual(dict(drawn)["a"], "a")
            self.assertEqual(dict(drawn)["c"], "no kernel")
            before = [d for d, _ in drawn[:drawn.index(("a", "a"))]]
            self.assertEqual(
                table.skipped({"made": drawn}, found),
                [f"made/{d}" for d in before if d != "c"])


class Options(unittest.TestCase):
    def clang(self, text):
        return nvcc_options.for_clang(text.split(), "sm_90", "/cuda")

    def test_architectures_are_replaced(self):
        for text in ("-arch=sm_35", "-arch sm_35", "-gencode=arch=compute_35,code=sm_35",
                     "-gencode arch=compute_35,code=sm_35",
                     "--gpu-architecture=compute_20 --gpu-code=compute_20"):
            words = self.clang(f"{text} -c a.cu -o a.o")
            self.assertNotIn("35", " ".join(words).replace("sm_90", ""))
            self.assertIn("--cuda-gpu-arch=sm_90", words)
            words = nvcc_options.for_nvcc(f"{text} a.cu".split(), "sm_90")
            self.assertEqual([w for w in words if "arch" in w], ["-arch=sm_90"])

    def test_options_get_their_meaning_in_clang(self):
        for text, expected in (
                ("-Xcompiler -fopenmp,-Wall", ["-fopenmp"]),
                ("-maxrregcount 32", ["-Xcuda-ptxas", "--maxrregcount=32"]),
                ("--maxrregcount=32", ["-Xcuda-ptxas", "--maxrregcount=32"]),
                ("-Xptxas -v,-dlcm=ca", ["-Xcuda-ptxas", "-dlcm=ca"]),
                ("-rdc=true", ["-fgpu-rdc"]),
                ("-dc", ["-fgpu-rdc", "-c"]),
                ("-fmad=false", ["-ffp-contract=off"]),
                ("-std=c++11", ["-std=c++17"]),
                ("-std=c++20", ["-std=c++20"]),
                ("-x cu", ["-x", "cuda"]),
                ("-DA=1\\,2", ["-D", "A=1,2"]),
                ("--default-stream per-thread", ["-fgpu-default-stream=per-thread"]),
                ("-Idir -I dir -DA=1", ["-I", "dir", "-I", "dir", "-D", "A=1"])):
            words = self.clang(f"-c {text} a.o")
            self.assertIn(" ".join(expected), " ".join(words), text)
        for text in ("-lineinfo", "-G", "-g", "--extended-lambda", "-Xptxas -v",
                     "--expt-relaxed-constexpr", "-Xcudafe --display_error_number",
                     "-ccbin g++", "-cudart static", "-t 4", "-O2", "-rdc=false",
                     "-Wno-deprecated-gpu-targets"):
            self.assertEqual(self.clang(f"-c {text} a.o"), self.clang("-c a.o"), text)
        self.assertIn("-ffast-math", self.clang("-use_fast_math -c a.cu"))

    def test_clang_optimises_and_links_the_runtime(self):
        words = self.clang("a.o -o a")
        self.assertIn("-lcudart", words)
        self.assertIn("--offload-link", words)
        words = self.clang("-O0 -c a.cu")
        self.assertIn("-O3", words)
        self.assertNotIn("-lcudart", words)
        self.assertNotIn("-O0", words)

    def test_c_stays_c(self):
        words = self.clang("main.c a.cu -o a")
        self.assertEqual(words[words.index("main.c") - 1], "c")
        self.assertEqual(words[words.index("a.cu") - 1], "none")

    def test_sources_of_device_code(self):
        self.assertEqual(nvcc_options.sources("-c a.cu b.cpp c.o".split()), ["a.cu"])
        self.assertEqual(nvcc_options.sources("-x cu -c b.cpp".split()), ["b.cpp"])

    def test_a_compilation_is_no_device_link(self):
        words = "-rdc=true -dlink -x cu -c a.cu -o a.o".split()
        self.assertFalse(nvcc_options.is_device_link(words))
        self.assertNotIn("-dlink", self.clang(" ".join(words)))
        self.assertTrue(nvcc_options.is_device_link("-rdc=true a.o -dlink -o b.o".split()))

    def test_files_of_options_are_read(self):
        found = nvcc_options.parse(["--options-file", "f", "a.cu"],
                                   read=lambda path: "-DA -Ib")
        self.assertEqual(found, [("define", "A"), ("include", "b"), ("file", "a.cu")])


class StandIn(unittest.TestCase):
    VARIANT = {"kind": "clang", "compiler": "clang++", "flags": ["-fpass-plugin=p"],
               "arch": "sm_90", "cuda": "/cuda", "nvcc": "/cuda/bin/nvcc"}

    def test_the_plugin_sees_device_code_only(self):
        words = stand_in.command(self.VARIANT, ["-c", "a.cu"], "/")
        self.assertEqual(words[:2], ["clang++", "-fpass-plugin=p"])
        self.assertNotIn("-fpass-plugin=p",
                         stand_in.command(self.VARIANT, ["a.o"], "/"))

    def test_questions_go_to_nvcc(self):
        for words in (["--version"], ["-v", "CMakeCUDACompilerId.cu"]):
            self.assertEqual(stand_in.command(self.VARIANT, words, "/"),
                             ["/cuda/bin/nvcc", *words])

    def test_device_links_are_left_to_the_link(self):
        words = stand_in.command(self.VARIANT, ["-dlink", "a.o", "-o", "b.o"], "/")
        self.assertEqual(words, ["g++", "-x", "c", "-c", "/dev/null", "-o", "b.o"])


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@unittest.skipUnless(shutil.which("git"), "there is no git")
class Builds(unittest.TestCase):
    """With a compiler that writes its command line, and git."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        origin = self.root / "origin"
        (origin / "a").mkdir(parents=True)
        (origin / "a" / "Makefile").write_text("a: a.cu\n\tnvcc -arch=sm_20 a.cu -o a\n")
        (origin / "a" / "a.cu").write_text("")
        for words in (["init", "-q"], ["add", "."],
                      ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "m"],
                      ["config", "uploadpack.allowFilter", "true"],
                      ["config", "uploadpack.allowAnySHA1InWant", "true"]):
            subprocess.run(["git", "-C", str(origin), *words], check=True)
        commit = fetch.git(origin, "rev-parse", "HEAD")
        self.table = parsed(f"file://{origin}", commit)
        executable(self.root / "cuda/bin/nvcc", "#!/bin/sh\nexit 1\n")
        for name in ("lib64", "include"):
            (self.root / "cuda" / name).mkdir()
        executable(self.root / "clang", '#!/bin/sh\necho "$@" > a\n')
        self.variants = build.variants(self.root / "cuda", str(self.root / "clang"), {})

    def builder(self, launches=None):
        return build.Builder(self.table, self.root / "out", self.root / "sources",
                             self.root / "cuda", "sm_90", 60, launches or {})

    def test_fetched_and_built_by_its_makefile(self):
        one = self.table.sets["made"]
        fetch.fetch(one, self.root / "sources")
        fetch.fetch(one, self.root / "sources")
        nvcc, clang = self.variants
        record = self.builder().build(self.table.programs[0], clang, False)
        self.assertEqual(record["compilations"][0]["sources"], ["a.cu"])
        built = (self.root / "out/built/a/clang/a").read_text()
        self.assertIn("--cuda-gpu-arch=sm_90", built)
        self.assertNotIn("sm_20", built)
        record = self.builder().build(self.table.programs[0], nvcc, False)
        self.assertIn("Error 1", record["error"])

    def test_launches_that_a_run_has_seen_are_told(self):
        fetch.fetch(self.table.sets["made"], self.root / "sources")
        executable(self.root / "clang", '#!/bin/sh\ncat "$REGDEM_PROFILE" > a\n')
        seen, _ = times.read("k\t8,2,1\t64,1,1\t32\t0\t512\t3\t99\t9\n")
        self.builder({"a": times.profile(seen, 132)}).build(
            self.table.programs[0], self.variants[1], False)
        built = json.loads((self.root / "out/built/a/clang/a").read_text())
        self.assertEqual(built, {"version": 1, "launches": [
            {"kernel": "k", "block": [64, 1, 1], "grid": [8, 2, 1],
             "dynamic_smem": 512, "count": 3, "multiprocessors": 132}]})

    def test_builds_run_beside_each_other_but_not_beside_a_pack(self):
        with (build.using(self.root / "out", alone=False),
              build.using(self.root / "out", alone=False),
              self.assertRaisesRegex(table.TableError, "is running")):
            build.using(self.root / "out", alone=True).__enter__()
        with (build.using(self.root / "out", alone=True),
              self.assertRaisesRegex(table.TableError, "is running")):
            build.using(self.root / "out", alone=False).__enter__()

    def test_builds_follow_the_table(self):
        program = self.table.programs[0]
        changed = dataclasses.replace(program, build=program.build + " SIZE=2")
        self.assertNotEqual(self.table.recipe(changed), self.table.recipe(program))
        more = dataclasses.replace(program, inputs=("a/a.cu",))
        self.assertNotEqual(self.table.recipe(more), self.table.recipe(program))
        records = {"clang": {"base": "", "recipe": self.table.recipe(program)}}
        self.assertIsNone(pack.entry(changed, self.table, records, self.root))

    def test_changed_sources_are_refused(self):
        one = self.table.sets["made"]
        folder = fetch.fetch(one, self.root / "sources")
        (folder / "a" / "a.cu").write_text("changed")
        with self.assertRaisesRegex(table.TableError, "was changed"):
            fetch.fetch(one, self.root / "sources")

    def test_plugins_make_variants(self):
        executable(self.root / "p/bin/regdem-nvcc", "")
        executable(self.root / "p/lib/RegDem.so", "")
        found = build.variants("/cuda", "clang",
                               {"new": str(self.root / "p/lib/RegDem.so")})
        self.assertEqual([(v.name, v.base) for v in found],
                         [("nvcc", ""), ("clang", ""), ("new", "clang"),
                          ("nvcc-new", "nvcc")])


@unittest.skipUnless((CUDA / "include/cuda_runtime.h").exists(), "no CUDA headers")
class Header(unittest.TestCase):
    def included(self, *defines):
        """What is left of a program of names that cuda12.h gives another meaning."""
        return subprocess.run(
            ["g++", "-E", "-P", "-x", "c++", "-", "-include", nvcc_options.HEADER,
             "-isystem", CUDA / "include", *defines], input="int clockRate;",
            capture_output=True, text=True, check=True).stdout.splitlines()[-1]

    def test_only_device_code_gets_what_cuda_13_took_away(self):
        self.assertEqual(self.included(), "int clockRate;")
        self.assertEqual(self.included("-D__CUDACC__"), "int l2CacheSize;")


@unittest.skipUnless(shutil.which("objcopy"), "no objcopy")
class DeviceCode(unittest.TestCase):
    def code(self, data, host):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            source = (f"__attribute__((section(\".nv_fatbin\"))) int code = {data};"
                      f"int main() {{ return {host}; }}")
            subprocess.run(["gcc", "-x", "c", "-", "-o", program], input=source,
                           text=True, check=True)
            return pack.device_code([program])

    def test_only_device_code_counts(self):
        self.assertEqual(self.code(1, 1), self.code(1, 2))
        self.assertNotEqual(self.code(1, 1), self.code(2, 1))

    def test_a_file_without_any_has_none(self):
        self.assertEqual(pack.device_code([Path("/dev/null")]), b"")


@unittest.skipUnless((CUDA / "bin/ptxas").exists(), "no ptxas")
class KernelCodes(unittest.TestCase):
    def cubin(self, **stored):
        """{kernel: number that it stores}"""
        text = ".version 8.0\n.target sm_90\n.address_size 64\n"
        for name, number in stored.items():
            text += (f".visible .entry {name}(.param .u64 p) {{ .reg .b64 %r;"
                     f" ld.param.u64 %r, [p]; st.global.u32 [%r], {number}; ret; }}\n")
        with tempfile.TemporaryDirectory() as folder:
            cubin = Path(folder) / "cubin"
            subprocess.run([CUDA / "bin/ptxas", "-arch=sm_90", "/dev/stdin", "-o", cubin],
                           input=text, text=True, check=True)
            return cubin.read_bytes()

    def test_kernels_are_told_apart(self):
        one = pack.kernel_codes(b"head" + self.cubin(a=1, b=2) + b"\x7fELF\2\1 no"
                                + bytes(64))
        other = pack.kernel_codes(self.cubin(a=1, b=3, c=4))
        self.assertEqual(sorted(one), ["a", "b"])
        self.assertEqual(one["a"], other["a"])
        self.assertNotEqual(one["b"], other["b"])


class Outputs(unittest.TestCase):
    def test_differences(self):
        same = outputs.first_difference
        self.assertEqual(same("a 1.0\ntime 3\n", "a 1.0\ntime 4\n", ["time"], 0), "")
        self.assertIn("1.1", same("a 1.0\n", "a 1.1\n", [], 0))
        self.assertEqual(same("a 1.0\n", "a 1.0001\n", [], 1e-3), "")
        self.assertIn("1.01", same("a 1.0\n", "a 1.01\n", [], 1e-3))
        self.assertIn("b", same("a 1\n", "b 1\n", [], 1e-3))
        self.assertIn("lines", same("a\n", "a\nb\n", [], 1e-3))

    def test_files_count(self):
        base = {"stdout": "", "files": {"f": "1"}}
        self.assertIn("f: ", outputs.difference(
            base, {"stdout": "", "files": {"f": "2"}}, [], 0))
        self.assertIn("only one", outputs.difference(
            base, {"stdout": "", "files": {"f": None}}, [], 0))

    def test_variants_are_compared_with_their_compiler(self):
        program = {"ignore": [], "tolerance": 0, "between": 0.1, "variants": {
            "nvcc": {"base": ""}, "clang": {"base": ""}, "new": {"base": "clang"}}}
        runs = {v: {"stdout": text, "files": {}}
                for v, text in (("nvcc", "1.0"), ("clang", "1.01"), ("new", "1.0"))}
        differs, between = run.compare(program, runs)
        self.assertEqual(list(differs), ["new"])
        self.assertEqual(between, "")


def launches(time, count=2, name="k"):
    return [{"kernel": name, "grid": "1,1,1", "block": "64,1,1", "registers": 32,
             "local": 0, "smem": 0, "launches": count, "sum": time * count,
             "shortest": time}]


def results():
    """One program, two rounds: clang 40 us, the plugin 20 us, nvcc 30 us."""
    rounds = {"nvcc": 30_000, "clang": 40_000, "new": 20_000}
    variants = {
        "nvcc": {"base": "", "code": "n", "compilations": {"a.cu": 2.0}},
        "clang": {"base": "", "code": "c",
                  "compilations": {"a.cu": 1.0, "shared.cu": 9.0}},
        "new": {"base": "clang", "code": "r", "compilations": {"a.cu": 3.0}}}
    return {
        "device": "none",
        "manifest": [{"name": "a", "set": "made", "commit": "c", "chosen": "seed",
                      "held_out": False, "variants": variants}],
        "programs": [{
            "name": "a", "errors": {}, "differs": {}, "between": "",
            "rounds": {v: [{"kernels": launches(t), "wall": 1.0},
                           {"kernels": launches(t), "wall": 1.0}]
                       for v, t in rounds.items()}}]}


class Report(unittest.TestCase):
    def test_ratios(self):
        found = report.figures(results())
        self.assertEqual(list(found["pairs"]),
                         ["clang over nvcc", "new over clang", "new over nvcc"])
        self.assertAlmostEqual(found["pairs"]["clang over nvcc"]["mean"], 0.75)
        self.assertAlmostEqual(found["pairs"]["new over clang"]["mean"], 2.0)
        self.assertAlmostEqual(found["pairs"]["new over nvcc"]["mean"], 1.5)
        self.assertEqual(found["pairs"]["new over clang"]["compile"], {"a": 3.0})
        self.assertEqual(len(found["pairs"]["new over clang"]["kernels"]), 1)

    def test_kernels_of_the_same_code_are_not_compared(self):
        data = results()
        for variant in ("clang", "new"):
            data["manifest"][0]["variants"][variant]["kernels"] = {"k": "1"}
        found = report.figures(data)["pairs"]
        self.assertEqual(found["new over clang"]["kernels"], [])
        self.assertEqual(len(found["new over nvcc"]["kernels"]), 1)
        for each in data["programs"][0]["rounds"]["new"]:
            each["kernels"] += launches(20_000, 1, "k$regdem1")
        found = report.figures(data)["pairs"]["new over clang"]["kernels"]
        self.assertEqual(len(found), 1)

    def test_other_grids_are_not_compared(self):
        data = results()
        for each in data["programs"][0]["rounds"]["nvcc"]:
            each["kernels"][0]["grid"] = "2,1,1"
        found = report.figures(data)
        self.assertIsNone(found["pairs"]["new over nvcc"]["mean"])
        self.assertAlmostEqual(found["pairs"]["new over clang"]["mean"], 2.0)
        self.assertIn("a, clang and nvcc launch different things",
                      report.document(found))

    def test_launches_count_as_often_in_all_rounds(self):
        data = results()
        data["programs"][0]["rounds"]["new"] = [
            {"kernels": launches(20_000, 50), "wall": 1.0}]
        found = report.figures(data)["pairs"]["new over clang"]
        self.assertAlmostEqual(found["mean"], 2.0)

    def test_losses_are_told(self):
        text = report.document(report.figures(results()))
        self.assertIn("clang over nvcc, programs below 0.95: a 0.750", text)
        self.assertIn("new over clang, programs below 0.99: none", text)

    def test_builds_at_launch_count_as_their_kernel(self):
        data = results()
        for each in data["programs"][0]["rounds"]["new"]:
            each["kernels"] = launches(20_000, 1) + launches(20_000, 1, "k$regdem1")
        found = report.figures(data)["pairs"]["new over clang"]["kernels"]
        self.assertEqual([k["kernel"] for k in found], ["k"])
        self.assertAlmostEqual(found[0]["ratio"], 2.0)

    @unittest.skipUnless(shutil.which("c++filt"), "no c++filt")
    def test_static_kernels_are_found_in_both(self):
        data = results()
        for variant, name in (("nvcc", "_Z3addILi2EEvPf"), ("clang", "_ZL3addILi2EEvPf")):
            for each in data["programs"][0]["rounds"][variant]:
                each["kernels"] = launches(30_000, 2, name)
        found = report.figures(data)["pairs"]["clang over nvcc"]["kernels"]
        self.assertEqual([k["kernel"] for k in found], ["add<2>"])

    def test_the_same_device_code_takes_the_same_time(self):
        data = results()
        data["manifest"][0]["variants"]["new"]["code"] = "c"
        found = report.figures(data)
        self.assertEqual(found["programs"][0]["same_code"], ["new"])
        self.assertEqual(found["pairs"]["new over clang"]["programs"], {"a": 1.0})
        self.assertAlmostEqual(found["pairs"]["new over nvcc"]["mean"], 1.5)
        self.assertIn("same code", report.document(found))

    def test_the_fastest_round_counts(self):
        data = results()
        data["programs"][0]["rounds"]["clang"][1]["kernels"] = launches(90_000)
        found = report.figures(data)["pairs"]["new over clang"]
        self.assertAlmostEqual(found["mean"], 2.0)
        self.assertAlmostEqual(found["kernels"][0]["ratio"], 2.0)

    def test_a_failed_variant_has_no_ratio(self):
        data = results()
        data["programs"][0]["errors"] = {"new": "exit code 1"}
        found = report.figures(data)
        self.assertIsNone(found["pairs"]["new over clang"]["mean"])
        self.assertIn("a, new: exit code 1", report.document(found))


@unittest.skipUnless((CUDA / "include/cupti.h").exists(), "no CUPTI")
class KernelTimes(unittest.TestCase):
    def record(self, **variables):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            subprocess.run(
                ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-isystem",
                 str(CUDA / "include"), str(HERE / "cupti.cpp"),
                 str(PROGRAMS / "KernelTimes.cpp"), "-o", str(program)], check=True)
            record = Path(folder) / "times"
            subprocess.run([program], check=True, env={
                **os.environ, "REGDEM_KERNEL_TIMES": str(record), **variables})
            return times.read(record.read_text())

    def test_launches_are_summed(self):
        found, lost = self.record()
        self.assertEqual(lost, 0)
        self.assertEqual(
            [(k["kernel"], k["grid"], k["block"], k["registers"], k["launches"],
              k["sum"], k["shortest"]) for k in found],
            [("first(int)", "7,1,1", "128,1,1", 40, 2, 500, 200),
             ("first(int)", "9,1,1", "128,1,1", 40, 1, 400, 400)])

    def test_lost_records_are_told(self):
        self.assertEqual(self.record(FAKE_CUPTI_LOST="3")[1], 3)


if __name__ == "__main__":
    unittest.main()
