"""Assertions that two values are equal. Their errors show the difference and its position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def same(found: object, wanted: object, what: str) -> None:
    """Assert that two values are equal."""
    assert found == wanted, f"{what}: {found}, not {wanted}"


def same_bits(found: np.ndarray | None, wanted: np.ndarray | None, what: str) -> None:
    """Assert that two arrays are equal bit for bit, including NaNs, or that both are absent."""
    if found is None or wanted is None:
        absent = "absent" if found is None else "present"
        assert found is wanted, f"{what} is {absent}, and should not be"
        return
    same(found.dtype, wanted.dtype, f"the dtype of {what}")
    same(found.shape, wanted.shape, f"the shape of {what}")
    a, b = np.array(found, order="C"), np.array(wanted, order="C")
    if a.tobytes() == b.tobytes():
        return
    size = a.dtype.itemsize
    bits = (np.frombuffer(x.tobytes(), np.uint8).reshape(-1, size) for x in (a, b))
    differs = np.not_equal(*bits).any(axis=1)
    first = int(differs.argmax())
    at = [int(n) for n in np.unravel_index(first, a.shape)]
    raise AssertionError(
        f"{what} is {a.flat[first]} at {at}, not {b.flat[first]}: "
        f"{int(differs.sum())} of {a.size} elements differ in their bits"
    )


def none_of(rows: Sequence[object], what: str) -> None:
    """Assert that the list `rows` of faults is empty."""
    assert not rows, "\n".join([f"{len(rows)} {what}:", *map(str, rows)])
