# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures programs against each other, and their output against stock's."""

import dataclasses
from statistics import median

from regdem_common.tool import UserError

from .noise import Comparison, compare
from .runner import RunFailed, difference


@dataclasses.dataclass
class Result:
    """Of one program: its median figure and how it compares with the base, or
    the problem for which it is out."""
    figure: float = 0.0
    comparison: Comparison = None
    problem: str = ""


class Measurement:
    """Runs in `rounds` rounds, in each of which every program runs once, so
    that what the machine does meanwhile meets all of them. `least` is the
    share of the time that a program must save in any case; with `is_rate` the
    figure is a rate, of which more is better."""

    def __init__(self, runner, rounds, is_rate, least):
        self.runner = runner
        self.rounds = rounds
        self.is_rate = is_rate
        self.least = least
        self.expected = None

    def try_stock(self, folder):
        """Runs the stock build once, so that a program that does not run is
        told before anything else is built."""
        self._run_stock(folder)

    def measure(self, base, folders):
        """Compares the builds in `folders` with the one in `base`. Returns the
        base's median figure and a Result for each of `folders`."""
        results = {folder: Result() for folder in folders}
        self._warm_up(base, results)
        lanes = [base, *(f for f in folders if not results[f].problem), base]
        figures = [[] for _ in lanes]
        for turn in range(self.rounds):
            # Back and forth, so that a drift favours nobody.
            order = range(len(lanes)) if turn % 2 == 0 else \
                reversed(range(len(lanes)))
            for lane in order:
                self._run_lane(lanes[lane], base, figures[lane], results)
        both = figures[0] + figures[-1]
        for folder, found in zip(lanes[1:-1], figures[1:-1]):
            if not results[folder].problem:
                results[folder].figure = median(found)
                results[folder].comparison = compare(
                    *map(self._costs, (figures[0], figures[-1], found)),
                    self.least)
        return median(both), results

    def _costs(self, figures):
        return [1 / f for f in figures] if self.is_rate else figures

    def _warm_up(self, base, results):
        """Runs each program once, untimed; the base twice, since nothing can
        be told from output that changes by itself."""
        for _ in range(2):
            sample = self._run_stock(base)
            if self.expected is None:
                self.expected = sample.output
            self._require_same(sample)
        for folder, result in results.items():
            try:
                sample = self.runner.run(folder)
                result.problem = self._wrong(sample)
            except RunFailed as problem:
                result.problem = str(problem)

    def _run_stock(self, folder):
        try:
            return self.runner.run(folder)
        except RunFailed as problem:
            raise UserError(f"the stock program's {problem}")

    def _run_lane(self, folder, base, figures, results):
        if folder == base:
            sample = self._run_stock(base)
            self._require_same(sample)
            figures.append(sample.figure)
            return
        if results[folder].problem:
            return
        try:
            sample = self.runner.run(folder)
        except RunFailed as problem:
            results[folder].problem = str(problem)
            return
        results[folder].problem = self._wrong(sample)
        figures.append(sample.figure)

    def _wrong(self, sample):
        found = difference(self.expected, sample.output)
        return f"wrong output: {found}" if found else ""

    def _require_same(self, sample):
        found = difference(self.expected, sample.output)
        if found:
            raise UserError(
                f"the stock program's output changes from run to run: {found}; "
                "leave such lines out with --ignore REGEX, name the file that "
                "holds the results with --compare FILE, or give --no-compare")
