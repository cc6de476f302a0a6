def unit_rows(xp, x, weight):
    """Divide each row by its norm. x: `*batch d`; weight: `d`. Returns y: `*batch d`."""
    return x / xp.sqrt(xp.sum(x * x, axis=-1, keepdims=True)) * weight
