#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts regdem-launches in the one file it is packed into, with what tools share."""

import sys

sys.dont_write_bytecode = True

from regdem_launches.cli import main

sys.exit(main())
