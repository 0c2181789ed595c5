#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""blanks.py SOURCE FOLDER LLC: runs one test by the project's configuration of lit
in a project whose path, below FOLDER, has blanks. Ends with lit's status."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TEST = """RUN: cp %s %t.copy
RUN: diff %s %t.copy
RUN: diff %regdem-source/test/whole.test %S/whole.test
"""


def main():
    source, folder, llc = map(Path, sys.argv[1:])
    project = folder / "my own project"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "test" / "Inputs", project / "test" / "Inputs")
    for name in ("lit.cfg.py", "features.py", "precompiled.py"):
        shutil.copy(source / "test" / name, project / "test")
    (project / "test" / "whole.test").write_text(TEST)
    build = project / "build" / "test"
    build.mkdir(parents=True)
    settings = {"regdem_source": project, "regdem_build": project / "build",
                "llvm_tools": llc.parent, "clang": "clang++", "cuda_path": "",
                "cmake": "cmake", "cxx": "c++", "python": sys.executable,
                "regdem_sanitize": ""}
    lines = [f"config.{name} = {str(value)!r}" for name, value in settings.items()]
    lines.append(f"lit_config.load_config(config, {str(project / 'test' / 'lit.cfg.py')!r})")
    (build / "lit.site.cfg.py").write_text("\n".join(lines) + "\n")
    # Where the link to the project goes.
    return subprocess.run([llc.parent / "lit", "-sv", "--skip-test-time-recording", build],
                          env={**os.environ, "TMPDIR": str(folder)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
