def trainable_bilateral(xp, x, sigma_x, sigma_y, sigma_z, color_sigma):
    """Return the bilateral filter. This reference computes the weights of all pairs of pixels.

    Weights are 0 outside of a window of 5 sigma.
    """
    shape = x.shape
    x = xp.reshape(x, (shape[0], shape[1], *shape[2:], *(1 for _ in range(5 - len(shape)))))
    weight = 1.0
    for place, sigma in enumerate((sigma_x, sigma_y, sigma_z)):
        n = x.shape[2 + place]
        at = xp.astype(xp.arange(n), x.dtype)
        apart = at[:, None] - at[None, :]
        window = xp.ceil(5 * sigma)
        half = xp.maximum(xp.floor(window / 2), 2 * xp.ones_like(window))  # of an odd number
        one = xp.where(
            abs(apart) <= half, xp.exp(-(apart**2) / (2 * sigma**2)), xp.zeros_like(apart)
        )
        weight = weight * xp.reshape(one, tuple(n if i % 3 == place else 1 for i in range(6)))
    home = x[:, 0, :, :, :, None, None, None]
    other = x[:, 0, None, None, None, :, :, :]
    weight = weight * xp.exp(-((home - other) ** 2) / (2 * color_sigma**2))
    total = xp.sum(weight, axis=(4, 5, 6))
    return xp.reshape(xp.sum(weight * other, axis=(4, 5, 6)) / total, shape)
