"""References of the moe family: sort the rows of tokens by their experts, and sort them back."""

from array_api_compat import device


def moe_permute(xp, x, ids, *, e):
    """Repeat each row of `x` for each of its experts, and sort the rows by expert, then by token.

    Gale et al., MegaBlocks, 2022, section 5.2. Entry `(i, j)` of `ids` becomes row `places[i, j]`
    of the result. The rows of expert `n` are those from `offsets[n]` to `offsets[n+1]`.

    x: `t d`; ids: `t k`, integers from 0 to e - 1. Returns rows: `t*k d`, in x's dtype; offsets:
    `e+1`; places: `t k`, both of 32 bits.
    """
    t, k = ids.shape
    chosen = xp.reshape(ids, (-1,))
    order = xp.argsort(chosen, stable=True)
    rows = xp.take(x, order // k, axis=0)
    bounds = xp.arange(e + 1, dtype=chosen.dtype, device=device(chosen))
    offsets = xp.sum(xp.astype(chosen[None, :] < bounds[:, None], xp.int32), axis=1)
    places = xp.reshape(xp.argsort(order, stable=True), (t, k))
    return rows, xp.astype(offsets, xp.int32), xp.astype(places, xp.int32)


def moe_unpermute(xp, rows, places, weights=None):
    """Compute `y[i] = sum over j of weights[i, j] * rows[places[i, j]]`. Missing weights are 1.

    rows: `t*k d`; places: `t k`; weights: `t k` or None. Returns y: `t d`, in rows' dtype.
    """
    wide = xp.float64 if rows.dtype == xp.float64 else xp.float32
    t, k = places.shape
    chosen = xp.take(xp.astype(rows, wide), xp.reshape(places, (-1,)), axis=0)
    chosen = xp.reshape(chosen, (t, k, rows.shape[-1]))
    if weights is not None:
        chosen = chosen * xp.astype(weights, wide)[..., None]
    return xp.astype(xp.sum(chosen, axis=1), rows.dtype)


def moe_unpermute_dgrad(xp, dy, places, weights=None):
    """Return, for each row of `moe_unpermute`, the sum of `weights * dy` over the entries that
    select it.

    dy: `t d`; places: `t k`; weights: `t k` or None. Returns drows: `t*k d`, in dy's dtype.
    """
    wide = xp.float64 if dy.dtype == xp.float64 else xp.float32
    t, k = places.shape
    terms = xp.repeat(xp.astype(dy, wide)[:, None, :], k, axis=1)
    if weights is not None:
        terms = terms * xp.astype(weights, wide)[..., None]
    terms = xp.reshape(terms, (t * k, dy.shape[-1]))
    rows = xp.arange(t * k, dtype=places.dtype, device=device(places))
    names = xp.reshape(places, (1, -1)) == rows[:, None]
    zero = xp.zeros((), dtype=wide, device=device(dy))
    return xp.astype(xp.sum(xp.where(names[:, :, None], terms, zero), axis=1), dy.dtype)


def moe_unpermute_wgrad(xp, dy, places, rows):
    """Return the product of each entry's row with the gradient of its token.

    dy: `t d`; places: `t k`; rows: `t*k d`. Returns dweights: `t k`, in f32 (f64 for f64 rows).
    """
    wide = xp.float64 if rows.dtype == xp.float64 else xp.float32
    t, k = places.shape
    chosen = xp.take(xp.astype(rows, wide), xp.reshape(places, (-1,)), axis=0)
    chosen = xp.reshape(chosen, (t, k, rows.shape[-1]))
    return xp.sum(chosen * xp.astype(dy, wide)[:, None, :], axis=-1)
