"""Reference of the rnnt_loss family."""


def rnnt_loss(xp, acts, labels, act_lens, label_lens, *, blank, reduction):
    """Return the transducer loss. `acts` are log-probabilities.

    Graves, Sequence Transduction with Recurrent Neural Networks, 2012. If this function is traced,
    the loops over frames and labels are unrolled.
    """
    b, t, u1, v = acts.shape
    symbol = xp.concat([labels, xp.zeros((b, 1), dtype=labels.dtype)], axis=1)
    hot = symbol[:, :, None] == xp.arange(v, dtype=labels.dtype)  # b u+1 v
    emit = xp.sum(xp.where(hot[:, None], acts, xp.zeros_like(acts)), axis=-1)  # b t u+1
    stay = acts[:, :, :, blank]

    def add(x, y):
        most = xp.maximum(x, y)
        return most + xp.log(xp.exp(x - most) + xp.exp(y - most))

    alpha = {(0, 0): xp.zeros_like(stay[:, 0, 0])}
    for i in range(t):
        for j in range(u1):
            came = []
            if i:
                came.append(alpha[i - 1, j] + stay[:, i - 1, j])
            if j:
                came.append(alpha[i, j - 1] + emit[:, i, j - 1])
            if came:
                alpha[i, j] = came[0] if len(came) == 1 else add(*came)
    ends = xp.stack([alpha[i, j] + stay[:, i, j] for i in range(t) for j in range(u1)], axis=1)
    place = xp.astype((act_lens - 1) * u1 + label_lens, xp.int64)
    last = place[:, None] == xp.arange(t * u1, dtype=xp.int64)
    costs = -xp.sum(xp.where(last, ends, xp.zeros_like(ends)), axis=1)
    return costs if reduction == "none" else getattr(xp, reduction)(costs)
