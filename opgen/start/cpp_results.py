"""Follow the tensors that C++ functions create and return, through variables and calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from opgen.source.frozen import dataclass
from opgen.start.cpp_body import DEPTH, DTYPES, SIZE, Body, Size, callee
from opgen.start.cpp_functions import Function, split, until_closed

_RETURN = re.compile(r"\breturn\s+([^;]+);")
_TUPLE = re.compile(
    r"(?:(?:std|c10)::)?(?:make_tuple|make_pair|tuple\s*<.*?>)\s*[({](.*)[)}]", re.S
)
_GET = re.compile(r"(?:std::)?get\s*<\s*(\d)\s*>\s*\((.*)\)", re.S)
_ITEM = re.compile(r"(.*)\[\s*(\d)\s*\]", re.S)
_MADE = re.compile(
    r"(?:(?:at|torch)::(?:empty|zeros|ones|full)(?P<like>_like)?"
    r"|(?P<owner>\w+)\s*\.\s*(?:new_(?:empty|zeros|ones|full)|(?P<copy>clone)))\s*\("
)
_CALL = re.compile(r"((?:\w+::)*\w+)\s*\(")
_SIZES = re.compile(r"(\w+)\s*\.\s*sizes\(\)(?:\s*\.\s*vec\(\))?")


@dataclass(frozen=True)
class Result:
    """A tensor that a function creates: like an argument of the op, or with given sizes.

    `changed` maps the dims that differ from `like` to their sizes; an unknown size is None. `dtype`
    is a dtype, or the name of the argument that has this dtype.
    """

    name: str = ""
    like: str = ""
    sizes: Sequence[str | Size] | None = None
    dtype: str = ""
    changed: Mapping[int, str | Size | None] = field(default_factory=dict)
    # The arguments of the op that the function may return instead.
    same: Sequence[str] = ()


def results(
    function: Function, known: Sequence[Function], called: Mapping[str, str]
) -> Sequence[Result | None]:
    """Return the `Result` of each tensor that a function returns; None if nothing is known.

    `called` maps the function's parameters to the op's names.
    """
    return _Returned(function, known, called, DEPTH).results()


def _bare(text: str) -> str:
    """Return an expression without trailing `.value()` and `.contiguous()`."""
    return re.sub(r"(?:\.\s*(?:value|contiguous)\(\)\s*)+$", "", text.strip())


class _Returned:
    """The tensors that one function returns."""

    def __init__(
        self, function: Function, known: Sequence[Function], called: Mapping[str, str], depth: int
    ) -> None:
        self._body = Body(function.body, called)
        self._text, self._names = function.body, called
        self._function, self._known, self._depth = function, known, depth
        # The variables whose values are being computed.
        self._asked: set[str] = set()

    def results(self) -> Sequence[Result | None]:
        """Return the tensors of the last `return` that has a known tensor."""
        for text in reversed(_RETURN.findall(self._text)):
            found = self._value(text)
            if any(found):
                return found
        return []

    def _value(self, text: str) -> Sequence[Result | None]:
        text = _bare(text)
        whole = re.fullmatch(r"\{(.*)\}", text, re.S) or _TUPLE.fullmatch(text)
        if whole is not None:
            parts = [self._value(each) for each in split(whole[1])]
            return [part[0] if len(part) == 1 else None for part in parts]
        if made := _MADE.match(text):
            return [self._made(made, text)]
        if got := _GET.fullmatch(text):
            return self._value(got[2])[int(got[1]) :][:1]
        if item := _ITEM.fullmatch(text):
            return self._value(item[1])[int(item[2]) :][:1]
        if call := _CALL.match(text):
            other, names = callee(text, call, self._known, self._names)
            if other is None or other is self._function or not self._depth:
                return [None]
            return _Returned(other, self._known, names, self._depth - 1).results()
        if not re.fullmatch(r"[a-zA-Z_]\w*", text) or text in self._asked:
            return [None]
        self._asked.add(text)
        assigned = [_bare(e) for e in re.findall(rf"\b{text}\s*=(?!=)\s*([^;]+);", self._text)]
        found = next(filter(any, map(self._value, assigned)), [None])
        self._asked.remove(text)
        if len(found) != 1 or found[0] is None:
            return found
        same = [self._names[each] for each in assigned if each in self._names and each != text]
        return [replace(found[0], name=text, same=[*found[0].same, *same])]

    def _made(self, match: re.Match[str], text: str) -> Result:
        given = [each.strip() for each in split(until_closed(text[match.end() :]))]
        options = " ".join(given[1:])
        like = match["owner"] or (given[0] if match["like"] else "")
        source = re.findall(r"(\w+)\s*\.\s*(?:scalar_type|dtype|options)\(\)", options)
        kinds = [DTYPES[w] for w in re.findall(r"k[A-Z]\w*", options) if w in DTYPES]
        dtype = kinds[0] if kinds else self._tensor((source or [like])[0]).dtype
        shape = _SIZES.fullmatch(given[0]) if given else None
        if match["like"] or match["copy"]:
            made = self._tensor(like)
        elif shape is not None:
            made = self._tensor(shape[1])
        elif given[0].startswith("{"):
            sizes = [self._size(each) for each in split(given[0][1:-1])]
            made = Result(sizes=None if None in sizes else [each for each in sizes if each])
        else:
            made = self._changed(given[0], self._text.find(text))
        return replace(made, dtype=dtype)

    def _tensor(self, name: str) -> Result:
        if name in self._names:
            return Result(like=self._names[name], dtype=self._names[name])
        return next(filter(None, self._value(name)), Result())

    def _changed(self, sizes: str, before: int) -> Result:
        """Return a tensor whose sizes are in the variable `sizes`, with assignments to its items."""
        text = self._text[:before]
        begun = [*re.finditer(rf"\b{re.escape(sizes)}\s*=\s*{_SIZES.pattern}\s*;", text)]
        if not begun:
            return Result()
        changed: dict[int, list[str | Size | None]] = {}
        places = re.findall(
            rf"\b{sizes}\s*\[\s*(-?\w+)\s*\]\s*=(?!=)\s*([^;]+);", text[begun[-1].end() :]
        )
        for index, value in places:
            if not re.fullmatch(r"-?\d+", index):
                return Result()
            changed.setdefault(int(index), []).append(self._size(value))
        # Of several sizes, a number is for an empty tensor.
        chosen = {at: min(each, key=lambda s: str(s).isdigit()) for at, each in changed.items()}
        return Result(like=self._names.get(begun[-1][1], ""), changed=chosen)

    def _size(self, text: str) -> str | Size | None:
        """Return the size in an expression: a number, an int of the op, or a tensor's size."""
        text = re.sub(r"^std::max\s*(?:<\w+>)?\s*\((.*),\s*0\)$", r"\1", _bare(text))
        whole = re.fullmatch(rf"(?:{SIZE}|(\w+))(?:\s*([+-])\s*(\d+))?", text)
        if whole is None or text.isdigit():
            return text if whole else None
        size = self._body.aliases.get(whole[5]) or self._body.size(whole.groups()[:4])
        if size is None:
            return self._names.get(text)
        return size._replace(plus=size.plus + int((whole[6] or "+") + (whole[7] or "0")))
