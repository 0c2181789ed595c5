#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code that libraries generate: lbmpy's collisions and
Pyrometheus's hydrogen mechanism. fetch.py runs it where both are installed."""

import sys
import warnings
from pathlib import Path

import cantera
import sympy
from lbmpy import (LBMConfig, LBMOptimisation, Method, Stencil,
                   create_lb_collision_rule)
from pyrometheus.codegen.cpp import CppCodeGenerator

RATES = [1.8, 1.1, 1.3, 1.4, 1.2, 1.6]
COLLISIONS = {
    "d3q19_trt": dict(stencil=Stencil.D3Q19, method=Method.TRT,
                      relaxation_rates=RATES[:2]),
    "d3q19_central": dict(stencil=Stencil.D3Q19, method=Method.CENTRAL_MOMENT,
                          relaxation_rate=1.8, compressible=True),
    "d3q19_mrt": dict(stencil=Stencil.D3Q19, method=Method.MRT,
                      relaxation_rates=RATES),
    "d3q19_cumulant": dict(stencil=Stencil.D3Q19, method=Method.CUMULANT,
                           relaxation_rate=1.8, compressible=True),
    "d3q27_srt": dict(stencil=Stencil.D3Q27, method=Method.SRT,
                      relaxation_rate=1.8, compressible=True),
    "d3q27_trt": dict(stencil=Stencil.D3Q27, method=Method.TRT,
                      relaxation_rates=RATES[:2]),
    "d3q27_central": dict(stencil=Stencil.D3Q27, method=Method.CENTRAL_MOMENT,
                          relaxation_rate=1.8, compressible=True),
    "d3q27_cumulant": dict(stencil=Stencil.D3Q27, method=Method.CUMULANT,
                           relaxation_rate=1.8, compressible=True),
}


def product(base, count):
    return "(" + "*".join([f"({base})"] * count) + ")"


# Small powers as products; sympy writes the others as pow().
POWERS = {"Pow": [
    (lambda b, e: e.is_Integer and 1 < e <= 6,
     lambda b, e: product(b, int(e))),
    (lambda b, e: e.is_Integer and -6 <= e < 0,
     lambda b, e: "1.0/" + product(b, -int(e))),
    (lambda b, e: True, lambda b, e: f"pow({b}, {e})"),
]}


def collision(settings):
    """C++ text of a collision: from In[i] to Out[i], i a direction."""
    rule = create_lb_collision_rule(
        lbm_config=LBMConfig(**settings),
        lbm_optimisation=LBMOptimisation(cse_global=True))
    before = rule.method.pre_collision_pdf_symbols
    after = {s: f"Out[{i}] =" for i, s in
             enumerate(rule.method.post_collision_pdf_symbols)}
    lines = [f"const double {s} = In[{i}];" for i, s in enumerate(before)]
    for assignment in rule.all_assignments:
        target = after.get(assignment.lhs, f"const double {assignment.lhs} =")
        value = sympy.ccode(assignment.rhs, user_functions=POWERS)
        lines.append(f"{target} {value};")
    return "\n".join(lines) + "\n"


def main():
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    (out / "h2o2.hpp").write_text(
        CppCodeGenerator.generate("h2o2", cantera.Solution("h2o2.yaml")))
    for name, settings in COLLISIONS.items():
        (out / f"{name}.inc").write_text(collision(settings))


if __name__ == "__main__":
    main()
