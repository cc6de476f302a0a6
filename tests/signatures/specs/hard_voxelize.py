"""Reference of the hard_voxelize family."""

import math


def hard_voxelize(xp, points, *, voxel_size, coors_range, max_points, max_voxels, deterministic):
    """Group points into voxels, which are in the order of their first points.

    A voxel keeps its first `max_points` points. Coordinates of voxels have the last axis first.
    Entries after the first `voxel_num` voxels are 0.
    """
    n, ndim = points.shape[0], len(voxel_size)
    low = xp.asarray(coors_range[:ndim], dtype=points.dtype)
    size = xp.asarray(voxel_size, dtype=points.dtype)
    grid = [round((coors_range[ndim + i] - coors_range[i]) / voxel_size[i]) for i in range(ndim)]
    cell = xp.astype(xp.floor((points[:, :ndim] - low) / size), xp.int64)
    inside = xp.all((cell >= 0) & (cell < xp.asarray(grid, dtype=xp.int64)), axis=1)
    radix = xp.asarray([math.prod(grid[i + 1 :]) for i in range(ndim)], dtype=xp.int64)
    code = xp.where(inside, xp.sum(cell * radix, axis=1), xp.full_like(cell[:, 0], -1))
    place = xp.arange(n, dtype=xp.int64)
    alike = (code[:, None] == code) & inside  # n n
    rank = xp.sum(xp.astype(alike & (place < place[:, None]), xp.int64), axis=1)
    first = inside & (rank == 0)
    voxel = xp.cumulative_sum(xp.astype(first, xp.int64)) - 1
    leads = alike & first
    voxel = xp.sum(xp.where(leads, voxel, xp.zeros_like(voxel)), axis=1)
    total = xp.sum(xp.astype(first, xp.int64))
    number = xp.clip(total, max=max_voxels)
    slot = xp.arange(max_voxels * max_points, dtype=xp.int64)
    kept = inside & (rank < max_points)
    mine = (voxel * max_points + rank == slot[:, None]) & kept  # slots n
    hot = xp.astype(mine, points.dtype)
    voxels = xp.reshape(xp.matmul(hot, points), (max_voxels, max_points, points.shape[1]))
    at = (voxel == xp.arange(max_voxels, dtype=xp.int64)[:, None]) & inside
    begin = xp.astype(at & first, xp.int64)  # voxels n
    coors = xp.sum(begin[:, :, None] * xp.flip(cell, axis=1), axis=1)
    counts = xp.sum(xp.astype(at & kept, xp.int64), axis=1)
    return voxels, xp.astype(coors, xp.int32), xp.astype(counts, xp.int32), number
