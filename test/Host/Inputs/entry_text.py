#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""entry_text.py PTX NAME: prints the entry NAME of a PTX file."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
entry = re.search(r"^[^\n]*\.entry " + re.escape(sys.argv[2]) + r"\(.*?^}",
                  text, re.MULTILINE | re.DOTALL)
if not entry:
    sys.exit(f"entry_text: no entry {sys.argv[2]}")
print(entry.group())
