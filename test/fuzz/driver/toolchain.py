"""Runs clang and ptxas on fuzz kernels, each under a time limit."""

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ARCH = "sm_90"
CUDA = "/usr/local/cuda/bin/"
os.environ["REGDEM_CACHE_DIR"] = "off"  # Each kernel is decided anew.


@dataclasses.dataclass
class Outcome:
    """code: exit status, None after a time-out; text: stderr and stdout."""
    code: int
    text: str

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


@dataclasses.dataclass
class Toolchain:
    """clang, ptxas, plugin: paths (plugin may be None, or be regdem-ptxas, which
    gets the stock PTX and a stated build); limit: seconds a
    tool may take per run; mode: RegDem's, "demote" or "auto"; stated: builds are
    stated instead of searched for, many times as fast: the cap, demotion, and
    these parts of a recipe; None: they are searched for; options: further ones
    of RegDem."""
    clang: str
    ptxas: str
    plugin: str = None
    limit: int = 120
    mode: str = "demote"
    stated: str = None
    options: tuple = ()

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
        for flag in [*flags, *family.plugin_flags(self.mode == "demote"),
                     *self.options]:
            command += ["-mllvm", flag]
        return command

    def stock(self, family, source, output, kind="-S"):
        return self.run(self.base_command(family)
                        + [kind, source, "-o", output])

    @property
    def takes_ptx(self):
        return os.path.basename(self.plugin).startswith("regdem-ptxas")

    def regdem_ptxas(self, family, ptx, output, report):
        """PTX in which RegDem has changed kernels."""
        with tempfile.TemporaryDirectory() as folder:
            variables = ["REGDEM_PTXAS=" + self.ptxas,
                         "REGDEM_REPORT=" + report,
                         "REGDEM_BUILD=" + family.recipe(self.stated or ""),
                         "REGDEM_BLOCK_SIZE=%d" % family.block_size]
            if family.dynamic_bytes is not None:
                variables.append("REGDEM_DYNAMIC_SMEM=%d"
                                 % family.dynamic_bytes)
            outcome = self.run(
                ["env"] + variables + [
                    self.plugin, "--print=ptx", "-arch=" + ARCH, ptx, "-o",
                    os.path.join(folder, "finished.cubin")], output=output)
        if outcome.ok and "checker" in outcome.text:
            outcome.code = 1
        return outcome

    def regdem(self, family, source, output, report):
        if self.takes_ptx:
            stock = os.path.join(os.path.dirname(output), "stock.ptx")
            return self.regdem_ptxas(family, stock, output, report)
        return self.run(self.base_command(family)
                        + self.plugin_flags(family, report)
                        + ["-S", source, "-o", output])

    def assemble(self, ptx, cubin, extra=()):
        return self.run([self.ptxas, "-v", "-arch=" + ARCH, ptx, "-o", cubin]
                        + list(extra))

    def run(self, command, limit=None, output=None):
        """output: where what the command prints goes instead of the log."""
        with tempfile.TemporaryFile() as log, \
                open(output or os.devnull, "wb") as printed:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                       stdout=printed if output else log,
                                       stderr=log, start_new_session=True)
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


def find_tool(name, fallback):
    """The path of a tool; ends the program if there is none."""
    path = shutil.which(name) or shutil.which(fallback)
    if path is None:
        sys.exit("%s: error: no %s found" % (os.path.basename(sys.argv[0]),
                                             name))
    return path


def add_tools(parser, limit):
    """Arguments that name the tools; see toolchain(). limit: the default one,
    in seconds."""
    parser.add_argument("--clang", default="clang++-22", metavar="PATH")
    parser.add_argument("--ptxas", metavar="PATH",
                        help="default: of PATH, else " + CUDA[:-1])
    parser.add_argument("--limit", type=int, default=limit, metavar="SECONDS",
                        help="time limit of one tool run")


def add_plugin(parser, required=False):
    """Arguments that say what RegDem is to do; see toolchain()."""
    parser.add_argument("--plugin", metavar="PATH", required=required)
    parser.add_argument("--stated", nargs="?", const="", metavar="PARTS",
                        help="state builds instead of searching (fast), with "
                        "these parts of a recipe besides cap and demotion")
    parser.add_argument("--mode", default="demote", choices=["demote", "auto"],
                        help="RegDem's mode (auto: without a stated cap)")
    parser.add_argument("--option", action="append", default=[],
                        metavar="-regdem-NAME=VALUE",
                        help="a further option of RegDem, repeatable")


def toolchain(args):
    """What the arguments of add_tools() and, if it was called, add_plugin()
    say; ends the program if there is no such tool."""
    tools = Toolchain(find_tool(args.clang, args.clang),
                      find_tool(args.ptxas or "ptxas", CUDA + "ptxas"),
                      limit=args.limit)
    if plugin := getattr(args, "plugin", None):
        tools.plugin = os.path.abspath(plugin)
        tools.mode, tools.stated = args.mode, args.stated
        tools.options = args.option
    return tools
