# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command lines of all tools have."""

import os
import signal
import sys
import traceback


# They ask a program to end, as Ctrl-C does.
ENDING = (signal.SIGTERM, signal.SIGHUP)


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


def _end(number, _):
    """For signal.signal: ends the program by an exception, so that what it has
    started is stopped and its folders go. Further signals do not cut that short."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


def _drop_output():
    """Nothing that is still to be printed is written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _system_problem(error):
    """What to tell of an OSError."""
    if error.filename is not None:
        return f"cannot use '{error.filename}': {error.strerror}"
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
        return f"cannot write what is to be printed: {error.strerror}"
    return error.strerror or str(error)


def _fault(error):
    """What to tell of an exception that nobody expected: a fault of the tool."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())
    return (f"internal error: {type(error).__name__}: {text} "
            f"({os.path.basename(place.filename)}:{place.lineno})")


def guarded(program, work, failure=1):
    """What work() returns, the exit status. An exception becomes one line and the
    status `failure`; where nobody reads the output any more, it ends. Of a signal
    that ends the program the status is 128 and its number, as shells have it."""
    if sys.stdout is None:  # It is closed.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP.
            signal.signal(number, _end)
    try:
        try:
            status = work()
        finally:
            sys.stdout.flush()
        return status
    except UserError as error:
        problem = str(error)
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        problem = _system_problem(error)
    except Exception as error:
        problem = _fault(error)
    print(f"{program}: error: {problem}", file=sys.stderr)
    return failure
