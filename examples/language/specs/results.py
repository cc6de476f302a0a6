def moments(xp, x, *, spread):
    mean = xp.mean(x, axis=1)
    return mean, xp.mean((x - mean[:, None]) ** 2, axis=1) if spread else None
