# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures programs against each other, and their output against stock's."""

import dataclasses
from statistics import median

from regdem_common.tool import UserError

from .noise import Comparison, compare
from .runner import RunFailed, Runner, difference


@dataclasses.dataclass
class Result:
    """Of one program: its median figure and how it compares with the base, or
    the problem for which it is out."""
    figure: float = 0.0
    comparison: Comparison = None
    problem: str = ""


@dataclasses.dataclass
class Measurement:
    """Runs in `rounds` rounds, in each of which every program runs once, so
    that what the machine does meanwhile meets all of them. With `is_rate` the
    figure is a rate, of which more is better."""
    runner: Runner
    rounds: int
    is_rate: bool
    expected: tuple = None  # Output of the first run that is compared.

    def try_stock(self, folder):
        """Runs the stock build once, so that a program that does not run is
        told before anything else is built. A first run may print more than
        others."""
        self._run_stock(folder)
        self.expected = None

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
                    *map(self._costs, (figures[0], figures[-1], found)))
        return median(both), results

    def _costs(self, figures):
        return [1 / f for f in figures] if self.is_rate else figures

    def _warm_up(self, base, results):
        """Runs each program once, untimed; the base twice, since nothing can
        be told from output that changes by itself."""
        for _ in range(2):
            self._run_stock(base)
        for folder, result in results.items():
            self._run_variant(folder, result)

    def _run_stock(self, folder):
        """The figure of a run of the stock build, or of one that is compared
        with: its output must always be the same."""
        try:
            sample = self.runner.run(folder)
        except RunFailed as problem:
            raise UserError(f"the stock program's {problem}")
        if self.expected is None:
            self.expected = sample.output
        if found := difference(self.expected, sample.output):
            raise UserError(
                f"the stock program's output changes from run to run: {found}; "
                "leave such lines out with --ignore REGEX, name the file that "
                "holds the results with --compare FILE, or give --no-compare")
        return sample.figure

    def _run_variant(self, folder, result):
        """The figure of a run; None if it failed, with the problem in result."""
        try:
            sample = self.runner.run(folder)
        except RunFailed as problem:
            result.problem = str(problem)
            return None
        if found := difference(self.expected, sample.output):
            result.problem = f"wrong output: {found}"
        return sample.figure

    def _run_lane(self, folder, base, figures, results):
        if folder == base:
            figures.append(self._run_stock(base))
        elif not results[folder].problem:
            figures.append(self._run_variant(folder, results[folder]))
