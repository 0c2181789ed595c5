# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the user's program with given choices, and proves from the compiler's
report that it did."""

import os
import shutil

from regdem_common.tool import UserError, write_text

from .command import compiler_flags, expand, run
from .files import entry, read_report, write_profile
from .table import name_of


LONGEST_BUILD = 3600  # seconds


class BuildFailed(Exception):
    """The program cannot be built like this; the text says why."""


class Builder:
    """Each build has a folder of its own, `{dir}`, under `work`. `artifacts`
    are the files that a build leaves elsewhere; they are copied to it."""

    def __init__(self, command, work, artifacts):
        self.command = command
        self.work = os.path.abspath(work)
        self.artifacts = artifacts
        self.count = 0

    def build(self, choices):
        """Builds with `choices`, {Kernel: Choice}. Returns the folder and the
        report; problem() tells whether a choice was carried out."""
        folder = os.path.join(self.work, f"{self.count:03}")
        self.count += 1
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        profile = os.path.join(folder, "profile.json")
        report = os.path.join(folder, "report.jsonl")
        write_profile(profile, [entry(k, c) for k, c in choices.items()])
        values = {"flags": compiler_flags(profile, report),
                  "profile": profile, "report": report, "dir": folder}
        environment = {f"REGDEM_{name.upper()}": value
                       for name, value in values.items()}
        # A cached object has no report, and caches know no profiles.
        environment.update(CCACHE_DISABLE="1", SCCACHE_RECACHE="1")
        for path in self.artifacts:
            remove(path)
        done = run(expand(self.command, values), LONGEST_BUILD, environment)
        write_text(os.path.join(folder, "build.log"), done.stdout + done.stderr)
        if done.problem():
            raise BuildFailed(f"build failed: {done.problem()}")
        for path in self.artifacts:
            try:
                shutil.copy2(path, stored(folder, path))
            except OSError as fault:
                raise BuildFailed("build made no "
                                  f"'{path}': {fault.strerror}")
        return folder, read_report(report)


def remove(path):
    """Removes a file, so that what stands there later is new."""
    try:
        if os.path.lexists(path):
            os.remove(path)
    except OSError as fault:
        raise UserError(f"cannot remove '{path}': {fault.strerror}")


def stored(folder, artifact):
    """Where a build's folder keeps a copy of `artifact`."""
    return os.path.join(folder, os.path.basename(artifact))


def put_in_place(artifacts, folder):
    """Makes the build in `folder` the one that the user finds."""
    for path in artifacts:
        _put(stored(folder, path), path)


def _put(source, path):
    """Puts a build's artifact in its place, also where it is running."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        remove(path)
        shutil.copy2(source, path)
    except OSError as problem:
        raise UserError(f"cannot put '{source}' to '{path}': "
                        f"{problem.strerror}")


def problem(kernel, choice, records):
    """Why a build is not one with `choice` for `kernel`; None if it is."""
    record = records.get(kernel)
    if record is None:
        raise UserError(
            f"the build command did not compile '{name_of(kernel)}' anew: it must "
            "build all, as make -B and cmake --build --clean-first do, and "
            "pass on {flags} or $REGDEM_FLAGS")
    if record.get("from_profile") and record["decision"] == choice.decision:
        return None
    return f"compiled as {record['decision']}: {record['reason']}"
