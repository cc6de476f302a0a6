"""Reference of the selective_scan family."""


def selective_scan(
    xp,
    u,
    delta,
    A,
    B,
    C,
    D=None,
    z=None,
    delta_bias=None,
    *,
    delta_softplus=False,
    return_last_state=False,
):
    """Return `y[t] = C[t] . h[t] + D*u[t]` for the states `h[t]`, and the last state.

    `h[t] = exp(delta[t]*A) * h[t-1] + delta[t]*B[t]*u[t]`. With z, y is multiplied by `silu(z)`. If
    A is complex, `C[t] . h[t]` is replaced by twice its real part, and B and C of rank 4 contain
    alternating real and imaginary parts. Gu and Dao, Mamba, 2023. This reference computes all pairs
    of time steps.
    """
    wide = xp.float64 if u.dtype == xp.float64 else xp.float32
    ut, step = xp.astype(u, wide), xp.astype(delta, wide)
    is_complex = xp.isdtype(A.dtype, "complex floating")
    if delta_bias is not None:
        step = step + xp.astype(delta_bias, wide)[:, None]
    if delta_softplus:
        step = xp.log1p(xp.exp(step))
    until = xp.cumulative_sum(step, axis=-1)  # b d l
    length, d = u.shape[-1], u.shape[1]

    def by_place(m):
        """Return `m` as `b d n l`, or in a shape that broadcasts to it."""
        if m.ndim == 2:
            return m[None, :, :, None]
        m = xp.astype(m, wide)
        if is_complex:
            m = m[..., ::2] + 1j * m[..., 1::2]
        return xp.repeat(m, d // m.shape[1], axis=1)

    between = until[:, :, :, None] - until[:, :, None, :]  # b d t s
    place = xp.arange(length)
    past = place[:, None] >= place
    between = xp.where(past, between, xp.zeros_like(between))
    decay = xp.exp(between[:, :, None] * A[None, :, :, None, None])  # b d n t s
    decay = xp.where(past, decay, xp.zeros_like(decay))
    given = by_place(B) * (step * ut)[:, :, None, :]  # b d n s
    states = xp.sum(decay * given[:, :, :, None, :], axis=-1)  # b d n t
    y = xp.sum(states * by_place(C), axis=2)
    y = 2 * xp.real(y) if is_complex else y
    if D is not None:
        y = y + xp.astype(D, wide)[:, None] * ut
    if z is not None:
        gate = xp.astype(z, wide)
        y = y * gate / (1 + xp.exp(-gate))
    last = states[..., -1] if return_last_state else None
    return xp.astype(y, u.dtype), last
