# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has Triton make the PTX of its kernels with RegDem.

    import regdem_triton
    regdem_triton.install()

Kernels that Triton compiles from then on go through regdem-llc, which is
looked for as REGDEM_LLC says, then on the search path. A kernel that RegDem
leaves as it is keeps the PTX that Triton makes, and so does one for which
anything fails; a RegDemWarning then says what. Without regdem-llc, as pip
installs it, install(frames="auto") moves frames alone. Needs Triton 3.7 or later.
"""

from .hook import Hook, RegDemWarning
from .programs import Settings

__all__ = ["Hook", "RegDemWarning", "Settings", "install", "uninstall"]


def install(**settings):
    """Turns RegDem on for what Triton compiles from now on; returns the Hook.
    Keyword arguments are the fields of Settings."""
    from triton import __version__, knobs

    if tuple(int(part) for part in __version__.split(".")[:2]) < (3, 7):
        raise RuntimeError(
            f"Triton {__version__} does not tell its cache of other stages: "
            "regdem_triton needs 3.7 or later"
        )
    before = knobs.runtime.add_stages_inspection_hook
    if isinstance(before, Hook):
        before = before.before
    hook = Hook(Settings(**settings), before)
    knobs.runtime.add_stages_inspection_hook = hook
    return hook


def uninstall():
    """Turns RegDem off again."""
    from triton import knobs

    hook = knobs.runtime.add_stages_inspection_hook
    if isinstance(hook, Hook):
        knobs.runtime.add_stages_inspection_hook = hook.before
