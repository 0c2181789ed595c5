"""Splits PTX into functions and statements."""

import re

_LABEL = re.compile(r"\s*([$\w]+):(?!:)")
_HEAD = re.compile(r"\.(entry|func)\b")


class Function:
    """returns, params: names of parameters in memory; size: bytes of each;
    body: statements without ';', "{", "}", or "label:"; entry: a kernel."""

    def __init__(self, name, entry, returns, params, sizes, body):
        self.name = name
        self.entry = entry
        self.returns = returns
        self.params = params
        self.sizes = sizes
        self.body = body


def _without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def split_operands(text):
    """'a, {b, c}, [d]' as ['a', '{b, c}', '[d]']."""
    parts, depth, current = [], 0, ""
    for char in text:
        depth += (char in "{[(") - (char in "}])")
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    if current.strip():
        parts.append(current.strip())
    return parts


def byte_size(declaration):
    """Bytes of '.param .align 16 .b8 name[16]' and the like; 0 for []."""
    bits = int(re.search(r"\.[bsuf](\d+)\b", declaration).group(1))
    count = re.search(r"\[(\d*)\]", declaration)
    return bits // 8 * (int(count.group(1) or 0) if count else 1)


def declared_name(declaration):
    return re.search(r"([$\w]+)\s*(?:\[\d*\])?\s*$", declaration).group(1)


def _statements(text):
    out, current = [], ""
    for char in text:
        label = _LABEL.fullmatch(current + char) if char == ":" else None
        if char == ";":
            out.append(" ".join(current.split()))
            current = ""
        elif char in "{}" and not current.strip():
            out.append(char)
            current = ""
        elif label:
            out.append(label.group(1) + ":")
            current = ""
        else:
            current += char
    return [s for s in out if s]


def _matching(text, start):
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return index
    raise ValueError("unbalanced braces in PTX")


def _parameters(text):
    return [p for p in split_operands(text) if p.startswith(".param")]


def read(text):
    """The functions and the module's variable declarations."""
    text = _without_comments(text)
    functions, variables, place = [], [], 0
    while place < len(text):
        ends = [i for i in (text.find(";", place), text.find("{", place))
                if i >= 0]
        if not ends:
            break
        end = min(ends)
        head = " ".join(text[place:end].split())
        head = re.sub(r"^\.version \S+ |^\.target \S+ |^\.address_size \S+ ",
                      "", head)
        while re.match(r"\.(version|target|address_size) ", head):
            head = re.sub(r"^\.(version|target|address_size) \S+ ?", "", head)
        kind = _HEAD.search(head)
        if kind and text[end] == "{":
            close = _matching(text, end)
            functions.append(_function(head, kind.group(1),
                                       text[end + 1:close]))
            place = close + 1
            continue
        if not kind and text[end] == "{":  # An initialiser.
            end = text.index(";", end)
            head = " ".join(text[place:end].split())
        if not kind and re.search(r"\.(shared|global|const)\b", head):
            variables.append(head)
        place = end + 1
    return functions, variables


def _function(head, kind, body):
    found = re.search(r"\.%s\s*(?:\(([^)]*)\)\s*)?([$\w]+)\s*"
                      r"(?:\(([^)]*)\))?" % kind, head)
    returns = _parameters(found.group(1) or "")
    params = _parameters(found.group(3) or "")
    names = [declared_name(p) for p in params]
    return Function(found.group(2), kind == "entry",
                    [declared_name(r) for r in returns], names,
                    [byte_size(p) for p in params], _statements(body))
