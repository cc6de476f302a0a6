def points_to_octree(xp, points, *, level, sorted):
    n = points.shape[0]
    points = xp.astype(points, xp.int64)
    code = xp.zeros_like(points[:, 0])
    for bit in range(level):
        for axis in range(3):
            code = code | (((points[:, axis] >> bit) & 1) << (3 * bit + 2 - axis))
    code = xp.sort(code)
    nodes, place = xp.zeros((n * level,), dtype=xp.int64), xp.arange(n * level)
    begin = 0
    for depth in range(level):
        parent, child = code >> (3 * (level - depth)), code >> (3 * (level - depth - 1))
        number = begin + xp.cumulative_sum(xp.astype(new(xp, parent), xp.int64)) - 1
        bits = xp.where(new(xp, child), 1 << (child & 7), xp.zeros_like(child))
        nodes = nodes + xp.sum(
            xp.where(number[None, :] == place[:, None], bits[None, :], 0 * bits[None, :]), axis=1
        )
        begin = begin + xp.sum(xp.astype(new(xp, parent), xp.int64))
    return xp.astype(nodes, xp.uint8), begin


def new(xp, code):
    """Return a mask of the sorted codes that differ from the code before them."""
    return xp.concat([code[:1] == code[:1], code[1:] != code[:-1]])
