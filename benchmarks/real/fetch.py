#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches the libraries of the real kernels into build/real-libraries.

Debian packages and sources through apt, PyPI packages through pip, each of a
stated version and SHA-256. Nothing is installed: packages are unpacked, and
the generators run in an environment of their own.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import catalog

# Headers: package, version, file, SHA-256.
HEADERS = (
    ("libceres-dev", "2.1.0+really2.1.0+dfsg-1",
     "libceres-dev_2.1.0+really2.1.0+dfsg-1_amd64.deb",
     "04567d2491c94ab01ca9a5ca333a9b9a8b87bb629b06ab634dc099a27aa4d159"),
    ("libeigen3-dev", "3.4.0-4", "libeigen3-dev_3.4.0-4_all.deb",
     "1a167bb381acb90c1d8450a8f3e66a09d216dbc64b33ac8a082a0912513ef939"),
    ("libglm-dev", "0.9.9.8+ds-6", "libglm-dev_0.9.9.8+ds-6_all.deb",
     "e2a2af0f14f24c07eb53de52b779c4557b6010d5fcc68128ed321c2bedf1ed3a"),
    ("librandom123-dev", "1.14.0+dfsg-4",
     "librandom123-dev_1.14.0+dfsg-4_all.deb",
     "47439c9220098f49684be81f700e328f080e0a7028f6bd704ca47e108dff5b19"),
)

# Sources: package, version, file, SHA-256, name here.
SOURCES = (
    ("fftw3", "3.3.10-1", "fftw3_3.3.10.orig.tar.gz",
     "56c932549852cddcfafdab3820b0200c7742675be92179e59e6215b340e26467",
     "fftw"),
    ("libxc", "5.2.3-1", "libxc_5.2.3.orig.tar.gz",
     "38b60ed552b46367175b370e1ad5409fcf45c49b71ed13706a65b485f06a5417",
     "libxc"),
)

# From PyPI, as it is: package, version, file, SHA-256, name here.
SDISTS = (
    ("sgp4", "2.27", "sgp4-2.27.tar.gz",
     "06d37247c6985739b707b8b39b6b83e06e8af783b2531e31965501ba983985f9",
     "sgp4"),
)

# What writes code, and the SHA-256 of what it writes.
GENERATORS = ("lbmpy==2.0", "pystencils==2.0", "sympy==1.14.0",
              "pyrometheus==1.1.1", "cantera==3.2.0")
GENERATED = {
    "d3q19_central.inc":
    "738be384b89a170454d2f9910772124b6609b9a9761440dd45199ae5dd0a3b72",
    "d3q19_cumulant.inc":
    "7c240b8c0adfcc14cc1d1778fbe866a38fc9d79e54164fe4bde7156cd95b5d37",
    "d3q19_mrt.inc":
    "50308190d8afd61c7d969648671e96de10e89203dd16e685d04fdb9efe22f5d4",
    "d3q19_trt.inc":
    "8e2efa10cb15ee2b41db09b30d6db756ddbcd3412162765a039b76c3d32aedc6",
    "d3q27_central.inc":
    "969164beec82561c94453123fd96ae76f074c917030704a37c56541ec18381de",
    "d3q27_cumulant.inc":
    "8aa49c54c76d7e21bf8345ad5668615a2acae9dc9ad68ab1b918856ef2653bf5",
    "d3q27_srt.inc":
    "3a18075bcf0034276ff1a33e073e79a073046cc894d24f0c75f6273e2e03a828",
    "d3q27_trt.inc":
    "a4217cd080d03642e4c6d652adc97bb8aab884602eddc5e7356489807dc8a8a4",
    "h2o2.hpp":
    "cd1bcdedd55643b0a8db1da10c18d74d487bbb99a4f000dc7f26a247b4b5de52",
}

SUITE = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        " http://deb.debian.org/debian bookworm main\n"


def run(*command, cwd=None):
    done = subprocess.run([str(c) for c in command], cwd=cwd,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {command[0]}: {(done.stderr or done.stdout)[-2000:]}")


def check(path, expected):
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        sys.exit(f"error: {path.name} has SHA-256 {found}, not {expected}")


def fetch_headers(out, scratch):
    for package, version, file, digest in HEADERS:
        run("apt-get", "download", f"{package}={version}", cwd=scratch)
        # apt writes characters that may not be in a file's name as %xx.
        (path,) = scratch.glob(f"{package}_*.deb")
        check(path, digest)
        run("dpkg-deb", "-x", path, scratch / "root")
    run("cp", "-rT", scratch / "root" / "usr" / "include", out / "debian")


def unpack(archive, target):
    target.mkdir(parents=True, exist_ok=True)
    run("tar", "-xf", archive, "-C", target, "--strip-components=1")


def fetch_sources(out, scratch):
    """Debian's sources, by an apt of our own: hosts seldom list them."""
    lists = scratch / "lists"
    (lists / "partial").mkdir(parents=True)
    (scratch / "source.list").write_text(SUITE)
    options = ["-o", f"Dir::Etc::sourcelist={scratch / 'source.list'}",
               "-o", "Dir::Etc::sourceparts=-",
               "-o", f"Dir::State::lists={lists}",
               "-o", "APT::Sandbox::User="]
    run("apt-get", *options, "update")
    for package, version, file, digest, name in SOURCES:
        run("apt-get", *options, "source", "--download-only", "--tar-only",
            f"{package}={version}", cwd=scratch)
        check(scratch / file, digest)
        unpack(scratch / file, out / name)


def fetch_sdists(out, scratch):
    for package, version, file, digest, name in SDISTS:
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps",
            "--no-binary", ":all:", f"{package}=={version}", cwd=scratch)
        check(scratch / file, digest)
        unpack(scratch / file, out / name)


def generate(out, scratch):
    venv.create(scratch / "venv", with_pip=True)
    python = scratch / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", *GENERATORS)
    run(python, catalog.HERE / "generate.py", out / "generated")
    for name, digest in GENERATED.items():
        check(out / "generated" / name, digest)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=catalog.LIBRARIES)
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for step in (fetch_headers, fetch_sources, fetch_sdists, generate):
        print(step.__name__, flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            step(out, Path(scratch))
    print(out)


if __name__ == "__main__":
    main()
