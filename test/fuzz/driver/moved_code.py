"""Machine code of a kernel whose frame was moved against what it was before.

Reads what nvdisasm prints. Only these may differ: the first instruction, which
branches to the code that is appended and ends with a branch to the second one;
accesses to local memory, which become ones to shared memory; and what has to do
with addresses in uniform registers and with generic ones. Where a sum has R1 in
the place of such a register, accesses may have another offset: whether it is
the right one, results tell. Where only a part of
the frame was moved: the number that R1 is lowered by, and accesses, which have
another offset in shared memory or UR62 for R1 in local memory.
"""

import re
import typing

_SECTION = re.compile(r"^\t\.section\t(\S+?),")
_INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;")
_LABEL = re.compile(r"^(\.L_x_\d+|\$\w+):")
_TARGET = re.compile(r"\.L_x_\d+")
_REGISTERS = re.compile(r"EIATTR_REGCOUNT\n.*?index@\((\w+)\)\n"
                        r"\s+/\*\w+\*/\s+\.word\s+(0x[0-9a-f]+)", re.S)
_LOCAL = re.compile(r"\b(LD|ST)L\b(\S*)")
# Of the cache, which shared memory has none of.
_POLICIES = {"LU", "EF", "EL", "EU", "NA"}
# Of addresses: before, after. Of copies some have others in them.
_CHANGED = [(re.compile(before), after) for before, after in (
    (r"R2UR (UR\d+), R1(?:\.reuse)?", r"R2UR \1, RZ"),
    (r"ULDC (UR\d+), c\[0x0\]\[0x20\]", r"UMOV \1, URZ"),
    (r"ULDC (UR\d+), c\[0x0\]\[0x24\]", r"UMOV \1, UR62"))]
_COPIED = [(re.compile(before), after) for before, after in (
    (r"MOV (R\d+), (UR\d+)", r"IADD3 \1, R1, \2, RZ"),
    (r"IMAD\.U32 (R\d+), RZ, RZ, (UR\d+)", r"VIADD \1, R1, \2"))]
_SUMS = [(re.compile(before), after) for before, after in (
    (r"(LEA R\d+, R\d+(?:\.reuse)?, )UR\d+(, 0x[0-9a-f]+)", r"\1R1\2"),
    (r"(IMAD R\d+, R\d+(?:\.reuse)?, R\d+, )UR\d+", r"\1R1"))]


_LOWERS = re.compile(r"((?:IADD3|VIADD) R1, R1, )-?0x[0-9a-f]+(, RZ)?")
_ADDRESS = re.compile(r"\[(R1|UR62)(?:\+(-?0x[0-9a-f]+))?\]")
# Of a general register but R1.
_OFFSET = re.compile(r"(?<=\[)(R(?!1\b)\d+)(\+-?0x[0-9a-f]+)?(?=\])")


class Code(typing.NamedTuple):
    """instructions: texts, padding at the end left out; targets as offsets in
    bytes from the kernel's start."""
    registers: int
    instructions: typing.List[str]


def read(listing):
    """Kernel -> Code, of all kernels in nvdisasm's text of a cubin."""
    registers = {name: int(count, 16)
                 for name, count in _REGISTERS.findall(listing)}
    kernels, lines, kernel = {}, [], None
    for line in listing.splitlines() + ["\t.section\tend,"]:
        section = _SECTION.match(line)
        if section:
            if kernel:
                kernels[kernel] = Code(registers.get(kernel), _code(lines))
            name, lines = section.group(1), []
            kernel = name[6:] if name.startswith(".text.") else None
        elif kernel:
            lines.append(line)
    return kernels


def _code(lines):
    texts, labels = [], {}
    for line in lines:
        label = _LABEL.match(line)
        if label:
            labels[label.group(1)] = 16 * len(texts)
        match = _INSTRUCTION.match(line)
        if match:
            texts.append(re.sub(r'\s*\(\*"SpillRefill"\*\)', "",
                                match.group(2)))
    while texts and texts[-1] == "NOP":
        texts.pop()
    return [_TARGET.sub(lambda m: "%#x" % labels.get(m.group(0), -1), text)
            for text in texts]


def moved(text):
    """An instruction with its access to local memory made to shared memory."""
    if _LOCAL.search(text):
        text = text.replace("[UR", "[R1+UR")
    return _LOCAL.sub(lambda m: m.group(1) + "S" + "".join(
        "." + word for word in m.group(2).split(".")[1:]
        if word not in _POLICIES), text)


def may_become(text):
    """All that an instruction may be in a kernel whose frame was moved."""
    for before, after in _CHANGED:
        if before.fullmatch(text):
            return [before.sub(after, text)]
    return [moved(text)] + [before.sub(after, text)
                            for before, after in _COPIED + _SUMS
                            if before.fullmatch(text)]


def is_shifted(before, after):
    """Whether an access has become one with another offset."""
    return bool(_LOCAL.search(before)) and (
        _OFFSET.sub(r"\1", moved(before)) == _OFFSET.sub(r"\1", after))


class Part:
    """A frame of which a part was moved, access by access."""

    def __init__(self):
        self.new = {}  # place in shared memory, or None, by place in the frame
        self.old = {}

    def accepts(self, before, after):
        """Whether an instruction may have become another one."""
        if _LOWERS.fullmatch(before):
            return _LOWERS.sub(r"\1\2", before) == _LOWERS.sub(r"\1\2", after)
        address = _ADDRESS.search(before)
        if not _LOCAL.search(before) or not address:
            return before == after
        stays = before.replace("[R1", "[UR62") == after
        found = _ADDRESS.search(after)
        if not stays and (not found or found.group(1) != "R1" or
                          _ADDRESS.sub("", moved(before))
                          != _ADDRESS.sub("", after)):
            return False
        place = address.group(2)
        to = None if stays else (found.group(2),)
        return (self.new.setdefault(place, to) == to
                and (stays or self.old.setdefault(to, place) == place))


def difference(before, after, is_part=False):
    """None, or a text that says what is wrong."""
    if before is None or after is None:
        return "the kernel is missing"
    if before.registers is None or before.registers != after.registers:
        return "%s registers, before %s" % (after.registers, before.registers)
    old, new = before.instructions, after.instructions
    if len(new) < len(old) + 2:
        return "%d instructions, before %d" % (len(new), len(old))
    part = Part()
    has_sums = any(was != text and sum_.fullmatch(was)
                   for was, text in zip(old, new) for sum_, _ in _SUMS)
    for at in range(1, len(old)):
        if not (part.accepts(old[at], new[at]) if is_part
                else new[at] in may_become(old[at])
                or has_sums and is_shifted(old[at], new[at])):
            return "at %#x '%s', before '%s'" % (16 * at, new[at], old[at])
    for at, text in enumerate(new):
        if _LOCAL.search(text) and not is_part:
            return "at %#x '%s'" % (16 * at, text)
    for at, target in ((0, 16 * len(old)), (len(new) - 1, 16)):
        if not re.fullmatch(r"BRA `\(%#x\)" % target, new[at]):
            return "at %#x '%s', not a branch to %#x" % (16 * at, new[at],
                                                         target)
    return None
