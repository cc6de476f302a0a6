"""Break long lines of rendered C++ at the places that a person would choose.

Views and templates write every statement on one line, without regard to its indentation. A line is
broken after an open bracket, between items, after `=`, or at operators. A part that still does not
fit (a long string, a name) stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from opgen.targets.cpp.cpp_format import WIDTH, closed
from opgen.targets.wrapping import wrapped

CONTINUED = 4
DEEPEST = 12  # deeper code would not fit, and detecting that is slow
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
# A string, or text that begins with a closing bracket or ends with an open one. A `<` is a bracket
# only behind a name.
_CHUNK = re.compile(
    r"""
    "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | [(\[{]
    | . (?: [^()\[\]{}<>"']+ | (?<!\w)(?<!template\ )< | (?<=-)> | >(?==) )*
    (?: [(\[{] | < )?
    """,
    re.VERBOSE,
)
STRING = -1  # the depth of strings
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
    if code.startswith(("// ", "/// ")):
        sign, text = code.split(" ", 1)
        return tuple(_comment(text, f"{pad}{sign} "))
    behind = _split(code, "  // ")
    if len(behind) > 1:  # the comment goes above the code
        return (*_comment(" ".join(behind[1:]), f"{pad}// "), *_line(pad + behind[0].rstrip()))
    depths = _scanned(code)[1]
    if max(depths) > DEEPEST:
        return (line,)
    if code.startswith(("if (", "for (")) and code.endswith(";") and 0 in depths[1:]:
        head, statement = _guard(code)
        return (*_line(f"{pad}{head} {{"), *_line(f"{pad}  {statement}"), f"{pad}}}")
    first, *rest = _placed(code, indent, indent)
    return (pad + first, *rest)


def _comment(text: str, head: str) -> list[str]:
    return [head + closed(line) for line in wrapped(text, WIDTH - len(head))]


def _guard(code: str) -> tuple[str, str]:
    """Split `if (...)` or `for (...)` from the statement that follows."""
    chunks, depths = _scanned(code)
    head = "".join(chunks[: depths.index(0, 1)]) + ")"
    return head, code[len(head) :].strip()


@lru_cache(maxsize=4096)
def _scanned(text: str) -> tuple[list[str], list[int]]:
    """Divide `text` at brackets and strings. Return the chunks, and the bracket depth of each.

    Brackets belong to the chunk outside of them. The depth of a string is `STRING`.
    """
    chunks, depths, closing = _CHUNK.findall(text), list[int](), [""]
    for chunk in chunks:
        if chunk[0] == closing[-1]:
            closing.pop()
        last = chunk[-1]
        depths.append(STRING if last in "\"'" else len(closing) - 1)
        if last in _PAIRS:
            closing.append(_PAIRS[last])
    return chunks, depths


def _longest(chunks: Sequence[str], depths: Sequence[int]) -> tuple[int, int] | None:
    """Return the range of chunks inside the longest pair of outermost brackets that is not empty.

    Angle brackets count only after `template`.
    """
    outer = [n for n, depth in enumerate(depths) if not depth]
    found, most = None, 0
    for n, end in zip(outer, [*outer[1:], len(chunks)]):
        if chunks[n][-1] in "([{" or chunks[n] == "template <":
            inside = "".join(chunks[n + 1 : end])
            if len(inside) > most and not inside.isspace():
                found, most = (n + 1, end), len(inside)
    return found


def _split(text: str, separator: str) -> list[str]:
    """Split `text` at separators outside brackets."""
    return _parts(*_scanned(text), 0, separator) if separator in text else [text]


def _parts(chunks: Sequence[str], depths: Sequence[int], depth: int, separator: str) -> list[str]:
    """Join chunks, and split them at the separators with the bracket depth `depth`."""
    marked = [
        chunk.replace(separator, "\0") if own == depth else chunk
        for chunk, own in zip(chunks, depths)
    ]
    return "".join(marked).split("\0")


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
    return max(column + len(lines[0]), *map(len, lines)) <= WIDTH


def _ways(text: str, column: int, indent: int) -> Iterator[list[str]]:
    """Yield different ways to break `text` into lines. Among the ways with the fewest lines, the
    preferred one comes first.
    """
    if text.startswith("return "):
        first, *rest = _placed(text[7:], column + 7, indent)
        yield [f"return {first}", *rest]
        return
    chunks, depths = _scanned(text)
    outside = "\0".join([chunk for chunk, depth in zip(chunks, depths) if not depth])
    if ", " in outside:
        head = ": " if text.startswith(": ") else ""
        parts = _split(text, ", ")
        parts[0] = parts[0].removeprefix(head)
        for whole in (True, False):
            yield _filled(head, _pieces(parts), column, column + len(head), whole)
        return
    for operator, leads in _OPERATORS:
        if operator in outside:
            parts = _split(text, operator)
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
    chunks, depths = _scanned(text)
    if inside := _longest(chunks, depths):
        begin, end = inside
        head, tail = "".join(chunks[:begin]), "".join(chunks[end:])
        items = _parts(chunks[begin:end], depths[begin:end], 1, ", ")
    elif arguments := _ARGUMENTS.search(text):
        head, tail = text[: arguments.start() + 1], text[arguments.end() - 1 :]
        items = arguments.group()[1:-1].split(", ")
    else:
        return
    if len(items) > 1 and _LAMBDA.fullmatch(items[-1]):
        items[-2:] = [", ".join(items[-2:])]
    pieces, fits = _pieces(items, tail), False
    for whole in (True, False) if deep else (True,):
        for pad, fresh in ((column + len(head), False), (indent + CONTINUED, True)):
            lines = _filled(head, pieces, column, pad, whole, fresh)
            yield lines
            fits = fits or _fits(lines, column)
        if fits:
            return


def _pieces(items: Sequence[str], tail: str = "") -> list[str]:
    """Return the items with the commas behind them, and `tail` behind the last item."""
    return [*[f"{item}," for item in items[:-1]], items[-1] + tail]


def _filled(
    head: str,
    pieces: Sequence[str],
    column: int,
    pad: int,
    whole: bool = True,
    fresh: bool = False,
) -> list[str]:
    """Return `head` and the pieces, with as many pieces on each line as fit.

    Lines after the first start at `pad`. With `fresh`, the first piece starts a new line. Without
    `whole`, a piece may be broken.
    """
    lines = [head, " " * pad] if fresh else [head]
    width, blank = (pad if fresh else column + len(head)), ""
    for piece in pieces:
        added = blank + piece
        if width + len(added) <= WIDTH:
            lines[-1] += added
            width += len(added)
        elif whole and blank:
            lines.append(" " * pad + piece)
            width = pad + len(piece)
        elif whole:
            lines[-1] += piece
            width += len(piece)
        else:
            width += len(blank)
            first, *rest = _placed(piece, width, width)
            if not blank or _fits([first, *rest], width):
                lines[-1] += blank + first
            else:
                first, *rest = _placed(piece, pad, pad)
                lines.append(" " * pad + first)
            lines += rest
            width = len(lines[-1]) + (column if len(lines) == 1 else 0)
        blank = " "
    return lines
