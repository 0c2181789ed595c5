# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots as SVG text. Knows positions and marks, nothing about benchmarks."""

import math
from html import escape


class Canvas:
    """Collects SVG elements; y grows downwards, units are pixels."""

    def __init__(self, width, height):
        self.width = width
        self.height = height
        self.parts = []

    def line(self, x1, y1, x2, y2, css):
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'class="{css}"/>'
        )

    def text(self, x, y, text, css="", anchor="start"):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" '
            f'text-anchor="{anchor}">{escape(text)}</text>'
        )

    def path(self, points, css):
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{joined}" class="{css}"/>')

    def mark(self, x, y, shape, css, title):
        """A point with a tooltip. Shapes: circle, square, diamond, triangle,
        cross, ring."""
        r = 4.0
        around = {
            "square": [(-r, -r), (r, -r), (r, r), (-r, r)],
            "diamond": [(0, -r * 1.3), (r * 1.3, 0), (0, r * 1.3), (-r * 1.3, 0)],
            "triangle": [(0, -r * 1.2), (r * 1.2, r), (-r * 1.2, r)],
        }
        if shape in around:
            points = " ".join(
                f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in around[shape]
            )
            body = f'<polygon points="{points}"'
        elif shape == "cross":
            body = (
                f'<path d="M{x - r:.1f} {y - r:.1f}L{x + r:.1f} {y + r:.1f}'
                f'M{x - r:.1f} {y + r:.1f}L{x + r:.1f} {y - r:.1f}"'
            )
        else:
            radius = 8 if shape == "ring" else r
            body = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"'
        tag = body.split()[0][1:]
        self.parts.append(
            f'{body} class="{css}"><title>{escape(title)}</title></{tag}>'
        )

    def __str__(self):
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}">' + "".join(self.parts) + "</svg>"
        )


class Scale:
    """Maps [low, high] to [start, end] pixels."""

    def __init__(self, low, high, start, end, log=False):
        self.convert = math.log if log else float
        self.low = self.convert(low)
        self.span = (self.convert(high) - self.low) or 1.0
        self.start = start
        self.end = end

    def __call__(self, value):
        share = (self.convert(value) - self.low) / self.span
        return self.start + share * (self.end - self.start)
