"""Runs clang and ptxas on fuzz kernels, each under a time limit."""

import os
import signal
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ARCH = "sm_90"
os.environ["REGDEM_CACHE_DIR"] = "off"  # Each kernel is decided anew.


class Outcome:
    """code: exit status, None after a time-out; text: stderr and stdout."""

    def __init__(self, code, text):
        self.code = code
        self.text = text

    @property
    def ok(self):
        return self.code == 0

    @property
    def crashed(self):
        """Ended by a signal or by the time limit, without a diagnosis."""
        return self.code is None or self.code < 0

    def headline(self):
        """The line that names the failure best, for grouping."""
        if self.code is None:
            return "time limit exceeded"
        for word in ("*** Bad machine code", "Assertion", "UNREACHABLE",
                     "error:", "LLVM ERROR", "fatal", "PLEASE submit"):
            for line in self.text.splitlines():
                if word in line:
                    return line.strip()[:200]
        return "exit status %d" % self.code


class Toolchain:
    """clang, ptxas, plugin: paths (plugin may be None); limit: seconds a
    tool may take per run; mode: RegDem's, "demote" or "auto"; stated: builds are
    stated instead of searched for, many times as fast: the cap, demotion, and
    these parts of a recipe; None: they are searched for; options: further ones
    of RegDem."""

    def __init__(self, clang, ptxas, plugin=None, limit=120, mode="demote",
                 stated=None, options=()):
        self.clang = clang
        self.ptxas = ptxas
        self.plugin = plugin
        self.limit = limit
        self.mode = mode
        self.stated = stated
        self.options = list(options)

    def base_command(self, family):
        return [self.clang, "-x", "cuda", "--cuda-device-only",
                "--cuda-gpu-arch=" + ARCH, "-nocudainc", "-nocudalib",
                "-std=c++17", "-w", "-Wno-unknown-cuda-version",
                "-fno-crash-diagnostics",
                "-I", FOLDER] + family.compiler_flags()

    def plugin_flags(self, family, report):
        flags = ["-regdem-mode=" + self.mode, "-regdem-verify",
                 "-verify-machineinstrs", "-regdem-report=" + report]
        command = ["-fpass-plugin=" + self.plugin]
        if self.stated is None:
            flags.append("-regdem-ptxas=" + self.ptxas)
        else:
            flags.append("-regdem-build=" + family.recipe(self.stated))
        for flag in (flags + family.plugin_flags(self.mode == "demote")
                     + self.options):
            command += ["-mllvm", flag]
        return command

    def stock(self, family, source, output, kind="-S"):
        return self.run(self.base_command(family)
                        + [kind, source, "-o", output])

    def regdem(self, family, source, output, report):
        return self.run(self.base_command(family)
                        + self.plugin_flags(family, report)
                        + ["-S", source, "-o", output])

    def assemble(self, ptx, cubin, extra=()):
        return self.run([self.ptxas, "-v", "-arch=" + ARCH, ptx, "-o", cubin]
                        + list(extra))

    def run(self, command, limit=None):
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=log,
                                       start_new_session=True)
            try:
                code = process.wait(limit or self.limit)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            log.seek(0)
            return Outcome(code, log.read().decode("utf-8", "replace"))
