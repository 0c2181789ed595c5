# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command lines of all tools have."""

import os
import sys


class UserError(Exception):
    """What is wrong and what to do about it, in one line for the user."""


def read_text(path):
    """What is in a file. Raises UserError."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from None


def write_text(path, text):
    """Makes it all that is in a file. Raises UserError."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"cannot write '{path}': {error.strerror}") from None


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


def guarded(program, work, failure=1):
    """What work() returns, the exit status. A UserError becomes one line and the
    status `failure`; where nobody reads the output any more, it ends."""
    try:
        return work()
    except UserError as error:
        sys.stdout.flush()
        print(f"{program}: error: {error}", file=sys.stderr)
        return failure
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
