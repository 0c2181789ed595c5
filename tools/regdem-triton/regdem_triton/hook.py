# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Triton calls: once for each compilation with its stages, and without
arguments for what its caches have to know of them.

The stage `ptx` gets its input, LLVM IR, compiled by regdem-llc; the stage
`cubin` gets frames moved to shared memory where that is asked for. Both start
from Triton's own result and return it if there is nothing better.
"""

import warnings

from . import ir, programs, ptx


class RegDemWarning(UserWarning):
    """A kernel stays as Triton makes it, though RegDem was to compile it."""


class Hook:
    """A value for triton.knobs.runtime.add_stages_inspection_hook; `before` is
    the one that was there, which is called first."""

    def __init__(self, settings, before=None):
        self.settings = settings
        self.before = before
        self._key = None

    def key(self):
        """Text that differs if other PTX may be made."""
        if self._key is None:
            self._key = programs.fingerprint(self.settings)
        inner = self.before()[0] if self.before else ""
        return f"{inner}regdem-{self._key}"

    def __call__(
        self, backend=None, stages=None, options=None, language=None, capability=None
    ):
        if stages is None:
            key = self.key()
            return key, repr(key)
        if self.before:
            self.before(backend, stages, options, language, capability)
        # Triton calls the hook for each of its backends.
        if "ptx" in stages and "cubin" in stages:
            tools = programs.Tools.of(self.settings, backend, options)
            if not programs.only_finishes(self.settings):
                stages["ptx"] = self._guarded(
                    make_ptx, stages["ptx"], tools, options
                )
            if self.settings.frames != "off":
                stages["cubin"] = self._guarded(
                    finish, stages["cubin"], tools, options
                )
        return None

    def _guarded(self, improve, stage, tools, options):
        """A stage that returns improve's result; on any error, stage's own."""

        def run(source, metadata):
            own = stage(source, metadata)
            try:
                return improve(own, source, metadata, tools, options)
            except Exception as error:  # noqa: BLE001: compiling must go on.
                name = metadata.get("name", "a kernel")
                warnings.warn(
                    f"'{name}' is as Triton makes it: {programs.brief(error)}",
                    RegDemWarning,
                    stacklevel=2,
                )
                return own

        return run


def make_ptx(own, source, metadata, tools, options):
    """The PTX of `source`, LLVM IR, with RegDem; `own`, which is Triton's, if
    RegDem changes nothing."""
    header = ptx.Header.of(own)
    flags = [
        "-mtriple=nvptx64-nvidia-cuda",
        f"-mcpu={header.target}",
        f"-mattr=+ptx{min(header.version, ptx.NEWEST)}",
        "-O3",
        f"-fp-contract={'fast' if options.enable_fp_fusion else 'on'}",
        "-nvptx-short-ptr",
        "-nvptx-mad-wide-opt",
        f"-regdem-dynamic-smem={metadata['shared']}",
    ]
    text, report = tools.llc(ir.for_llvm22(source), flags)
    if all(kernel["decision"] == "stock" for kernel in report):
        return own
    result = header.put(text)
    if f".entry {metadata['name']}(" not in result:
        raise ValueError("regdem-llc has left the kernel out")
    return result


def finish(own, _source, metadata, tools, _options):
    """The cubin `own` with its frame in shared memory, or as it is."""
    return tools.finish(own, [f"--dynamic-smem={metadata['shared']}"])
