def picked(xp, x, places, times, seed):
    return xp.take(x, places) * xp.astype(times, x.dtype), seed
