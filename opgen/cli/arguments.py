"""Parsers of option values. Each raises `ArgumentTypeError` if the value is invalid."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

# The devices on which `opgen bench` can measure kernels.
DEVICES = ("cpu", "cuda", "hip")


def words(text: str) -> tuple[str, ...]:
    """Parse a list of words that are separated by commas."""
    return tuple(filter(None, (word.strip() for word in text.split(","))))


def sizes(text: str) -> tuple[tuple[int, int], ...]:
    """Parse a list of matrix sizes, such as `8x128,1024x1024`, as pairs (rows, columns)."""
    found = []
    for word in words(text):
        rows, _, columns = word.partition("x")
        if not (rows.isdecimal() and columns.isdecimal() and int(rows) and int(columns)):
            raise argparse.ArgumentTypeError(f"expected sizes such as 8x128, not {word}")
        found.append((int(rows), int(columns)))
    return tuple(found)


def mesh(text: str) -> tuple[tuple[str, int], ...]:
    """Parse the axes of a device mesh with their sizes, such as `d=4,t=2`."""
    pairs = [word.partition("=") for word in words(text)]
    if not pairs or not all(n.isidentifier() and s.isdecimal() and int(s) for n, _, s in pairs):
        raise argparse.ArgumentTypeError(
            f"expected axes and their sizes such as d=4,t=2, not {text}"
        )
    return tuple((name, int(size)) for name, _, size in pairs)


def split(text: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Parse an input and the mesh axes over which its dims are split, such as `x=d,-,t`.

    A dim with `-` is not split.
    """
    name, equals, dims = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(
            f"expected an input and its split such as x=d,-,t, not {text}"
        )
    split = tuple(() if d == "-" else tuple(d.split("+")) for d in words(dims))
    return name, split


def dim_sizes(text: str) -> tuple[tuple[str, object], ...]:
    """Parse the sizes of dims and groups, such as `batch=16x2048,norm=4096`."""
    found = []
    for word in words(text):
        name, _, size = word.partition("=")
        parts = size.split("x")
        if not name or not all(part.isdecimal() for part in parts):
            raise argparse.ArgumentTypeError(
                f"expected sizes such as batch=16x2048,norm=4096, not {word}"
            )
        found.append((name, int(size) if len(parts) == 1 else tuple(map(int, parts))))
    return tuple(found)


def positive(text: str) -> int:
    """Parse an integer that must be at least 1."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, not {text}")
    return int(text)


def devices(text: str) -> tuple[str, ...]:
    """Parse a list of device names, each of which must be in `DEVICES`."""
    return _among(text, DEVICES)


def frameworks(text: str) -> tuple[str, ...]:
    """Parse `torch`, `jax`, or both."""
    return _among(text, ("torch", "jax"))


def _among(text: str, choices: Sequence[str]) -> tuple[str, ...]:
    for word in words(text):
        if word not in choices:
            raise argparse.ArgumentTypeError(
                f"expected {', '.join(choices[:-1])} or {choices[-1]}, not {word}"
            )
    return words(text)
