# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a built program: its time, and what it computed."""

import dataclasses
import os
import re

from regdem_common.tool import UserError

from .builder import put_in_place, remove
from .command import expand, run


class RunFailed(Exception):
    """The run gives no result; the text says why."""


@dataclasses.dataclass(frozen=True)
class Sample:
    figure: float  # Seconds, or what the metric finds.
    output: tuple  # What must be the same in all runs: pairs (name, content).


@dataclasses.dataclass
class Runner:
    """`metric` finds the figure in the output (its group if it has one, else
    the whole match; the last match counts); without one it is the wall time.
    The output to compare is that of `compare`, a list of files, else stdout
    without the lines in which `ignore` or the metric match; nothing if
    `blind`."""
    command: str
    artifacts: list
    metric: re.Pattern
    ignore: list
    compare: list
    blind: bool
    timeout: float

    def names_folder(self):
        """Whether the command itself says which build it runs."""
        return "{dir}" in self.command or "REGDEM_DIR" in self.command

    def run(self, folder):
        """Runs the build in `folder` once."""
        values = {"dir": folder}
        if not self.names_folder():
            put_in_place(self.artifacts, folder)
        files = [expand(path, values) for path in self.compare]
        for path in files:  # What an earlier run left is no result.
            remove(path)
        done = run(expand(self.command, values), self.timeout,
                   {"REGDEM_DIR": folder})
        if done.problem():
            raise RunFailed(f"run failed: {done.problem()}")
        return Sample(self._figure(done), self._output(done, files))

    def _figure(self, done):
        if not self.metric:
            return done.seconds
        found = list(self.metric.finditer(done.stdout + "\n" + done.stderr))
        if not found:
            raise RunFailed("run prints nothing that --metric "
                            f"'{self.metric.pattern}' matches")
        text = found[-1].group(1 if self.metric.groups else 0)
        try:
            figure = float(text)
        except (TypeError, ValueError):
            raise RunFailed(f"run prints '{text}' for --metric, which is no "
                            "number")
        if not 0 < figure < float("inf"):
            raise RunFailed(f"run prints {figure} for --metric, which is no "
                            "time")
        return figure

    def _output(self, done, files):
        if self.blind:
            return ()
        if not files:
            ignored = self.ignore + ([self.metric] if self.metric else [])
            lines = [line for line in done.stdout.splitlines()
                     if not any(i.search(line) for i in ignored)]
            return (("stdout", "\n".join(lines)),)
        contents = []
        for path, name in zip(files, self.compare):
            try:
                with open(path, "rb") as file:
                    contents.append((name, file.read()))
            except OSError as problem:
                raise RunFailed(f"run leaves no '{path}': {problem.strerror}")
        return tuple(contents)


def difference(expected, found):
    """Where two outputs differ, in a few words; None if they are equal."""
    for (name, old), (_, new) in zip(expected, found):
        if old == new:
            continue
        if isinstance(old, bytes):
            at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b),
                      min(len(old), len(new)))
            return f"'{name}' differs at byte {at}"
        was, now = old.splitlines() + [""], new.splitlines() + [""]
        for a, b in zip(was, now):
            if a != b:
                return f"{name} has '{b}' where stock has '{a}'"
        return f"{name} has {len(now) - 1} lines, stock {len(was) - 1}"
    return None
