"""Non-maximum suppression equals the textbook loop."""

from __future__ import annotations

import numpy as np
import pytest

from .calls import call, integers, normal, reference


@pytest.mark.parametrize("n", [0, 1, 2, 13, 40])
def test_nms(n) -> None:
    low = np.abs(normal(n, 2)) * 2
    boxes = np.concatenate([low, low + np.abs(normal(n, 2)) * 2], 1)
    scores = integers(0, 8, n).astype("float64")  # some scores are equal

    def overlap(a, b):
        sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
        shared = max(sides[0], 0) * max(sides[1], 0)
        return shared / (np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared)

    kept: list[int] = []
    for i in sorted(range(n), key=lambda i: (-scores[i], i)):
        if all(overlap(boxes[i], boxes[j]) <= 0.3 for j in kept):
            kept.append(i)
    keep, count = call(reference("nms"), boxes, scores, iou=0.3)
    assert count == len(kept) and count.dtype == keep.dtype == np.int64
    assert keep.tolist() == kept + [-1] * (n - len(kept))


def test_nan_is_the_highest_score() -> None:
    low = np.arange(5.0)[:, None] * 10
    boxes = np.concatenate([low, low, low + 1, low + 1], 1)
    scores = np.array([1.0, np.nan, np.inf, np.nan, 2.0])
    keep, count = call(reference("nms"), boxes, scores, iou=0.5)
    assert keep.tolist() == [1, 3, 2, 4, 0] and count == 5
