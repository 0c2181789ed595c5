#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_fields.py: what regdem-report says of a report whose fields are not those
that it reads."""

import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "tools" / "regdem-report" / "app"), str(ROOT / "tools" / "common")]
from regdem_common import fields, records, tool
from regdem_report import page

LINES = [json.loads(line) for line in (HERE / "build.jsonl").read_text().splitlines()]
TTI = next(raw for raw in LINES if raw["kernel"].startswith("_Z3tti") or raw["kernel"] == "tti")
WRONG = (None, [], {}, "?", -1, 1e9, True, 1e99)


def read(raw):
    """The kernels of a report whose second line has this object."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(json.dumps(LINES[0]) + "\n" + json.dumps(raw) + "\n")
        file.flush()
        return records.read([file.name])


class FieldTest(unittest.TestCase):
    def refused(self, raw, problem):
        with self.assertRaisesRegex(tool.UserError,
                                    r"\.jsonl:2: no object of RegDem's report: " + problem):
            read(raw)

    def test_fields_that_are_missing(self):
        for name in fields.KERNEL:
            raw = copy.deepcopy(TTI)
            del raw[name]
            self.refused(raw, f"'{name}' is missing; give what")
        for name in fields.VARIANT:
            raw = copy.deepcopy(TTI)
            del raw["variants"][-1][name]
            self.refused(raw, f"'{name}' in 'variants' is missing")

    def test_fields_of_another_kind(self):
        self.refused(dict(TTI, block_size=0), "'block_size' is not a whole number from 1")
        self.refused(dict(TTI, source=None), "'source' is not text")
        self.refused(dict(TTI, decision="magic"), "'decision' is not one of stock, rewrite")
        self.refused(dict(TTI, launches=[{}]), "'expected_gain' in 'launches' is missing")
        self.refused(dict(TTI, arrays=[{"name": "a"}]), "'bytes' in 'arrays' is missing")
        self.refused(dict(TTI, unbounded={}), "'regs' in 'unbounded' is missing")
        self.refused(dict(TTI, variants=[1]), "'variants' is not a list of objects")
        self.refused([], "the line is not an object")

    def test_what_is_read_can_be_shown(self):
        """Whatever a field has, it is refused or shown."""
        shown = 0
        for name in TTI.keys() | fields.KERNEL_MAY.keys():
            for value in WRONG:
                try:
                    page.page(read(dict(TTI, **{name: value})))
                    shown += 1
                except tool.UserError:
                    pass
        for name in TTI["variants"][0].keys() | fields.VARIANT_MAY.keys():
            for value in WRONG:
                raw = copy.deepcopy(TTI)
                next(v for v in raw["variants"] if v["chosen"])[name] = value
                try:
                    page.page(read(raw))
                    shown += 1
                except tool.UserError:
                    pass
        self.assertGreater(shown, 50)

    def test_builds_that_ptxas_refuses_are_not_read(self):
        raw = dict(TTI, variants=TTI["variants"] + [{"refused": "too much"}])
        self.assertEqual(len(read(raw)), 2)

    def test_blocks_that_no_sm_takes(self):
        self.assertIn("4096 threads a block", page.page(read(dict(TTI, block_size=4096))))

    def test_line_that_is_no_number(self):
        kernel = records.Kernel(dict(TTI, source="a.cu:²"))
        self.assertEqual(kernel.place, ("a.cu:²", 0))

    def test_the_schema_requires_what_is_required_here(self):
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text())
        of_variants = schema["properties"]["variants"]["items"]
        for own, may, described in ((fields.KERNEL, fields.KERNEL_MAY, schema),
                                    (fields.VARIANT, fields.VARIANT_MAY, of_variants)):
            self.assertLessEqual(own.keys(), set(described["required"]))
            self.assertLessEqual(may.keys(), described["properties"].keys())
        self.assertEqual(sorted(fields.DECISIONS),
                         sorted(schema["properties"]["decision"]["enum"]))


if __name__ == "__main__":
    unittest.main()
