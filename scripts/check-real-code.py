#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles CUDA code that is not RegDem's own, with and without RegDem.

    check-real-code.py FOLDER... --plugin build/lib/RegDem.so [options]

Every .cu file under the folders is compiled for the device by stock clang.
Where that works, it is compiled again in each setting: with RegDem demoting to
32, 40 and 64 registers, and deciding by itself; with its checker and LLVM's
machine verifier on. ptxas assembles each result. The table tells how many
kernels were demoted, what failed, and why kernels were left alone.

Faults are: clang crashes or refuses with RegDem what it takes without; the
checker or the machine verifier complains; ptxas refuses PTX although it takes
the stock PTX. Exit status 1 if there is one. --keep FOLDER gets a command, the
messages and the PTX of each.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SETTINGS = "demote:32,demote:40,demote:64,auto"
COUNTS = ("files", "kernels", "demoted", "capped", "crash", "checker",
          "verifier", "refused", "ptxas", "time limit", "report")
FAULTS = COUNTS[4:]
CRASH_MARKS = ("PLEASE submit a bug report", "Stack dump:", "LLVM ERROR",
               "Assertion `", "UNREACHABLE")


class Tools:
    """Runs the compiler and the assembler on one source after the other."""

    def __init__(self, options):
        self.options = options
        self.ptxas = options.ptxas or os.path.join(options.cuda, "bin/ptxas")

    def clang(self, source, output, extra=()):
        o = self.options
        command = [o.clang, "-x", "cuda", f"--cuda-path={o.cuda}",
                   f"--cuda-gpu-arch={o.arch}", "--cuda-device-only", "-S",
                   "-O3", f"-std={o.std}", "-w", "-Wno-unknown-cuda-version",
                   "-ferror-limit=5", "-fno-crash-diagnostics",
                   "-I", os.path.dirname(source)]
        command += [f"-I{folder}" for folder in o.include] + o.flag
        return command + list(extra) + [source, "-o", output]

    def regdem(self, setting, report, verify_machine_code):
        """The flags that turn RegDem on; report: file that it appends to."""
        o = self.options
        mode, _, regs = setting.partition(":")
        flags = [f"-regdem-mode={mode}", f"-regdem-report={report}",
                 "-regdem-verify", f"-regdem-ptxas={o.regdem_ptxas}",
                 f"-regdem-block-size={o.block_size}"]
        if verify_machine_code:
            flags.append("-verify-machineinstrs")
        if regs:
            flags.append(f"-regdem-max-regs={regs}")
        if o.dynamic_smem is not None:
            flags.append(f"-regdem-dynamic-smem={o.dynamic_smem}")
        command = [f"-fpass-plugin={o.plugin}"]
        for flag in flags:
            command += ["-mllvm", flag]
        return command

    def assemble(self, ptx, flags):
        return [self.ptxas, f"-arch={self.options.arch}", ptx, "-o",
                os.devnull] + flags

    def run(self, command):
        """(exit status or None at the time limit, what it printed)."""
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
                env={**os.environ, "REGDEM_CACHE_DIR": "off"})
            try:
                code = process.wait(self.options.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = None
            log.seek(0)
            return code, log.read().decode("utf-8", "replace")


def compile_fault(code, text):
    """The kind of fault of a compilation that stock clang does; "" if none."""
    if code is None:
        return "time limit"
    if "Bad machine code" in text:
        return "verifier"
    if code < 0 or code >= 128 or any(m in text for m in CRASH_MARKS):
        return "crash"
    if code and "regdem: '" in text:
        return "checker"
    return "refused" if code else ""


def read_report(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class FileResult:
    """Of one source: did stock clang take it, LLVM's machine verifier pass what
    clang made of it, and ptxas take that; and by setting the counts, the
    reasons and the faults (setting, kind, message)."""

    def __init__(self, source):
        self.source = source
        self.stock = self.stock_verified = self.stock_ptxas = False
        self.ptxas_flags = []
        self.note = ""
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.defaultdict(collections.Counter)
        self.faults = []


class Checker:
    def __init__(self, tools, settings, keep):
        self.tools = tools
        self.settings = settings
        self.keep = keep

    def check(self, source):
        result = FileResult(source)
        with tempfile.TemporaryDirectory(prefix="regdem-real-") as folder:
            stock = os.path.join(folder, "stock.ptx")
            verify = ["-mllvm", "-verify-machineinstrs"]
            code, text = self.tools.run(self.tools.clang(source, stock, verify))
            result.stock_verified = code == 0
            if code != 0:
                code, text = self.tools.run(self.tools.clang(source, stock))
            if code != 0:
                errors = [l for l in text.splitlines() if "error" in l]
                result.note = errors[0] if errors else f"exit status {code}"
                return result
            result.stock = True
            with open(stock, encoding="utf-8") as file:
                if ".entry" not in file.read():
                    result.note = "no kernel"
                    return result
            for flags in ([], ["-c"]):  # The latter leaves names undefined.
                code, text = self.tools.run(self.tools.assemble(stock, flags))
                result.stock_ptxas = code == 0
                result.ptxas_flags = flags
                if code == 0:
                    break
            for setting in self.settings:
                self._check_setting(result, setting, folder)
        return result

    def _check_setting(self, result, setting, folder):
        ptx = os.path.join(folder, "regdem.ptx")
        report = os.path.join(folder, setting.replace(":", "") + ".jsonl")
        command = self.tools.clang(result.source, ptx,
                                   self.tools.regdem(setting, report,
                                                     result.stock_verified))
        counts = result.counts[setting]
        counts["files"] += 1
        code, text = self.tools.run(command)
        fault = compile_fault(code, text)
        try:
            records = read_report(report)
        except ValueError as error:
            fault, text, records = "report", str(error), []
        counts["kernels"] += len(records)
        for record in records:
            if record["decision"] == "demote":
                counts["demoted"] += 1
            else:
                counts["capped"] += record["decision"] == "cap"
                result.reasons[setting][record["reason"]] += 1
        if not fault and result.stock_ptxas:
            command = self.tools.assemble(ptx, result.ptxas_flags)
            code, text = self.tools.run(command)
            if code != 0:
                fault = "ptxas" if code is not None else "time limit"
        if fault:
            counts[fault] += 1
            self._fault(result, setting, fault, command, text, ptx)

    def _fault(self, result, setting, fault, command, text, ptx):
        marks = ("Running pass 'Reg", "regdem: '", "Bad machine code", "error",
                 "LLVM ERROR")
        lines = [l for m in marks for l in text.splitlines() if m in l]
        line = lines[0].strip() if lines else text.strip()[:200]
        result.faults.append((setting, fault, line))
        if not self.keep:
            return
        name = f"{os.path.basename(result.source)}.{setting.replace(':', '')}"
        os.makedirs(self.keep, exist_ok=True)
        with open(os.path.join(self.keep, name + ".txt"), "w",
                  encoding="utf-8") as file:
            file.write(f"{shlex.join(command)}\n{fault}\n{text}")
        if os.path.exists(ptx):
            shutil.copyfile(ptx, os.path.join(self.keep, name + ".ptx"))


def print_table(results, settings):
    compiled = [r for r in results if r.stock]
    refused = [r for r in results if not r.stock]
    print(f"{len(results)} files; stock clang takes {len(compiled)}, ptxas "
          f"{sum(r.stock_ptxas for r in compiled)} of those; LLVM's verifier "
          f"finds fault with {sum(not r.stock_verified for r in compiled)} "
          "without RegDem")
    notes = collections.Counter(
        re.sub(r"^.*?(fatal )?error: ", "", r.note)[:120] for r in refused)
    for note, count in sorted(notes.items(), key=lambda i: (-i[1], i)):
        print(f"  not compiled: {count:4} {note}")
    width = max(len(c) for c in COUNTS) + 2
    print("".join(f"{c:>{width}}" for c in ("setting",) + COUNTS))
    for setting in settings:
        total = sum((r.counts[setting] for r in compiled),
                    collections.Counter())
        print("".join(f"{c:>{width}}" for c in
                      (setting, *(total[c] for c in COUNTS))))
    for setting in settings:
        reasons = sum((r.reasons[setting] for r in compiled),
                      collections.Counter())
        print(f"not demoted with {setting}:")
        for reason, count in sorted(reasons.items(), key=lambda i: (-i[1], i)):
            print(f"  {count:6} {reason}")
    for result in compiled:
        for setting, fault, line in result.faults:
            print(f"FAULT {fault} ({setting}) {result.source}: {line[:300]}")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="+", help="or a single .cu file")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_PATH",
                                                         "/usr/local/cuda"))
    parser.add_argument("--ptxas", help="default: that of --cuda")
    parser.add_argument("--regdem-ptxas", default="off",
                        help="-regdem-ptxas of the plugin (default: off)")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--std", default="c++17")
    parser.add_argument("--block-size", type=int, default=256,
                        help="threads of kernels that state none (256)")
    parser.add_argument("--dynamic-smem", type=int,
                        help="bytes, for kernels with dynamic shared memory")
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("--flag", action="append", default=[],
                        help="one more flag for clang; may be repeated")
    parser.add_argument("--settings", default=SETTINGS,
                        help=f"auto or demote:N (default: {SETTINGS})")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=300,
                        help="seconds that one program may take (300)")
    parser.add_argument("--budget", type=int,
                        help="seconds after which no further file is begun")
    parser.add_argument("--keep", help="folder for the faults")
    return parser.parse_args()


def sources_in(folders):
    found = []
    for folder in folders:
        if os.path.isfile(folder):
            found.append(os.path.abspath(folder))
        for path, _, names in os.walk(folder):
            found += [os.path.abspath(os.path.join(path, n)) for n in names
                      if n.endswith(".cu")]
    return sorted(set(found))


def main():
    options = parse_arguments()
    options.plugin = os.path.abspath(options.plugin)
    settings = options.settings.split(",")
    for setting in settings:
        if not re.fullmatch(r"auto|demote:[0-9]+", setting):
            sys.exit(f"check-real-code: no such setting: {setting}")
    sources = sources_in(options.folder)
    if not sources:
        sys.exit("check-real-code: no .cu file")
    checker = Checker(Tools(options), settings, options.keep)
    end = time.monotonic() + options.budget if options.budget else None
    results = []

    def check(source):
        if end is None or time.monotonic() < end:
            results.append(checker.check(source))
            print(f"{len(results)}/{len(sources)} {source}", file=sys.stderr)

    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        list(pool.map(check, sources))
    if len(results) < len(sources):
        print(f"time for {len(results)} of {len(sources)} files")
    results.sort(key=lambda r: r.source)
    print_table(results, settings)
    return 1 if any(r.faults for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
