# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what kernels take from finished programs: cubins, and the fat binaries
in objects and shared objects. Reads the ELF files itself, by the formats that
ptxas and fatbinary of CUDA 13 write; run.py compares it with `ptxas -v`."""

import json
import struct
from dataclasses import dataclass

from occupancy import SHARED_RESERVED

ELF_MAGIC = b"\x7fELF"
FAT_MAGIC = 0xBA55ED50
FAT_ELF = 2  # kind of an image: machine code
# Attributes in .nv.info, for a symbol, and in .nv.info.KERNEL.
EIATTR_MAX_THREADS = 0x05
EIATTR_FRAME_SIZE = 0x11
EIATTR_REGCOUNT = 0x2F
EIFMT_SVAL = 4  # a size in two bytes and so many bytes of value


class Unreadable(Exception):
    """The file is not what is expected."""


@dataclass(frozen=True)
class Figures:
    """Of a kernel. registers: a thread; shared: static bytes of a block; frame:
    bytes of local memory a thread; most_threads: of a block, 0 if not stated;
    code: the machine code."""

    registers: int
    shared: int
    frame: int
    most_threads: int
    code: bytes


class Elf:
    """sections: name to contents, or to the size alone where the file has none
    (SHT_NOBITS); symbols: names by index."""

    def __init__(self, data):
        if data[:4] != ELF_MAGIC or len(data) < 64:
            raise Unreadable("no ELF file")
        self.data = data
        flags, = struct.unpack_from("<I", data, 0x30)
        newer = data[8] >= 8  # the ABI's version: CUDA 13
        self.arch = flags >> (8 if newer else 0) & 0xFF
        start, = struct.unpack_from("<Q", data, 0x28)
        count, names = struct.unpack_from("<HH", data, 0x3C)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * i)
                   for i in range(count)]
        self.sections, self.symbols = {}, []
        for name, kind, _, _, offset, size, *_ in headers:
            self.sections[self.string(headers[names], name)] = (
                size if kind == 8 else data[offset:offset + size])
        for _, kind, _, _, offset, size, link, *_ in headers:
            if kind == 2:
                self.symbols = [
                    self.string(headers[link],
                                struct.unpack_from("<I", data, at)[0])
                    for at in range(offset, offset + size, 24)]

    def string(self, table, at):
        start = table[4] + at
        return self.data[start:self.data.index(b"\0", start)].decode()


def attributes(info):
    """(attribute, value) of a .nv.info section; value: bytes."""
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == EIFMT_SVAL:
            yield attribute, info[at:at + size]
            at += size


def kernels(cubin):
    """Figures of each kernel of a cubin, by its name."""
    elf = Elf(cubin)
    by_symbol = {}
    for attribute, value in attributes(elf.sections.get(".nv.info", b"")):
        if attribute in (EIATTR_FRAME_SIZE, EIATTR_REGCOUNT):
            symbol, number = struct.unpack("<II", value)
            by_symbol[attribute, elf.symbols[symbol]] = number
    found = {}
    for section, info in elf.sections.items():
        if not section.startswith(".nv.info."):
            continue
        name = section[len(".nv.info."):]
        bound = [struct.unpack("<III", value) for kind, value
                 in attributes(info) if kind == EIATTR_MAX_THREADS]
        x, y, z = bound[0] if bound else (0, 0, 0)
        # From sm_90 on what the driver reserves is part of the section.
        reserved = SHARED_RESERVED if elf.arch >= 90 else 0
        shared = elf.sections.get(".nv.shared." + name, reserved)
        found[name] = Figures(by_symbol[EIATTR_REGCOUNT, name],
                              shared - reserved,
                              by_symbol[EIATTR_FRAME_SIZE, name], x * y * z,
                              elf.sections[".text." + name])
    return found


def images(fat_binary):
    """Machine code of each image in the contents of .nv_fatbin."""
    at = 0
    while at + 16 <= len(fat_binary):
        magic, _, header, size = struct.unpack_from("<IHHQ", fat_binary, at)
        if magic != FAT_MAGIC:
            raise Unreadable("no fat binary")
        at += header
        end = at + size
        while at < end:
            kind, _, header, size = struct.unpack_from("<HHIQ", fat_binary, at)
            image = fat_binary[at + header:at + header + size]
            if kind == FAT_ELF:
                if image[:4] != ELF_MAGIC:
                    raise Unreadable("a compressed image")
                yield image
            at += header + size
        at = round_up_to_word(end)


def round_up_to_word(at):
    return (at + 7) & ~7


def device_code(data):
    """The one cubin of a file: the file itself, or that of its fat binary."""
    fat_binary = Elf(data).sections.get(".nv_fatbin")
    found = list(images(fat_binary)) if fat_binary else [data]
    if len(found) != 1:
        raise Unreadable(f"{len(found)} images of machine code, not 1")
    return found[0]


def launch_rows(cubin):
    """(entry, row) for each launch that takes a build, as the record in the
    device code says (docs/internals.md); entry: NAME$regdemN."""
    start = cubin.find(b'{"arch":"sm_')
    if start < 0:
        return
    table = json.loads(cubin[start:cubin.index(b"\0", start)])
    for kernel in table["kernels"]:
        for row in kernel.get("launches", ()):
            yield f"{kernel['kernel']}$regdem{row['build']}", row
