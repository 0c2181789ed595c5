# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line."""

import argparse

from regdem_common import fields, launch_log, measured_file, records, tool

from . import comparison, findings, formats, measurement, page, terminal

DESCRIPTION = """Shows what RegDem did with the kernels of a program, from the files that
clang wrote with -mllvm -regdem-report=FILE, or regdem-nvcc and regdem-ptxas
with REGDEM_REPORT=FILE in the environment: registers, spill code, occupancy,
the builds that were tried, and what you can do."""


def _faults(text):
    names = text.split(",")
    for name in names:
        if name not in findings.FAULTS:
            raise argparse.ArgumentTypeError(
                f"'{name}' is none of {', '.join(findings.FAULTS)}")
    return names


def _parser():
    parser = argparse.ArgumentParser(prog="regdem-report", description=DESCRIPTION)
    parser.add_argument("reports", nargs="*", metavar="REPORT", help="reports of a build")
    parser.add_argument("--html", metavar="FILE", help="also write one HTML page")
    parser.add_argument("--changed", action="store_true",
                        help="only kernels that RegDem has changed")
    parser.add_argument("--no-advice", action="store_true", help="the table alone")
    parser.add_argument("--analysis", action="append", default=[], metavar="FILE",
                        help="counters of the program that was built: of regdem-analyse "
                        "--json, or ncu's CSV")
    parser.add_argument("--stock-analysis", action="append", default=[], metavar="FILE",
                        help="the same of the program without RegDem, for measured gain")
    parser.add_argument("--launch-log", action="append", default=[], metavar="FILE",
                        help="what REGDEM_LAUNCH_LOG=FILE wrote while the program ran")
    parser.add_argument("--diff", nargs=2, metavar=("OLD", "NEW"),
                        help="instead: what has changed between two reports")
    parser.add_argument("--fail-on", type=_faults, default=[], metavar="FAULT[,FAULT]",
                        help="exit status 1 if a kernel, compared with OLD or else with its "
                        "stock build, has " + ", ".join(findings.FAULTS)
                        + ", or if that cannot be judged, as figures are not known")
    parser.add_argument("--format", choices=("text", "github", "sarif"), default="text",
                        help="print the faults, and which kernels use local memory, as GitHub's "
                        "annotations or SARIF")
    tool.add_version(parser)
    return parser


def _print_findings(found, form):
    print("\n".join(formats.github(found) if form == "github"
                    else formats.sarif(found, tool.version())))


def _status(found):
    return 1 if any(f.is_fault for f in found) else 0


def _compare(options):
    old, new = (records.read([path]) for path in options.diff)
    lines, found = comparison.compare(old, new, options.fail_on)
    if options.format == "text":
        print("\n".join(lines))
    else:
        _print_findings(found, options.format)
    return _status(found)


def _show(options):
    kernels, frames = records.read_all(options.reports)
    shows_frames_alone = frames and options.format == "text" and not options.fail_on
    if not kernels and not shows_frames_alone:
        raise tool.UserError("no kernel in " + ", ".join(options.reports)
                             + f": compile with {fields.WRITERS}, past the compiler cache")
    lost = measurement.attach(
        kernels, *([f for path in paths for f in measured_file.read(path)]
                   for paths in (options.analysis, options.stock_analysis)),
        launch_log.read(options.launch_log))
    found = findings.of_report(kernels, options.fail_on)
    shown = kernels
    if options.changed:
        shown = [k for k in kernels if k.is_changed]
        frames = [f for f in frames if f.moved]
    if options.format == "text":
        lines = terminal.table(shown, not options.no_advice) if kernels else []
        lines += [f"! [{f.rule}] {f.text}" for f in found if f.is_fault]
        lines += [""] if lines and frames else []
        print("\n".join(lines + terminal.frame_table(frames, kernels)))
    else:
        _print_findings(found, options.format)
    if lost and options.format == "text":
        print(f"{len(lost)} measured kernels are not in the report: {', '.join(lost[:3])}"
              + (", …" if len(lost) > 3 else "") + "; give the reports of all files")
    if options.html:
        tool.write_text(options.html, page.page(shown, frames))
    return _status(found)


def main():
    parser = _parser()
    options = parser.parse_args()
    if bool(options.diff) == bool(options.reports):
        parser.error("name reports, or two of them with --diff")
    if options.diff and (options.analysis or options.stock_analysis or options.launch_log):
        parser.error("--diff compares reports: leave out what was measured")
    work = _compare if options.diff else _show
    return tool.guarded("regdem-report", lambda: work(options), failure=2)
