"""Translates PTX to C++ that includes device.h (with FZ_WHOLE_BLOCK) and
operations.h. Knows what clang emits for fuzz kernels; an instruction it does
not know raises Unknown, so that nothing is guessed."""

import re

from .instructions import Unknown, instruction
from .reader import byte_size, declared_name, read, split_operands

__all__ = ["Unknown", "translate"]
_REGISTERS = {"pred": ("bool", "p"), "b16": ("u16", "rs"),
              "b32": ("u32", "r"), "b64": ("u64", "rd"),
              "b128": ("u128", "rq")}
_DYNAMIC_BYTES = 32768


def _signature(function):
    names = function.returns + function.params
    return "static __attribute__((noinline)) void ptx_%s(%s)" % (
        function.name.replace("$", "_"), ", ".join("char *" + n for n in names))


def _variable(head):
    if "=" in head:
        raise Unknown(head)
    size = byte_size(head) or _DYNAMIC_BYTES
    where = "__shared__" if ".shared" in head else "static"
    return "alignas(16) %s char %s[%d];\n" % (where, declared_name(head), size)


def _registers(statement):
    kind, rest = re.match(r"\.reg \.(\w+) (.*)", statement).groups()
    type_ = _REGISTERS[kind][0]
    found = re.match(r"%(\w+)<(\d+)>", rest)
    if not found:
        return "  %s %s = 0;\n" % (type_, rest.lstrip("%"))
    return "  %s %s[%s];\n  fz_unwritten(%s);\n" % (
        type_, found.group(1), found.group(2), found.group(1))


class _Body:
    """Lines of one function. Declarations come first, because a goto must not
    jump over one."""

    def __init__(self, function):
        self.function = function
        self.declared = ["  bool carry = false;\n"]
        self.lines = []
        self.tables = {}
        self.depth = 0
        for index, statement in enumerate(function.body):
            following = function.body[index + 1:index + 2]
            if statement.endswith(":") and following and \
                    following[0].startswith(".branchtargets"):
                self.tables[statement[:-1]] = split_operands(
                    following[0][len(".branchtargets"):])
        for statement in function.body:
            self._statement(statement)

    def _statement(self, text):
        if text in "{}":
            self.lines.append("  %s\n" % text)
            self.depth += 1 if text == "{" else -1
        elif text.endswith(":"):
            if text[:-1] not in self.tables:
                self.lines.append("%s:;\n" % text[:-1].replace("$", "_"))
        elif text.startswith(".reg"):
            (self.lines if self.depth else self.declared).append(
                _registers(text))
        elif text.startswith((".local", ".param")):
            name = declared_name(text)
            line = "  alignas(16) char %s[%d];\n  fz_unwritten(%s);\n" % (
                name, byte_size(text), name)
            (self.lines if self.depth else self.declared).append(line)
        elif text.startswith(".shared"):
            self.declared.append("  " + _variable(text))
        elif not text.startswith((".pragma", ".branchtargets")):
            self._instruction(text)

    def _instruction(self, text):
        guard, text = re.match(r"(?:@(!?%\w+) )?(.*)", text).groups()
        prefix = "  "
        if guard:
            prefix += "if (%s) " % re.sub(r"%([a-z]+)(\d+)", r"\1[\2]", guard)
        opcode, _, rest = text.partition(" ")
        operands = split_operands(rest)
        if opcode.startswith("bra"):
            line = "goto %s;" % operands[0].replace("$", "_")
        elif opcode == "brx.idx":
            cases = "".join(" case %d: goto %s;" % (i, t.replace("$", "_"))
                            for i, t in enumerate(self.tables[operands[1]]))
            line = "switch (%s) {%s default: std::abort(); }" % (
                re.sub(r"%([a-z]+)(\d+)", r"\1[\2]", operands[0]), cases)
        elif opcode in ("ret", "exit"):
            line = "return;"
        elif opcode.startswith("call"):
            line = self._call(rest)
        else:
            line = instruction(opcode, operands)
        self.lines.append(prefix + line + "\n")

    @staticmethod
    def _call(rest):
        parts = split_operands(rest)
        returns = parts.pop(0).strip("() ") if parts[0].startswith("(") else ""
        arguments = parts[1].strip("() ") if len(parts) > 1 else ""
        names = [n.strip() for n in (returns + "," + arguments).split(",")]
        return "ptx_%s(%s);" % (parts[0].replace("$", "_"),
                                ", ".join(n for n in names if n))

    def text(self):
        return "".join(self.declared + self.lines)


def _wrapper(function):
    """The kernel as host_main.h calls it."""
    params = function.params
    return ("static void %s(const u32 *in, u32 *out, u32 n) {\n"
            "  fz_args args = fz_args_of(n);\n"
            "  ptx_%s(reinterpret_cast<char *>(&in), "
            "reinterpret_cast<char *>(&out), reinterpret_cast<char *>(&args));\n"
            "}\n" % (function.name, function.name)) if len(params) == 3 else ""


def translate(text):
    """C++ with a function NAME(in, out, n) for each kernel NAME."""
    functions, variables = read(text)
    parts = ["#include \"device.h\"\n#include \"ptx/operations.h\"\n"]
    parts += [_variable(v) for v in variables]
    parts += [_signature(f) + ";\n" for f in functions]
    for function in functions:
        parts.append("%s {\n%s}\n" % (_signature(function),
                                      _Body(function).text()))
    parts += [_wrapper(f) for f in functions if f.entry]
    return "".join(parts)
