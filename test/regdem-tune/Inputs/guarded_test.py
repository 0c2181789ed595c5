#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""guarded_test.py FOLDER: tests regdem_common.tool.guarded, which is in FOLDER."""

import contextlib
import io
import os
import signal
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

from regdem_common.tool import UserError, guarded


def told(work, failure=1):
    """(status, what is told) of guarded()."""
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        status = guarded("tool", work, failure)
    return status, errors.getvalue()


def raising(error):
    def work():
        raise error
    return work


class GuardedTest(unittest.TestCase):
    def test_what_the_user_can_mend(self):
        self.assertEqual(told(raising(UserError("no file"))), (1, "tool: error: no file\n"))

    def test_what_nobody_expected_is_a_line_with_its_place(self):
        status, text = told(raising(KeyError("arch\nb")), 2)
        self.assertEqual(status, 2)
        self.assertRegex(text, r"^tool: error: internal error: KeyError: '[^\n]*' "
                         r"\(guarded_test.py:\d+\)\n$")

    def test_a_file_that_cannot_be_used(self):
        status, text = told(lambda: os.mkdir("/proc/none/none"))
        self.assertEqual((status, text), (1, "tool: error: cannot use '/proc/none/none': "
                                          "No such file or directory\n"))

    def test_another_failure_of_the_system_is_not_of_the_output(self):
        self.assertEqual(told(raising(OSError(28, "No space left"))),
                         (1, "tool: error: No space left\n"))

    def test_interrupted(self):
        self.assertEqual(told(raising(KeyboardInterrupt())), (130, "tool: interrupted\n"))


class SignalTest(unittest.TestCase):
    def setUp(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))

    def test_ends_by_an_exception_that_further_signals_do_not_cut_short(self):
        cleaned = []

        def work():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            finally:
                os.kill(os.getpid(), signal.SIGHUP)
                cleaned.append(True)
        with self.assertRaises(SystemExit) as raised:
            guarded("tool", work)
        self.assertEqual((raised.exception.code, cleaned), (143, [True]))

    def test_what_was_ignored_is_ignored(self):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.assertEqual(guarded("tool", lambda: os.kill(os.getpid(), signal.SIGHUP)), None)


unittest.main()
