#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public CUDA programs, unchanged, as a benchmark:

    programs.py draw|fetch|build|pack|report --table TABLE.toml …

and run.py, which pack puts beside the builds, on a machine with a GPU.
"""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import build as builds  # noqa: E402
import fetch as fetching  # noqa: E402
import pack as packing  # noqa: E402
import report as reports  # noqa: E402
import table as tables  # noqa: E402
import times  # noqa: E402


def selected(table, options):
    """The programs that were asked for; never the held-out ones unasked."""
    found = [p for p in table.programs
             if not options.names or p.name in options.names
             or p.set in options.names]
    if not options.held_out:
        return [p for p in found if not table.held_out(p)]
    return [p for p in found if table.held_out(p)] \
        if options.held_out == "only" else found


def draw(options):
    table = tables.load(options.table)
    drawn = tables.draw(table, options.sources)
    for name, entries in drawn.items():
        for path, fate in entries:
            print(f"{name}/{path}: {fate or 'not tried'}")
    if missing := tables.skipped(drawn, table):
        sys.exit(f"error: neither taken nor dropped: {', '.join(missing)}")


def fetch(options):
    table = tables.load(options.table)
    for one in table.sets.values():
        if not options.names or one.name in options.names:
            print(f"{one.name} {one.commit}: "
                  f"{fetching.fetch(one, options.sources)}", flush=True)


def _plugins(pairs):
    found = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not equals or not Path(path).is_file():
            sys.exit(f"error: --plugin {pair}: expected NAME=PATH of a plugin")
        found[name] = path
    return found


def _launches(paths, multiprocessors):
    """{program: the profile of its first round with nvcc} of results."""
    entries = [entry for path in paths
               for entry in json.loads(path.read_text())["programs"]]
    return {entry["name"]: times.profile(
        entry["rounds"]["nvcc"][0]["kernels"], multiprocessors)
            for entry in entries if entry["rounds"].get("nvcc")}


def _first_fault(text):
    lines = text.strip().splitlines()
    told = [line for line in lines if "rror" in line] or lines[-1:]
    return f", failed: {told[0]}" if told else ""


def build(options):
    table = tables.load(options.table)
    found = builds.variants(options.cuda, options.clang, _plugins(options.plugin))
    builder = builds.Builder(table, options.out, options.sources, options.cuda,
                             options.arch, options.timeout,
                             _launches(options.launches, options.multiprocessors))
    with builds.using(options.out, alone=False):
        return _build_all(options, table, builder, found)


def _build_all(options, table, builder, found):
    state_path = options.out / "state.json"
    failed = 0
    for program in selected(table, options):
        for variant in found:
            if options.variants and variant.name not in options.variants:
                continue
            entry = builds.read_state(state_path).get(program.name, {})
            known = entry.get(variant.name)
            recipe = table.recipe(program)
            if (known and not options.again and "error" not in known
                    and known.get("recipe") == recipe):
                continue
            record = {"base": variant.base, "recipe": recipe,
                      **builder.build(program, variant, known is not None)}
            builds.add_record(state_path, program.name, variant.name, record)
            failed += "error" in record
            print(f"{program.name} {variant.name}: {record.get('cpu', 0)} s"
                  + _first_fault(record.get("error", "")), flush=True)
    return 1 if failed else 0


def pack(options):
    table = tables.load(options.table)
    with builds.using(options.out, alone=True):
        packed, missing = packing.pack(
            table, builds.read_state(options.out / "state.json"), options.out,
            options.to, options.cuda, options.names)
    size = (options.to / "programs.tar.xz").stat().st_size / 2**20
    print(f"{len(packed)} programs, {size:.1f} MiB in {options.to}; not built: "
          f"{', '.join(missing) or 'none'}")


def report(options):
    results = [json.loads(Path(path).read_text()) for path in options.results]
    # What a later file has of a program takes the place of an earlier one's.
    merged = {"device": results[-1]["device"]}
    for part in ("programs", "manifest"):
        merged[part] = list({e["name"]: e for r in results for e in r[part]}.values())
    found = reports.figures(merged)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    text = reports.document(found)
    if options.to:
        options.to.write_text(text)
    else:
        print(text, end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    root = HERE.parent.parent / "build" / "programs"

    def command(function, text):
        one = commands.add_parser(function.__name__, help=text)
        one.set_defaults(function=function)
        one.add_argument("--table", type=Path, default=root / "table.toml")
        one.add_argument("--out", type=Path, default=root)
        one.add_argument("--sources", type=Path, default=root / "sources")
        one.add_argument("names", nargs="*", help="programs or sets (default: all)")
        return one

    command(draw, "the order in which the seed tries directories")
    command(fetch, "get the sets' sources")
    one = command(build, "build each program for each variant")
    one.add_argument("--cuda", type=Path, default=Path("/usr/local/cuda"))
    one.add_argument("--clang", default="clang++-22")
    one.add_argument("--arch", default="sm_90")
    one.add_argument("--plugin", action="append", default=[], metavar="NAME=PATH")
    one.add_argument("--variants", nargs="*", help="only these")
    one.add_argument("--timeout", type=int, default=300, help="seconds of a build")
    one.add_argument("--again", action="store_true", help="also what is built")
    one.add_argument("--launches", type=Path, nargs="+", default=[], metavar="RESULTS",
                     help="results.json of runs: regdem-nvcc is told what nvcc's builds launched")
    one.add_argument("--multiprocessors", type=int, default=132,
                     help="of the GPU that ran them (132: H100 and H200)")
    one.add_argument("--held-out", nargs="?", const="also", choices=("also", "only"))
    one = command(pack, "put the builds into a folder for a GPU's machine")
    one.add_argument("--cuda", type=Path, default=Path("/usr/local/cuda"))
    one.add_argument("--to", type=Path, default=root / "packed")
    one = commands.add_parser("report", help="figures of results.json")
    one.set_defaults(function=report)
    one.add_argument("results", nargs="+", help="files that run.py wrote; later ones take precedence")
    one.add_argument("--to", type=Path, help="a Markdown file (default: print)")
    one.add_argument("--json", type=Path, help="a file for the figures as JSON")
    options = parser.parse_args()
    try:
        return options.function(options)
    except tables.TableError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    sys.exit(main())
