def window_sums(xp, x, *, width, step):
    """Sum each window of `width` neighbours; windows start every `step` elements. x: `*batch n`.
    Returns y: `*batch m`.
    """
    m = (x.shape[-1] - width) // step + 1
    last = (m - 1) * step + 1
    return sum(x[..., i : i + last : step] for i in range(width))
