# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether this Python has the packages of ../requirements.txt."""

import importlib.util
import sys

NAMES = ("matplotlib", "tabulate")


def require(status=1):
    """Ends the program with that status and one clear line if one of the
    packages is missing."""
    missing = [n for n in NAMES if importlib.util.find_spec(n) is None]
    if missing:
        print(f"error: {sys.executable} has no {' and no '.join(missing)}: run "
              "scripts/bootstrap.sh, then use .venv/bin/python3",
              file=sys.stderr)
        sys.exit(status)
