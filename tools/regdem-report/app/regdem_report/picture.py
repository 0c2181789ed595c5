# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks per SM against registers and against shared memory, as SVG: the line is
what the GPU allows, the dots are the builds that were tried."""

from html import escape

from regdem_common import occupancy, words

KINDS = ("other", "stock", "chosen")  # later ones cover earlier ones
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 330, 158, 30, 28, 20


def _stairs(values, height):
    """Points (x, y) where a falling function of the values changes."""
    points, last = [], None
    for value in values:
        y = height(value)
        if y != last:
            if last is not None:
                points.append((value, last))
            points.append((value, y))
            last = y
    points.append((values[-1], last))
    return points


def _chart(title, unit, most_x, most_y, line, dots, ticks):
    def x(value):
        return round(LEFT + (WIDTH - LEFT - 10) * min(value, most_x) / most_x, 1)

    def y(value):
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * min(value, most_y) / most_y, 1)

    path = "M" + "L".join(f"{x(a)} {y(b)}" for a, b in line)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
             f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - 10}"/>',
             f'<path class="limit" d="{path}"/>']
    for value in ticks:
        parts.append(f'<text x="{x(value)}" y="{HEIGHT - BOTTOM + 12}" '
                     f'text-anchor="middle">{value}</text>')
    parts.append(f'<text x="{WIDTH - 10}" y="{HEIGHT - 3}" text-anchor="end">{unit}</text>')
    parts.append(f'<text x="2" y="9">blocks per SM</text>')
    for value in sorted({0, most_y // 2, most_y}):
        parts.append(f'<text x="{LEFT - 4}" y="{y(value) + 4}" '
                     f'text-anchor="end">{value}</text>')
    for where, blocks, kind, label in dots:
        radius = 5 if kind == "chosen" else 3.5
        parts.append(f'<circle class="{kind}" cx="{x(where)}" cy="{y(blocks)}" '
                     f'r="{radius}"><title>{escape(label)}</title></circle>')
    return "".join(parts) + "</svg>"


def _kind(kernel, variant):
    if variant["chosen"]:
        return "chosen"
    return "stock" if variant is kernel.stock else "other"


def pictures(kernel):
    """SVG of both charts, or '' if the GPU or the builds are not known."""
    sm = occupancy.sm_of(kernel.arch)
    if not sm or not kernel.variants:
        return ""
    threads = kernel.raw["block_size"]
    chosen = kernel.chosen or kernel.variants[0]
    by_threads = occupancy.by_threads(sm, threads)
    order = sorted(kernel.variants, key=lambda v: KINDS.index(_kind(kernel, v)))
    most_y = max([1, by_threads] + [v["blocks_per_sm"] for v in order])

    def dots(field, unit):
        seen, found = set(), []
        for v in order:
            place = v[field], v["blocks_per_sm"], _kind(kernel, v)
            if place not in seen:
                seen.add(place)
                found.append((v[field], v["blocks_per_sm"], place[2],
                              f"{words.build(v)}: {v[field]} {unit}, "
                              f"{v['blocks_per_sm']} blocks"))
        return found

    def registers(value):
        return min(by_threads, occupancy.by_registers(threads, value))

    def shared(value):
        return min(by_threads, occupancy.by_shared(sm, value + kernel.dynamic),
                   occupancy.by_registers(threads, chosen["regs"]))

    most_x = max(max(v["smem"] for v in order), 48 * 1024)
    kilobytes = [(smem / 1024, b, kind, label) for smem, b, kind, label in dots("smem", "bytes")]
    line = [(a / 1024, b) for a, b in _stairs(range(0, most_x + 1, 128), shared)]
    return (_chart("Blocks per SM by registers a thread", "registers a thread", 255, most_y,
                   _stairs(range(16, 256), registers), dots("regs", "registers"),
                   (32, 64, 96, 128, 168, 255))
            + _chart("Blocks per SM by shared memory", "KB of shared memory a block",
                     most_x / 1024, most_y, line, kilobytes,
                     [n for n in (0, 16, 32, 48, 96, 160) if n * 1024 <= most_x]))
