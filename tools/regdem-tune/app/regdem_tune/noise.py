# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is one program faster than another, beyond the noise of the machine?"""

import dataclasses
import math
from statistics import median

# Standard errors by which two medians must differ: for normal noise about one
# wrong answer in 700 comparisons, before the winner is measured again.
ERRORS = 3
# For normal noise: the standard deviation over the median absolute deviation,
# and the standard error of a median over that of a mean.
DEVIATION = 1.4826
MEDIAN_ERROR = math.sqrt(math.pi / 2)
LEAST_GAIN = 0.005  # share of the base's cost that is worth another build


def error_of_median(costs):
    """Standard error of the median, robust against single outliers."""
    middle = median(costs)
    spread = median(abs(c - middle) for c in costs)
    return MEDIAN_ERROR * DEVIATION * spread / math.sqrt(len(costs))


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Costs are times, or the inverse of a rate: less is better."""
    gain: float   # Share of the base's cost that is saved.
    noise: float  # Share that has to be saved to be believed.

    @property
    def speedup(self):
        return 1 / (1 - self.gain)

    @property
    def is_faster(self):
        return self.gain > self.noise


def compare(base, again, costs):
    """Compares `costs` with those of the base program, which was measured
    twice under two names in the same rounds. The noise is the largest of: the
    difference between the two, ERRORS standard errors, and LEAST_GAIN."""
    both = base + again
    reference = median(both)
    error = math.hypot(error_of_median(both), error_of_median(costs))
    noise = max(abs(median(base) - median(again)), ERRORS * error)
    return Comparison(1 - median(costs) / reference,
                      max(noise / reference, LEAST_GAIN))
