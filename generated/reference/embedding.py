"""References of the embedding family."""

import math

from array_api_compat import device, is_jax_array, is_torch_array


def embedding(xp, weight, indices, *, padding_idx):
    """Return the rows `weight[indices]`. The row of `padding_idx` is a constant.

    weight: `rows d`; indices: `*s`, integers; padding_idx: a row or None. A negative row counts
    from the end. Returns y: `*s d`, in weight's dtype.
    """
    y = weight[indices]
    if padding_idx is None:
        return y
    padding = indices == padding_idx % weight.shape[0]
    return xp.where(padding[..., None], _constant(y), y)


def embedding_bwd(xp, dy, indices, *, rows, padding_idx):
    """Return, for each row of the table, the sum of `dy` over the indices that select it.

    dy: `*s d`; indices: `*s`, integers. Indices equal to `padding_idx` do not count. Returns
    dweight: `rows d`, in dy's dtype; summed in f32 (f64 for f64 dy).
    """
    first = xp.zeros((), dtype=indices.dtype, device=device(indices))
    return embedding_bwd_rows(xp, dy, indices, first, n=rows, rows=rows, padding_idx=padding_idx)


def embedding_bwd_bwd(xp, ddweight, indices, *, padding_idx):
    """Return the rows `ddweight[indices]`, and zeros if an index is `padding_idx`.

    ddweight: `rows d`; indices: `*s`, integers. Returns ddy: `*s d`, in ddweight's dtype.
    """
    ddy = ddweight[indices]
    if padding_idx is None:
        return ddy
    padding = indices == padding_idx % ddweight.shape[0]
    return xp.where(padding[..., None], xp.zeros_like(ddy), ddy)


def embedding_rows(xp, weight, indices, first, *, rows):
    """Return the rows `weight[indices - first]`, and zeros if `weight` has no such row.

    weight: `n d`, a part of a table with `rows` rows; indices: `*s`, integers; first: a scalar.
    Returns y: `*s d`, in weight's dtype.
    """
    place = indices - xp.astype(first, indices.dtype)
    here = (place >= 0) & (place < weight.shape[0])
    y = weight[xp.where(here, place, xp.zeros_like(place))]
    return xp.where(here[..., None], y, xp.zeros_like(y))


def embedding_bwd_rows(xp, dy, indices, first, *, n, rows, padding_idx):
    """Return `n` rows of `embedding_bwd`, from row `first` on.

    dy: `*s d`; indices: `*s`, integers; first: a scalar. Returns dweight: `n d`, in dy's dtype;
    summed in f32 (f64 for f64 dy).
    """
    wide = xp.float64 if dy.dtype == xp.float64 else xp.float32
    flat = xp.reshape(indices, (-1, 1))
    here = xp.arange(n, dtype=indices.dtype, device=device(indices))
    names = flat == here + xp.astype(first, indices.dtype)
    if padding_idx is not None:
        names = names & (flat != padding_idx % rows)
    names = names.T[:, :, None]  # n entries 1
    entries = xp.reshape(xp.astype(dy, wide), (math.prod(indices.shape), dy.shape[-1]))
    zero = xp.zeros((), dtype=wide, device=device(dy))
    return xp.astype(xp.sum(xp.where(names, entries, zero), axis=1), dy.dtype)


def _constant(x):
    """Return `x`, with a gradient of zero. With NumPy there is no gradient."""
    if is_torch_array(x):
        return x.detach()
    if is_jax_array(x):
        from jax.lax import stop_gradient

        return stop_gradient(x)
    return x
