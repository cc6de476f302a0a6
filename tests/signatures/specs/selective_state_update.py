"""Reference of the selective_state_update family."""


def selective_state_update(
    xp,
    state,
    x,
    dt,
    A,
    B,
    C,
    D=None,
    z=None,
    dt_bias=None,
    state_batch_indices=None,
    *,
    dt_softplus=False,
):
    """Compute `state = state * exp(dt*A) + dt*B*x` and `out = (C . state + D*x) * silu(z)`.

    If several sequences update the same entry of `state`, the last one remains. Returns out, then
    state.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    xw, step, own = xp.astype(x, wide), xp.astype(dt, wide), xp.astype(state, wide)
    b, entries = x.shape[0], state.shape[0]
    if state_batch_indices is not None:
        rows = xp.take(own, state_batch_indices, axis=0)
    else:
        rows = own[:b, ...]
    if dt_bias is not None:
        step = step + dt_bias
    if dt_softplus:
        step = xp.log1p(xp.exp(step))

    def by_head(m):
        """Return `m` as `b *h 1 n`."""
        m = xp.astype(m, wide)
        if x.ndim == 3:
            m = xp.repeat(m, x.shape[1] // m.shape[1], axis=1)
        return m[..., None, :]

    rows = rows * xp.exp(step[..., None] * A) + (step * xw)[..., None] * by_head(B)
    out = xp.sum(rows * by_head(C), axis=-1)
    if D is not None:
        out = out + D * xw
    if z is not None:
        gate = xp.astype(z, wide)
        out = out * gate / (1 + xp.exp(-gate))
    written = [own[e, ...] for e in range(entries)]
    for n in range(b):
        for e in range(entries):
            if state_batch_indices is None:
                written[e] = rows[n, ...] if e == n else written[e]
            else:
                written[e] = xp.where(state_batch_indices[n] == e, rows[n, ...], written[e])
    return xp.astype(out, x.dtype), xp.astype(xp.stack(written), state.dtype)
