"""Reference of the causal_conv1d family."""


def causal_conv1d(
    xp,
    x,
    weight,
    bias=None,
    seq_idx=None,
    initial_states=None,
    *,
    return_final_states=False,
    activation="none",
):
    """Compute `y[t] = bias + sum(weight[j] * x[t - width + 1 + j])`, a sum within one sequence.

    The elements before `x[0]` are `initial_states`, or zeros. With `seq_idx` they belong to the
    first sequence. Returns y and the final states: the last `width - 1` elements of x, or None.
    """
    wide = xp.float64 if x.dtype == xp.float64 else xp.float32
    b, d, length = x.shape
    width = weight.shape[1]
    before = (
        xp.zeros((b, d, width - 1), dtype=x.dtype) if initial_states is None else initial_states
    )
    whole = xp.concat([before, x], axis=2)
    y = xp.zeros((b, d, length), dtype=wide)
    for j in range(width):
        part = xp.astype(whole[:, :, j : j + length], wide)
        if seq_idx is not None:
            first = xp.broadcast_to(seq_idx[:, :1], (b, width - 1))
            sequence = xp.concat([first, seq_idx], axis=1)[:, j : j + length]
            part = xp.where((sequence == seq_idx)[:, None], part, xp.zeros_like(part))
        y = y + xp.astype(weight, wide)[:, j, None] * part
    if bias is not None:
        y = y + xp.astype(bias, wide)[:, None]
    if activation == "silu":
        y = y / (1 + xp.exp(-y))
    final = whole[:, :, length:] if return_final_states else None
    return xp.astype(y, x.dtype), final
