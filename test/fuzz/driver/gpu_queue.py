"""Runs compiled kernels on the GPU while others are being compiled.

One gpu_check process at a time takes whatever has been compiled since the
last one began. Cubins and PTX of kernels that pass are removed at once; those
of the others go to the folder 'keep', with all that is known of the kernel.
"""

import json
import os
import shutil
import subprocess
import threading
from collections import Counter

from kernelgen import unit
from kernelgen.family import Contents

from . import figures, files, gpu_bundle

_KINDS = ("stock.cubin", "regdem.cubin", "stock.ptx", "regdem.ptx")
_MOST_KEPT = 200


class GpuQueue:
    """checker: path of gpu_check; work: folder with the cubins; keep: folder
    for what fails; limit: seconds a launch may take; chunk: most pairs of one
    process. After close(): verdicts, counts of kernels; changed, those among
    them that RegDem changed; failed: (name, verdict, text)."""

    def __init__(self, checker, work, keep, limit, chunk=64):
        self.checker = os.path.abspath(checker)
        self.work = work
        self.keep = keep
        self.limit = limit
        self.chunk = chunk
        self.verdicts = Counter()
        self.changed = Counter()
        self.failed = []
        self.device = "no device"
        self.lost = None
        self._results = []
        self._closed = False
        self._process = None
        self._kept = 0
        self._serial = 0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._loop, daemon=True)

    def start(self):
        self._thread.start()

    def put(self, result):
        """result: oracles.Result of files whose cubins lie in 'work'."""
        with self._changed:
            self._results.append(result)
            self._changed.notify()

    def close(self, seconds):
        """Waits for what is queued, then stops."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(seconds)
        if self._thread.is_alive():
            self.lost = "time was up with %d files waiting" % len(
                self._results)
            if self._process:
                self._process.kill()
            self._thread.join(30)

    def _loop(self):
        while True:
            with self._changed:
                while not self._results and not self._closed:
                    self._changed.wait()
                batch = self._results[:self.chunk]
                del self._results[:self.chunk]
            if not batch:
                return
            try:
                self._run(batch)
            except (OSError, ValueError) as error:
                self.lost = self.lost or str(error)

    def _run(self, batch):
        self._serial += 1
        name = "manifest%d.txt" % self._serial
        path = os.path.join(self.work, name)
        pairs = [(result, pair) for result in batch for pair in result.pairs]
        if not pairs:
            return
        files.write(path, "".join(gpu_bundle.manifest(result, [pair])
                                  for result, pair in pairs))
        results = path + ".results"
        self._process = subprocess.Popen(
            [self.checker, "--limit", str(self.limit), "--manifest", name,
             "--results", results, self.work], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        text, _ = self._process.communicate()
        if self._process.returncode not in (0, 1):
            self.lost = text.strip()[-300:]
        verdicts = read_results(results)
        for result, (stem, names) in pairs:
            self._judge(result, stem, names, verdicts)
        for line in text.splitlines():
            if " on " in line and line.startswith("verdict"):
                self.device = line.split(" on ")[-1]

    def _judge(self, result, stem, names, verdicts):
        for name in names:
            verdict, text = verdicts.get(name, ("not-run", ""))
            report = result.reports.get(name) or {}
            self.verdicts[verdict] += 1
            self.changed[verdict] += figures.is_changed(report)
            if verdict not in ("passed", "not-run"):
                self.failed.append((name, verdict, text))
                if self._kept < _MOST_KEPT:
                    self._kept += 1
                    self._store(result, stem, name, verdict, text)
        for kind in _KINDS:
            path = os.path.join(self.work, "%s.%s" % (stem, kind))
            if os.path.exists(path):
                os.remove(path)

    def _store(self, result, stem, name, verdict, text):
        folder = os.path.join(self.keep, "%s_%s" % (verdict, name))
        os.makedirs(folder, exist_ok=True)
        for kind in _KINDS:
            path = os.path.join(self.work, "%s.%s" % (stem, kind))
            if os.path.exists(path):
                shutil.copy(path, folder)
        files.write(os.path.join(folder, "kernel.json"), json.dumps(
            dict(gpu_bundle.entry(result, name), verdict=verdict, text=text,
                 file=stem), indent=1))
        metadata = result.metadata[name]
        contents = Contents(**{f: metadata[f] for f in Contents._fields})
        files.write(os.path.join(folder, name + ".cu"), unit.source(
            unit.generate([metadata["seed"]], contents)))


def read_results(path):
    """Kernel -> (verdict, text)."""
    verdicts = {}
    if os.path.exists(path):
        for line in files.read(path).splitlines():
            name, verdict, text = (line + "  ").split(" ", 2)
            verdicts[name] = verdict, text.strip()
    return verdicts
