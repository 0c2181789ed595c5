# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command lines of all tools have."""


def version():
    """RegDem's version; a tool that is not packed has none."""
    try:
        from ._version import VERSION
    except ImportError:
        return "unpacked"
    return VERSION


def add_version(parser):
    """Adds --version to an argparse.ArgumentParser."""
    parser.add_argument("--version", action="version",
                        version=f"{parser.prog} {version()}")
