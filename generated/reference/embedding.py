"""References of the embedding family."""

import math

from array_api_compat import device


def embedding(xp, weight, indices, *, padding):
    """The rows `weight[indices]`; where an index is `padding`, zeros.

    weight: `rows d`; indices: `*s`, integers. Returns y: `*s d`, like weight.
    """
    d = weight.shape[1]
    flat = xp.reshape(indices, (-1,))
    rows = xp.take(weight, flat, axis=0)
    rows = xp.where((flat == padding)[:, None], xp.zeros_like(rows), rows)
    return xp.reshape(rows, (*indices.shape, d))


def embedding_bwd(xp, dy, indices, *, rows, padding):
    """For each row of the table the sum of `dy` over the entries that name it.

    dy: `*s d`; indices: `*s`, integers; the entries of `padding` go nowhere. Returns
    dweight: `rows d`, like dy; summed in f32 (f64 for f64 dy).
    """
    wide = xp.float64 if dy.dtype == xp.float64 else xp.float32
    flat = xp.reshape(indices, (-1, 1))
    names = flat == xp.arange(rows, dtype=indices.dtype, device=device(indices))
    names = (names & (flat != padding)).T[:, :, None]  # rows entries 1
    entries = xp.reshape(xp.astype(dy, wide), (math.prod(indices.shape), dy.shape[-1]))
    zero = xp.zeros((), dtype=wide, device=device(dy))
    return xp.astype(xp.sum(xp.where(names, entries, zero), axis=1), dy.dtype)
