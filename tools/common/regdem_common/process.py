# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running tools, also those that start a program of their own."""

import os
import signal
import subprocess


class ToolError(Exception):
    """A tool is missing or failed; the text is one message for users."""


def communicate(command, timeout, environment, **how):
    """(exit code, stdout, stderr); None for the code when the time (in seconds;
    None: no limit) is up. Nothing that it started is left running then, or if an
    exception ends this program, as tool.guarded() makes signals do. `how`: for
    subprocess.Popen."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace", env={**os.environ, **environment},
        start_new_session=True, **how)
    try:
        output, errors = process.communicate(timeout=timeout)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        _end(process)
        return None, *process.communicate()
    except BaseException:
        _end(process)
        process.wait()
        raise


def _end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, timeout):
    """(exit code, stdout, stderr). Raises ToolError when the time is up, or if
    the tool cannot start."""
    try:
        done = communicate([str(word) for word in command], timeout,
                           {"LC_ALL": "C"})
    except OSError as error:
        raise ToolError(str(error)) from error
    if done[0] is None:
        raise ToolError(f"not done after {timeout} s")
    return done
