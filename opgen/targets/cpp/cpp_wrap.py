"""Break long lines of rendered C++ at the places that a person would choose.

Views and templates write every statement on one line, without regard to its indentation. A line is
broken after an open bracket, between items, after `=`, or at operators. A part that still does not
fit (a long string, a name) stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from opgen.source.frozen import dataclass
from opgen.targets.cpp.cpp_format import WIDTH, closed
from opgen.targets.wrapping import wrapped

CONTINUED = 4
DEEPEST = 12  # deeper code would not fit, and detecting that is slow
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_TOKEN = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|->|<<|<=|>=|[()\[\]{}<>])')
_COMMENT = re.compile(r"///? ")
STRING = 255  # the marker for characters inside strings
_DEPTHS = [bytes([depth]) for depth in range(256)]
# The operators at which a line may be broken, from the lowest precedence to the highest. The second
# item tells whether the operator starts the next line.
_OPERATORS = (
    (" = ", False),
    (" ? ", True),
    (" || ", False),
    (" && ", False),
    (" << ", True),
    (" + ", False),
)
# A list of template arguments. A line is broken inside it only if nothing else helps.
_ARGUMENTS = re.compile(r"<[^<>(), ]+, [^<>()]+>")
# The head of a lambda that continues on the next line.
_LAMBDA = re.compile(r"\[[^\]]*\] \{$")
_GUARDED = re.compile(r"(?:if|for) \(")


def broken(text: str) -> str:
    """Break the lines of C++ code that are longer than `WIDTH`, if possible."""
    return "\n".join(
        [line if len(line) <= WIDTH else "\n".join(_line(line)) for line in text.split("\n")]
    )


# Files of several ops and frameworks share many lines.
@lru_cache(maxsize=4096)
def _line(line: str) -> tuple[str, ...]:
    code = line.lstrip(" ")
    if len(line) <= WIDTH or code.startswith("#") or code.endswith("\\"):
        return (line,)
    indent = len(line) - len(code)
    pad = " " * indent
    if comment := _COMMENT.match(code):
        return tuple(_comment(code[comment.end() :], pad + comment.group()))
    behind = _split(code, "  // ")
    if len(behind) > 1:  # the comment goes above the code
        return (*_comment(" ".join(behind[1:]), f"{pad}// "), *_line(pad + behind[0].rstrip()))
    if _is_deep(code):
        return (line,)
    if _GUARDED.match(code) and code.endswith(";"):
        head, statement = _guard(code)
        return (*_line(f"{pad}{head} {{"), *_line(f"{pad}  {statement}"), f"{pad}}}")
    first, *rest = _placed(code, indent, indent)
    return (pad + first, *rest)


def _is_deep(code: str) -> bool:
    """Return whether brackets are nested too deeply to break the line."""
    if sum(map(code.count, _PAIRS)) <= DEEPEST:
        return False
    return max(_scanned(code)[0].replace(bytes([STRING]), b""), default=0) > DEEPEST


def _comment(text: str, head: str) -> list[str]:
    return [head + closed(line) for line in wrapped(text, WIDTH - len(head))]


def _guard(code: str) -> tuple[str, str]:
    """Split `if (...)` or `for (...)` from the statement that follows."""
    end = _groups(code)[0].close + 1
    return code[:end], code[end:].strip()


@dataclass(frozen=True)
class _Group:
    """A pair of matching brackets: the positions of the opening and the closing bracket, and the
    depth of the text between them.
    """

    open: int
    close: int
    depth: int = 1


@lru_cache(maxsize=4096)
def _scanned(text: str) -> tuple[bytes, tuple[_Group, ...]]:
    """Return the bracket depth of each character, and the outermost pairs of brackets.

    The bracket itself has the depth of the text around it. The depth of a character inside a string
    is `STRING`. Pairs of angle brackets count for the depth only.
    """
    found, closing, depth = list[bytes](), [""], 0
    groups, opened, at = list[_Group](), None, 0
    # Plain text and tokens take turns.
    *parts, last = _TOKEN.split(text)
    for before, token in zip(parts[::2], parts[1::2]):
        at += len(before)
        if token in "([{" or (token == "<" and _opens_arguments(before)):
            found.append(_DEPTHS[depth] * (len(before) + 1))
            closing.append(_PAIRS[token])
            if not depth and token != "<":
                opened = at
            depth += 1
            at += 1
            continue
        found.append(_DEPTHS[depth] * len(before))
        if token == closing[-1]:
            closing.pop()
            depth -= 1
        found.append(_DEPTHS[STRING if token[0] in "\"'" else depth] * len(token))
        if opened is not None and not depth and token in ")]}":
            groups.append(_Group(opened, at))
            opened = None
        at += len(token)
    if opened is not None:
        groups.append(_Group(opened, len(text)))
    return b"".join(found) + _DEPTHS[depth] * len(last), tuple(groups)


def _opens_arguments(before: str) -> bool:
    """Return whether a `<` after `before` opens template arguments."""
    return before[-1:].isalnum() or before.endswith(("_", "template "))


def _groups(text: str) -> tuple[_Group, ...]:
    """Return the outermost pairs of brackets. Angle brackets count only after `template`."""
    if text.startswith("template <"):
        return (_Group(text.index("<"), text.rindex(">")),)
    return _scanned(text)[1]


def _split(text: str, separator: str) -> list[str]:
    """Split `text` at separators outside brackets."""
    return _pieces(text, separator, 0, len(text), 0) if separator in text else [text]


def _pieces(text: str, separator: str, begin: int, end: int, depth: int) -> list[str]:
    """Split `text[begin:end]` at the separators with the bracket depth `depth`."""
    parts, depths = [], _scanned(text)[0]
    at = text.find(separator, begin, end)
    while at >= 0:
        next_ = at + 1
        if depths[at] == depth:
            parts.append(text[begin:at])
            begin = next_ = at + len(separator)
        at = text.find(separator, next_, end)
    return [*parts, text[begin:end]]


@lru_cache(maxsize=4096)
def _placed(text: str, column: int, indent: int) -> tuple[str, ...]:
    """Return `text` broken into lines. The first line starts at `column`. The other lines are
    indented relative to `indent`.
    """
    if column + len(text) <= WIDTH:
        return (text,)
    # Each line break replaces one space.
    fewest = -(-(column + len(text) + 1) // (WIDTH + 1))
    first: list[str] | None = None
    fitting: list[list[str]] = []
    for lines in _ways(text, column, indent) if column < WIDTH else ():
        first = first or lines
        if _fits(lines, column):
            fitting.append(lines)
            if len(lines) <= fewest:
                break
    best = min(fitting, key=len) if fitting else first
    return tuple(best or [text])


def _fits(lines: Sequence[str], column: int) -> bool:
    return column + len(lines[0]) <= WIDTH and max(map(len, lines[1:]), default=0) <= WIDTH


def _ways(text: str, column: int, indent: int) -> Iterator[list[str]]:
    """Yield different ways to break `text` into lines. Among the ways with the fewest lines, the
    preferred one comes first.
    """
    if text.startswith("return "):
        first, *rest = _placed(text[7:], column + 7, indent)
        yield [f"return {first}", *rest]
        return
    head = ": " if text.startswith(": ") else ""
    parts = _split(text.removeprefix(head), ", ")
    if len(parts) > 1:
        for whole in (True, False):
            yield _filled(head, parts, "", column, column + len(head), whole)
        return
    for operator, leads in _OPERATORS:
        if operator not in text:
            continue
        parts = _split(text, operator)
        if len(parts) > 1:
            if operator == " = ":
                yield from _assigned(parts[0], " = ".join(parts[1:]), column, indent)
            elif operator == " ? ":
                yield from _chosen(text, column)
            else:
                yield from _chained(parts, operator, leads, column)
            return
    yield from _bracketed(text, column, indent)


def _assigned(name: str, value: str, column: int, indent: int) -> Iterator[list[str]]:
    head = f"{name} = "
    deeper = indent + CONTINUED
    plain = not any(o in value and len(_split(value, o)) > 1 for o, _ in _OPERATORS)
    if plain:
        for lines in _bracketed(value, column + len(head), indent, deep=False):
            yield [head + lines[0], *lines[1:]]
    yield [f"{name} =", " " * deeper + value]
    first, *rest = _placed(value, column + len(head), indent)
    yield [head + first, *rest]
    first, *rest = _placed(value, deeper, deeper)
    yield [f"{name} =", " " * deeper + first, *rest]


def _chosen(text: str, column: int) -> Iterator[list[str]]:
    """Yield the lines of `a ? b : c`, with `?` and `:` aligned."""
    test, *rest = _split(text, " ? ")
    values = _split(" ? ".join(rest), " : ")
    for place in (column + len(test) + 1, column + CONTINUED):
        pad = " " * place
        first, *more = _placed(values[0], place + 2, place + 2)
        lines = [f"? {first}", *more]
        if place == column + CONTINUED:
            lines = [test, pad + lines[0], *more]
        else:
            lines[0] = f"{test} {lines[0]}"
        for value in values[1:]:
            first, *more = _placed(value, place + 2, place + 2)
            lines += [f"{pad}: {first}", *more]
        yield lines


def _chained(parts: Sequence[str], operator: str, leads: bool, column: int) -> Iterator[list[str]]:
    sign = operator.strip()
    begin = column + len(parts[0]) + 1 if leads else column
    for pad in (begin, column + CONTINUED):
        lines, width = [""], column
        for number, part in enumerate(parts):
            piece = f"{sign} {part}" if leads and number else part
            if not leads and number < len(parts) - 1:
                piece += f" {sign}"
            blank = " " if number else ""
            stays = leads and number == 1 and pad == begin
            if number and not stays and width + len(blank) + len(piece) > WIDTH:
                first, *rest = _placed(piece, pad, pad)
                lines += [" " * pad + first, *rest]
            else:
                first, *rest = _placed(piece, width + len(blank), pad)
                lines[-1] += blank + first
                lines += rest
            width = len(lines[-1]) + (column if len(lines) == 1 else 0)
        yield lines


def _bracketed(text: str, column: int, indent: int, deep: bool = True) -> Iterator[list[str]]:
    """Yield ways to put the items of the longest pair of brackets on several lines.

    With `deep`, an item that does not fit on a line may also be broken.
    """
    groups = [g for g in _groups(text) if text[g.open + 1 : g.close].strip()]
    if not groups and (arguments := _ARGUMENTS.search(text)):
        start = arguments.start()
        depth = _scanned(text)[0][start] + _opens_arguments(text[:start])
        groups = [_Group(start, arguments.end() - 1, depth)]
    if not groups:
        return
    group = max(groups, key=lambda g: g.close - g.open)
    head, tail = text[: group.open + 1], text[group.close :]
    items = _pieces(text, ", ", group.open + 1, group.close, group.depth)
    if len(items) > 1 and _LAMBDA.fullmatch(items[-1]):
        items[-2:] = [", ".join(items[-2:])]
    fits = False
    for whole in (True, False) if deep else (True,):
        for pad, fresh in ((column + len(head), False), (indent + CONTINUED, True)):
            lines = _filled(head, items, tail, column, pad, whole, fresh)
            yield lines
            fits |= _fits(lines, column)
        if fits:
            return


def _filled(
    head: str,
    items: Sequence[str],
    tail: str,
    column: int,
    pad: int,
    whole: bool = True,
    fresh: bool = False,
) -> list[str]:
    """Return `head` and the items, with as many items on each line as fit.

    Lines after the first start at `pad`. With `fresh`, the first item starts a new line. Without
    `whole`, an item may be broken.
    """
    lines = [head, " " * pad] if fresh else [head]
    width, blank = len(lines[-1]) + (0 if fresh else column), ""
    pieces = [f"{item}," for item in items]
    pieces[-1] = items[-1] + tail
    for piece in pieces:
        room = WIDTH - width - len(blank)
        if len(piece) <= room:
            lines[-1] += blank + piece
        elif not whole:
            width += len(blank)
            first, *rest = _placed(piece, width, width)
            if not blank or _fits([first, *rest], width):
                lines[-1] += blank + first
            else:
                first, *rest = _placed(piece, pad, pad)
                lines.append(" " * pad + first)
            lines += rest
        elif blank:
            lines.append(" " * pad + piece)
        else:
            lines[-1] += piece
        width, blank = len(lines[-1]) + (column if len(lines) == 1 else 0), " "
    return lines
