"""Check that a peer computes the same results as an op. Otherwise their speed is not compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opgen.source.frozen import dataclass

# The largest accepted difference, relative to the largest value. It allows other roundings and
# orders of sums, but no other formulas.
TOLERANCES = {
    "float8_e4m3fn": 2.0**-3,
    "float8_e5m2": 2.0**-2,
    "bfloat16": 2.0**-4,
    "float16": 2.0**-6,
    "float32": 2.0**-8,
}
OTHERS = 2.0**-12
# The accepted difference between two shares of zeros, times the root of the number of elements. It
# is five standard deviations if both shares are one half.
CHANCE = 5 * 0.5**0.5


@dataclass(frozen=True)
class Found:
    """One result of a call: its shape, its dtype in the framework, and its values in float64."""

    shape: tuple[int, ...]
    dtype: str
    values: np.ndarray


def disagreement(
    own: Sequence[Found], peer: Sequence[Found], *, random: bool = False
) -> str | None:
    """Describe how the results of a peer differ from the op's, or return None if they agree.

    With `random`, the peer's random numbers differ from the op's. Then only the shape, dtype and
    number of zeros of each result are compared.
    """
    if len(own) != len(peer):
        return f"gives {len(peer)} results where the op gives {len(own)}"
    for a, b in zip(own, peer, strict=True):
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"gives {b.dtype} {list(b.shape)} where the op gives {a.dtype} {list(a.shape)}"
        finite = np.isfinite(a.values)
        if not np.array_equal(finite, np.isfinite(b.values)):
            return "has NaN or infinities elsewhere than the op"
        if random:
            count = max(1, a.values.size)
            ours, theirs = (float((each.values == 0).sum()) / count for each in (a, b))
            if abs(ours - theirs) > CHANCE / count**0.5:
                return f"is 0 in {theirs:.0%} of places where the op is in {ours:.0%}"
            continue
        scale = np.abs(a.values[finite]).max(initial=0.0)
        worst = np.abs(a.values[finite] - b.values[finite]).max(initial=0.0)
        allowed = TOLERANCES.get(a.dtype.removeprefix("torch."), OTHERS) * scale
        if worst > allowed:
            return f"differs from the op by {worst:.3g} where {allowed:.3g} are allowed"
    return None
