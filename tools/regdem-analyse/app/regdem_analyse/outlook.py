# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegDem does about a measured kernel, by its report, and what the user
can do: fields that are added to an object of measured.kernels()."""

from regdem_common import joining, spilling, words

ARRAYS = ("Its local memory holds arrays: RegDem's report of the build says what keeps each "
          "there (--report FILE).")
UNKNOWN_CONTENT = ("Whether its local memory holds spills or arrays is not known: give "
                   "RegDem's report of the build (--report FILE).")
NO_REPORT = ("To see what RegDem would do, compile with -fpass-plugin=RegDem.so -mllvm "
             "-regdem-report=FILE, and give --report FILE.")
LOW_OCCUPANCY = 50.0  # percent of the warps that fit


def _percent(value):
    return f"{value:.0f} %" if abs(value) >= 10 else f"{value:.1f} %"


def join(figures, kernels):
    """`figures` with `regdem`, what the report says of the kernel, or None."""
    kernel = joining.match(kernels, figures)
    found = dict(figures, regdem=None)
    if kernel:
        ran = joining.ran(kernel, figures)
        found["regdem"] = {
            "source": kernel.source, "decision": kernel.decision, "ran": ran,
            "changed": kernel.is_changed, "does": words.done(kernel),
            "expected_gain": kernel.gain, "arrays": words.staying_arrays(kernel),
            "reason": kernel.reason, "limiter": kernel.raw["limiter_before"]}
        if not figures["holds"] and figures["spilling"] not in ("none", "unknown"):
            found["holds"] = joining.held(kernel, ran or "stock")
            head, mark, tail = figures["verdict"].partition(spilling.HOLDS[""])
            found["verdict"] = head + (mark and spilling.HOLDS[found["holds"]]) + tail
    found["at_most"] = _most(found)
    return found


def _most(figures):
    """Percent of the time that spill code costs at most, or None."""
    if figures["spilling"] not in ("matters", "matters little"):
        return None
    return None if figures["holds"] == "arrays" else round(100 * figures["weight"], 1)


def expected(figures):
    """What is to be gained, in few words."""
    regdem = figures["regdem"]
    if regdem and regdem["ran"] == "chosen" and regdem["changed"]:
        return "in the program"
    if regdem and regdem["expected_gain"] is not None:
        return words.percent(regdem["expected_gain"])
    if figures["at_most"] is not None:
        return f"at most {_percent(figures['at_most'])}"
    return ""


def _of_regdem(figures, any_report):
    regdem = figures["regdem"]
    if regdem is None:
        if figures["spilling"] not in ("matters", "matters little"):
            return None
        return "The report does not have this kernel: is it of this program?" \
            if any_report else NO_REPORT
    if not regdem["changed"]:
        return f"RegDem keeps it as it is: {regdem['reason']}."
    if regdem["ran"] == "chosen":
        return f"This is RegDem's build ({regdem['does']})."
    gain = regdem["expected_gain"]
    times = "" if gain is None else f", which is expected to save {_percent(gain)} of its time"
    ran = "The program has stock's build: compile it with RegDem." \
        if regdem["ran"] == "stock" else "Measure both builds."
    return f"RegDem makes it '{regdem['does']}'{times}. {ran}"


def _of_limit(figures):
    if figures["limit"] != spilling.LATENCY or (figures["occupancy"] or 100) >= LOW_OCCUPANCY:
        return None
    regdem = figures["regdem"]
    if regdem and regdem["changed"]:
        return None
    text = f"It waits (latency) with {_percent(figures['occupancy'])} of the warps that fit"
    if regdem and regdem["limiter"] == "registers":
        return None  # the reason says what became of fewer registers
    if regdem:
        return f"{text}, limited by {regdem['limiter']}: launch more or smaller blocks."
    return (f"{text}: where registers limit the occupancy, RegDem tries fewer of them; "
            "else launch more or smaller blocks.")


def advice(figures, any_report):
    """Sentences for the user."""
    matters = figures["spilling"] in ("matters", "matters little")
    found = [_of_regdem(figures, any_report)]
    if matters and figures["holds"] in ("arrays", "both"):
        regdem = figures["regdem"]
        found += (regdem and regdem["arrays"]) or [ARRAYS]
    if matters and not figures["holds"]:
        found.append(UNKNOWN_CONTENT)
    found.append(_of_limit(figures))
    if not figures["limit"]:
        found.append("Counters are missing, so that its limit is not known: record all "
                     "that `regdem-analyse --list-metrics` names.")
    return [text for text in found if text]
