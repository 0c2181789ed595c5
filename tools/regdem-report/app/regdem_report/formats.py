# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings as CI services read them: GitHub's workflow commands, and SARIF."""

import json
import os
from urllib.parse import quote

from .findings import FAULTS, LOCAL_MEMORY, UNKNOWN

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def _path(file):
    """The file as seen from here, where it is below."""
    near = os.path.relpath(file)
    return file if near.startswith("..") else near


def _escaped(text, more=()):
    """Text of a workflow command, or with `more` characters of a property."""
    for letter in ("%", "\r", "\n", *more):
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def github(findings):
    """Lines that GitHub shows as annotations."""
    lines = []
    for f in findings:
        file, line = f.kernel.place
        where = [f"title={_escaped('RegDem: ' + f.rule, ':,')}"]
        if file:
            where.insert(0, f"file={_escaped(_path(file), ':,')}")
        if line:
            where.insert(1, f"line={line}")
        lines.append(f"::{'error' if f.is_fault else 'notice'} {','.join(where)}"
                     f"::{_escaped(f.text)}")
    return lines


def _result(finding):
    file, line = finding.kernel.place
    result = {"ruleId": finding.rule, "level": "error" if finding.is_fault else "note",
              "message": {"text": finding.text}}
    if file:
        physical = {"artifactLocation": {"uri": quote(_path(file).replace(os.sep, "/"))}}
        if line:
            physical["region"] = {"startLine": line}
        result["locations"] = [{"physicalLocation": physical}]
    return result


def sarif(findings, version):
    """Lines of one SARIF 2.1.0 document."""
    rules = [*((name, text) for name, (text, _) in FAULTS.items()),
             (UNKNOWN, "figures that a fault is judged by are not known"),
             (LOCAL_MEMORY, "the kernel uses local memory")]
    driver = {"name": "regdem-report", "version": version,
              "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in rules]}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [
        {"tool": {"driver": driver}, "results": list(map(_result, findings))}]},
        indent=1).splitlines()
