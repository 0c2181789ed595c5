# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command lines of all tools have."""

import os
import sys


class UserError(Exception):
    """What is wrong and what to do about it, in one line for the user."""


def read_text(path):
    """What is in a file. Raises UserError."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
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
    """What work() returns, the exit status. A UserError, or output that cannot be
    written, becomes one line and the status `failure`; where nobody reads the
    output any more, it ends."""
    if sys.stdout is None:  # It is closed.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        try:
            status = work()
        finally:
            sys.stdout.flush()
        return status
    except UserError as error:
        problem = str(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is not None:
            raise
        problem = f"cannot write what is to be printed: {error.strerror}"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    print(f"{program}: error: {problem}", file=sys.stderr)
    return failure
