"""The collectives of a compiled program, and the bytes that they move."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

# By what part of the operand, or of the result of a gather, each device gets from others,
# for n devices: times (n - 1)/n.
WEIGHTS = {
    "all-gather": 1,
    "all-reduce": 2,
    "reduce-scatter": 1,
    "all-to-all": 1,
    "collective-permute": 1,
}
LINE = re.compile(
    rf"^\s*\S+ = (.*?) ({'|'.join(WEIGHTS)})(?:-start)?\((.*)$", re.MULTILINE
)
ARRAY = re.compile(r"\b(pred|[a-z]+\d+\w*)\[([\d,]*)\]")
GROUPS = re.compile(r"replica_groups=(?:\{\{([\d,]*)\}|\[\d+,(\d+)\])")


def moved(hlo: str) -> int:
    """The bytes that each device gets from others in one run of an optimised program."""
    return sum(size for _, size in collectives(hlo))


def collectives(hlo: str) -> Iterator[tuple[str, int]]:
    """The kind of each collective, and the bytes that each device gets."""
    for result, kind, rest in LINE.findall(hlo):
        shapes = ARRAY.findall(result)
        size = sum(_width(t) * math.prod(map(int, filter(None, dims.split(",")))) for t, dims in shapes)  # fmt: skip
        if kind == "collective-permute":
            yield kind, size
            continue
        group = GROUPS.search(rest)
        listed, counted = group.groups() if group else (None, None)
        count = int(counted) if counted else len(listed.split(",")) if listed else 0
        size *= count if kind == "reduce-scatter" and count else 1
        share = (count - 1) / count if count else 1
        yield kind, round(WEIGHTS[kind] * size * share)


def _width(element: str) -> int:
    """Bytes of an element type of XLA."""
    digits = re.search(r"\d+", element)
    return max(int(digits[0]) // 8, 1) if digits else 1
