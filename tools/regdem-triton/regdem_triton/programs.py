# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""regdem-llc and regdem-finish, and Triton's own tools that they run."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

# As many as a kernel with many candidate builds takes on a slow machine.
TIMEOUT = 600


@dataclass(frozen=True)
class Settings:
    """How kernels are compiled.

    flags: options of RegDem, such as "-regdem-max-regs=64".
    frames: "off" (default); "auto" moves frames of local memory to shared
        memory where that is expected to be faster, "on" wherever it can be.
    llc: path of regdem-llc; regdem-finish lies beside it.
    """

    flags: tuple = ()
    frames: str = "off"
    llc: str = ""

    def __post_init__(self):
        if isinstance(self.flags, str):
            raise TypeError("flags is a list of options, not one text")
        object.__setattr__(self, "flags", tuple(self.flags))
        if self.frames not in ("off", "auto", "on"):
            raise ValueError(f"frames is off, auto or on, not '{self.frames}'")


class ProgramError(RuntimeError):
    """A program of RegDem failed."""


def brief(error):
    """An error in one line."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def regdem_program(settings, name="regdem-llc"):
    """Path of a program of RegDem: beside regdem-llc where that is stated, on
    the search path, or where this package was installed with it (into PREFIX,
    by pip or as PREFIX/share/regdem/triton/regdem_triton)."""
    stated = settings.llc or os.environ.get("REGDEM_LLC")
    if stated:
        llc = Path(stated)
        return llc if name == "regdem-llc" else llc.resolve().with_name(name)
    found = shutil.which(name)
    if found:
        return Path(found)
    parents = Path(__file__).resolve().parents
    beside = parents[min(4, len(parents) - 1)] / "bin" / name
    if beside.exists():
        return beside
    raise ProgramError(f"no {name} was found: set REGDEM_LLC to regdem-llc's path")


def only_finishes(settings):
    """Whether frames are to move and there is no regdem-llc, as in what pip
    installs."""
    if settings.frames == "off":
        return False
    try:
        regdem_program(settings)
    except ProgramError:
        return True
    return False


def fingerprint(settings):
    """What PTX depends on besides Triton's input: RegDem and its options."""
    digest = hashlib.sha256(repr(settings).encode())
    for name in sorted(os.environ):
        if name.startswith("REGDEM_"):
            digest.update(f"{name}={os.environ[name]}\0".encode())
    for name in ("regdem-llc", "regdem-finish"):
        try:
            program = regdem_program(settings, name).resolve()
            files = [program]
            for pattern in ("lib*/RegDem.so", "lib/*/RegDem.so"):
                files += sorted(program.parent.parent.glob(pattern))
            for file in files:
                digest.update(file.read_bytes())
        except (OSError, ProgramError) as error:
            # Kernels stay as Triton makes them, until there is a program.
            digest.update(type(error).__name__.encode())
    return digest.hexdigest()


def _ptxas_flags(options):
    """What Triton's stage `cubin` adds to ptxas's command line that changes
    code. It assembles its PTX so, whoever made it."""
    flags = ["--regAllocOptLevel=2"]
    if not options.enable_fp_fusion:
        flags.append("--fmad=false")
    return flags + (options.ptx_options or "").split()


@dataclass(frozen=True)
class Tools:
    """The programs for one of Triton's backends."""

    settings: Settings
    ptxas: str = ""
    ptxas_flags: tuple = ()

    @staticmethod
    def of(settings, backend, options):
        """Triton's own ptxas, as it would run it for backend."""
        from triton.backends.nvidia import compiler

        return Tools(
            settings,
            compiler.get_ptxas(backend.target.arch).path,
            tuple(_ptxas_flags(options)),
        )

    def _ptxas_in(self, folder):
        """A program that runs ptxas with Triton's flags. RegDem's cache takes
        what it holds for what ptxas is."""
        program = Path(folder) / "ptxas"
        state = os.stat(self.ptxas)
        words = [self.ptxas, *self.ptxas_flags]
        program.write_text(
            f"#!/bin/sh\n# {state.st_size} bytes of {state.st_mtime_ns}\n"
            f'exec {" ".join(map(shlex.quote, words))} "$@"\n'
        )
        program.chmod(0o755)
        return program

    def llc(self, text, flags):
        """PTX of a module, and what RegDem reports of each kernel."""
        with tempfile.TemporaryDirectory(prefix="regdem-") as folder:
            if self.ptxas:
                flags = [*flags, f"-regdem-ptxas={self._ptxas_in(folder)}"]
            report = Path(folder) / "report.jsonl"
            said, out = self._run(
                regdem_program(self.settings),
                [*flags, f"-regdem-report={report}", *self.settings.flags],
                text.encode(),
                Path(folder),
            )
            # llc says so and goes on with other code.
            if "is not a recognized" in said:
                raise ProgramError(f"regdem-llc: {said}")
            lines = report.read_text().splitlines() if report.exists() else []
        return out.decode(), [json.loads(line) for line in lines]

    def finish(self, cubin, flags):
        """A cubin with its frames in shared memory, where they can be."""
        if self.settings.frames == "on":
            flags = [*flags, "--all"]
        if self.ptxas:
            flags = [*flags, f"--ptxas={self.ptxas}"]
        program = regdem_program(self.settings, "regdem-finish")
        with tempfile.TemporaryDirectory(prefix="regdem-") as folder:
            return self._run(program, flags, cubin, Path(folder))[1]

    @staticmethod
    def _run(program, flags, content, folder):
        """What a program says, and its output for an input."""
        source, output = folder / "input", folder / "output"
        source.write_bytes(content)
        done = subprocess.run(
            [program, *flags, source, "-o", output],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
        said = done.stdout.decode(errors="replace").strip()
        if done.returncode or not output.exists():
            status = f"{Path(program).name} failed ({done.returncode})"
            raise ProgramError(said.replace(str(source), "LLVM IR") or status)
        return said, output.read_bytes()
