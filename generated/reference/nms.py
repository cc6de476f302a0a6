"""Reference of the nms family."""

from array_api_compat import device


def nms(xp, boxes, scores, *, iou):
    """Return the indices of the boxes to keep, the highest score first.

    A box is dropped if it overlaps a kept box with a higher score too much: the intersection
    exceeds `iou` times the union. If scores are equal, the box with the lower index counts as
    higher. A NaN is the highest score. If this function is traced, the loop over boxes is unrolled.

    boxes: `n 4`, corners `(x1, y1, x2, y2)`; scores: `n`. Returns keep: `n`, -1 from position
    `count` on; count: a scalar; both in the namespace's default integer dtype.
    """
    order = xp.argsort(-scores, stable=True)
    numbers = xp.astype(~xp.isnan(xp.take(scores, order)), order.dtype)
    order = xp.take(order, xp.argsort(numbers, stable=True))
    corners = xp.take(boxes, order, axis=0)
    low, high = corners[:, :2], corners[:, 2:]
    area = xp.prod(high - low, axis=1)
    sides = xp.minimum(high[:, None], high) - xp.maximum(low[:, None], low)
    shared = xp.prod(xp.clip(sides, min=0.0), axis=2)
    overlaps = shared > iou * (area[:, None] + area - shared)  # n n
    n = order.shape[0]
    rank = xp.arange(n, device=device(boxes))
    kept = rank >= 0
    for i in range(n):
        kept = kept & ~(kept[i] & overlaps[i, :] & (rank > i))
    keep = xp.take(order, xp.argsort(xp.astype(~kept, order.dtype), stable=True))
    count = xp.sum(xp.astype(kept, order.dtype))
    return xp.where(rank < count, keep, xp.full_like(keep, -1)), count
