# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler may be told to do with a kernel, and which kernel."""

import dataclasses

from regdem_common import names


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel's code for one architecture: the key of a profile's entry."""
    name: str
    arch: str
    hash: str

    @staticmethod
    def of(record):
        """The kernel of one object of the compiler's report."""
        return Kernel(names.stable(record["kernel"]), record["arch"],
                      record["hash"])


@dataclasses.dataclass(frozen=True)
class Choice:
    """A variant of a kernel. The fields are those of a profile's entry; 0, ""
    and False stand for "not stated"."""
    decision: str = "stock"
    max_regs: int = 0
    min_blocks: int = 0
    target: int = 0
    strategy: str = ""
    smem_spilling: bool = False
    rewrites: str = ""
    order: str = ""

    @staticmethod
    def of(fields):
        """The choice in an object of the report's `variants` or of a profile.
        Other fields, such as the assembler's figures, are left out."""
        names = [field.name for field in dataclasses.fields(Choice)]
        return Choice(**{n: fields[n] for n in names if n in fields})

    def fields(self):
        """What a profile's entry says."""
        return {name: value for name, value in
                dataclasses.asdict(self).items() if value}

    def __str__(self):
        words = [self.decision]
        if self.min_blocks:
            words.append(f"{self.min_blocks} blocks")
        elif self.max_regs:
            words.append(f"{self.max_regs} regs")
        if self.target:
            words.append(f"{self.strategy} {self.target}")
        if self.smem_spilling and self.decision != "pragma":
            words.append("+ pragma")
        if self.rewrites:
            words.append(f"with {self.rewrites}")
        if self.order:
            words.append(f"order {self.order}")
        return " ".join(words)


STOCK = Choice()
