#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well RegDem's figures tell the registers that ptxas uses and needs.

Reads tables of measure.py. For each of a few linear estimates, fitted by least
squares, prints the errors in registers; "left out" are those of estimates
fitted without the kernel that they are for.
"""

import argparse
import csv

# Inputs of each estimate; a constant is always one more.
MODELS = {
    "pressure + c": (),
    "a pressure + c": ("pressure",),
}


def read(paths):
    rows = []
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                numbers = {k: int(v) for k, v in row.items() if k != "kernel"}
                rows.append({"kernel": row["kernel"], **numbers})
    return rows


def solve(matrix, right):
    """Solves a small system of linear equations by elimination."""
    size = len(right)
    rows = [list(line) + [value] for line, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(rows, target, inputs):
    """Coefficients of `inputs` and the constant, by least squares."""
    if not inputs:
        errors = [row[target] - row["pressure"] for row in rows]
        return [sum(errors) / len(errors)]
    points = [[row[name] for name in inputs] + [1] for row in rows]
    size = len(points[0])
    matrix = [
        [sum(p[i] * p[j] for p in points) for j in range(size)]
        for i in range(size)
    ]
    right = [
        sum(p[i] * row[target] for p, row in zip(points, rows))
        for i in range(size)
    ]
    return solve(matrix, right)


def estimate(row, inputs, coefficients):
    if not inputs:
        return row["pressure"] + coefficients[0]
    values = [row[name] for name in inputs] + [1]
    return sum(c * v for c, v in zip(coefficients, values))


def describe(rows, errors):
    worst = max(range(len(rows)), key=lambda i: abs(errors[i]))
    return (
        f"mean {sum(errors) / len(errors):+6.1f}  "
        f"absolute {sum(map(abs, errors)) / len(errors):5.1f}  "
        f"worst {errors[worst]:+6.1f} ({rows[worst]['kernel']})"
    )


def report(rows, target):
    print(f"registers {target}, {len(rows)} kernels")
    errors = [row["pressure"] + 4 - row[target] for row in rows]
    print(f"  {'pressure + 4':34}{describe(rows, errors)}")
    for name, inputs in MODELS.items():
        whole = fit(rows, target, inputs)
        errors = []
        for i, row in enumerate(rows):
            others = rows[:i] + rows[i + 1 :]
            guess = estimate(row, inputs, fit(others, target, inputs))
            errors.append(guess - row[target])
        print(f"  {name:34}{describe(rows, errors)} left out")
        print("    " + ", ".join(f"{value:.3f}" for value in whole))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+")
    options = parser.parse_args()
    rows = read(options.tables)
    for target in ("used", "needed"):
        report(rows, target)


if __name__ == "__main__":
    main()
