# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles and reports on disk."""

import json
import os

from regdem_common import fields, records
from regdem_common.tool import UserError, read_text

from .choice import Kernel

PROFILE_VERSION = 1
NO_REPORT = ("no object of RegDem's report: give what -mllvm -regdem-report=FILE "
             "wrote")


def entry(kernel, choice, **others):
    """A profile's entry; `others` are fields for the record."""
    return {"kernel": kernel.name, "arch": kernel.arch, "hash": kernel.hash,
            "decision": choice.decision, **choice.fields(), **others}


def is_stream(path):
    """Whether it is a device or a pipe: it keeps nothing and stays what it is."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def write_bytes(path, content):
    """Makes it all that is in the file, or in the one that a link leads to."""
    try:
        if is_stream(path):
            with open(path, "wb") as file:
                file.write(content)
        else:
            _replace(os.path.realpath(path), content)
    except OSError as problem:
        raise UserError(f"cannot write '{path}': {problem.strerror}")


def _replace(path, content):
    """All of it or nothing, so that a build in progress never reads half."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise UserError(f"cannot read '{path}': {problem.strerror}")


def write_json(path, value):
    write_bytes(path, (json.dumps(value, indent=1) + "\n").encode())


def write_profile(path, entries):
    write_json(path, {"version": PROFILE_VERSION, "entries": entries})


def read_entries(path):
    """The entries of a profile that this program wrote."""
    profile = read_json(path)
    if not isinstance(profile, dict) or \
            profile.get("version") != PROFILE_VERSION or \
            not isinstance(profile.get("entries"), list):
        raise UserError(f"'{path}' is no profile of version {PROFILE_VERSION}")
    return profile["entries"]


def other_entries(path, mine):
    """The entries of the profile at `path`, if there is one, that are for none
    of `mine`, pairs of a kernel's name and architecture."""
    if is_stream(path) or not os.path.exists(path):
        return []
    try:
        return [e for e in read_entries(path) if (e["kernel"], e["arch"]) not in mine]
    except (KeyError, TypeError):
        raise UserError(f"'{path}' has an entry without `kernel` or `arch`: add them, or "
                        "leave out --update to write the file anew") from None


def read_json(path):
    try:
        return json.loads(read_bytes(path))
    except ValueError as problem:
        raise UserError(f"'{path}' is no JSON: {problem}")


def read_report(path):
    """The compiler's report as {Kernel: object}, in the report's order; empty
    if there is none. A kernel in several files has several equal objects."""
    if not os.path.exists(path):
        return {}
    found = [r for r in records.objects(path, read_text(path), _record, NO_REPORT) if r]
    # Parallel builds finish in any order.
    found.sort(key=lambda r: (r["kernel"], r["arch"], r["hash"]))
    return {Kernel.of(r): r for r in found}


def _record(record):
    """An object of the report, or None for regdem-finish's; raises TypeError or
    KeyError if it is neither."""
    if fields.is_frame(record):
        return None
    if not all(isinstance(record[field], str) for field in ("kernel", "arch", "hash")):
        raise TypeError("a field is no text")
    return record
