# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The head of PTX: its release and what it is for."""

import re
from dataclasses import dataclass

NEWEST = 90  # The newest release of PTX that LLVM 22 knows.


@dataclass(frozen=True)
class Header:
    """Release of PTX, times ten, and target of a text."""

    version: int
    target: str

    @staticmethod
    def of(text):
        version = re.search(r"^\.version (\d+)\.(\d+)", text, re.MULTILINE)
        target = re.search(r"^\.target (sm_\w+)", text, re.MULTILINE)
        if not version or not target:
            raise ValueError("Triton's PTX has no .version or no .target")
        return Header(int(version[1]) * 10 + int(version[2]), target[1])

    def put(self, text):
        """The text with this head, without words after the target."""
        version = f".version {self.version // 10}.{self.version % 10}"
        text = re.sub(r"^\.version .*", version, text, count=1, flags=re.MULTILINE)
        return re.sub(
            r"^\.target .*", f".target {self.target}", text, count=1, flags=re.MULTILINE
        )
