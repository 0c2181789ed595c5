# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets each set's source at its commit, with git. A commit's name is the hash
of all that it holds, so nothing else needs to be checked. Only files that the
table asks for are brought."""

import subprocess

from table import TableError


def git(folder, *arguments):
    done = subprocess.run(["git", "-C", str(folder), *arguments],
                          capture_output=True, text=True)
    if done.returncode:
        raise TableError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def fetch(one, sources):
    """The set's checkout; what is there already stays if it is that commit,
    unchanged."""
    folder = sources / one.name
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q")
        git(folder, "remote", "add", "origin", one.url)
    git(folder, "sparse-checkout", "set", "--no-cone", *one.paths)
    try:
        at = git(folder, "rev-parse", "-q", "--verify", "HEAD")
    except TableError:
        at = ""
    if at != one.commit:
        git(folder, "fetch", "-q", "--depth=1", "--filter=blob:none", "origin",
            one.commit)
        git(folder, "checkout", "-q", "--detach", one.commit)
    if git(folder, "rev-parse", "HEAD") != one.commit:
        raise TableError(f"{one.name}: not at {one.commit}")
    if git(folder, "status", "--porcelain"):
        raise TableError(f"{folder} was changed; remove it and fetch again")
    return folder
