#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well the cost model chooses for kernels that it was not set by.

Some constants of the choice have no source but measured times (see
include/regdem/Constants.def). Here they are set anew for each kernel, to those
values of a grid with which the choices for all other kernels, or for those of
all other sets, take least time in the geometric mean over the best builds; of
several equal ones, to the first, and the model's own come first. Prints what is then chosen for the kernels that
were left out, beside the choices of the model as it is and of the others that
evaluate.py knows. Takes what evaluate.py takes.

The paper's predictor has no constant that was set here: its formula and its
stall cycles are those of the paper.
"""

import argparse
import collections
import itertools
import json
import math
import statistics
import subprocess

import evaluate

def read_grid(predict):
    """Name -> values of each constant that regdem-predict's table has other
    values for; the model's own come first."""
    done = subprocess.run(
        [predict, "--constants"], capture_output=True, text=True, check=True
    )
    return {
        row["name"]: (row["value"], *map(float, row["range"].split()))
        for row in json.loads(done.stdout)
        if row["range"]
    }


def all_constants(grid):
    """Every combination of a grid, the first values of all in the first."""
    return [
        dict(zip(grid, values)) for values in itertools.product(*grid.values())
    ]


def fit(losses, left_out):
    """Index of the constants that are best for all kernels but those left out.
    losses[kernel][constants]: logarithm of the time over the best build's."""
    others = [row for i, row in enumerate(losses) if i not in left_out]
    sums = [round(math.fsum(column), 9) for column in zip(*others)]
    return sums.index(min(sums))


def losses_of(kernels, answers):
    """As fit() takes them."""
    return [
        [
            math.log(builds[i]["time"] / min(b["time"] for b in builds))
            for i in answer["chosen_with"]
        ]
        for (_, builds), answer in zip(kernels, answers)
    ]


def leave_one_out(kernels, answers, groups=None):
    """For each kernel the index of the constants set on the others, or on
    those of other groups; groups[kernel]: the group of each."""
    losses = losses_of(kernels, answers)
    groups = groups or list(range(len(kernels)))
    fitted = {
        group: fit(losses, [i for i, g in enumerate(groups) if g == group])
        for group in sorted(set(groups))
    }
    return [fitted[group] for group in groups]


def sets_of(kernels):
    """The set of the benchmark that each kernel is from."""
    known = {
        instance["id"]: description["set"]
        for path in (evaluate.ROOT / "benchmarks/kernels").glob("*/*.json")
        for description in [json.loads(path.read_text())]
        for instance in description["instances"]
    }
    return [known[name] for name, _ in kernels]


def line(scorer, builds_and_choices):
    """A line of text on what a scorer chose: [(builds, index)]."""
    pairs = []
    for builds, index in builds_and_choices:
        times = [b["time"] for b in builds]
        pairs.append((times[index] / min(times), times[index] / times[0]))
    return f"{scorer:15} {evaluate.summary(pairs)}"


def table(kernels, answers, constants, groups=None):
    """Lines of text: what was set for how many kernels, kernels that are then
    chosen otherwise, then one line per scorer."""
    fitted = leave_one_out(kernels, answers, groups)
    for index, count in collections.Counter(fitted).most_common():
        values = ", ".join(f"{k} {v:g}" for k, v in constants[index].items())
        yield f"{count:3} kernels left out: {values}"
    chosen = [a["chosen_with"][i] for a, i in zip(answers, fitted)]
    for (name, builds), answer, index in zip(kernels, answers, chosen):
        own = answer["chosen_by_model"]
        if index != own:
            ratio = builds[index]["time"] / builds[own]["time"]
            yield (
                f"{name}: {builds[index]['name']} instead of "
                f"{builds[own]['name']}, {ratio:.3f} of its time"
            )
    builds = [b for _, b in kernels]
    scorers = {"model": None, "left out": chosen}
    for answer in answers:
        for scorer, index in evaluate.choices(answer).items():
            scorers[scorer] = (scorers.get(scorer) or []) + [index]
    for scorer, indices in scorers.items():
        yield line(scorer, list(zip(builds, indices)))
    spread = [max(row) - min(row) for row in losses_of(kernels, answers)]
    yield (
        f"{len(constants)} sets of constants; they make a difference for "
        f"{sum(s > 0 for s in spread)} of {len(kernels)} kernels, "
        f"{100 * statistics.fmean(spread):.1f} % of time in the mean"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    evaluate.add_arguments(parser)
    parser.add_argument(
        "--leave", choices=("kernel", "set"), default="kernel",
        help="what is left out: a kernel, or all of its set",
    )
    options = parser.parse_args()
    constants = all_constants(read_grid(options.predict))
    kernels, answers, _ = evaluate.ask(options, constants)
    groups = sets_of(kernels) if options.leave == "set" else None
    for text in table(kernels, answers, constants, groups):
        print(text)


if __name__ == "__main__":
    main()
