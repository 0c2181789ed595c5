# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running tools, also those that start a program of their own."""

import os
import signal
import subprocess


class ToolError(Exception):
    """A tool is missing or failed; the text is one message for users."""


def run(command, timeout):
    """(exit code, stdout, stderr). When the time is up, the tool ends together
    with the program that it started. Raises ToolError then, or if it cannot
    start."""
    try:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,
        )
    except OSError as error:
        raise ToolError(str(error)) from error
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise ToolError(f"not done after {timeout} s") from error
    return process.returncode, output, errors
