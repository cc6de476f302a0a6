"""Find the collectives in a compiled XLA program, and count the bytes that they transfer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

# A collective over n devices sends each device `weight * (n - 1)/n` times the size of its operand.
# For an all-gather, the size of the result counts instead.
WEIGHTS = {
    "all-gather": 1,
    "all-reduce": 2,
    "reduce-scatter": 1,
    "all-to-all": 1,
    "collective-permute": 1,
}
LINE = re.compile(
    rf"^\s*(?:ROOT )?\S+ = (.*?) ({'|'.join(WEIGHTS)})(?:-start)?\((.*)$", re.MULTILINE
)
ARRAY = re.compile(r"\b(pred|[a-z]+\d+\w*)\[([\d,]*)\]")
# XLA writes replica groups in one of three forms: as lists `{{0,1},{2,3}}`, as counts `[4,2]<=[8]`,
# or by mesh axes `mesh['a'=4,'b'=2] {'a'}`.
LISTED = re.compile(r"replica_groups=\{\{([\d,]*)\}")
COUNTED = re.compile(r"replica_groups=\[\d+,(\d+)\]")
NAMED = re.compile(r"replica_groups=mesh\[([^\]]*)\][^{]*\{([^}]*)\}")


def moved(hlo: str) -> int:
    """Return the number of bytes that each device receives when the program `hlo` runs once."""
    return sum(size for _, size in collectives(hlo))


def collectives(hlo: str) -> Iterator[tuple[str, int]]:
    """Yield the kind of each collective in `hlo`, and the bytes that each device receives."""
    for result, kind, rest in LINE.findall(hlo):
        shapes = ARRAY.findall(result)
        size = sum(
            _width(t) * math.prod(map(int, filter(None, dims.split(",")))) for t, dims in shapes
        )
        if kind == "collective-permute":
            yield kind, size
            continue
        count = _group(rest)
        size *= count if kind == "reduce-scatter" else 1
        yield kind, round(WEIGHTS[kind] * size * (count - 1) / count)


def _group(text: str) -> int:
    """Return the number of devices in each replica group of a collective."""
    if listed := LISTED.search(text):
        return listed[1].count(",") + 1
    if counted := COUNTED.search(text):
        return int(counted[1])
    named = NAMED.search(text)
    if named is None:
        raise ValueError(f"replica groups that are not known: {text}")
    axes = dict(re.findall(r"'(\w+)'=(\d+)", named[1]))
    parts = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", named[2])
    return math.prod(int(part or axes[axis]) for axis, part in parts)


def _width(element: str) -> int:
    """Return the size of an XLA element type in bytes."""
    digits = re.search(r"\d+", element)
    return max(int(digits[0]) // 8, 1) if digits else 1
